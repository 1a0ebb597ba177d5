"""Charts as SVG in the colours of the page, without inline styles: for strict pages, the exported site and the report.

Small ones (bars, intervals, sparklines) stretch to the width of their place; plots have axes and keep their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import ceil, floor, log10

from markupsafe import Markup, escape

from spielleiter.analysis import chance_text
from spielleiter.game import Language, MoveTiming, Team
from spielleiter.pages.formatting import number, short_number
from spielleiter.rating.bradley_terry import Rating

SERIES = 8
"""Lines of one plot that have colours of their own."""
_MAX_POINTS = 300


# --- one game ---------------------------------------------------------------------------------------------------------


def time_bars(
    times: Sequence[tuple[Team, float | None]],
    limit: float | None,
    language: Language,
    at: int = 0,
    *,
    fills_width: bool = False,
) -> Markup | None:
    """A bar for the time of each move, against the limit; the move that led to ply ``at`` is marked.

    With ``fills_width`` each bar lies below its move in ``chance_curve``; else those of a short game stay slim.
    """
    known = [seconds for _, seconds in times if seconds is not None]
    if not known:
        return None
    top = max(limit or 0.0, *known) * 1.08 or 1.0
    width, height = 8 * max(0 if fills_width else 40, len(times)), 90
    left = (width - 8 * len(times)) / 2
    bars = []
    for ply, (team, seconds) in enumerate(times, 1):
        if seconds is None:
            continue
        tall = max(2.0, height * seconds / top)
        bars.append(
            f'<rect class="bar {team.name.lower()}{" now" if ply == at else ""}" data-ply="{ply}" '
            f'x="{left + 8 * ply - 7:g}" y="{height - tall:.1f}" width="6" height="{tall:.1f}">'
            f"<title>{ply}: {number(seconds, language, 3)} s</title></rect>"
        )
    line = "" if limit is None else f'<path class="limit" d="M0 {height - height * limit / top:.1f}H{width}"/>'
    label = "Zeit der Züge" if language == "de" else "Time for each move"
    longest = number(max(known), language, 2)
    note = f"{label}: höchstens {longest} s" if language == "de" else f"{label}: at most {longest} s"
    if limit is not None:
        allowed = short_number(limit, language)
        note += f", erlaubt {allowed} s" if language == "de" else f", allowed {allowed} s"
    return Markup(  # noqa: S704 - our own words and numbers
        f'<svg class="chart" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        f'aria-label="{label}">{"".join(bars)}{line}<path class="base" d="M0 {height}H{width}"/></svg>'
        f'<p class="note">{note}</p>'
    )


def time_line(timing: MoveTiming, soft: float | None, hard: float | None, language: Language) -> Markup:
    """The times of one move on a line: requested, received by the kernel, read, and the limits."""
    german = language == "de"
    marks = [(0.0, "angefordert" if german else "requested", "asked")]
    if timing.received is not None:
        marks.append(
            (timing.received - timing.requested, "im Kernel angekommen" if german else "at the kernel", "came")
        )
    marks.append((timing.read - timing.requested, "gelesen" if german else "read", "read"))
    for limit, word in ((soft, "erlaubt" if german else "allowed"), (hard, "aufgegeben" if german else "given up")):
        if limit is not None and (limit == soft or limit <= 1.5 * max(seconds for seconds, _, _ in marks)):
            marks.append((limit, word, "limit"))
    end = max(seconds for seconds, _, _ in marks) or 1.0
    width, left, y = 380.0, 12.0, 26 + 20 * len(marks)
    parts = [f'<path class="axis" d="M{left} {y}H{width - left}"/>']
    # Words stand on the inner side of their mark; from the outside in, so that no mark crosses the words of another.
    early = sorted(mark for mark in marks if mark[0] <= end / 2)
    late = sorted((mark for mark in marks if mark[0] > end / 2), reverse=True)
    for place, (seconds, word, kind) in enumerate(late + early):
        x = left + (width - 2 * left) * seconds / end
        text_y = 16 + 20 * place
        anchor = "end" if place < len(late) else "start"
        shift = -6 if anchor == "end" else 6
        parts.append(
            f'<path class="mark {kind}" d="M{x:.1f} {text_y - 10}V{y + 5}"/><circle class="mark {kind}" cx="{x:.1f}" '
            f'cy="{y}" r="5"/><text x="{x + shift:.1f}" y="{text_y}" text-anchor="{anchor}">'
            f"{word} {number(seconds, language, 4)} s</text>"
        )
    label = "Die Zeiten des Zuges" if german else "The times of the move"
    return Markup(  # noqa: S704 - our own words and numbers
        f'<svg class="timeline" viewBox="0 0 {width:g} {y + 14:g}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def chance_bar(chance: float | None, language: Language) -> Markup:
    """The first player's chance to win as a bar; empty if unknown."""
    if chance is None:
        return Markup()
    one = round(100 * chance)
    label = f"Gewinnchance: {one} zu {100 - one}" if language == "de" else f"Winning chance: {one} to {100 - one}"
    return Markup(  # noqa: S704 - our own words and numbers
        f'<svg class="chances" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<rect class="two" width="100" height="6"/><rect class="one" width="{one}" height="6"/>'
        f'<path d="M50 0V6"/></svg><p class="note">{label}</p>'
    )


def chance_curve(
    chances: Sequence[float | None],
    marked: Sequence[int],
    language: Language,
    noted: Mapping[Team, Sequence[float | None]] | None = None,
) -> Markup:
    """The first player's chance to win after each ply: their share below the curve, the other's above; plies marked.

    Where it is unknown the curve has a gap. Each other ply has a column with its number as ``data-ply``, for scripts
    that lead there. ``noted`` has the chance of a team as its own player saw it before each of its moves: a line each.
    """
    width, height = 720, 160
    step = width / max(1, len(chances) - 1)
    label = "Gewinnchance des ersten Spielers im Verlauf" if language == "de" else "The first player's winning chance"
    curve = area = ""
    for is_known, stretch in groupby(enumerate(chances), key=lambda each: each[1] is not None):
        points = [(ply * step, height * (1 - chance)) for ply, chance in stretch if chance is not None]
        if is_known:
            first, last = points[0][0], points[-1][0]
            way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            area += (
                f'<path class="two" d="M{first:.1f} 0L{way}L{last:.1f} 0Z"/>'
                f'<path class="one" d="M{first:.1f} {height}L{way}L{last:.1f} {height}Z"/>'
            )
            curve += f'<path class="chance" d="M{way}{"h0" if first == last else ""}"/>'  # A single point is a dot.
    marks = "".join(f'<path class="turn" d="M{ply * step:.1f} 0V{height}"/>' for ply in marked)
    own = "".join(_noted_line(team, seen, step, height) for team, seen in (noted or {}).items())
    columns = "".join(
        f'<rect class="ply" data-ply="{ply}" x="{(ply - 0.5) * step:.1f}" width="{step:.1f}" height="{height}">'
        f"<title>{ply}: {chance_text(chance).to(language)}</title></rect>"
        for ply, chance in enumerate(chances)
        if chance is not None
    )
    return Markup(  # noqa: S704 - our own words and numbers
        f'<svg class="curve" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'{area}<path class="half" d="M0 {height / 2:g}H{width}"/>{marks}{curve}{own}{columns}</svg>'
    )


def _noted_line(team: Team, seen: Sequence[float | None], step: float, height: int) -> str:
    """The chance of ``team`` as its own player saw it, drawn from the first player's side."""
    known = [
        (ply * step, chance if team is Team.TWO else 1 - chance)
        for ply, chance in enumerate(seen)
        if chance is not None
    ]
    if not known:
        return ""
    way = "L".join(f"{x:.1f} {height * y:.1f}" for x, y in known)
    dots = "".join(f"M{x:.1f} {height * y:.1f}h0" for x, y in known)
    return (
        f'<path class="noted {team.name.lower()}" d="M{way}"/><path class="noted dots {team.name.lower()}" d="{dots}"/>'
    )


# --- ratings ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """The values that a chart shows, from end to end, and where it has marks."""

    low: float
    high: float
    marks: tuple[float, ...]

    def share(self, value: float) -> float:
        """Where ``value`` lies between both ends: 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def scale(low: float, high: float, max_marks: int = 8, *, min_step: float = 1e-9) -> Scale:
    """A scale from ``low`` to ``high`` or a little more, with round numbers as marks."""
    rough = max((high - low) / max_marks, min_step)
    power = 10.0 ** floor(log10(rough))
    step = next(step * power for step in (1, 2, 5, 10, 20) if step * power >= rough * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    last = max(last, first + 1)
    return Scale(first * step, last * step, tuple(step * at for at in range(first, last + 1)))


def elo_scale(ratings: Sequence[Rating]) -> Scale:
    """A scale on which all intervals of these ratings have room, in steps of 50 at least."""
    low = min((rating.low for rating in ratings), default=0.0)
    high = max((rating.high for rating in ratings), default=0.0)
    return scale(low, max(high, low + 50.0), max(1, min(8, ceil((high - low) / 50))))


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


def sparkline(ratings: Sequence[Rating]) -> Markup | None:
    """The course of a rating without any numbers; ``None`` for fewer than two."""
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


def rating_curve(points: Sequence[tuple[str, Rating]], language: Language, name: str) -> Markup | None:
    """The rating of one team after each matchday, with the band of its 95 % interval; ``None`` for fewer than two."""
    if len(points) < 2:
        return None
    ratings = [rating for _, rating in points]
    plot = _Plot(Scale(0, len(points) - 1, ()), elo_scale(ratings))
    plot.rows(lambda elo: number(elo, language, signed=True))
    plot.band([(at, rating.low, rating.high) for at, rating in enumerate(ratings)])
    plot.line([(at, rating.elo) for at, rating in enumerate(ratings)])
    every = ceil(len(points) / 8)
    for at, (label, rating) in enumerate(points):
        title = f"{label}: {number(rating.elo, language, signed=True)} ± {number(rating.margin, language)}"
        plot.dot(at, rating.elo, title)
        if at % every == 0:
            plot.column_label(at, label)
    return plot.svg(f"Stärke von {name} im Laufe der Saison" if language == "de" else f"Strength of {name} over time")


# --- matches ----------------------------------------------------------------------------------------------------------


def elo_course(
    steps: Sequence[tuple[int, float, float | None, float | None]], language: Language, name: str
) -> Markup | None:
    """Elo of the first player after so many games, with the band of its 95 % interval; ``None`` without a game."""
    if not steps:
        return None
    # An open end of the interval is drawn at the edge of the plot.
    far = max(200.0, 1.5 * max(abs(elo) for _, elo, _, _ in steps))
    plot = _Plot(scale(0, steps[-1][0], min_step=1), scale(-far, far, 6))
    plot.rows(lambda elo: number(elo, language, signed=True))
    plot.columns(lambda games: number(games, language), "Spiele" if language == "de" else "games")
    plot.band([(games, -far if low is None else low, far if high is None else high) for games, _, low, high in steps])
    plot.line([(games, elo) for games, elo, _, _ in steps])
    if len(steps) == 1:
        plot.dot(steps[0][0], steps[0][1], number(steps[0][1], language, signed=True))
    return plot.svg(f"Elo von {name} im Laufe der Spiele" if language == "de" else f"Elo of {name} over the games")


def llr_course(steps: Sequence[tuple[int, float]], bounds: tuple[float, float], language: Language) -> Markup | None:
    """The LLR of an SPRT after so many pairs, between its bounds; ``None`` without a pair."""
    if not steps:
        return None
    low, high = min(bounds[0], *(llr for _, llr in steps)), max(bounds[1], *(llr for _, llr in steps))
    plot = _Plot(scale(0, steps[-1][0], min_step=1), scale(low, high, 6))
    plot.rows(lambda llr: number(llr, language, 1 if high - low < 3 else 0, signed=True))
    plot.columns(lambda pairs: number(pairs, language), "Paare" if language == "de" else "pairs")
    for bound in bounds:
        plot.horizontal(bound)
    every = max(1, len(steps) // _MAX_POINTS)
    plot.line([(0, 0.0), *steps[:-1:every], steps[-1]])
    plot.dot(*steps[-1], number(steps[-1][1], language, 2, signed=True))
    return plot.svg("LLR im Laufe der Paare" if language == "de" else "LLR over the pairs")


def llr_bar(llr: float, bounds: tuple[float, float], language: Language) -> Markup:
    """Where the LLR of an SPRT stands between its bounds, on a line as wide as its place in the page."""
    on = Scale(*bounds, ())
    zero, at = 1000 * on.share(0.0), 1000 * on.share(llr)
    said = f"LLR {number(llr, language, 2, signed=True)}"
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="interval llr" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label="{said}">'
        f'<path class="tick" d="M0 0V24M1000 0V24"/><path class="zero" d="M{zero:.0f} 0V24"/>'
        f'<path class="range {"good" if llr >= 0 else "bad"}" d="M{zero:.0f} 12H{at:.0f}"/>'
        f'<path class="value" d="M{at:.0f} 4v16"/></svg>'
    )


def parameter_course(
    name: str, course: Sequence[float], interval: tuple[float | None, float | None], language: Language
) -> Markup:
    """A tuned parameter after each pair, and as a band where the games show the best value, if they do."""
    low, high = interval
    known = [*course, *(end for end in (low, high) if end is not None)]
    up = scale(min(known), max(known), 6)
    plot = _Plot(scale(0, len(course) - 1, min_step=1), up)
    digits = max(0, -floor(log10(up.marks[1] - up.marks[0]) + 1e-9))
    plot.rows(lambda value: number(value, language, digits))
    plot.columns(lambda pairs: number(pairs, language), "Paare" if language == "de" else "pairs")
    if low is not None and high is not None:
        plot.band([(0, low, high), (len(course) - 1, low, high)])
    every = max(1, len(course) // _MAX_POINTS)
    plot.line([(at, course[at]) for at in (*range(0, len(course) - 1, every), len(course) - 1)])
    return plot.svg(f"{name} im Laufe der Paare" if language == "de" else f"{name} over the pairs")


def time_distribution(times: Mapping[str, Sequence[float]], limit: float | None, language: Language) -> Markup | None:
    """For each player the share of the moves that took no longer; ``None`` if nothing was measured."""
    known = {name: sorted(max(took, 1e-4) for took in all_) for name, all_ in times.items() if all_}
    known = dict(list(known.items())[:SERIES])
    if not known:
        return None
    low = floor(log10(min(took[0] for took in known.values())))
    high = ceil(log10(max(limit or 0.0, *(took[-1] for took in known.values()))))
    across = Scale(low, max(high, low + 1), tuple(range(low, max(high, low + 1) + 1)))
    plot = _Plot(across, Scale(0, 100, (0, 25, 50, 75, 100)))
    plot.rows(lambda share: f"{share:.0f} %")
    plot.columns(
        lambda power: short_number(10**power, language), "Sekunden je Zug" if language == "de" else "seconds per move"
    )
    for series, took in enumerate(known.values()):
        every = max(1, len(took) // _MAX_POINTS)
        chosen = [*range(0, len(took), every), len(took) - 1]
        plot.steps([(log10(took[at]), 100 * (at + 1) / len(took)) for at in chosen], series)
    if limit is not None:
        plot.vertical(log10(limit))
    legend = Markup("").join(
        Markup('<li><span class="swatch series-{}"></span>{}</li>').format(series, name)
        for series, name in enumerate(known)
    )
    drawn = plot.svg("Zeit je Zug" if language == "de" else "Time per move")
    return drawn + Markup('<ul class="series-legend">{}</ul>').format(legend)


def length_histogram(plies: Sequence[int], language: Language) -> Markup | None:
    """How many games had so many moves; ``None`` without a game."""
    if not plies:
        return None
    shortest, longest = min(plies), max(plies)
    width = ceil((longest - shortest + 1) / 40)
    counts = [0] * ceil((longest - shortest + 1) / width)
    for length in plies:
        counts[(length - shortest) // width] += 1
    plot = _Plot(scale(shortest, longest + 1, min_step=1), scale(0, max(counts), 4, min_step=1))
    plot.rows(lambda games: number(games, language))
    plot.columns(lambda length: number(length, language), "Züge im Spiel" if language == "de" else "moves in a game")
    for place, games in enumerate(counts):
        first = shortest + place * width
        plot.bar(
            first, first + width, games, f"{first}–{first + width - 1}: {games}" if width > 1 else f"{first}: {games}"
        )
    return plot.svg("Länge der Spiele" if language == "de" else "Length of the games")


class _Plot:
    """A picture with two axes that is drawn piece by piece."""

    LEFT, RIGHT, TOP, BOTTOM = 46.0, 470.0, 12.0, 176.0

    def __init__(self, across: Scale, up: Scale) -> None:
        self._across = across
        self._up = up
        self._parts: list[str] = []
        self._height = 204

    def _x(self, value: float) -> float:
        return self.LEFT + (self.RIGHT - self.LEFT) * self._across.share(value)

    def _y(self, value: float) -> float:
        return self.BOTTOM - (self.BOTTOM - self.TOP) * self._up.share(value)

    def _path(self, points: Sequence[tuple[float, float]]) -> str:
        return "L".join(f"{self._x(x):.1f} {self._y(y):.1f}" for x, y in points)

    def rows(self, label: Callable[[float], str]) -> None:
        """A line across at each mark of the vertical axis."""
        for mark in self._up.marks:
            y = self._y(mark)
            self._parts.append(
                f'<path class="{"zero" if mark == 0 else "tick"}" d="M{self.LEFT} {y:.1f}H{self.RIGHT}"/>'
                f'<text x="{self.LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label(mark)}</text>'
            )

    def columns(self, label: Callable[[float], str], name: str) -> None:
        """A label at each mark of the horizontal axis, and what the axis shows."""
        for mark in self._across.marks:
            self.column_label(mark, label(mark))
        middle = (self.LEFT + self.RIGHT) / 2
        self._parts.append(f'<text x="{middle}" y="{self.BOTTOM + 36}" text-anchor="middle">{escape(name)}</text>')
        self._height = 220

    def column_label(self, at: float, text: str) -> None:
        self._parts.append(
            f'<text x="{self._x(at):.1f}" y="{self.BOTTOM + 18}" text-anchor="middle">{escape(text)}</text>'
        )

    def band(self, points: Sequence[tuple[float, float, float]]) -> None:
        around = [(x, high) for x, _, high in points] + [(x, low) for x, low, _ in reversed(points)]
        self._parts.append(f'<path class="band" d="M{self._path(around)}Z"/>')

    def line(self, points: Sequence[tuple[float, float]]) -> None:
        self._parts.append(f'<path class="line" d="M{self._path(points)}"/>')

    def steps(self, points: Sequence[tuple[float, float]], series: int) -> None:
        """A line that rises in steps."""
        x, y = points[0]
        way = f"M{self._x(x):.1f} {self._y(0):.1f}V{self._y(y):.1f}"
        way += "".join(f"H{self._x(x):.1f}V{self._y(y):.1f}" for x, y in points[1:])
        self._parts.append(f'<path class="line series-{series}" d="{way}"/>')

    def vertical(self, at: float) -> None:
        """A dashed line up."""
        self._parts.append(f'<path class="limit" d="M{self._x(at):.1f} {self.TOP}V{self.BOTTOM}"/>')

    def horizontal(self, at: float) -> None:
        """A dashed line across."""
        self._parts.append(f'<path class="limit" d="M{self.LEFT} {self._y(at):.1f}H{self.RIGHT}"/>')

    def dot(self, x: float, y: float, title: str) -> None:
        self._parts.append(
            f'<circle class="dot" cx="{self._x(x):.1f}" cy="{self._y(y):.1f}" r="3.4">'
            f"<title>{escape(title)}</title></circle>"
        )

    def bar(self, start: float, end: float, height: float, title: str) -> None:
        x, width, y = self._x(start), self._x(end) - self._x(start), self._y(height)
        self._parts.append(
            f'<rect class="column" x="{x + 0.5:.1f}" y="{y:.1f}" width="{max(0.5, width - 1):.1f}" '
            f'height="{self.BOTTOM - y:.1f}"><title>{escape(title)}</title></rect>'
        )

    def svg(self, title: str) -> Markup:
        return Markup(  # noqa: S704 - our own words and numbers, and what is escaped
            f'<svg class="plot" viewBox="0 0 480 {self._height}" role="img" aria-label="{escape(title)}">'
            f"{''.join(self._parts)}</svg>"
        )
