"""The pages of the season that everybody may read, kept up to date while games are played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from spielleiter.errors import PageError, StoreError
from spielleiter.game import Language, Text
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


def _no_page() -> PageError:
    return PageError(
        404,
        Text("Diese Seite gibt es in dieser Saison nicht.", "There is no such page in this season."),
        Text("Die Übersicht zeigt, was es gibt.", "The overview shows what there is."),
    )


def season_page(kind: str) -> Endpoint:
    """What answers for the pages of one kind."""

    async def answer(request: Request) -> Response:
        season, language = season_of(request), language_of(request)
        id_ = request.path_params.get("id")
        is_guest = request.state.role >= Role.GUEST
        try:
            html, stamp = await run_in_threadpool(season.page, kind, id_, language, is_guest=is_guest)
        except KeyError:
            raise _no_page() from None
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


def season_card(kind: str) -> Endpoint:
    """What answers with the picture of a game or a team, for links that are shared."""

    async def answer(request: Request) -> Response:
        season, language = season_of(request), language_of(request)
        try:
            png = await run_in_threadpool(season.card, kind, request.path_params["id"], language)
        except KeyError:
            raise _no_page() from None
        except StoreError as problem:
            raise store_down() from problem
        return Response(png, media_type="image/png", headers={"cache-control": "public, max-age=300"})

    return answer


def season_feed(kind: str, media_type: str) -> Endpoint:
    """What answers with the season for other programs: ``?lang=`` chooses the language, which they do not ask for."""

    async def answer(request: Request) -> Response:
        season, base = season_of(request), f"{request.url.scheme}://{request.url.netloc}"
        language: Language = "de" if request.query_params.get("lang", language_of(request)) == "de" else "en"
        try:
            data = await run_in_threadpool(season.feed, kind, base, language)
        except StoreError as problem:
            raise store_down() from problem
        return Response(data, media_type=media_type, headers={"cache-control": "public, max-age=60"})

    return answer
