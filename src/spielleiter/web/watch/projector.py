"""The projector and the phones that follow it: pages, streams, and the task that keeps the show going."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter.errors import PageError, StoreError
from spielleiter.feeds.live import Audience
from spielleiter.game import Text
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.browsers import browser_of, give_browser, require_browser
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page, audience_of
from spielleiter.web.season.contest_app import find_contest_app
from spielleiter.web.season.live_season import LiveSeason
from spielleiter.web.streams import EventStream
from spielleiter.web.watch import stage
from spielleiter.web.watch.show import Scene, judgements
from spielleiter.web.web_app import WebApp, web_app_of

_BEAT_SECONDS = 0.5
_MIN_INTERVAL = 0.04


async def projector_page(request: Request) -> Response:
    """What the hall sees."""
    return await _page(request, "stage", "watch/projector.html")


async def projector_events(request: Request) -> Response:
    """The show again and again."""
    return await _events(request, "stage")


async def phone_page(request: Request) -> Response:
    """The same game on a phone, with the guess."""
    mine = web_app_of(request).show.guesses.of(browser_of(request))
    response = await _page(request, "phone", "watch/phone_page.html", mine=mine)
    give_browser(request, response)
    return response


async def phone_events(request: Request) -> Response:
    """The show on a phone again and again."""
    return await _events(request, "phone")


async def guess(request: Request) -> Response:
    """Who wins? One guess for each browser, until the first game is over."""
    app = web_app_of(request)
    form = await request.form(max_files=0, max_fields=3)
    question, side = str(form.get("question", "")), form.get("side")
    if not stage.is_open(app, question, await audience_of(request)) or side not in ("0", "1"):
        raise PageError(
            409,
            Text("Hier kann nicht mehr getippt werden.", "It is too late to guess here."),
            Text("Der Tipp gilt bis zum Ende des ersten Spiels.", "A guess counts until the first game is over."),
        )
    browser = require_browser(request)
    if not app.show.guesses.guess(question, browser, int(str(side))):
        raise PageError(
            503,
            Text("So viele Tipps passen hier nicht hin.", "There is no room for so many guesses."),
            Text("Schau einfach zu.", "Just watch."),
        )
    app.show.channel.publish()
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse(app.show.guesses.of(browser))
    return RedirectResponse("/phone", 303)


# --- how it is kept going ---------------------------------------------------------------------------------------------


async def _page(request: Request, template: str, page: str, **context: Any) -> Response:
    app, language, audience = web_app_of(request), language_of(request), await audience_of(request)
    await keep_going(request)
    update = stage.update(app, template, language, audience, qr=_qr(request, app))
    return respond(request, page, body=update.parts[template], **context)


async def _events(request: Request, template: str) -> Response:
    app, language, audience = web_app_of(request), language_of(request), await audience_of(request)
    qr = _qr(request, app)
    return await show_stream(
        request, (template, language, audience, qr), lambda: stage.update(app, template, language, audience, qr=qr)
    )


async def show_stream(request: Request, way: Hashable, render: Callable[[], PageUpdate]) -> EventStream:
    """The stream of all viewers of the show who look in one ``way``; it goes on while there is one."""
    app, season = web_app_of(request), _season(request)
    await keep_going(request)
    return EventStream(app.show.channel, way, render, alive=lambda: _watched(app, season))


def _season(request: Request) -> LiveSeason | None:
    contest = find_contest_app(request)
    return None if contest is None else contest.season


def _qr(request: Request, app: WebApp) -> str:
    """The address for phones; one with a key is for guests only."""
    is_guest = request.state.role >= Role.GUEST
    return app.phone_url if is_guest or "?key=" not in app.phone_url else ""


async def keep_going(request: Request) -> None:
    """The show has a viewer: it follows the games for the next minute."""
    app, season = web_app_of(request), _season(request)
    if season is not None and app.show.pages is None:
        await _read_season(app, season)
    _watched(app, season)


def _watched(app: WebApp, season: LiveSeason | None) -> None:
    app.show.watched(lambda: asyncio.create_task(_direct(app, season)))


async def _direct(app: WebApp, season: LiveSeason | None) -> None:
    """Let the show follow the games and the season as long as it has viewers."""
    show, last, beat = app.show, None, 0.0
    loop = asyncio.get_running_loop()
    while show.is_watched and not show.channel.is_closed:
        seen = app.live.channel.version
        if loop.time() - beat >= _BEAT_SECONDS:
            beat = loop.time()
            if season is not None:
                await _read_season(app, season)
        present = _fingerprint(app)
        if present != last:
            last = present
            show.channel.publish()
        await asyncio.sleep(_MIN_INTERVAL)
        with suppress(TimeoutError):
            async with asyncio.timeout(_BEAT_SECONDS):
                await app.live.channel.wait(seen)


async def _read_season(app: WebApp, season: LiveSeason) -> None:
    with suppress(StoreError):  # The show goes on with what it knows; the season's own pages say what is wrong.
        app.show.pages = (await run_in_threadpool(season.current)).pages


def _fingerprint(app: WebApp) -> tuple[object, ...]:
    """Whatever a scene depends on; and the engine looks at what is shown, once for each move."""
    shown = stage.now_shown(app, Audience.GUESTS)
    live = shown.game
    games = [(each.room_id, each.is_over) for each in app.live.all()]  # The remote control lists them.
    if live is None:
        turn = stage.programme_page(60) if shown.scene is Scene.PROGRAMME else 0
        return shown.scene, id(app.show.pages), turn, games
    app.evaluation(live)
    judged = judgements(live, len(live.history.plies))
    if live.is_over or judged[-1] is not None:  # Now there is time for positions that went by too quickly.
        gap = next((ply for ply, found in enumerate(judged) if found is None), None)
        if gap is not None:
            app.judge_soon(live, gap)
    return shown.scene, live.room_id, shown.ply, live.channel.version, id(app.show.pages), app.show.held is None, games


PAGES = (
    Page("/projector", projector_page, Access.SPECTATOR),
    Page("/projector/events", projector_events, Access.SPECTATOR),
    Page("/phone", phone_page, Access.SPECTATOR),
    Page("/phone/events", phone_events, Access.SPECTATOR),
    Page("/phone/guess", guess, Access.SPECTATOR, "POST"),
)
