"""Small diagrams of a season as SVG, in the colours of the page: intervals, the curve of a team, times of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from xml.sax.saxutils import escape

from markupsafe import Markup

from spielleiter.game import Language
from spielleiter.rating.bradley_terry import Rating
from spielleiter.rating.formatting import number


@dataclass(frozen=True, slots=True)
class Scale:
    """The Elo that a picture shows, from end to end, and where it has marks."""

    low: float
    high: float
    marks: tuple[int, ...]

    def share(self, elo: float) -> float:
        """Where ``elo`` lies between both ends: 0 to 1."""
        return min(1.0, max(0.0, (elo - self.low) / (self.high - self.low)))


def scale(ratings: Sequence[Rating]) -> Scale:
    """A scale on which all intervals of these ratings have room."""
    low = min((rating.low for rating in ratings), default=0.0)
    high = max((rating.high for rating in ratings), default=0.0)
    step = next((step for step in (50, 100, 200, 500, 1000) if (high - low) / step <= 8), 2000)
    first, last = floor(low / step), ceil(high / step)
    last = max(last, first + 1)
    return Scale(first * step, last * step, tuple(step * at for at in range(first, last + 1)))


def interval(rating: Rating, on: Scale) -> Markup:
    """The rating as a point with its 95 % interval, on a line as wide as its place in the page."""
    left, middle, right = (1000 * on.share(elo) for elo in (rating.low, rating.elo, rating.high))
    marks = "".join(
        f'<path class="{"zero" if mark == 0 else "tick"}" d="M{1000 * on.share(mark):.0f} 0V24"/>' for mark in on.marks
    )
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="interval" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">{marks}'
        f'<path class="range" d="M{left:.0f} 12H{right:.0f}"/>'
        f'<path class="ends" d="M{left:.0f} 7v10M{right:.0f} 7v10"/>'
        f'<path class="value" d="M{middle:.0f} 4v16"/></svg>'
    )


def signed(elo: float, language: Language) -> str:
    """A whole number with its sign, as people print it."""
    return number(elo, signed=True).to(language).replace("-", "−")


def curve(points: Sequence[tuple[str, Rating]], language: Language, name: str) -> Markup | None:
    """The rating of one team after each matchday, with the band of its 95 % interval; ``None`` for less than two."""
    if len(points) < 2:
        return None
    on = scale([rating for _, rating in points])
    left, right, top, bottom = 46.0, 470.0, 12.0, 176.0

    def x(at: int) -> float:
        return left + (right - left) * at / (len(points) - 1)

    def y(elo: float) -> float:
        return bottom - (bottom - top) * on.share(elo)

    ratings = [rating for _, rating in points]
    upper = [f"{x(at):.1f} {y(rating.high):.1f}" for at, rating in enumerate(ratings)]
    lower = [f"{x(at):.1f} {y(rating.low):.1f}" for at, rating in enumerate(ratings)]
    line = [f"{x(at):.1f} {y(rating.elo):.1f}" for at, rating in enumerate(ratings)]
    parts = [
        f'<path class="{"zero" if mark == 0 else "tick"}" d="M{left} {y(mark):.1f}H{right}"/>'
        f'<text x="{left - 6}" y="{y(mark) + 4:.1f}" text-anchor="end">{signed(mark, language)}</text>'
        for mark in on.marks
    ]
    parts.append(f'<path class="band" d="M{"L".join(upper)}L{"L".join(reversed(lower))}Z"/>')
    parts.append(f'<path class="line" d="M{"L".join(line)}"/>')
    every = ceil(len(points) / 8)
    for at, (label, rating) in enumerate(points):
        told = f"{label}: {signed(rating.elo, language)} ± {number(rating.margin).to(language)}"
        parts.append(
            f'<circle class="dot" cx="{x(at):.1f}" cy="{y(rating.elo):.1f}" r="3.4">'
            f"<title>{escape(told)}</title></circle>"
        )
        if at % every == 0:
            parts.append(f'<text x="{x(at):.1f}" y="{bottom + 18}" text-anchor="middle">{escape(label)}</text>')
    title = f"Stärke von {name} im Laufe der Saison" if language == "de" else f"Strength of {name} along the season"
    return Markup(  # noqa: S704 - our own words and numbers, and an escaped name
        f'<svg class="rating-curve" viewBox="0 0 480 204" role="img" aria-label="{escape(title, _QUOTE)}">'
        f"{''.join(parts)}</svg>"
    )


_QUOTE = {'"': "&quot;"}


def times(seconds: Sequence[tuple[int, float | None]], limit: float | None, language: Language) -> Markup | None:
    """A bar for the time of each move, by the side that made it, against the limit; ``None`` if nobody measured."""
    known = [took for _, took in seconds if took is not None]
    if not known or max(known) <= 0:
        return None
    top = max(limit or 0.0, *known) * 1.08
    width, height = 8 * len(seconds), 90
    bars = [
        f'<rect class="bar {("one", "two")[side]}" data-ply="{ply}" x="{8 * ply - 7}" '
        f'y="{height - max(2.0, height * took / top):.1f}" width="6" height="{max(2.0, height * took / top):.1f}">'
        f"<title>{ply}: {took:.3f} s</title></rect>"
        for ply, (side, took) in enumerate(seconds, 1)
        if took is not None
    ]
    line = "" if limit is None else f'<path class="limit" d="M0 {height - height * limit / top:.1f}H{width}"/>'
    label = "Zeit der Züge in Sekunden" if language == "de" else "Seconds for each move"
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="chart" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        f'aria-label="{label}">{"".join(bars)}{line}</svg>'
    )


def sparkline(ratings: Sequence[Rating]) -> Markup | None:
    """The course of a rating without any numbers; ``None`` for less than two."""
    if len(ratings) < 2:
        return None
    low, high = min(rating.elo for rating in ratings), max(rating.elo for rating in ratings)
    room = max(high - low, 60.0)
    middle = (low + high) / 2
    step = 100 / (len(ratings) - 1)
    heights = [12 - 20 * (rating.elo - middle) / room for rating in ratings]
    lines = "".join(
        f"M{at * step:.1f} {one:.1f}L{(at + 1) * step:.1f} {two:.1f}" for at, (one, two) in enumerate(pairwise(heights))
    )
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">'
        f'<path d="{lines}"/></svg>'
    )
