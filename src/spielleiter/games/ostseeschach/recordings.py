"""How the recordings of the reference server write Ostseeschach: their starts, moves and ends, in their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, End, Square, Team
from spielleiter.games.ostseeschach.moves import Figure, Kind, Move, move_between, on_board
from spielleiter.games.ostseeschach.rules import OstseeschachEnd, Rules, State

_MOVE = re.compile(r"(-?\d{1,9}),(-?\d{1,9})>(-?\d{1,9}),(-?\d{1,9})", re.ASCII)
_KINDS = {kind.wire_name: kind for kind in Kind}
_TEAMS = {team.name: team for team in TEAMS}
_DECISIONS: dict[End, str] = {
    OstseeschachEnd.AMBERS_MORE: "DIFFERING_SCORES",
    OstseeschachEnd.AMBERS_FARTHER: "DIFFERING_POSITIONS",
    OstseeschachEnd.AMBERS_EQUAL: "EQUAL_SCORE",
    OstseeschachEnd.ROUNDS_MORE: "DIFFERING_SCORES",
    OstseeschachEnd.ROUNDS_FARTHER: "DIFFERING_POSITIONS",
    OstseeschachEnd.ROUNDS_EQUAL: "EQUAL_SCORE",
}


class OstseeschachRecordings:
    """The reference server's words for one rule set."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def start(self, game: Mapping[str, Any]) -> State:
        """The first position of a recorded game, or of a perft entry (which has its ``pieces`` outside ``start``)."""
        try:
            pieces = game.get("start", game)["pieces"]
            figures = [_piece(piece) for piece in pieces]
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise RecordError(f"the start position is damaged: {error!r}") from error
        if len({square for square, _ in figures}) < len(figures):
            raise RecordError("the start position is damaged: two pieces on one square")
        return State.of(self._rules, figures)

    def move(self, state: State, text: str) -> Move:
        """The move written ``x,y>x,y``."""
        found = _MOVE.fullmatch(text)
        if found is None:
            raise RecordError(f"expected a move like 0,1>1,1 but found {text[:40]!r}")
        x0, y0, x1, y1 = map(int, found.groups())
        return move_between((x0, y0), (x1, y1))

    def canonical_moves(self, state: State) -> list[str]:
        """The legal moves as the recordings hash them."""
        return ["{},{}>{},{}".format(*move.start, *move.target) for move in state.legal_moves()]

    def end(self, state: State) -> dict[str, Any]:
        """What the recordings tell of the last position.

        They differ where that server failed: it gives no score to a team without a light figure, and does not end a
        game in which the side to move has no move (``over`` is false there).
        """
        outcome = state.outcome
        return {
            "turn": state.turn,
            "round": (state.turn + 1) // 2,
            "over": outcome is not None,
            "winner": None if outcome is None or outcome.winner is None else outcome.winner.name,
            "scores": {team.name: list(state.points(team)) for team in TEAMS},
            "ambers": {team.name: state.ambers(team) for team in TEAMS},
            "lightDistances": {team.name: list(state.light_distances(team)) for team in TEAMS},
            "noMoves": outcome is not None and outcome.reason is OstseeschachEnd.NO_MOVE,
            "pieces": [
                {
                    "x": x,
                    "y": y,
                    "type": figure.kind.wire_name,
                    "team": figure.team.name,
                    "count": figure.height,
                }
                for (x, y), figure in state.figures()
            ],
            "reason": None if outcome is None else _DECISIONS.get(outcome.reason),
        }


def _piece(piece: Mapping[str, Any]) -> tuple[Square, Figure]:
    """One recorded piece; raises ``KeyError``, ``TypeError`` or ``ValueError`` if it is none."""
    square = (int(piece["x"]), int(piece["y"]))
    team: Team = _TEAMS[piece["team"]]
    height = int(piece["count"])
    if not on_board(square) or height not in (1, 2):
        raise ValueError(f"no such piece: {dict(piece)}")
    return square, Figure(team, _KINDS[piece["type"]], height)
