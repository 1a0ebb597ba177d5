"""Export, backup and proof of the season, for the organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from spielleiter.errors import PageError
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.language import language_of
from spielleiter.web.rights import Access, Page
from spielleiter.web.season.archive_jobs import ArchiveKind
from spielleiter.web.season.contest_app import ContestApp, contest_app_of
from spielleiter.web.season.organisers.season import HOME
from spielleiter.web.season.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.streams import EventStream

ARCHIVE = f"{HOME}/archive"


async def archive_page(request: Request) -> Response:
    """What can be made, and how far it is."""
    app = contest_app_of(request)
    snapshot = await app.in_thread(app.season.snapshot)
    path = app.contest.store.path
    return respond_in_contest(
        request,
        "organisers/archive.html",
        parts=_parts(app, language_of(request)),
        games=sum(snapshot.progress(phase.stage).games for phase in snapshot.season.phases),
        megabytes=None if path is None else (await app.in_thread(lambda: path.stat().st_size)) / 1e6,
    )


def _parts(app: ContestApp, language: Language) -> dict[str, str]:
    return {
        f"job-{kind}": render("organisers/archive_job.html", language, kind=kind.value, job=job)
        for kind, job in app.jobs.archive.jobs.items()
    }


async def archive_events(request: Request) -> Response:
    """How far they are, again and again."""
    app, language = contest_app_of(request), language_of(request)
    return EventStream(
        app.jobs.channel,
        ("archive", language),
        lambda: PageUpdate(parts=_parts(app, language)),
        max_seconds=STREAM_SECONDS,
    )


def _kind(request: Request) -> ArchiveKind:
    kind = request.path_params["kind"]
    if kind not in set(ArchiveKind):
        raise PageError(404, Text("Das gibt es hier nicht.", "There is no such thing here."), Text("", ""))
    return ArchiveKind(kind)


async def make(request: Request) -> Response:
    """Begin one."""
    contest_app_of(request).jobs.archive.start(_kind(request))
    return RedirectResponse(ARCHIVE, 303)


async def download(request: Request) -> Response:
    """The file that is ready."""
    app, kind = contest_app_of(request), _kind(request)
    job = app.jobs.archive.jobs[kind]
    if job.file is None or job.at is None:
        raise PageError(
            404,
            Text("Diese Datei gibt es nicht mehr.", "This file is gone."),
            Text("Lass sie noch einmal schreiben.", "Let it be written once more."),
        )
    name = f"season-{job.at.astimezone():%Y-%m-%d-%H%M}{kind.suffix}"
    return FileResponse(job.file, media_type="application/octet-stream", filename=name)


PAGES = (
    Page(ARCHIVE, archive_page, Access.ORGANISER),
    Page(f"{ARCHIVE}/events", archive_events, Access.ORGANISER),
    Page(f"{ARCHIVE}/{{kind}}", make, Access.ORGANISER, "POST"),
    Page(f"{ARCHIVE}/{{kind}}", download, Access.ORGANISER),
)
