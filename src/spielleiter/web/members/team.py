"""The pages of a team for its members: programs, their checks, encounters, logs, and challenges.

Law: every look-up goes by the team of the session; there is no address that names another team.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import IO, Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.run import programs
from spielleiter.contest.run.progress import read_days
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.next import activation_day
from spielleiter.contest.store import ActivationRow, EncounterRow, ProgramFileRow, ProgramRow, TeamRow, now
from spielleiter.errors import ContestError, PageError
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.web.common import not_found
from spielleiter.web.contestapp import Note, contestapp_of
from spielleiter.web.jobs import Check
from spielleiter.web.language import language_of
from spielleiter.web.members import games as own
from spielleiter.web.members.show import ending, show
from spielleiter.web.rights import done, field, person_of, team_of
from spielleiter.web.streams import event_stream

HOME = "/contest/my"
LARGEST_PROGRAM = 32 << 20
_LARGEST_SCRIPT = 1 << 20
"""Of a single Python file."""
_SHOWN_ENCOUNTERS = 6


# --- my team ----------------------------------------------------------------------------------------------------------


async def team_page(request: Request) -> Response:
    """The team with its programs, a form for a new one, challenges, and the last encounters."""
    office, (team_id, _) = contestapp_of(request), team_of(request)

    def look() -> dict[str, Any]:
        with office.contest.store.reading() as session:
            return _overview(session, office.contest.season, team_id)

    shown = await office.ask(look)
    return show(
        request, "members/team.html", check=office.jobs.check_of(team_id), largest=LARGEST_PROGRAM >> 20, **shown
    )


def _overview(session: Session, season: Season, team_id: int) -> dict[str, Any]:
    team = session.get_one(TeamRow, team_id)
    mine = select(ProgramRow).where(ProgramRow.team_id == team_id).order_by(ProgramRow.number.desc())
    active = programs.active_program(session, team)
    others = [
        other.name
        for other in session.scalars(select(TeamRow).where(TeamRow.id != team_id).order_by(TeamRow.name))
        if programs.active_program(session, other) is not None
    ]
    return {
        "team": team,
        "programs": list(session.scalars(mine)),
        "active": active,
        "since": session.scalars(
            select(ActivationRow.at).where(ActivationRow.team_id == team_id).order_by(ActivationRow.id.desc()).limit(1)
        ).first(),
        "next_day": _next_day(session, season),
        "opponents": others,
        "rows": own.encounters(session, season, team_id, _SHOWN_ENCOUNTERS),
    }


def _next_day(session: Session, season: Season) -> tuple[Stage, int] | None:
    """The first day that can still be played with another program."""
    try:
        return activation_day(season, read_days(session), now())
    except ContestError:
        return None


# --- programs ---------------------------------------------------------------------------------------------------------


async def upload_program(request: Request) -> Response:
    """Take a program in and begin its check."""
    office, person, (team_id, team) = contestapp_of(request), person_of(request), team_of(request)
    upload = (await request.form()).get("program")

    async def act() -> None:
        if not isinstance(upload, UploadFile) or not upload.filename:
            raise ContestError("Wähle eine Datei aus.", "Choose a file.")
        name = _harmless(upload.filename)
        if not name.lower().endswith((".zip", ".py")):
            raise ContestError(
                "Ein Programm ist ein ZIP mit start.sh, oder eine einzelne Python-Datei.",
                "A program is a ZIP with start.sh, or a single Python file.",
            )
        file = upload.file
        path = await office.ask(lambda: _stored(file, name))
        try:
            office.jobs.begin_check(team_id, team, path, name, person.who)
        except BaseException:
            shutil.rmtree(path.parent, ignore_errors=True)
            raise

    before = office.jobs.check_of(team_id)
    response = await done(request, act, HOME)
    if office.jobs.check_of(team_id) is not before:
        return RedirectResponse(f"{HOME}/check", 303)
    return response


def _harmless(filename: str) -> str:
    """Of a file's name only harmless letters."""
    base = Path(filename.replace("\\", "/")).name
    return re.sub(r"[^\w. -]+", "_", base).strip(" .-")[-80:] or "program"


def _stored(file: IO[bytes], name: str) -> Path:
    """The upload in a folder of its own. Raises ``ContestError`` if it is too large."""
    folder = Path(tempfile.mkdtemp(prefix="spielleiter-upload-"))
    path = folder / f"program{Path(name).suffix.lower()}"
    largest = LARGEST_PROGRAM if path.suffix == ".zip" else _LARGEST_SCRIPT
    left = largest
    file.seek(0)
    with path.open("wb") as target:
        while piece := file.read(1 << 16):
            left -= len(piece)
            if left < 0:
                shutil.rmtree(folder, ignore_errors=True)
                raise ContestError(
                    f"Die Datei ist größer als {largest >> 20} MiB.", f"The file is larger than {largest >> 20} MiB."
                )
            target.write(piece)
    return path


def _check(request: Request) -> Check:
    check = contestapp_of(request).jobs.check_of(team_of(request)[0])
    if check is None:
        raise PageError(
            404,
            Text("Gerade wird kein Programm deines Teams geprüft.", "No program of your team is being checked."),
            Text("Lade eines hoch, oder sieh dir die bisherigen an.", "Upload one, or look at those that are there."),
        )
    return check


async def check_page(request: Request) -> Response:
    """The check of the program that was submitted last, live."""
    check = _check(request)
    return show(request, "members/check.html", check=check, log=_check_part(check, language_of(request)))


async def check_events(request: Request) -> Response:
    """That check again and again."""
    check, language = _check(request), language_of(request)
    return ending(
        event_stream(check.channel, language, lambda: {"parts": {"check": _check_part(check, language)}, "say": ""})
    )


def _check_part(check: Check, language: Language) -> str:
    return render("members/check_progress.html", language, check=check)


def _program(session: Session, team_id: int, number: int) -> ProgramRow:
    found = session.scalars(
        select(ProgramRow).where(ProgramRow.team_id == team_id, ProgramRow.number == number)
    ).first()
    if found is None:
        raise not_found("Dein Team hat kein Programm mit dieser Nummer.", "Your team has no program of this number.")
    return found


async def program_page(request: Request) -> Response:
    """A program with what its check has found."""
    office, (team_id, _) = contestapp_of(request), team_of(request)
    number = request.path_params["number"]

    def look() -> dict[str, Any]:
        with office.contest.store.reading() as session:
            program = _program(session, team_id, number)
            active = programs.active_program(session, session.get_one(TeamRow, team_id))
            return {
                "program": program,
                "is_active": active is not None and active.id == program.id,
                "next_day": _next_day(session, office.contest.season),
            }

    return show(request, "members/program.html", **await office.ask(look))


async def download_program(request: Request) -> Response:
    """The ZIP as it was kept."""
    office, (team_id, _) = contestapp_of(request), team_of(request)
    number = request.path_params["number"]

    def look() -> bytes | None:
        with office.contest.store.reading() as session:
            file = session.get(ProgramFileRow, _program(session, team_id, number).digest)
            return None if file is None else file.data

    data = await office.ask(look)
    if data is None:
        raise not_found("Dieses Programm ist eingebaut.", "This program is a built-in one.")
    headers = {"content-disposition": f'attachment; filename="program-{number}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


async def activate_program(request: Request) -> Response:
    """Play with this program from the next day on."""
    office, person, (_, team) = contestapp_of(request), person_of(request), team_of(request)
    number = request.path_params["number"]

    async def act() -> Text:
        return (await office.ask(lambda: programs.activate(office.contest, team, number, who=person.who))).text

    return await done(request, act, HOME)


# --- encounters and logs ----------------------------------------------------------------------------------------------


async def encounters_page(request: Request) -> Response:
    """All encounters of the team that were played or are being played, the newest first."""
    office, (team_id, _) = contestapp_of(request), team_of(request)

    def look() -> list[own.TeamEncounter]:
        with office.contest.store.reading() as session:
            return own.encounters(session, office.contest.season, team_id)

    return show(request, "members/encounters.html", rows=await office.ask(look))


def _encounter(request: Request, language: Language) -> tuple[own.TeamEncounter, str]:
    office, (team_id, _) = contestapp_of(request), team_of(request)
    with office.contest.store.reading() as session:
        found = own.encounter(session, office.contest.season, team_id, request.path_params["key"])
        if found is None:
            raise not_found("Dein Team hat keine solche Begegnung.", "Your team has no such encounter.")
        games = own.games(session, team_id, found.id)
    stuck = found.finished is None and office.jobs.is_stuck(found.id)
    return found, render("members/encounter_games.html", language, row=found, games=games, stuck=stuck)


async def encounter_page(request: Request) -> Response:
    """An encounter of the team, game by game, with the team's own logs; live while it is played."""
    language = language_of(request)
    found, shown = await contestapp_of(request).ask(lambda: _encounter(request, language))
    return show(request, "members/encounter.html", row=found, shown=shown)


async def encounter_events(request: Request) -> Response:
    """That encounter again and again."""
    office, language, (team_id, _) = contestapp_of(request), language_of(request), team_of(request)
    found, _ = await office.ask(lambda: _encounter(request, language))
    return ending(
        event_stream(
            office.jobs.channel,
            ("encounter", team_id, found.id, language),
            lambda: {"parts": {"encounter": _encounter(request, language)[1]}},
        )
    )


async def log_page(request: Request) -> Response:
    """What the team's program printed in one game, and how it ended."""
    office, (team_id, _) = contestapp_of(request), team_of(request)

    def look() -> own.OwnLog | None:
        with office.contest.store.reading() as session:
            return own.log(session, team_id, request.path_params["game"])

    log = await office.ask(look)
    if log is None:
        raise _foreign()
    if request.url.path.endswith(".txt"):
        headers = {"content-disposition": f'inline; filename="{log.name}.txt"'}
        return Response(log.text, media_type="text/plain; charset=utf-8", headers=headers)
    return show(request, "members/log.html", log=log)


def _foreign() -> PageError:
    return PageError(
        403,
        Text("Das ist kein Spiel deines Teams.", "This is no game of your team."),
        Text("Jedes Team sieht nur die Ausgaben seines Programms.", "Each team sees its own program's output only."),
    )


async def challenge(request: Request) -> Response:
    """Play a friendly encounter against another team."""
    office, person, (_, team) = contestapp_of(request), person_of(request), team_of(request)
    opponent = await field(request, "opponent")

    async def act() -> Note:
        id_ = await office.jobs.challenge(team, opponent, person.who)

        def key() -> str:
            with office.contest.store.reading() as session:
                return session.get_one(EncounterRow, id_).key

        return Note(
            Text(f"Das Freundschaftsspiel gegen {opponent} beginnt.", f"The friendly game against {opponent} begins."),
            link=f"{HOME}/encounters/{await office.ask(key)}",
        )

    return await done(request, act, HOME)
