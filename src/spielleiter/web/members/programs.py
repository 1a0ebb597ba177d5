"""The programs of a team: upload, check, download, activate."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import IO, Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.run import programs
from spielleiter.contest.store import ProgramFileRow, ProgramRow, TeamRow
from spielleiter.errors import ContestError, PageError
from spielleiter.game import TEAMS, Language, Text
from spielleiter.pages.environment import render
from spielleiter.programs.temporary import temporary_folder
from spielleiter.web.contest.contest_app import contest_app_of
from spielleiter.web.contest.forms import act_and_redirect
from spielleiter.web.contest.program_checks import ProgramCheck
from spielleiter.web.contest.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.guard import MAX_UPLOAD
from spielleiter.web.language import language_of
from spielleiter.web.members.team import HOME, next_day
from spielleiter.web.problems import not_found
from spielleiter.web.rights import person_of, team_of
from spielleiter.web.streams import EventStream

_MAX_SCRIPT = 1 << 20
"""Of a single Python file."""


async def upload_program(request: Request) -> Response:
    """Take a program in and begin its check."""
    app, person, (team_id, team) = contest_app_of(request), person_of(request), team_of(request)
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
        path = await app.in_thread(lambda: _stored(file, name))
        try:
            app.jobs.checks.start(team_id, team, path, name, person.who)
        except BaseException:
            shutil.rmtree(path.parent, ignore_errors=True)
            raise

    before = app.jobs.checks.of_team(team_id)
    response = await act_and_redirect(request, act, HOME)
    if app.jobs.checks.of_team(team_id) is not before:
        return RedirectResponse(f"{HOME}/check", 303)
    return response


def _harmless(filename: str) -> str:
    """Of a file's name only harmless letters."""
    base = Path(filename.replace("\\", "/")).name
    return re.sub(r"[^\w. -]+", "_", base).strip(" .-")[-80:] or "program"


def _stored(file: IO[bytes], name: str) -> Path:
    """The upload in a folder of its own. Raises ``ContestError`` if it is too large."""
    folder = temporary_folder("upload")
    path = folder / f"program{Path(name).suffix.lower()}"
    max_size = MAX_UPLOAD if path.suffix == ".zip" else _MAX_SCRIPT
    left = max_size
    file.seek(0)
    with path.open("wb") as target:
        while piece := file.read(1 << 16):
            left -= len(piece)
            if left < 0:
                shutil.rmtree(folder, ignore_errors=True)
                raise ContestError(
                    f"Die Datei ist größer als {max_size >> 20} MiB.", f"The file is larger than {max_size >> 20} MiB."
                )
            target.write(piece)
    return path


def _check(request: Request) -> ProgramCheck:
    check = contest_app_of(request).jobs.checks.of_team(team_of(request)[0])
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
    return respond_in_contest(request, "members/check.html", check=check, log=_check_part(check, language_of(request)))


async def check_events(request: Request) -> Response:
    """That check again and again."""
    check, language = _check(request), language_of(request)
    return EventStream(
        check.channel,
        language,
        lambda: {"parts": {"check": _check_part(check, language)}, "say": ""},
        max_seconds=STREAM_SECONDS,
    )


def _check_part(check: ProgramCheck, language: Language) -> str:
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
    app, (team_id, _) = contest_app_of(request), team_of(request)
    number = request.path_params["number"]

    def look() -> dict[str, Any]:
        with app.contest.store.reading() as session:
            program = _program(session, team_id, number)
            active = programs.active_program(session, session.get_one(TeamRow, team_id))
            return {
                "program": program,
                "is_active": active is not None and active.id == program.id,
                "next_day": next_day(session, app.contest.season),
                "side_names": {team.name: app.contest.season.load_game().team_name(team) for team in TEAMS},
            }

    return respond_in_contest(request, "members/program.html", **await app.in_thread(look))


async def download_program(request: Request) -> Response:
    """The ZIP as it was stored."""
    app, (team_id, _) = contest_app_of(request), team_of(request)
    number = request.path_params["number"]

    def look() -> bytes | None:
        with app.contest.store.reading() as session:
            file = session.get(ProgramFileRow, _program(session, team_id, number).digest)
            return None if file is None else file.data

    data = await app.in_thread(look)
    if data is None:
        raise not_found("Dieses Programm ist eingebaut.", "This program is a built-in one.")
    headers = {"content-disposition": f'attachment; filename="program-{number}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


async def activate_program(request: Request) -> Response:
    """Play with this program from the next day on."""
    app, person, (_, team) = contest_app_of(request), person_of(request), team_of(request)
    number = request.path_params["number"]

    async def act() -> Text:
        return (await app.in_thread(lambda: programs.activate(app.contest, team, number, who=person.who))).text

    return await act_and_redirect(request, act, HOME)
