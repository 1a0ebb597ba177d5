"""What a search found, and how it values a game that is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from spielleiter.game import GameState, MoveT, Outcome, Team

WIN = 1000.0
"""About the value of a won game: far beyond every evaluation, which stays within -1 and 1."""

_MAX_MARGIN = 100


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[MoveT]):
    """The move to play, and why."""

    move: MoveT
    score: float
    """The value for the team to move: within -1 and 1 an estimate, around ``WIN`` or ``-WIN`` a certainty."""
    depth: int
    """How many moves the search looked ahead."""
    nodes: int
    """How many positions it visited."""
    seconds: float
    line: tuple[MoveT, ...]
    """How the game would go on if both sides thought the same; begins with ``move``."""


def final_value(state: GameState[Any], outcome: Outcome, team: Team) -> float:
    """The value of a finished game for ``team``: around ``WIN``, 0 for a draw, around ``-WIN``.

    A win is better the sooner it comes and the larger it is: a turn counts as much as a point of the ranking
    score. The turn is the game's own counter, so the value is the same from wherever the search started.
    """
    winner = outcome.winner
    if winner is None:
        return 0.0
    margin = sum(state.points(winner)[1:2]) - sum(state.points(winner.opponent)[1:2])
    value = WIN - state.turn + max(-_MAX_MARGIN, min(_MAX_MARGIN, margin))
    return value if winner is team else -value
