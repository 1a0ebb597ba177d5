"""Slow slides: stretches in which a game turned without a single move that did it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from spielleiter.game import Team
from spielleiter.text import Text

MIN_CHANGE = 0.3
"""The change of the winning chance from the begin of a slide to its end."""
MIN_PLIES = 4
"""A shorter slide is the engine changing its mind."""
_REVERSAL = 0.1
"""A slide ends where the chance comes back by so much."""
_FLAT = 0.05
"""What is as near to its begin or end is not counted in: there the chance still stood, or stood again."""


@dataclass(frozen=True, slots=True)
class Slide:
    """``team`` has gained between the positions after ``first`` and ``last`` moves, without a blunder."""

    first: int
    last: int
    team: Team
    before: float
    """The chance of ``team``."""
    after: float

    def text(self, name: str) -> Text:
        """One sentence about the team of that ``name``."""
        before, after = round(100 * self.before), round(100 * self.after)
        return Text(
            f"Von Zug {self.first} bis {self.last} stieg die Gewinnchance von {name} von {before} auf {after} %.",
            f"From move {self.first} to {self.last} the winning chance of {name} rose from {before} to {after} %.",
        )


def find_slides(chances: Sequence[float | None], blunders: Collection[int]) -> list[Slide]:
    """The slides of a game, in their order; a blunder, named by its ply, explains a change by itself and ends one.

    Where the chance is not known, nothing is taken to have changed.
    """
    return _find(list(_without_gaps(chances)), blunders)


def _without_gaps(chances: Sequence[float | None]) -> Iterator[float]:
    last = next((chance for chance in chances if chance is not None), 0.5)
    for chance in chances:
        last = last if chance is None else chance
        yield last


def _find(chances: Sequence[float], blunders: Collection[int]) -> list[Slide]:
    found = []
    for begin, end in _stretches(len(chances), blunders):
        for first, last in _legs(chances, begin, end):
            slide = _trimmed(chances, first, last)
            if slide.last - slide.first >= MIN_PLIES and slide.after - slide.before >= MIN_CHANGE:
                found.append(slide)
    return found


def _stretches(positions: int, blunders: Collection[int]) -> Iterator[tuple[int, int]]:
    """The first and last position of each stretch between blunders."""
    begin = 0
    for ply in sorted(blunders):
        yield begin, ply - 1
        begin = ply
    yield begin, positions - 1


def _legs(chances: Sequence[float], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch cut at its peaks and valleys, where those differ by more than a reversal."""
    low = high = pivot = begin
    rising: bool | None = None
    for at in range(begin, end + 1):
        if chances[at] < chances[low]:
            low = at
        if chances[at] > chances[high]:
            high = at
        if rising is not False and chances[high] - chances[at] >= _REVERSAL:
            if rising:
                yield pivot, high
            pivot, low, rising = high, at, False
        elif rising is not True and chances[at] - chances[low] >= _REVERSAL:
            if rising is False:
                yield pivot, low
            pivot, high, rising = low, at, True
    if rising is not None:
        yield pivot, high if rising else low


def _trimmed(chances: Sequence[float], first: int, last: int) -> Slide:
    begin = max(at for at in range(first, last + 1) if abs(chances[at] - chances[first]) <= _FLAT)
    end = min((at for at in range(begin, last + 1) if abs(chances[at] - chances[last]) <= _FLAT), default=last)
    if chances[end] >= chances[begin]:
        return Slide(begin, end, Team.ONE, chances[begin], chances[end])
    return Slide(begin, end, Team.TWO, 1 - chances[begin], 1 - chances[end])
