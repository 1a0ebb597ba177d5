"""Pinguine as the recordings of the reference server write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.game import TEAMS, End, Square, Team
from spielleiter.games.pinguine.moves import SIZE, Move, field_at, move_to
from spielleiter.games.pinguine.rules import MAX_FISH, PinguineEnd, Rules, State, why_impossible

_DECISIONS: dict[End, str] = {
    PinguineEnd.MORE_FISH: "DIFFERING_SCORES",
    PinguineEnd.EQUAL_FISH: "EQUAL_SCORE",
}
"""The server's word for what decided the game."""


class PinguineRecordings:
    """Reads recorded games of one rule set; see ``records.reference``."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def start(self, game: Mapping[str, Any]) -> State:
        rows = game["start"]["board"]
        fields: dict[Square, int | Team] = {
            field_at(index, y): fish for y, row in enumerate(rows) for index, fish in enumerate(row)
        }
        numbers = fields.values()
        if [len(row) for row in rows] != [SIZE] * SIZE or not all(number in range(MAX_FISH + 1) for number in numbers):
            raise ValueError(f"not a start position: {rows}")
        state = State.of(self._rules, 0, fields)
        if (reason := why_impossible(state)) is not None:
            raise ValueError(reason.en)
        return state

    def move(self, state: State, text: str) -> Move:
        """The move that the recording names as ``x,y`` or ``x,y>x,y``."""
        start, _, target = text.rpartition(">")
        return move_to(_square(start) if start else None, _square(target))

    def canonical_moves(self, state: State) -> list[str]:
        """The legal moves as the recordings hash them."""
        return [_canonical(move) for move in state.legal_moves()]

    def end(self, state: State) -> dict[str, Any]:
        """What the recordings say about the last position."""
        outcome = state.outcome
        return {
            "round": (state.turn + 1) // 2,
            "fishes": {team.name: state.fish[team] for team in TEAMS},
            "currentTeam": state.to_move.name,
            "board": [[_content(state, field_at(index, y)) for index in range(SIZE)] for y in range(SIZE)],
            "reason": None if outcome is None else _DECISIONS[outcome.reason],
        }


def _square(text: str) -> Square:
    x, y = text.split(",")
    return int(x), int(y)


def _canonical(move: Move) -> str:
    target = "{},{}".format(*move.target)
    return target if move.start is None else "{},{}>{}".format(*move.start, target)


def _content(state: State, square: Square) -> int | str:
    team = state.penguin_at(square)
    return state.fish_at(square) if team is None else team.name
