"""The application: the pages of every folder behind their access, wrapped in the guard."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from spielleiter.errors import PageError
from spielleiter.pages import boards
from spielleiter.pages.environment import STATIC, static_version
from spielleiter.web.analysis.routes import PAGES as ANALYSIS_PAGES
from spielleiter.web.contest.contest_app import ContestApp
from spielleiter.web.guard import Guard
from spielleiter.web.language import choose_language
from spielleiter.web.learn.routes import PAGES as LEARN_PAGES
from spielleiter.web.members.routes import PAGES as MEMBER_PAGES
from spielleiter.web.organisers.routes import PAGES as ORGANISER_PAGES
from spielleiter.web.play.routes import PAGES as PLAY_PAGES
from spielleiter.web.problems import HANDLERS, problem_page
from spielleiter.web.puzzles.routes import PAGES as PUZZLE_PAGES
from spielleiter.web.replays.routes import PAGES as REPLAY_PAGES
from spielleiter.web.rights import Access, Page, guarded
from spielleiter.web.season.routes import PAGES as SEASON_PAGES
from spielleiter.web.watch.routes import PAGES as WATCH_PAGES
from spielleiter.web.web_app import WebApp

PAGES = (
    Page("/language/{language}", choose_language, Access.EVERYBODY),
    *PLAY_PAGES,
    *LEARN_PAGES,
    *WATCH_PAGES,
    *PUZZLE_PAGES,
    *REPLAY_PAGES,
    *ANALYSIS_PAGES,
    *SEASON_PAGES,
    *MEMBER_PAGES,
    *ORGANISER_PAGES,
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


async def _board_colors(_: Request) -> Response:
    return Response(boards.dark_colors(), media_type="text/css", headers=_FOREVER)


class _NumberInAddress(IntegerConvertor):
    """Of a ply or of something in the store: a longer one names nothing, and neither Python nor a database takes it."""

    regex = "[0-9]{1,9}"


register_url_convertor("int", _NumberInAddress())


def create_app(
    web_app: WebApp, contest_app: ContestApp | None = None, *, per_address: int = 1000, https: bool = False
) -> ASGIApp:
    """The pages on this game master; with those of a contest if there is one; ``https``: as browsers see them.

    One visitor has at most ``per_address`` requests and streams at once.
    """
    routes: list[BaseRoute] = [
        Route(page.path, guarded(page), methods=[page.method], name=f"{page.method} {page.path}") for page in PAGES
    ]
    routes += [
        Route(f"/static/{static_version()}/boards.css", _board_colors, name="boards.css"),
        Mount(f"/static/{static_version()}", _Files(directory=STATIC), name="static"),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    app.state.web_app = web_app
    app.state.contest_app = contest_app
    if contest_app is not None:
        web_app.library.extra_source = contest_app.season.record

    def refuse(scope: Scope, problem: PageError) -> Response:
        return problem_page(Request({**scope, "app": app}), problem)

    packed = GZipMiddleware(app, minimum_size=1000, compresslevel=5)
    return Guard(packed, web_app.keys, refuse, per_address=per_address, https=https)
