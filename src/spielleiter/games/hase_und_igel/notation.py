"""Hase und Igel as text: positions like ``hase-und-igel-2025 0CMH1...G 3:62:5:EH:- 0:68:5:-:- 1``, moves like ``+5 H``.

A position is: the key, a letter for each field of the track from start to goal (0 start, C carrots, H hare, S salad,
M market, I hedgehog, 1 and 2 position fields, G goal), the hares of ONE and TWO, and the turn. A hare is: number of its
field, carrots, salads, cards (E eat a salad, S swap carrots, F fall back, H hurry ahead, ``-`` for none), and what it
did last if that matters: ``e`` ate a salad on a salad field, ``s`` swapped carrots, ``-`` for all else.

A move is: ``+5`` and the letters of its cards in order, the last one bought if it ends on a market; ``salad``;
``back``; ``carrots +10`` or ``carrots -10``.
"""

from __future__ import annotations

import re

from spielleiter.errors import NotationError
from spielleiter.game import TEAMS, Team, Text, require_text
from spielleiter.game.notation import TURN, read_position_words, read_turn
from spielleiter.games.hase_und_igel.moves import (
    CARD_LETTERS,
    EAT_SALAD,
    FALL_BACK,
    TEAM_TEXTS,
    Advance,
    Card,
    ExchangeCarrots,
    Move,
)
from spielleiter.games.hase_und_igel.position import why_impossible
from spielleiter.games.hase_und_igel.rules import TURN_LIMIT, Hare, Rules, State
from spielleiter.games.hase_und_igel.track import LENGTH, LETTERS, track_of

_WORDS_OF_POSITION = (
    Text("Strecke", "the track"),
    Text("Hase von Rot", "Red's hare"),
    Text("Hase von Blau", "Blue's hare"),
    TURN,
)
_HARE = re.compile(rf"([0-9]{{1,2}}):([0-9]{{1,4}}):([0-9]):([{CARD_LETTERS}]{{1,30}}|-):([es-])")
_ADVANCE = re.compile(rf"([+-]?[0-9]{{1,9}})\s*([{CARD_LETTERS}]*)", re.IGNORECASE)
_EXCHANGE = re.compile(r"(?:carrots|karotten)\s*([+-]?[0-9]{1,9})", re.IGNORECASE)
_WORDS: dict[str, Move] = {"salad": EAT_SALAD, "salat": EAT_SALAD, "back": FALL_BACK, "zurück": FALL_BACK}


class HaseUndIgelNotation:
    """Writes and reads the positions of one rule set, and moves."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def format_state(self, state: State) -> str:
        one, two = map(format_hare, state.hares)
        return f"{state.rules.key} {state.track.letters} {one} {two} {state.turn}"

    def parse_state(self, text: str) -> State:
        """The position that ``text`` describes; refuses what the rules do not know, with their number."""
        words = read_position_words(text, self._rules.key, _WORDS_OF_POSITION)
        track, *hares, turn_word = words
        _refuse_unknown_letters(text, *track)
        turn = read_turn(text, turn_word, TURN_LIMIT)
        one, two = (_parse_hare(text, *word, team) for word, team in zip(hares, TEAMS, strict=True))
        if (reason := why_impossible(track.text, turn, (one, two))) is not None:
            raise NotationError(reason.text.de, reason.text.en, text, words[reason.word - 1].at)
        return State.of(self._rules, track_of(track.text), turn, (one, two))

    def format_move(self, state: State, move: Move) -> str:
        """``+5 HE``, ``salad``, ``back``, ``carrots +10``."""
        return str(move)

    def parse_move(self, state: State, text: str) -> Move:
        """The move that ``text`` names; the German words ``salat``, ``zurück`` and ``karotten`` are known too."""
        require_text(text)
        stripped = text.strip()
        if (move := _WORDS.get(stripped.lower())) is not None:
            return move
        if found := _EXCHANGE.fullmatch(stripped):
            return ExchangeCarrots(int(found[1]))
        if found := _ADVANCE.fullmatch(stripped):
            return Advance(int(found[1]), tuple(Card(CARD_LETTERS.index(letter)) for letter in found[2].upper()))
        raise NotationError(
            "erwartet: ein Zug wie +5, +5 HE, salad, back oder carrots +10",
            "expected a move like +5, +5 HE, salad, back or carrots +10",
            text,
        )


def format_hare(hare: Hare) -> str:
    """The word of a hare in a position."""
    cards = "".join(card.letter for card in sorted(hare.cards)) or "-"
    last = "e" if hare.has_eaten else "s" if hare.has_swapped else "-"
    return f"{hare.position}:{hare.carrots}:{hare.salads}:{cards}:{last}"


def _refuse_unknown_letters(text: str, letters: str, at: int) -> None:
    for offset, letter in enumerate(letters[:LENGTH]):
        if letter not in LETTERS:
            raise NotationError(
                f"erwartet: ein Feld aus {LETTERS}; gefunden: {letter!r}",
                f"expected a field out of {LETTERS}, found {letter!r}",
                text,
                at + offset,
            )
    if len(letters) != LENGTH:
        raise NotationError(
            f"erwartet: {LENGTH} Felder; gefunden: {len(letters)} (R1)",
            f"expected {LENGTH} fields, found {len(letters)} (R1)",
            text,
            at + min(LENGTH, len(letters)),
        )


def _parse_hare(text: str, word: str, at: int, team: Team) -> Hare:
    found = _HARE.fullmatch(word)
    if found is None:
        raise NotationError(
            f"erwartet: der Hase von {TEAM_TEXTS[team].de} als Feld:Karotten:Salate:Karten:zuletzt, etwa 3:62:5:EH:-",
            f"expected {TEAM_TEXTS[team].en}'s hare as field:carrots:salads:cards:last, such as 3:62:5:EH:-",
            text,
            at,
        )
    position, carrots, salads, letters, last = found.groups()
    cards = () if letters == "-" else tuple(Card(CARD_LETTERS.index(letter)) for letter in letters)
    action = EAT_SALAD if last == "e" else Card.SWAP_CARROTS if last == "s" else None
    return Hare(int(position), int(carrots), int(salads), cards, action)
