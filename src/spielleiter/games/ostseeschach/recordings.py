"""Ostseeschach as the recordings of the reference server write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.game import TEAMS, End, Square, Team
from spielleiter.games.ostseeschach.moves import Move, Piece, PieceKind, move_between, on_board
from spielleiter.games.ostseeschach.rules import OstseeschachEnd, Rules, State

_DECISIONS: dict[End, str] = {
    OstseeschachEnd.AMBERS_MORE: "DIFFERING_SCORES",
    OstseeschachEnd.AMBERS_FARTHER: "DIFFERING_POSITIONS",
    OstseeschachEnd.AMBERS_EQUAL: "EQUAL_SCORE",
    OstseeschachEnd.ROUNDS_MORE: "DIFFERING_SCORES",
    OstseeschachEnd.ROUNDS_FARTHER: "DIFFERING_POSITIONS",
    OstseeschachEnd.ROUNDS_EQUAL: "EQUAL_SCORE",
}
"""The server's word for what decided the game; it knows none for a side without a move (R19)."""


def piece_from(recorded: Mapping[str, Any]) -> tuple[Square, Piece]:
    """The square and what stands there, from the server's words. Raises ``KeyError`` or ``ValueError``."""
    square, height = (int(recorded["x"]), int(recorded["y"])), int(recorded["count"])
    if not on_board(square) or height not in (1, 2):
        raise ValueError(f"no piece of a start position: {dict(recorded)}")
    return square, Piece(Team[recorded["team"]], PieceKind[recorded["type"].upper()], height)


class OstseeschachRecordings:
    """Reads recorded games of one rule set; see ``records.reference``."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def start(self, game: Mapping[str, Any]) -> State:
        pieces = [piece_from(recorded) for recorded in game["start"]["pieces"]]
        if len({square for square, _ in pieces}) < len(pieces):
            raise ValueError("two pieces on one square")
        return State.of(self._rules, 0, pieces)

    def move(self, state: State, text: str) -> Move:
        """The move that the recording names as ``x,y>x,y``."""
        start, target = (part.split(",") for part in text.split(">"))
        (x, y), (to_x, to_y) = map(int, start), map(int, target)
        return move_between((x, y), (to_x, to_y))

    def canonical_moves(self, state: State) -> list[str]:
        """The legal moves as the recordings hash them."""
        return ["{},{}>{},{}".format(*move.start, *move.target) for move in state.legal_moves()]

    def end(self, state: State) -> dict[str, Any]:
        """What the recordings say about the last position."""
        outcome = state.outcome
        return {
            "round": (state.turn + 1) // 2,
            "ambers": {team.name: state.ambers(team) for team in TEAMS},
            "lightDistances": {team.name: list(state.light_distances(team)) for team in TEAMS},
            "noMoves": outcome is not None and outcome.reason is OstseeschachEnd.NO_MOVE,
            "pieces": [_piece(square, piece) for square, piece in state.pieces()],
            "reason": None if outcome is None else _DECISIONS.get(outcome.reason),
        }


def _piece(square: Square, piece: Piece) -> dict[str, Any]:
    x, y = square
    return {"x": x, "y": y, "type": piece.kind.wire_name, "team": piece.team.name, "count": piece.height}
