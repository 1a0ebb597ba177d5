"""The application: every page with who may open it, wrapped in the guard; errors become pages that say what to do."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from spielleiter.errors import PageError
from spielleiter.game import Text
from spielleiter.pages import boards
from spielleiter.pages.environment import STATIC, static_version
from spielleiter.web.contestapp import ContestApp
from spielleiter.web.guard import Guard, Role
from spielleiter.web.language import language_of
from spielleiter.web.members.routes import office_routes
from spielleiter.web.play import start
from spielleiter.web.play import table as play
from spielleiter.web.rendering import respond
from spielleiter.web.replays import faults as reasons
from spielleiter.web.replays import replay, report
from spielleiter.web.season import routes as contest
from spielleiter.web.season.live_season import RECORD
from spielleiter.web.watch import watch
from spielleiter.web.webapp import WebApp

log = logging.getLogger("spielleiter.web")

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Page:
    """An address, what answers there, and who may ask."""

    path: str
    endpoint: Endpoint
    role: Role = Role.GUEST
    method: str = "GET"
    season_is_public: bool = False
    """Whether everybody may ask about recorded games of the season."""


PAGES = (
    Page("/", start.start_page),
    Page("/tables", start.new_table, method="POST"),
    Page("/language/{language}", start.choose_language, Role.STRANGER),
    Page("/table/{key}", play.table_page),
    Page("/table/{key}/events", play.table_events),
    Page("/table/{key}/try", play.try_move),
    Page("/table/{key}/move", play.make_move, method="POST"),
    Page("/table/{key}/{action}", play.table_action, method="POST"),
    Page("/watch", watch.watch_list),
    Page("/watch/events", watch.list_events),
    Page("/watch/{room}", watch.watch_page),
    Page("/watch/{room}/events", watch.game_events),
    Page("/watch/{room}/replay", replay.room_replay),
    Page("/watch/{room}/{action}", watch.administer, Role.HOST, method="POST"),
    Page("/projector", watch.projector_page),
    Page("/projector/events", watch.projector_events),
    Page("/replays", replay.replay_list),
    Page("/replays", replay.open_replay, method="POST"),
    Page("/replay/{key}", replay.replay_page, season_is_public=True),
    Page("/replay/{key}/fault", reasons.fault_page, season_is_public=True),
    Page("/replay/{key}/report", report.report_page),
    Page("/replay/{key}/{ply:int}", replay.replay_page, season_is_public=True),
    Page("/replay/{key}/{ply:int}/{form}", replay.picture, season_is_public=True),
    Page("/replay/{key}/download/{form}", replay.download, season_is_public=True),
    *(Page(path, contest.season_page(kind), Role.STRANGER) for path, kind in contest.KINDS.items()),
    Page("/season/game/{id:int}", contest.season_game, Role.STRANGER),
)
"""Every page that is more than a file."""


def _guarded(page: Page) -> Endpoint:
    async def answer(request: Request) -> Response:
        is_public = page.season_is_public and request.path_params["key"].startswith(RECORD)
        if request.state.role < page.role and not is_public:
            raise PageError(
                403,
                Text("Hier darfst du nicht hinein.", "You may not enter here."),
                Text(
                    "Öffne die Seiten mit dem ganzen Link, den dir gegeben wurde; er enthält einen Schlüssel.",
                    "Open the pages with the whole link that you were given; it contains a key.",
                )
                if request.state.role is Role.STRANGER
                else Text(
                    "Das darf nur, wer den Spielleiter gestartet hat.", "Only who started the game master may do this."
                ),
            )
        return await page.endpoint(request)

    return answer


_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
"""For files whose address changes with their contents."""


class _Files(StaticFiles):
    """The style sheet and the scripts."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers.update(_FOREVER)
        return answer


async def _board_colors(_: Request) -> Response:
    return Response(boards.dark_colors(), media_type="text/css", headers=_FOREVER)


def create_app(webapp: WebApp, office: ContestApp | None = None) -> ASGIApp:
    """The application on this hall; with an office if there is a contest."""
    routes: list[BaseRoute] = [
        Route(page.path, _guarded(page), methods=[page.method], name=f"{page.method} {page.path}") for page in PAGES
    ]
    routes += [
        *office_routes(),
        Route(f"/static/{static_version()}/boards.css", _board_colors, name="boards.css"),
        Mount(f"/static/{static_version()}", _Files(directory=STATIC), name="static"),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            PageError: _page_problem,
            HTTPException: _http_problem,
            Exception: _our_fault,
        },
    )
    app.state.webapp = webapp
    app.state.office = office
    if office is not None:
        webapp.library.outside = office.season.record
    return Guard(GZipMiddleware(app, minimum_size=1000, compresslevel=5), webapp.keys)


# --- problems ---------------------------------------------------------------------------------------------------------


def _problem(request: Request, status: int, what: Text, advice: Text) -> Response:
    language = language_of(request)
    return respond(request, "problem.html", status, title=what.to(language), advice=advice.to(language), back="/")


async def _page_problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, PageError)
    answer = _problem(request, problem.status, problem.text, problem.advice)
    if problem.retry_after is not None:
        answer.headers["refresh"] = str(problem.retry_after)
    return answer


async def _http_problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    if problem.status_code == 404:
        what = Text("Diese Seite gibt es nicht.", "There is no such page.")
        advice = Text("Vielleicht hilft die Startseite weiter.", "Perhaps the start page helps.")
    else:
        what = Text(f"Das ging nicht (Fehler {problem.status_code}).", f"This did not work ({problem.status_code}).")
        advice = Text(f"Grund: {problem.detail}", f"Reason: {problem.detail}")
    answer = _problem(request, problem.status_code, what, advice)
    answer.headers.update(problem.headers or {})
    return answer


async def _our_fault(request: Request, problem: Exception) -> Response:
    log.error("%s %s", request.method, request.url.path, exc_info=problem)
    with suppress(Exception):
        return _problem(
            request,
            500,
            Text("Hier ist uns ein Fehler unterlaufen.", "Here we made a mistake."),
            Text(
                "Die Einzelheiten stehen im Terminal, in dem der Spielleiter läuft.",
                "The details are in the terminal in which the game master runs.",
            ),
        )
    return Response("Internal error; see the terminal.", 500, media_type="text/plain")
