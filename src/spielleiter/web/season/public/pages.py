"""The pages of the season that everybody may read, kept up to date while games are played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from spielleiter.contest.season.names import parse_game_name
from spielleiter.errors import PageError, StoreError
from spielleiter.feeds.live import Audience
from spielleiter.game import Language, Text
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.problems import no_contest, store_down
from spielleiter.web.rights import Access, Page, audience_of
from spielleiter.web.season.contest_app import contest_app_of, find_contest_app
from spielleiter.web.season.live_season import RECORD_PREFIX, LiveSeason
from spielleiter.web.streams import EventStream
from spielleiter.web.watch.watch import cards
from spielleiter.web.web_app import WebApp, web_app_of

_MAX_PREFIX = 60
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
            draw = partial(season.card, kind, request.path_params["id"], language)
            png = await web_app_of(request).drawing.draw(request, draw)
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


async def season_events(request: Request) -> Response:
    """The event stream of changes of the season; with ``?games=`` also running games with that prefix, or all."""
    app, season, jobs = web_app_of(request), season_of(request), contest_app_of(request).jobs
    language, audience = language_of(request), await audience_of(request)
    prefix = request.query_params.get("games")

    def watched() -> None:
        season.watched(jobs, season.channel, app.live.channel)

    if prefix is None:
        return EventStream(season.channel, "version", lambda: PageUpdate(season=season.version), alive=watched)
    prefix = prefix[:_MAX_PREFIX]
    look = ("season", language, audience, prefix)
    return EventStream(app.live.channel, look, lambda: _running(app, season, language, audience, prefix), alive=watched)


def _running(app: WebApp, season: LiveSeason, language: Language, audience: Audience, prefix: str) -> PageUpdate:
    found = [
        live
        for live in app.live.running(audience)
        if live.room_id.startswith(prefix) and parse_game_name(live.room_id) is not None and not live.is_lost
    ]
    shown = cards(app, found, language)
    return PageUpdate(parts=shown, lists={"live": list(shown)}, season=season.version)


_KINDS = {
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

PAGES = (
    *(Page(path, season_page(kind), Access.EVERYBODY) for path, kind in _KINDS.items()),
    Page("/season/game/{id:int}", season_game, Access.EVERYBODY),
    Page("/season/events", season_events, Access.EVERYBODY),
    Page("/season/game/{id:int}.png", season_card("game"), Access.EVERYBODY),
    Page("/season/team/{id:int}.png", season_card("team"), Access.EVERYBODY),
    Page("/season/news.atom", season_feed("atom", "application/atom+xml"), Access.EVERYBODY),
    Page("/season/calendar.ics", season_feed("ics", "text/calendar; charset=utf-8"), Access.EVERYBODY),
)
