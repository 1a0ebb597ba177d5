"""The coach of a team: what its program should improve first, from its own games.

Law: only games of the team of the session are read.
"""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.analysis import chance_text
from spielleiter.coach.drill import make_drill
from spielleiter.coach.own_games import OwnGames
from spielleiter.coach.report import MAX_COSTLY, CoachReport
from spielleiter.coach.study import CostlyMove
from spielleiter.game import Language, Look
from spielleiter.pages import boards
from spielleiter.pages.environment import render
from spielleiter.web.contest.coach_studies import CoachStudy
from spielleiter.web.contest.contest_app import contest_app_of
from spielleiter.web.contest.rendering import respond_in_contest
from spielleiter.web.language import language_of
from spielleiter.web.members import team_games
from spielleiter.web.problems import not_found
from spielleiter.web.replays.downloads import file_response
from spielleiter.web.rights import team_of
from spielleiter.web.web_app import web_app_of


async def _own_games(request: Request) -> OwnGames | None:
    """The games of the team that asks, as far as they have a record; ``None`` without any."""
    app, (team_id, team) = contest_app_of(request), team_of(request)

    def read() -> OwnGames | None:
        with app.contest.store.reading() as session:
            return team_games.own_games(session, team_id, team)

    return await app.in_thread(read)


async def coach_page(request: Request) -> Response:
    """Faults, times, results and the costliest moves; the engine looks in the background."""
    language, own = language_of(request), await _own_games(request)
    missing = None if own is None else web_app_of(request).analyst.why_unavailable(own.game)
    body = ""
    if own is not None and missing is None:
        body = _body(contest_app_of(request).jobs.coach.of_team(team_of(request)[0], own), language)
        if "hx-request" in request.headers:
            return Response(body, media_type="text/html")
    return respond_in_contest(
        request,
        "members/coach.html",
        own=own,
        missing=missing,
        body=Markup(body),  # noqa: S704 - made by our own template
    )


def _body(study: CoachStudy, language: Language) -> str:
    report = study.report()
    return render(
        "members/coach_body.html",
        language,
        study=study,
        report=report,
        advice=[text.to(language) for text in report.advice()],
        results=_result_rows(report, language),
        lost_openings=[each for each in report.openings if each.results.games > 1 and not each.results.victory_points],
        costly=[_move(move, report, language) for move in report.costly[:MAX_COSTLY]],
    )


def _result_rows(report: CoachReport, language: Language) -> list[tuple[str, Any]]:
    against, as_side = ("gegen", "als") if language == "de" else ("against", "as")
    rows = [(f"{against} {name}", results) for name, results in report.opponents.items()]
    sides = ((report.game.team_name(team).to(language), results) for team, results in report.sides.items())
    return rows + [(f"{as_side} {side}", results) for side, results in sides]


def _move(move: CostlyMove, report: CoachReport, language: Language) -> dict[str, Any]:
    game = report.game
    look = boards.move_look(game, move.state, game.notation.parse_move(move.state, move.move), Look(), "mark")
    look = boards.move_look(game, move.state, game.notation.parse_move(move.state, move.better[0]), look)
    return {
        "move": move,
        "board": boards.board(game, move.state, look=look),
        "class": move.move_class.text.to(language),
        "before": chance_text(move.before).to(language),
        "after": chance_text(move.after).to(language),
        "why": move.why.to(language),
    }


async def download_drill(request: Request) -> Response:
    """The drill of the costliest moves, for ``spielleiter drill``."""
    own = await _own_games(request)
    study = None if own is None else contest_app_of(request).jobs.coach.of_team(team_of(request)[0], own)
    drill = None if study is None else make_drill(study.own.game, study.own.player, study.study.costly)
    if drill is None or not drill.exercises:
        raise not_found("Noch gibt es keine Übungen.", "There are no exercises yet.")
    text = json.dumps(drill.to_json(), ensure_ascii=False, indent=1) + "\n"
    return file_response(text, "application/json", "drill.json")
