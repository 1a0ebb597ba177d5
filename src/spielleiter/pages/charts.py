"""Small diagrams as SVG for strict pages: times of moves, the four times of one move, the curve of a game."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from markupsafe import Markup

from spielleiter.game import Language, MoveTiming, Team


def time_bars(
    times: Sequence[tuple[Team, float | None]], limit: float | None, at: int, language: Language
) -> Markup | None:
    """A bar for the time of each move, against the limit; the move that led to ply ``at`` is marked."""
    known = [seconds for _, seconds in times if seconds is not None]
    if not known:
        return None
    top = max(limit or 0.0, *known) * 1.08 or 1.0
    width, height = 8 * max(40, len(times)), 90
    step, left = 8.0, (width - 8.0 * len(times)) / 2
    bars = []
    for ply, (team, seconds) in enumerate(times, 1):
        if seconds is None:
            continue
        tall = max(2.0, height * seconds / top)
        current = " now" if ply == at else ""
        bars.append(
            f'<rect class="bar {team.name.lower()}{current}" x="{left + (ply - 1) * step + step * 0.12:.2f}" '
            f'y="{height - tall:.2f}" width="{step * 0.76:.2f}" height="{tall:.2f}">'
            f"<title>{ply}: {seconds:.3f} s</title></rect>"
        )
    line = ""
    if limit is not None:
        y = height - height * limit / top
        line = f'<path class="limit" d="M0 {y:.2f}H{width}"/>'
    label = "Zeit der Züge" if language == "de" else "Time for each move"
    longest = f"{max(known):.2f} s"
    note = f"{label}: höchstens {longest}" if language == "de" else f"{label}: at most {longest}"
    if limit is not None:
        note += f", erlaubt {limit:g} s" if language == "de" else f", allowed {limit:g} s"
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="chart" viewBox="0 0 {width:g} {height}" preserveAspectRatio="none" role="img" '
        f'aria-label="{label}">{"".join(bars)}{line}<path class="base" d="M0 {height}H{width}"/></svg>'
        f'<p class="note">{note.replace(".", ",") if language == "de" else note}</p>'
    )


def time_line(timing: MoveTiming, soft: float | None, hard: float | None, language: Language) -> Markup:
    """The times of one move on a line: asked, received by the kernel, read, and the limits."""
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
    for number, (seconds, word, kind) in enumerate(late + early):
        x = left + (width - 2 * left) * seconds / end
        text_y = 16 + 20 * number
        anchor = "end" if number < len(late) else "start"
        shift = -6 if anchor == "end" else 6
        told = f"{seconds:.4f}".replace(".", "," if german else ".")
        parts.append(
            f'<path class="mark {kind}" d="M{x:.1f} {text_y - 10}V{y + 5}"/><circle class="mark {kind}" cx="{x:.1f}" '
            f'cy="{y}" r="5"/><text x="{x + shift:.1f}" y="{text_y}" text-anchor="{anchor}">'
            f"{escape(word)} {told} s</text>"
        )
    label = "Die Zeiten des Zuges" if german else "The times of the move"
    return Markup(  # noqa: S704 - our own words and numbers
        f'<svg class="timeline" viewBox="0 0 {width:g} {y + 14:g}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def chance_bar(chance: float | None, language: Language) -> Markup:
    """ONE's chance to win as a bar; nothing where nobody knows."""
    if chance is None:
        return Markup()
    percent = round(100 * chance)
    label = (
        f"Gewinnchance: {percent} zu {100 - percent}" if language == "de" else f"Chances: {percent} to {100 - percent}"
    )
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="chances" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<rect class="two" width="100" height="6"/><rect class="one" width="{percent}" height="6"/>'
        f'<path d="M50 0V6"/></svg><p class="note">{label}</p>'
    )


def chance_curve(chances: Sequence[float | None], marked: Sequence[int], language: Language) -> Markup:
    """ONE's chance to win after each ply: below the curve is ONE's share, above it TWO's; turning points are marked."""
    width, height = 720, 160
    step = width / max(1, len(chances) - 1)
    points = [
        f"{number * step:.1f} {height * (1 - chance):.1f}"
        for number, chance in enumerate(chances)
        if chance is not None
    ]
    label = "Gewinnchance des Beginnenden im Verlauf" if language == "de" else "The beginner's chance to win"
    curve = area = ""
    if points:
        first, last = points[0].split()[0], points[-1].split()[0]
        way = "L".join(points)
        area = (
            f'<path class="two" d="M{first} 0L{way}L{last} 0Z"/>'
            f'<path class="one" d="M{first} {height}L{way}L{last} {height}Z"/>'
        )
        curve = f'<path class="chance" d="M{way}"/>'
    marks = "".join(f'<path class="turn" d="M{ply * step:.1f} 0V{height}"/>' for ply in marked)
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="curve" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'{area}<path class="half" d="M0 {height / 2:g}H{width}"/>{marks}{curve}</svg>'
    )
