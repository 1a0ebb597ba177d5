"""The plots of the report, drawn by matplotlib as SVG. Without matplotlib there are none, and the report says so."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from spielleiter.game import Language, Text
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import Summary
from spielleiter.rating.elo import estimate
from spielleiter.rating.pairs import Pentanomial, Results, Tally

_MOST_POINTS = 300
COLOURS = ("#2c79b9", "#d0632f", "#3a9468", "#8f5bb5", "#b8952a", "#c2487a", "#4a4f57", "#3aa6a6")


def draw_plots(summary: Summary, rows: Sequence[MatchGame], limit: float, language: Language) -> dict[str, str] | None:
    """SVG by name, or ``None`` without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use("Agg")
    matplotlib.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "spielleiter", "font.size": 9, "axes.spines.top": False,
         "axes.spines.right": False, "font.family": "sans-serif"}
    )  # fmt: skip
    plots = {"times": _times(summary, rows, limit, language), "lengths": _lengths(rows, language)}
    if summary.duel is not None:
        plots["elo"] = _elo_over_time(summary.names, rows, language)
    elif summary.played:
        plots["elo"] = _ratings(summary, language)
    return plots


def _figure(width: float = 6.4, height: float = 3.2) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(True, alpha=0.25, linewidth=0.6)
    return figure, axes


def _svg(figure: Any) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    # Only the picture itself; its black follows the page, also in the dark.
    svg = svg[svg.index("<svg") :].replace("#000000", "currentColor")
    return re.sub(r' style="(fill|stroke): (none|#[0-9a-f]{6})"', r' \1="\2"', svg)


def elo_steps(names: Sequence[str], rows: Sequence[MatchGame]) -> list[tuple[int, float, float | None, float | None]]:
    """Games played, Elo of the first player, and both ends of its 95 % interval, along the match."""
    counts = [0, 0, 0, 0, 0]
    waiting: dict[str, int] = {}
    steps = []
    counted = [row for row in rows if row.counts]
    every = max(1, len(counted) // _MOST_POINTS)
    for number, row in enumerate(counted, 1):
        mine = row.victory_points[row.names.index(names[0])]
        if row.pair in waiting:
            counts[waiting.pop(row.pair) + mine] += 1
        else:
            waiting[row.pair] = mine
        if number % every == 0 or number == len(counted):
            zero, half, one, one_and_half, two = counts
            single = list(waiting.values())
            unpaired = Results(single.count(2), single.count(1), single.count(0))
            found = estimate(Tally(Pentanomial((zero, half, one, one_and_half, two)), unpaired))
            steps.append((number, found.elo, found.low, found.high))
    return steps


def _elo_over_time(names: Sequence[str], rows: Sequence[MatchGame], language: Language) -> str:
    figure, axes = _figure()
    steps = elo_steps(names, rows)
    if steps:
        xs, elos = [step[0] for step in steps], [step[1] for step in steps]
        # An open end of the interval is drawn at the edge of the picture.
        far = max(200.0, 1.5 * max(abs(elo) for elo in elos))
        lows = [max(-far, -far if low is None else low) for _, _, low, _ in steps]
        highs = [min(far, far if high is None else high) for _, _, _, high in steps]
        axes.fill_between(xs, lows, highs, color=COLOURS[0], alpha=0.18, linewidth=0)
        axes.plot(xs, elos, color=COLOURS[0], linewidth=1.6)
        axes.set_ylim(-far, far)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.set_xlabel(Text("Spiele", "games").to(language))
    axes.set_ylabel(Text(f"Elo von {names[0]}", f"Elo of {names[0]}").to(language))
    return _svg(figure)


def _ratings(summary: Summary, language: Language) -> str:
    shown = [standing for standing in reversed(summary.standings) if standing.elo is not None]
    figure, axes = _figure(height=0.9 + 0.32 * len(shown))
    for place, standing in enumerate(shown):
        axes.errorbar(
            [standing.elo], [place], xerr=[standing.margin], fmt="o", color=COLOURS[0], capsize=3, markersize=5
        )
    axes.set_yticks(range(len(shown)), [standing.name for standing in shown])
    axes.set_xlabel(Text("Elo über dem Durchschnitt, 95 %", "Elo above the average, 95 %").to(language))
    return _svg(figure)


def _times(summary: Summary, rows: Sequence[MatchGame], limit: float, language: Language) -> str:
    figure, axes = _figure()
    for place, name in enumerate(summary.names[: len(COLOURS)]):
        times = sorted(took for row in rows for side in row.sides if side.name == name for took in side.move_times)
        if times:
            every = max(1, len(times) // _MOST_POINTS)
            chosen = [*range(0, len(times), every), len(times) - 1]
            shares = [100 * (at + 1) / len(times) for at in chosen]
            axes.step([max(times[at], 1e-4) for at in chosen], shares, where="post", color=COLOURS[place], label=name)
    axes.axvline(limit, color="#b03030", linewidth=1, linestyle="--")
    axes.set_xscale("log")
    axes.set_xlabel(
        Text("Sekunden je Zug (gestrichelt: die Grenze)", "seconds a move (dashed: the limit)").to(language)
    )
    axes.set_ylabel(Text("% der Züge", "% of the moves").to(language))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, loc="upper left")
    return _svg(figure)


def _lengths(rows: Sequence[MatchGame], language: Language) -> str:
    figure, axes = _figure(height=2.4)
    plies = [row.plies for row in rows if row.counts]
    if plies:
        axes.hist(plies, bins=min(40, max(1, max(plies) - min(plies) + 1)), color=COLOURS[0])
    axes.set_xlabel(Text("Züge im Spiel", "moves in a game").to(language))
    axes.set_ylabel(Text("Spiele", "games").to(language))
    return _svg(figure)
