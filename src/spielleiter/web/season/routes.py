"""The pages of the season that everybody may read, kept up to date while games are played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from spielleiter.errors import PageError, StoreError
from spielleiter.game import Text
from spielleiter.web.contestapp import ContestApp
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.season.live_season import RECORD, LiveSeason

Endpoint = Callable[[Request], Awaitable[Response]]
KINDS = {
    "/season": "index",
    "/season/phase/{id}": "phase",
    "/season/bracket": "bracket",
    "/season/schedule": "schedule",
    "/season/day/{id:int}": "day",
    "/season/encounter/{id:int}": "encounter",
    "/season/teams": "teams",
    "/season/team/{id:int}": "team",
    "/season/rating": "rating",
    "/season/rulings": "rulings",
    "/season/news": "news",
}
"""The addresses of the pages, and their kinds."""


def season_of(request: Request) -> LiveSeason:
    """The season of these pages. Raises ``PageError`` if there is none."""
    office: ContestApp | None = getattr(request.app.state, "office", None)
    if office is None:
        raise PageError(
            404,
            Text("Hier läuft kein Wettbewerb.", "There is no contest here."),
            Text(
                "Mit einem Wettbewerb starten: spielleiter web --season season.toml",
                "Start with a contest: spielleiter web --season season.toml",
            ),
        )
    return office.season


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
            raise PageError(
                503,
                Text("Der Speicher der Saison antwortet nicht.", "The store of the season does not answer."),
                Text("Versuche es gleich noch einmal.", "Try again in a moment."),
                retry_after=10,
            ) from problem
        headers = {"etag": f'"{stamp}"', "cache-control": "no-cache", "vary": "accept-language, cookie"}
        if request.headers.get("if-none-match") == f'"{stamp}"':
            return Response(status_code=304, headers=headers)
        return HTMLResponse(html, headers=headers)

    return answer


async def season_game(request: Request) -> Response:
    """To the replay of a game of the season."""
    season_of(request)
    return RedirectResponse(f"/replay/{RECORD}{request.path_params['id']}", 303)
