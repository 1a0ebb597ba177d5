"""The game report: what the engine says about every move of a game, to learn from."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.analysis import MoveAnalysis, MoveClass
from spielleiter.game import TEAMS, Language, Look
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.web.analysis.reports import Report
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.replays.library import LoadedRecord
from spielleiter.web.replays.replay import loaded_record_of, move_list, replay_look, time_bars
from spielleiter.web.web_app import web_app_of


async def report_page(request: Request) -> Response:
    """The curve of the game, its turning points, and the loss of every move; computed in the background."""
    app, loaded, language = web_app_of(request), await loaded_record_of(request), language_of(request)
    missing = app.analyst.why_unavailable(loaded.game)
    polled = "hx-request" in request.headers
    body = "" if missing is not None else _report(loaded, app.reports.of(loaded, retry=not polled), language)
    if polled:
        return Response(body, media_type="text/html")
    return respond(
        request,
        "replays/report.html",
        loaded=loaded,
        names=words.player_names(loaded.game, loaded.record.names, language),
        title=loaded.game.title.to(language),
        missing=missing,
        look=replay_look(loaded, loaded.plies, language, flipped=False),
        rows=move_list(loaded, language),
        input_kind=boards.input_kind(loaded.game),
        body=Markup(body),  # noqa: S704 - made by our own template
    )


def _report(loaded: LoadedRecord, report: Report, language: Language) -> str:
    analysis = report.analysis
    moves, turning_points = analysis.moves, analysis.turning_points
    sides = [words.side(loaded.game, loaded.record.names, team, language) for team in TEAMS]
    return render(
        "replays/report_body.html",
        language,
        key=loaded.key,
        game=loaded.game,
        rows=[_row(loaded, move, language) for move in moves],
        errors=[_row(loaded, move, language) for move in moves if move.move_class.is_error],
        times=time_bars(loaded.record, 0, language, fills_width=True),
        turning=[{**_row(loaded, move, language), "board": _board(loaded, move)} for move in turning_points],
        curve=charts.chance_curve(analysis.chances, [move.ply for move in turning_points], language),
        sides=sides,
        report=report,
        slides=[slide.text(sides[slide.team]).to(language) for slide in analysis.slides],
        summaries=[analysis.summary(team) for team in TEAMS] if report.is_over else [],
        classes=tuple(MoveClass),
    )


def _row(loaded: LoadedRecord, move: MoveAnalysis, language: Language) -> dict[str, Any]:
    game, before, found = loaded.game, loaded.states[move.ply - 1], move.move_class
    played = game.notation.parse_move(before, move.text)
    return {
        "ply": move.ply,
        "team": move.team.name.lower(),
        "text": words.move_label(game, before, played, move.text, language),
        "loss": None if found is MoveClass.BEST else move.loss,
        "class": found.name.lower(),
        "class_text": found.text.to(language),
        "better": move.better and words.move_label(game, before, move.best, move.better, language),
    }


def _board(loaded: LoadedRecord, move: MoveAnalysis) -> Markup:
    """The position before the move, with what would have been better."""
    state = loaded.states[move.ply - 1]
    return boards.board(loaded.game, state, look=boards.move_look(loaded.game, state, move.best, Look()))
