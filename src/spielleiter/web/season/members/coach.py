"""The coach of a team: what its program should improve first, from its own games.

Law: only games of the team of the session are read.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.analysis import chance_text
from spielleiter.coach.drill import make_drill
from spielleiter.coach.own_games import OwnGames, own_game
from spielleiter.coach.report import MAX_COSTLY, CoachReport
from spielleiter.coach.study import CostlyMove
from spielleiter.contest.read.reader import reading, unpack
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Language, Look
from spielleiter.pages import boards
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.private_notes import with_notes
from spielleiter.records.reader import parse_record
from spielleiter.text import NO_TEXT
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.replays.downloads import file_response
from spielleiter.web.rights import Access, Page, team_of
from spielleiter.web.season.coach_studies import CoachStudy
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.live_season import RECORD_PREFIX
from spielleiter.web.season.members.team import HOME
from spielleiter.web.season.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import web_app_of

_MAX_COACHED = 40
"""Games that the coach looks at: older ones were played by an older program."""


async def _own_games(request: Request) -> OwnGames | None:
    """The games of the team that asks, as far as they have a record; ``None`` without any."""
    app, (team_id, team) = contest_app_of(request), team_of(request)

    def read() -> OwnGames | None:
        with reading(app.contest) as reader:
            newest = [
                (*each, reader.notes(team_id, each[0].game.id)) for each in reader.newest_games(team_id, _MAX_COACHED)
            ]
        found = []
        for own, opponent, packed, notes in newest:
            place = f"{RECORD_PREFIX}{own.game.id}"
            with suppress(RecordError):  # The page of the game says what is wrong with it.
                record = with_notes(parse_record(unpack(packed), place), notes)
                side = TEAMS[own.side != own.game.one]
                found.append(own_game(record, side, opponent.name, own.fault, own.failure or NO_TEXT))
        return OwnGames(team, found[0].history.game, tuple(found), ()) if found else None

    return await app.in_thread(read)


async def coach_page(request: Request) -> Response:
    """Faults, times, results and the costliest moves; the engine looks in the background."""
    language, own = language_of(request), await _own_games(request)
    missing = None if own is None else web_app_of(request).analyst.why_unavailable(own.game)
    study, body = None, ""
    if own is not None and missing is None:
        study = contest_app_of(request).jobs.coach.of_team(team_of(request)[0], own)
        body = _body(study, language)
    return respond_in_contest(request, "members/coach.html", own=own, missing=missing, study=study, body=body)


async def coach_events(request: Request) -> Response:
    """The same again and again, while the engine looks."""
    language, own = language_of(request), await _own_games(request)
    if own is None:
        raise not_found("Dein Team hat noch kein Spiel mit Aufzeichnung.", "Your team has no recorded game yet.")
    study = contest_app_of(request).jobs.coach.of_team(team_of(request)[0], own)
    return EventStream(
        study.channel,
        language,
        lambda: PageUpdate(parts={"coach": _body(study, language)}),
        max_seconds=STREAM_SECONDS,
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
    game, state = report.game, move.played.before
    look = boards.move_look(game, state, move.played.move, Look(), "mark")
    look = boards.move_look(game, state, move.best, look)
    return {
        "move": move,
        "board": boards.board(game, state, look=look),
        "class": move.move_class.text.to(language),
        "before": chance_text(move.before).to(language),
        "after": chance_text(move.after).to(language),
        "why": move.why.to(language),
        "words": move.words.to(language),
        "better": [text.to(language) for text in move.better_words],
        "answer": [text.to(language) for text in move.answer_words],
        "reasons": [text.to(language) for text in move.reasons],
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


PAGES = (
    Page(f"{HOME}/coach", coach_page, Access.MEMBER),
    Page(f"{HOME}/coach/events", coach_events, Access.MEMBER),
    Page(f"{HOME}/coach/drill.json", download_drill, Access.MEMBER),
)
