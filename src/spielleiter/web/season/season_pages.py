"""The pages of the season that everybody may read, kept up to date while games are played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from spielleiter.errors import PageError, StoreError
from spielleiter.game import Text
from spielleiter.web.contest.contest_app import find_contest_app
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.problems import no_contest, store_down
from spielleiter.web.season.live_season import RECORD_PREFIX, LiveSeason

Endpoint = Callable[[Request], Awaitable[Response]]


def season_of(request: Request) -> LiveSeason:
    """The season of these pages. Raises ``PageError`` if there is none."""
    app = find_contest_app(request)
    if app is None:
        raise no_contest()
    return app.season


def season_page(kind: str) -> Endpoint:
    """What answers for the pages of one kind."""

    async def answer(request: Request) -> Response:
        season, language = season_of(request), language_of(request)
        id_ = request.path_params.get("id")
        is_guest = request.state.role >= Role.GUEST
        try:
            html, stamp = await run_in_threadpool(season.page, kind, id_, language, is_guest=is_guest)
        except KeyError:
            raise PageError(
                404,
                Text("Diese Seite gibt es in dieser Saison nicht.", "There is no such page in this season."),
                Text("Die Übersicht zeigt, was es gibt.", "The overview shows what there is."),
            ) from None
        except StoreError as problem:
            raise store_down() from problem
        headers = {"etag": f'"{stamp}"', "cache-control": "no-cache", "vary": "accept-language, cookie"}
        if request.headers.get("if-none-match") == f'"{stamp}"':
            return Response(status_code=304, headers=headers)
        return HTMLResponse(html, headers=headers)

    return answer


async def season_game(request: Request) -> Response:
    """To the replay of a game of the season."""
    season_of(request)
    return RedirectResponse(f"/replay/{RECORD_PREFIX}{request.path_params['id']}", 303)
