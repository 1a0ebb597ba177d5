"""The game report: what the engine says about every move of a game, to learn from."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.game import Language, Look, Team
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.web.common import webapp_of
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.replays.library import LoadedRecord
from spielleiter.web.replays.replay import loaded_record_of
from spielleiter.web.reports import Report

_TURNING_POINT = 0.2
_MOST_TURNING_POINTS = 5
_SLIP = 0.02
"""Less than this nobody needs to hear about."""


async def report_page(request: Request) -> Response:
    """The curve of the game, its turning points, and the loss of every move; computed in the background."""
    webapp, loaded, language = webapp_of(request), await loaded_record_of(request), language_of(request)
    missing = webapp.analyst.why_unavailable(loaded.game)
    polled = "hx-request" in request.headers
    body = "" if missing is not None else _report(loaded, webapp.reports.of(loaded, retry=not polled), language)
    if polled:
        return Response(body, media_type="text/html")
    return respond(
        request,
        "replays/report.html",
        loaded=loaded,
        names=loaded.record.names,
        title=loaded.game.title.to(language),
        missing=missing,
        body=Markup(body),  # noqa: S704 - made by our own template
    )


def _report(loaded: LoadedRecord, report: Report, language: Language) -> str:
    rows = _rows(loaded, report)
    worst = sorted((row for row in rows if row["loss"] >= _TURNING_POINT), key=lambda row: -row["loss"])
    turning = sorted(worst[:_MOST_TURNING_POINTS], key=lambda row: row["ply"])
    for row in turning:
        best, state = report.judgements[row["ply"] - 1], loaded.states[row["ply"] - 1]
        if best is not None:
            row["board"] = boards.board(
                loaded.game, state, look=boards.move_look(loaded.game, state, best.move, Look())
            )
    return render(
        "replays/report_body.html",
        language,
        key=loaded.key,
        game=loaded.game,
        rows=rows,
        turning=turning,
        curve=charts.chance_curve(report.chances, [row["ply"] for row in turning], language),
        sides=[words.side(loaded.game, loaded.record.names, team, language) for team in Team],
        report=report,
        total=len(report.judgements),
        summary=_summary(loaded, rows, language) if report.finished else "",
    )


def _rows(loaded: LoadedRecord, report: Report) -> list[dict[str, Any]]:
    """Every move that was judged, with its loss and what would have been better."""
    rows: list[dict[str, Any]] = []
    notation = loaded.game.notation
    for number, recorded in enumerate(loaded.record.moves[: max(0, report.done - 1)], 1):
        state, best = loaded.states[number - 1], report.judgements[number - 1]
        loss = report.loss(number, recorded.team, notation.parse_move(state, recorded.move))
        if loss is None:
            continue
        better = notation.format_move(state, best.move) if best is not None and loss > _SLIP else None
        rows.append(
            {"ply": number, "team": recorded.team.name.lower(), "text": recorded.move, "loss": loss, "better": better}
        )
    return rows


def _summary(loaded: LoadedRecord, rows: list[dict[str, Any]], language: Language) -> str:
    """The report in a few sentences."""
    sentences = []
    for team in (Team.ONE, Team.TWO):
        own = [row["loss"] for row in rows if row["team"] == team.name.lower()]
        name = words.side(loaded.game, loaded.record.names, team, language)
        mean = 100 * sum(own) / len(own) if own else 0.0
        big = sum(loss >= _TURNING_POINT for loss in own)
        figure = f"{mean:.1f}".replace(".", "," if language == "de" else ".")
        sentences.append(
            f"{name} verlor im Mittel {figure} Prozentpunkte Gewinnchance pro Zug (grobe Fehler: {big})."
            if language == "de"
            else f"{name} lost {figure} percentage points of winning chance a move (blunders: {big})."
        )
    return " ".join(sentences)
