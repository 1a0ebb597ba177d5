"""Hase und Igel on a page: fields of the track, cards and buttons that make a move, and the board in words."""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.game import TEAMS, BoardInput, Look, MoveNote, Pick, Square, Text, Thing
from spielleiter.game.board_input import NO_MOVE
from spielleiter.game.drawing import Point
from spielleiter.games.hase_und_igel.drawing import (
    COLUMNS,
    FIELD_AT,
    ROWS,
    SQUARES,
    Meadow,
)
from spielleiter.games.hase_und_igel.moves import (
    CARDS,
    EAT_SALAD,
    FALL_BACK,
    GIVE_CARROTS,
    TAKE_CARROTS,
    TEAM_TEXTS,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    Move,
)
from spielleiter.games.hase_und_igel.rules import HaseUndIgelViolation, State, cost
from spielleiter.games.hase_und_igel.track import LAST, Field

_ROWS = tuple(tuple((x, y) for x in range(COLUMNS) if (x, y) in FIELD_AT) for y in reversed(range(ROWS)))
_CARD_NAMES = {card.name.lower().replace("_", "-"): card for card in CARDS}
_NAMES = {card: name for name, card in _CARD_NAMES.items()}
_CARD_WORDS = (Text("Salat", "Salad"), Text("Tauschen", "Swap"), Text("Zurück", "Back"), Text("Vor", "Ahead"))
_SHORT = tuple(Text(f"Karte {word.de}", f"{word.en} card") for word in _CARD_WORDS)
"""What stands on the buttons of the cards."""
_EAT = Thing("eat", Text("Salat fressen", "Eat a salad"))
_TAKE = Thing("take", Text("+10 Karotten", "+10 carrots"))
_GIVE = Thing("give", Text("−10 Karotten", "−10 carrots"))
_BUTTONS: dict[str, Move] = {_EAT.name: EAT_SALAD, _TAKE.name: TAKE_CARROTS, _GIVE.name: GIVE_CARROTS}

FIELD_FIRST = Text(
    "Wähle zuerst das Feld, auf das du läufst: eine Karte spielst du auf einem Hasenfeld und kaufst du auf dem Markt.",
    "First choose the field to run to: cards are played on a hare field and bought on a market.",
)
NEAREST_HEDGEHOG = Text(
    "Zurück geht es nur auf das nächste Igelfeld hinter deinem Hasen (R13).",
    "The only way back leads to the nearest hedgehog field behind your hare (R13).",
)
NO_PLAYABLE_CARD = Text(
    "Auf einem Hasenfeld muss eine Karte gespielt werden, und keine deiner Karten geht dort (R8).",
    "On a hare field a card has to be played, and none of your cards can be played there (R8).",
)


class HaseUndIgelInput(BoardInput[State, Move]):
    """The field to run to, then the cards that are played or bought there; the hedgehog behind; or a button."""

    rows = _ROWS

    # --- the moves ---

    def picks(self, state: State, move: Move) -> tuple[Pick, ...]:
        """The field, then the names of the cards; a button for what is done without running."""
        me = state.hares[state.to_move]
        match move:
            case Advance():
                return SQUARES[me.position + move.distance], *(_NAMES[card] for card in move.cards)
            case FallBack():
                return (SQUARES[state.track.hedgehog_before[me.position]],)
            case _:
                return (next(name for name, button in _BUTTONS.items() if button == move),)

    def refusal(self, state: State, picks: Sequence[Pick]) -> Text:
        """The rule that the picks break."""
        first, *rest = picks
        cards = [_CARD_NAMES[pick] for pick in rest if isinstance(pick, str) and pick in _CARD_NAMES]
        if len(cards) < len(rest) or isinstance(first, int):
            return NO_MOVE
        if isinstance(first, str):
            if first in _CARD_NAMES:
                return _why_not(state, Advance(1)) if state.outcome is not None or _must_eat(state) else FIELD_FIRST
            return NO_MOVE if rest or first not in _BUTTONS else _why_not(state, _BUTTONS[first])
        if (number := FIELD_AT.get(first)) is None:
            return NO_MOVE
        me = state.hares[state.to_move].position
        if number >= me or state.outcome is not None or _must_eat(state):
            return _why_not(state, Advance(number - me, tuple(cards)))
        if rest:
            return HaseUndIgelViolation.CARD_NOT_PLAYABLE.text
        return _why_not(state, FALL_BACK) if number == state.track.hedgehog_before[me] else NEAREST_HEDGEHOG

    def things(self, state: State) -> Sequence[Thing]:
        """The four kinds of cards, which are played or bought, with how many there are; and the buttons."""
        held = state.hares[state.to_move].cards
        cards = (_card_thing(card, held.count(card)) for card in CARDS)
        return *cards, _EAT, _TAKE, _GIVE

    def note(self, state: State, move: Move) -> MoveNote:
        """What the move costs and brings, and which fields are run over."""
        me = state.hares[state.to_move]
        way = range(me.position + 1, me.position + move.distance) if isinstance(move, Advance) else ()
        return MoveNote(self.move_text(state, move), tuple(SQUARES[number] for number in way))

    def advice(self, state: State) -> Text | None:
        """The hint that a salad has to be eaten, or that the only way is back."""
        if _must_eat(state):
            return Text(
                "Dein Hase sitzt auf einem Salatfeld: Er muss einen Salat fressen.",
                "Your hare is on a salad field: it has to eat a salad.",
            )
        if state.legal_moves() == (FALL_BACK,):
            return Text("Dein Hase kann nur noch zurückfallen.", "Your hare can only fall back.")
        return None

    # --- the picture ---

    def outline(self, square: Square, look: Look) -> tuple[Point, ...]:
        """The corners of ``square`` in the picture."""
        return Meadow.of(look).outline(square)

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture."""
        return Meadow.of(look).extent

    # --- words ---

    def square_name(self, square: Square) -> str:
        """The number of the field (R28)."""
        return str(FIELD_AT[square])

    def contents(self, state: State, square: Square) -> Text:
        """What the field is, and which hares are on it."""
        number = FIELD_AT[square]
        kind = state.track.fields[number].text
        hares = [TEAM_TEXTS[team] for team in TEAMS if state.hares[team].position == number]
        return Text(
            "".join((kind.de, *(f", Hase von {name.de}" for name in hares))),
            "".join((kind.en, *(f", hare of {name.en}" for name in hares))),
        )

    def move_text(self, state: State, move: Move) -> Text:
        """What the hare does, and what it has afterwards."""
        team = state.to_move
        said = _deed(state, move)
        after = Text("", "")
        if state.violation(move) is None:
            before, hare = state.hares[team], state.hare_after(move)
            if hare.carrots != before.carrots:
                after = Text(f", danach {_carrots(hare.carrots).de}", f", {_carrots(hare.carrots).en} left")
        return Text(
            f"{TEAM_TEXTS[team].de}: {said.de}{after.de}",
            f"{TEAM_TEXTS[team].en}: {said.en}{after.en}",
        )

    def list_text(self, state: State, move: Move) -> Text:
        """The field to which the hare runs and its cards, or what it does."""
        position = state.hares[state.to_move].position
        match move:
            case EatSalad():
                return Text("Salat", "salad")
            case FallBack():
                hedgehog = state.track.hedgehog_before[position]
                return Text("zurück", "back") if hedgehog < 0 else Text(f"zurück auf {hedgehog}", f"back to {hedgehog}")
            case ExchangeCarrots():
                return Text(f"{move.amount:+} Karotten".replace("-", "−"), f"{move.amount:+} carrots".replace("-", "−"))
            case Advance():
                target = position + move.distance
                cards = [_CARD_WORDS[card] for card in move.cards]
                return Text(
                    ", ".join((f"Feld {target}", *(card.de for card in cards))),
                    ", ".join((f"field {target}", *(card.en for card in cards))),
                )

    def move_squares(self, state: State, move: Move) -> tuple[Square, ...]:
        """Start and final square of the hare; one square if it stays."""
        start = state.hares[state.to_move].position
        if state.violation(move) is None:
            end = state.hare_after(move).position
        else:
            end = start + move.distance if isinstance(move, Advance) else start
        return tuple(SQUARES[number] for number in dict.fromkeys((start, end)) if 0 <= number <= LAST)


def _must_eat(state: State) -> bool:
    return state.legal_moves() == (EAT_SALAD,)


def _why_not(state: State, move: Move) -> Text:
    """The rule that the move breaks, or why no card completes it."""
    violation = state.violation(move)
    if violation is None:
        return NO_MOVE
    return NO_PLAYABLE_CARD if violation is HaseUndIgelViolation.CARD_MUST_FOLLOW else violation.text


def _card_thing(card: Card, held: int) -> Thing:
    name = _SHORT[card]
    return Thing(_NAMES[card], Text(f"{name.de} ({held})", f"{name.en} ({held})"))


def _carrots(number: int) -> Text:
    return Text("1 Karotte", "1 carrot") if number == 1 else Text(f"{number} Karotten", f"{number} carrots")


def _deed(state: State, move: Move) -> Text:
    """The move in words, without what comes of it."""
    position = state.hares[state.to_move].position
    match move:
        case EatSalad():
            return Text("frisst einen Salat", "eats a salad")
        case FallBack():
            hedgehog = state.track.hedgehog_before[position]
            if hedgehog < 0:
                return Text("fällt auf ein Igelfeld zurück", "falls back to a hedgehog field")
            return Text(f"fällt auf das Igelfeld {hedgehog} zurück", f"falls back to the hedgehog on {hedgehog}")
        case ExchangeCarrots() if move.amount < 0:
            return Text(f"gibt {_carrots(-move.amount).de} ab", f"gives back {_carrots(-move.amount).en}")
        case ExchangeCarrots():
            return Text(f"nimmt {_carrots(move.amount).de}", f"takes {_carrots(move.amount).en}")
        case Advance():
            return _run(state, move, position)


def _run(state: State, move: Advance, position: int) -> Text:
    target = position + move.distance
    kind = state.track.fields[target].text if 0 <= target <= LAST else None
    place = Text(f"Feld {target}", f"field {target}")
    if kind is not None:
        place = Text(f"Feld {target} ({kind.de})", f"field {target} ({kind.en})")
    price = _carrots(max(0, cost(move.distance)))
    parts = [Text(f"läuft auf {place.de} für {price.de}", f"runs to {place.en} for {price.en}")]
    is_legal = state.violation(move) is None
    buys = is_legal and state.track.fields[state.hare_after(move).position] is Field.MARKET
    for place_in_chain, card in enumerate(move.cards, 1):
        if buys and place_in_chain == len(move.cards):
            parts.append(Text(f"kauft die Karte {card.text.de}", f"buys the card {card.text.en}"))
        else:
            parts.append(Text(f"spielt {card.text.de}", f"plays {card.text.en}"))
    return Text(", ".join(part.de for part in parts), ", ".join(part.en for part in parts))
