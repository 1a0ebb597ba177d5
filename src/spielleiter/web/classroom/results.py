"""Handing in a player, and what came of it: everybody's own page, the table of all, and the games."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter.analysis import chance_text
from spielleiter.coach.study import CostlyMove
from spielleiter.errors import PageError, RecordError, Refused
from spielleiter.game import TEAMS, Language, Look, Text
from spielleiter.matches.results import MatchGame
from spielleiter.pages import boards
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.text import whole_number
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.person import seated
from spielleiter.web.classroom.rounds import scores
from spielleiter.web.classroom.seats import SEAT, classroom_of, person_at
from spielleiter.web.classroom.state import ClassTournament, Participant
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import refusal, respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.season.coach_studies import CoachStudy
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import web_app_of

RESULT = f"{SEAT}/result"


async def hand_in(request: Request) -> Response:
    """Take a player in: the ZIP of ``spielleiter pack`` or of the workshop, as ``program``."""
    classroom, person = seated(request)
    try:
        async with request.form(max_files=1, max_fields=4) as form:
            upload = form.get("program")
            if not isinstance(upload, UploadFile) or not upload.filename:
                raise Refused("Wähle eine Datei aus.", "Choose a file.")
            if not upload.filename.lower().endswith(".zip"):
                raise Refused(
                    "Abgegeben wird ein ZIP: aus der Werkstatt, oder von „spielleiter pack ORDNER“.",
                    "Hand in a ZIP: from the workshop, or made by 'spielleiter pack FOLDER'.",
                )
            await classroom.tournaments.hand_in(person, upload, _harmless(upload.filename))
    except PageError:
        raise
    except Refused as problem:
        return refusal(request, problem, f"{SEAT}#player")
    if "application/json" in request.headers.get("accept", ""):
        said = Text("Abgegeben. Gleich spielt er ein Probespiel.", "Handed in. It will play a trial game in a moment.")
        return JSONResponse({"ok": True, "text": said.to(language_of(request)), "address": f"{SEAT}#player"})
    return RedirectResponse(f"{SEAT}#player", 303)


def _harmless(filename: str) -> str:
    """The name of the file in one printable line."""
    base = filename.replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in base if char.isprintable())[-60:]


# --- one's own page ---------------------------------------------------------------------------------------------------


async def result_page(request: Request) -> Response:
    """One's rank, games, and costliest move in the last tournament; the host may look at anybody's."""
    classroom, tournament, person = _asked(request)
    missing = web_app_of(request).analyst.why_unavailable(classroom.game)
    study = None
    if missing is None and tournament.is_over:
        study = await classroom.tournaments.study(tournament, person.id)
    language, shown = language_of(request), classroom.state.shown_names(tournament)
    return respond(
        request,
        "classroom/result.html",
        person=person,
        tournament=tournament,
        is_own=person_at(request) == person,
        missing=missing,
        has_study=study is not None,
        costliest="" if study is None else _costliest(study, shown, language),
        result=_result(classroom, tournament, person, language),
    )


async def result_events(request: Request) -> Response:
    """The costliest move again and again, while the engine looks."""
    classroom, tournament, person = _asked(request)
    study, language = await classroom.tournaments.study(tournament, person.id), language_of(request)
    shown = classroom.state.shown_names(tournament)
    if study is None:
        raise not_found("Hierzu gibt es keine Spiele.", "There are no games of that.")
    return EventStream(
        study.channel, language, lambda: PageUpdate(parts={"costliest": _costliest(study, shown, language)})
    )


def _asked(request: Request) -> tuple[Classroom, ClassTournament, Participant]:
    """The last tournament, and whose result is asked for: one's own, or that in the address. Raises ``PageError``."""
    classroom = classroom_of(request)
    tournament = classroom.state.tournament
    wanted = request.path_params.get("id")
    person = seated(request)[1] if wanted is None else classroom.state.people.get(wanted)
    if tournament is None or person is None or person.id not in tournament.entrants:
        raise PageError(
            404,
            Text("Hier gibt es noch kein Ergebnis.", "There is no result here yet."),
            Text("Gib vor dem nächsten Turnier einen Spieler ab.", "Hand in a player before the next tournament."),
        )
    return classroom, tournament, person


def _result(
    classroom: Classroom, tournament: ClassTournament, person: Participant, language: Language
) -> dict[str, Any]:
    name, table = tournament.entrants[person.id], classroom.tournaments.table(tournament)
    rows = [row for row in classroom.tournaments.rows(tournament) if name in row.names]
    return {
        "score": next((each for each in table if each.name == name), None),
        "entrants": len(table),
        "games": [_game(row, name, classroom.state.shown_names(tournament), language) for row in rows],
    }


def _game(row: MatchGame, name: str, shown: dict[str, str], language: Language) -> dict[str, Any]:
    """A game as one of its players sees it."""
    team = TEAMS[row.names.index(name)]
    won = None if row.winner is None else row.winner is team
    return {
        "id": row.id,
        "opponent": shown.get(row.names[team.opponent], row.names[team.opponent]),
        "won": won,
        "plies": row.plies,
        "reason": row.reason.to(language),
        "failure": row.sides[team].failure.to(language),
        "has_record": bool(row.record),
    }


def _costliest(study: CoachStudy, shown: dict[str, str], language: Language) -> str:
    """The costliest move that the coach has found so far."""
    found = study.study.costly[:1]
    move = _move(found[0], language) if found else None
    return render("classroom/costliest.html", language, study=study, move=move, shown=shown)


def _move(found: CostlyMove, language: Language) -> dict[str, Any]:
    played = found.played
    game = found.game.history.game
    look = boards.move_look(game, played.before, played.move, Look(), "mark")
    look = boards.move_look(game, played.before, found.best, look)
    return {
        "found": found,
        "board": boards.board(game, played.before, look=look),
        "before": chance_text(found.before).to(language),
        "after": chance_text(found.after).to(language),
        "why": found.why.to(language),
        "position": found.position,
    }


# --- the table of all -------------------------------------------------------------------------------------------------


async def table_page(request: Request) -> Response:
    """All tables, also to be printed."""
    classroom = classroom_of(request)
    state, tournaments = classroom.state, classroom.tournaments
    tournament = state.tournament
    return respond(
        request,
        "classroom/table.html",
        game=classroom.game,
        rows=[] if tournament is None else tournaments.table(tournament),
        shown={} if tournament is None else state.shown_names(tournament),
        scores=scores(state),
        rounds=len(state.rounds),
    )


async def game_page(request: Request) -> Response:
    """A game of the last tournament: to its record."""
    classroom = classroom_of(request)
    tournament, wanted = classroom.state.tournament, request.path_params["game"]
    rows = () if tournament is None else classroom.tournaments.rows(tournament)
    row = next((each for each in rows if each.id == wanted and each.record), None)
    if tournament is None or row is None:
        raise not_found("Dieses Spiel gibt es hier nicht.", "There is no such game here.")
    try:
        path = classroom.tournaments.folder(tournament.number) / row.record
        entry = await asyncio.to_thread(web_app_of(request).library.open, path)
    except RecordError as problem:
        return refusal(request, problem, SEAT)
    ply = whole_number(request.query_params.get("ply", ""))
    tail = "" if ply is None or ply > len(entry.history.plies) else f"/{ply}"
    return RedirectResponse(f"/replay/{entry.key}{tail}", 303)


PAGES = (
    Page(f"{SEAT}/player", hand_in, Access.GUEST, "POST"),
    Page(RESULT, result_page, Access.GUEST),
    Page(f"{RESULT}/events", result_events, Access.GUEST),
    Page(f"{RESULT}/table", table_page, Access.GUEST),
    Page(f"{RESULT}/game/{{game}}", game_page, Access.GUEST),
    Page(f"{RESULT}/{{id:int}}", result_page, Access.HOST),
    Page(f"{RESULT}/{{id:int}}/events", result_events, Access.HOST),
)
