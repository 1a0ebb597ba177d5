"""How the eight levels of the computer are limited, as data of a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """How far a player looks ahead, and how often it takes another move than the best."""

    depth: float
    """Depth in moves: 2.3 is two moves, and three with every third move."""
    temperature: float = 0.0
    """A move that wins by so much less often is chosen 2.7 times less often; 0 is always the best move."""
    choice: int = 12
    """Among so many of the best moves."""
    blunders: float = 0.0
    """The share of its moves that are drawn from all legal ones."""


USUAL_LIMITS = (
    Limit(1, temperature=0.038, blunders=0.75),
    Limit(1, temperature=0.038, blunders=0.47),
    Limit(1, temperature=0.038, blunders=0.16),
    Limit(1, temperature=0.022, blunders=0.02),
    Limit(1.3),
    Limit(2.3),
    Limit(3.7),
    Limit(5),
)
"""The limits of the eight levels where a game has none of its own, the weakest first."""
