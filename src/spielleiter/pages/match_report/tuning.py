"""The report of a tuning run as one HTML file: what was found, and each parameter over the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from spielleiter import games
from spielleiter.game import Language, Text
from spielleiter.lab.spsa import TunedPair
from spielleiter.lab.tuning import TuningPlan
from spielleiter.pages import charts
from spielleiter.pages.boards import game_colors
from spielleiter.pages.environment import render
from spielleiter.pages.match_report.report import inline_static, write_texts


def write_tuning_report(
    folder: Path, plan: TuningPlan, played: Sequence[TunedPair], sentences: Sequence[Text], language: Language
) -> Path:
    """Write ``report.html``: its path."""
    optima = plan.spsa.optima(played)
    plots = []
    for at, (parameter, optimum) in enumerate(zip(plan.parameters, optima, strict=True)):
        course = [parameter.start, *(pair.values[at] for pair in played)]
        interval = (optimum.low, optimum.high)
        plots.append((parameter.name, charts.parameter_course(parameter.name, course, interval, language)))
    page = render(
        "match_report/tuning.html",
        language,
        style=inline_static("style.css") + Markup(game_colors()),  # noqa: S704 - drawn by ourselves
        icon=inline_static("icon.svg"),
        plan=plan,
        game=games.load(plan.game),
        played=len(played),
        sentences=sentences,
        plots=plots,
    )
    write_texts(folder, {"report.html": page})
    return folder / "report.html"
