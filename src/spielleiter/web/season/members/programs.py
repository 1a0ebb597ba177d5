"""The programs of a team: upload, check, download, activate."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.read.reader import reading
from spielleiter.contest.run import programs
from spielleiter.contest.season.snapshot import CheckedProgram
from spielleiter.errors import ContestError, PageError
from spielleiter.game import TEAMS, Language, Text
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.programs.temporary import temporary_folder
from spielleiter.web.guard import MAX_UPLOAD
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rights import Access, Page, person_of, team_of
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.forms import act_and_redirect
from spielleiter.web.season.members.team import HOME, own_snapshot
from spielleiter.web.season.program_checks import ProgramCheck
from spielleiter.web.season.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.streams import EventStream
from spielleiter.web.uploads import store_upload

_MAX_SCRIPT = 1_000_000
"""Bytes of a single Python file."""


async def upload_program(request: Request) -> Response:
    """Take a program in and begin its check."""
    app, person, (team_id, team) = contest_app_of(request), person_of(request), team_of(request)
    upload = (await request.form()).get("program")

    async def act() -> None:
        if not isinstance(upload, UploadFile) or not upload.filename:
            raise ContestError("Wähle eine Datei aus.", "Choose a file.")
        name = _harmless(upload.filename)
        if not name.lower().endswith((".zip", ".jar", ".py")):
            raise ContestError(
                "Ein Programm ist ein ZIP mit start.sh, ein JAR oder eine einzelne Python-Datei.",
                "A program is a ZIP with start.sh, a JAR, or a single Python file.",
            )
        path = temporary_folder("upload") / f"program{Path(name).suffix.lower()}"
        try:
            await store_upload(upload, path, _MAX_SCRIPT if path.suffix == ".py" else MAX_UPLOAD)
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
    """The file name, unsafe characters replaced."""
    base = Path(filename.replace("\\", "/")).name
    return re.sub(r"[^\w. -]+", "_", base).strip(" .-")[-80:] or "program"


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
    """The event stream of that check."""
    check, language = _check(request), language_of(request)
    return EventStream(
        check.channel,
        language,
        lambda: PageUpdate(parts={"check": _check_part(check, language)}),
        max_seconds=STREAM_SECONDS,
    )


def _check_part(check: ProgramCheck, language: Language) -> str:
    return render("members/check_progress.html", language, check=check)


async def _program(request: Request) -> CheckedProgram:
    """The program in the address. Raises ``PageError`` if the team has none of that number."""
    app, (team_id, _) = contest_app_of(request), team_of(request)

    def look() -> tuple[CheckedProgram, ...]:
        with reading(app.contest) as reader:
            return reader.checked_programs(team_id, request.path_params["number"])

    found = await app.in_thread(look)
    if not found:
        raise not_found("Dein Team hat kein Programm mit dieser Nummer.", "Your team has no program of this number.")
    return found[0]


async def program_page(request: Request) -> Response:
    """A program with what its check has found."""
    program, snapshot = await _program(request), await own_snapshot(request)
    return respond_in_contest(
        request,
        "members/program.html",
        program=program,
        is_active=program.number == snapshot.active.get(team_of(request)[0]),
        next_day=snapshot.next_activation(datetime.now(UTC)),
        side_names={team.name: snapshot.game.team_name(team) for team in TEAMS},
    )


async def download_program(request: Request) -> Response:
    """The ZIP as it was stored."""
    app, program = contest_app_of(request), await _program(request)

    def look() -> bytes | None:
        with reading(app.contest) as reader:
            return reader.program_file(program)

    data = await app.in_thread(look)
    if data is None:
        raise not_found("Dieses Programm ist eingebaut.", "This program is a built-in one.")
    headers = {"content-disposition": f'attachment; filename="program-{program.number}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


async def activate_program(request: Request) -> Response:
    """Play with this program from the next day on."""
    app, person, (_, team) = contest_app_of(request), person_of(request), team_of(request)
    number = request.path_params["number"]

    async def act() -> Text:
        return (await app.in_thread(lambda: programs.activate(app.contest, team, number, who=person.who))).text

    return await act_and_redirect(request, act, HOME)


PAGES = (
    Page(f"{HOME}/programs", upload_program, Access.MEMBER, "POST"),
    Page(f"{HOME}/check", check_page, Access.MEMBER),
    Page(f"{HOME}/check/events", check_events, Access.MEMBER),
    Page(f"{HOME}/programs/{{number:int}}", program_page, Access.MEMBER),
    Page(f"{HOME}/programs/{{number:int}}/download", download_program, Access.MEMBER),
    Page(f"{HOME}/programs/{{number:int}}/activate", activate_program, Access.MEMBER, "POST"),
)
