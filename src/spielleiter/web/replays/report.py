"""The game report: what the engine says about every move of a game, to learn from."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.analysis import GameAnalysis, MoveAnalysis, MoveClass, points_of_a_win
from spielleiter.game import TEAMS, AnyGame, Language, Look, Text
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.pages.notes import noted_chances
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.history import History
from spielleiter.web.analysis.reports import Report
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.replays.library import Entry
from spielleiter.web.replays.replay import entry_of, replay_update, time_bars
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import web_app_of


async def report_page(request: Request) -> Response:
    """The curve of the game, its turning points, and the loss of every move; computed in the background."""
    app, entry, language = web_app_of(request), await entry_of(request), language_of(request)
    history = entry.history
    missing = app.analyst.why_unavailable(history.game)
    report = None if missing is not None else app.reports.of(entry, retry=True)
    return respond(
        request,
        "replays/report.html",
        entry=entry,
        last=len(history.plies),
        names=words.player_names(history.game, history.names, language),
        title=history.game.title.to(language),
        missing=missing,
        update=replay_update(history, len(history.plies), language, flipped=False),
        rows=words.move_rows(history.game, history.plies, language),
        input_kind=boards.input_kind(history.game),
        report=report,
        body="" if report is None else _report(entry, report, language),
    )


async def report_events(request: Request) -> Response:
    """The report again and again, while it grows."""
    app, entry, language = web_app_of(request), await entry_of(request), language_of(request)
    report = app.reports.of(entry)
    return EventStream(
        report.channel,
        (language, bool(entry.history.notes)),
        lambda: PageUpdate(parts={"report": _report(entry, report, language)}),
        alive=lambda: app.reports.look_at(report, entry.title),
    )


def _report(entry: Entry, report: Report, language: Language) -> str:
    history, analysis = entry.history, report.analysis
    moves, turning_points = analysis.moves, analysis.turning_points
    sides = [words.side(history.game, history.names, team, language) for team in TEAMS]
    return render(
        "replays/report_body.html",
        language,
        key=entry.key,
        game=history.game,
        rows=[_row(history, move, language) for move in moves],
        errors=[_row(history, move, language) for move in moves if move.move_class.is_error],
        times=time_bars(history, 0, language, fills_width=True),
        turning=[_turning_point(analysis, move, language) for move in turning_points],
        curve=charts.chance_curve(
            analysis.chances, [move.ply for move in turning_points], language, noted_chances(history)
        ),
        has_own_curve=bool(noted_chances(history)),
        sides=sides,
        report=report,
        slides=[slide.text(sides[slide.team]).to(language) for slide in analysis.slides],
        summaries=[analysis.summary(team) for team in TEAMS] if report.is_over else [],
        classes=tuple(MoveClass),
        points_name=_points_name(history.game),
        points_of_a_win=points_of_a_win(history.game.points_per_log_odds or 0.0),
    )


def _points_name(game: AnyGame) -> Text | None:
    """What the points are by which moves are judged; ``None`` if they are judged by the winning chance alone."""
    return None if game.points_per_log_odds is None else game.scores[1].text


def _row(history: History, move: MoveAnalysis, language: Language) -> dict[str, Any]:
    game, before, found = history.game, history.states[move.ply - 1], move.move_class
    played = history.plies[move.ply - 1].move
    return {
        "ply": move.ply,
        "team": move.team.name.lower(),
        "text": words.move_label(game, before, played, move.text, language),
        "loss": move.loss,
        "points": move.points,
        "class": found.name.lower(),
        "class_text": found.text.to(language),
        "better": move.better and words.move_label(game, before, move.best, move.better, language),
    }


def _turning_point(analysis: GameAnalysis, move: MoveAnalysis, language: Language) -> dict[str, Any]:
    """A turning point: the board before it, the two moves in words, and why the one was worse."""
    game, played = analysis.game, analysis.plies[move.ply - 1]
    return {
        **_row(analysis.history, move, language),
        "board": _board(analysis.history, move),
        "words": words.move_text(game, played.before, played.move, language),
        "better": words.move_text(game, played.before, move.best, language),
        "reasons": [reason.to(language) for reason in analysis.reasons(move)],
    }


def _board(history: History, move: MoveAnalysis) -> Markup:
    """The position before the move, with what would have been better."""
    state = history.states[move.ply - 1]
    return boards.board(history.game, state, look=boards.move_look(history.game, state, move.best, Look()))


PAGES = (
    Page("/replay/{key}/report", report_page, Access.GUEST),
    Page("/replay/{key}/report/events", report_events, Access.GUEST),
)
