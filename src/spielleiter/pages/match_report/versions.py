"""The report of the versions of a player as one HTML file: their ratings as a curve, and as a table."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from spielleiter import games
from spielleiter.game import Language
from spielleiter.lab.versions import VersionCurve, VersionPlan
from spielleiter.pages import charts
from spielleiter.pages.boards import game_colors
from spielleiter.pages.environment import render
from spielleiter.pages.match_report.report import inline_static, write_texts


def write_version_report(plan: VersionPlan, curve: VersionCurve, name: str, language: Language) -> Path:
    """Write ``report.html``: its path."""
    page = render(
        "match_report/versions.html",
        language,
        style=inline_static("style.css") + Markup(game_colors()),  # noqa: S704 - drawn by ourselves
        icon=inline_static("icon.svg"),
        name=name,
        plan=plan,
        curve=curve,
        game=games.load(plan.game),
        plot=charts.rating_curve(
            [(str(at), rating) for at, (_, rating) in enumerate(curve.versions, 1)], language, name
        ),
    )
    write_texts(plan.folder, {"report.html": page})
    return plan.folder / "report.html"
