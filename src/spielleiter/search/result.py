"""What a search is asked and what it answers; the same for every way of searching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from spielleiter.game import MoveT


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """When a search has to stop; whatever comes first. A limit of zero gives a legal move at once."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Line(Generic[MoveT]):
    """Moves that both sides are expected to play, and what they are worth to the side that begins."""

    moves: tuple[MoveT, ...]
    score: int
    win_probability: float


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[MoveT]):
    """What a search has found: the best lines, the best first, and how much work that was."""

    lines: tuple[Line[MoveT], ...]
    depth: int
    nodes: int
    seconds: float

    @property
    def move(self) -> MoveT:
        """The best move."""
        return self.lines[0].moves[0]

    @property
    def score(self) -> int:
        """The score of the best line for the side to move."""
        return self.lines[0].score

    @property
    def win_probability(self) -> float:
        """The chance of the side to move to win, from 0 to 1."""
        return self.lines[0].win_probability
