"""Positions of Hase und Igel for tests: a fixed track, and the hares as a notation writes them."""

from __future__ import annotations

from spielleiter.games.hase_und_igel import Move, State
from spielleiter.games.hase_und_igel.notation import HaseUndIgelNotation
from spielleiter.games.hase_und_igel.rules import HASE_UND_IGEL_2025, Rules

TRACK = "0CCCHHHM12SICCHIM12ICCS2ICCHM2ICCHH12ICCH2SICCHM12ICCHM2ISHC1CHCG"
FAR = "63:68:5:-:-"
"""A hare out of the way, far ahead on a carrot field."""


def position(one: str, two: str = FAR, turn: int = 20, rules: Rules = HASE_UND_IGEL_2025, track: str = TRACK) -> State:
    """ONE and TWO as ``field:carrots:salads:cards:last``."""
    return HaseUndIgelNotation(rules).parse_state(f"{rules.key} {track} {one} {two} {turn}")


def move(text: str) -> Move:
    """The move called ``text``."""
    return HaseUndIgelNotation(HASE_UND_IGEL_2025).parse_move(position("1:1:5:-:-"), text)


def play(state: State, *texts: str) -> State:
    """The position after these moves."""
    for text in texts:
        state = state.play(move(text))
    return state


def moves_of(state: State) -> set[str]:
    """The legal moves as texts."""
    return set(map(str, state.legal_moves()))


def hare(state: State, team: int = 0) -> tuple[int, int, int, str]:
    """Field, carrots, salads and the letters of the cards."""
    found = state.hares[team]
    return found.position, found.carrots, found.salads, "".join(card.letter for card in found.cards)
