"""The application: the pages of every folder behind their access, wrapped in the guard."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from spielleiter.errors import PageError
from spielleiter.pages import boards
from spielleiter.pages.environment import STATIC, static_version
from spielleiter.web.analysis import board, editor
from spielleiter.web.classroom import host, join, person, results
from spielleiter.web.guard import Guard, local_address
from spielleiter.web.lab import pages as lab
from spielleiter.web.language import choose_language
from spielleiter.web.learn import lessons, questions
from spielleiter.web.play import friends, lobby, retry, start, table
from spielleiter.web.problems import HANDLERS, problem_page
from spielleiter.web.puzzles import index, puzzle
from spielleiter.web.replays import downloads, faults, replay, report, rooms
from spielleiter.web.rights import Access, Page, guarded
from spielleiter.web.season.contest_slot import ContestSlot
from spielleiter.web.season.members import coach, encounters, login, programs, team
from spielleiter.web.season.organisers import archive, dates, new_season, news, people, rulings, season, teams
from spielleiter.web.season.public import pages as public
from spielleiter.web.watch import projector, remote, trace, watch
from spielleiter.web.web_app import WebApp
from spielleiter.web.workshop import page as workshop

_MODULES = (
    start, lobby, friends, retry, table, lessons, questions, watch, rooms, trace, projector, remote, index, puzzle,
    replay, faults, report, downloads, board, editor, workshop,
    join, person, results, host, lab,
    public, login, team, coach, programs, encounters, new_season, season, teams, dates, rulings, people, news, archive,
)  # fmt: skip
PAGES = (
    Page("/language/{language}", choose_language, Access.EVERYBODY),
    *(page for module in _MODULES for page in module.PAGES),
)
"""Every page that is more than a file."""


_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
"""For files whose address changes with their contents."""


class _Files(StaticFiles):
    """The style sheet and the scripts."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers.update(_FOREVER)
        return answer


async def _style_sheet(_: Request) -> Response:
    return Response(_slim(STATIC / "style.css"), media_type="text/css", headers=_FOREVER)


@cache
def _slim(style_sheet: Path) -> str:
    """A style sheet without comments, and without space beside its braces and semicolons: a sixth less to load."""
    code = re.sub(r"/\*.*?\*/", "", style_sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s*([{};])\s*", r"\1", code)


async def _board_colors(_: Request) -> Response:
    return Response(boards.game_colors(), media_type="text/css", headers=_FOREVER)


class _NumberInAddress(IntegerConvertor):
    """Digits of a ply or an id: a longer one names nothing, and neither Python nor a database takes it."""

    regex = "[0-9]{1,9}"


register_url_convertor("int", _NumberInAddress())


def _without_slash(router: Router) -> ASGIApp:
    """Redirects an address with a slash too many; that of starlette would lead to whatever ``Host`` was sent."""

    async def redirect(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].rstrip("/")
        shorter = {**scope, "path": path}
        if path == scope["path"] or all(route.matches(shorter)[0] is Match.NONE for route in router.routes):
            await router.not_found(scope, receive, send)
            return
        answer = RedirectResponse(local_address(path, scope["query_string"].decode("latin-1")), 307)
        await answer(scope, receive, send)

    return redirect


def create_app(web_app: WebApp, contest_slot: ContestSlot, *, per_address: int = 1000, public_url: str = "") -> ASGIApp:
    """The pages on this game master; with those of a contest if there is one.

    One visitor has at most ``per_address`` requests and streams at once.
    """
    routes: list[BaseRoute] = [
        Route(page.path, guarded(page), methods=[page.method], name=f"{page.method} {page.path}") for page in PAGES
    ]
    routes += [
        Route(f"/static/{static_version()}/style.css", _style_sheet, name="style.css"),
        Route(f"/static/{static_version()}/boards.css", _board_colors, name="boards.css"),
        Mount(f"/static/{static_version()}", _Files(directory=STATIC), name="static"),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    app.router.redirect_slashes, app.router.default = False, _without_slash(app.router)
    app.state.web_app = web_app
    app.state.contest_slot = contest_slot

    def refuse(scope: Scope, problem: PageError) -> Response:
        return problem_page(Request({**scope, "app": app}), problem)

    packed = GZipMiddleware(app, minimum_size=1000, compresslevel=6)
    return Guard(packed, web_app.keys, refuse, per_address=per_address, public_url=public_url)
