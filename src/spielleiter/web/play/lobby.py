"""The lobby: who waits for somebody to play with, the way to wait oneself, and handles with ratings for those who want.

A challenge is a table with a free seat (``Tables.challenge``): accepting it is taking the seat. Tables to which friends
are invited by link are shown to those who set them up and to those who have opened the link.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import games
from spielleiter.contest.accounts.attempts import Attempts, Bound
from spielleiter.errors import Refused, UnknownGame
from spielleiter.game import Language, Limits, Text
from spielleiter.pages import words
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.browsers import browser_of, give_browser, keep_browser, new_browser, require_browser
from spielleiter.web.classroom.seats import name_in_class
from spielleiter.web.guard import address_of
from spielleiter.web.language import language_of
from spielleiter.web.play.choices import MAX_NAME, FormDefaults, clean_name, remember
from spielleiter.web.play.people import AVERAGE, MAX_HANDLE, MIN_HANDLE, NamedPerson, People
from spielleiter.web.play.seating import Seating, SeatKind, Table
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import refusal, respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import WebApp, web_app_of

CLOCKS: Mapping[str, Limits | None] = {
    "": None,
    "3+2": Limits.of_game(180, 2),
    "10+5": Limits.of_game(600, 5),
    "30+20": Limits.of_game(1800, 20),
}
"""The clocks to choose from, by minutes and seconds for each move."""
SIDES = ("random", "first", "second")
_NEW_NAMES = Bound(60, 3600.0)
"""Limit per address, which a whole school may share."""
_attempts = Attempts(per_pair=_NEW_NAMES, per_address=_NEW_NAMES, per_name=Bound(1000, 3600.0))
_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A table with a free seat as one visitor sees it."""

    table: Table
    role: str
    """``own``, ``invited`` by a link, ``free``, or ``nameless`` where a rated game needs a handle."""
    name: str
    """Who waits there."""
    rating: str
    begins: bool
    """Whether who comes makes the first move."""
    clock: Text
    link: str
    """Where the invitation is answered, or the own table."""


def waiting_tables(app: WebApp, browser: str) -> list[WaitingTable]:
    """What the visitor may join, and what they wait at themselves; these first."""
    tables, people = app.tables, app.people
    related = tables.waiting_for(browser)
    challenges = [table for table in tables.challenges() if table not in related]
    has_name = people.of(browser) is not None
    found = []
    for table in (*related, *challenges):
        team = table.missing[0]
        if table.creator == browser:
            role, link = "own", f"/table/{table.key}"
        elif table.is_challenge:
            role, link = "nameless" if table.rated and not has_name else "free", ""
        else:
            role, link = "invited", f"/invite/{table.holders[team].token}"
        owner = people.rating(table.rated[0], table.game.key) if table.rated else None
        rating = "" if owner is None else f"{AVERAGE + owner.elo:.0f} ± {owner.margin:.0f}"
        name = table.seats[team.opponent].name
        begins = table.start.to_move is team
        found.append(WaitingTable(table, role, name, rating, begins, words.clock_text(table.limits), link))
    return found


def lobby_update(app: WebApp, browser: str, language: Language) -> PageUpdate:
    """Who waits, for the lobby and for the start page."""
    found = waiting_tables(app, browser)
    others = sum(each.role != "own" for each in found)
    said = Text(f"{others} offene Herausforderungen", f"{others} open challenges")
    if others == 1:
        said = Text("1 offene Herausforderung", "1 open challenge")
    return PageUpdate(
        parts={"challenges": render("play/challenges.html", language, waiting=found)}, say=said.to(language)
    )


async def lobby_events(request: Request) -> Response:
    """Who waits, again and again."""
    app, language, browser = web_app_of(request), language_of(request), browser_of(request)
    return EventStream(app.tables.lobby, (language, browser), lambda: lobby_update(app, browser, language))


async def lobby_page(request: Request) -> Response:
    """The lobby."""
    response = _page(request)
    if web_app_of(request).people.of(browser_of(request)) is not None:
        keep_browser(request, response)
    else:
        give_browser(request, response)
    return response


def _page(request: Request, problem: Text | None = None, form: Mapping[str, Any] | None = None) -> Response:
    app, language, browser = web_app_of(request), language_of(request), browser_of(request)
    choices, known = FormDefaults.of(request), games.seasons()
    wanted = str((form or request.query_params).get("game", choices.game))
    game = next((game for game in known if game.key == wanted), games.load(games.CURRENT_SEASON))
    person = app.people.of(browser)
    return respond(
        request,
        "play/lobby.html",
        200 if problem is None else 409,
        update=lobby_update(app, browser, language),
        problem=problem,
        games=known,
        game=game,
        clocks={key: words.clock_text(limits) for key, limits in CLOCKS.items()},
        clock=str((form or {}).get("clock", "")),
        side=str((form or {}).get("side", SIDES[0])),
        is_rated=person is not None and (form is None or form.get("rated") == "1"),
        name=str((form or {}).get("name", choices.name)),
        seat_name=name_in_class(request),
        max_name=MAX_NAME,
        person=person,
        own=None if person is None else app.people.rating(person.id, game.key),
        ranking=app.people.ranking(game.key),
        average=AVERAGE,
        has_names=app.people.is_available and not name_in_class(request),
        handle_length=(MIN_HANDLE, MAX_HANDLE),
    )


async def challenge(request: Request) -> Response:
    """Open a challenge, as the form says."""
    app, browser = web_app_of(request), browser_of(request) or new_browser()
    form = await request.form(max_files=0, max_fields=8)
    name = name_in_class(request) or clean_name(str(form.get("name", "")))
    try:
        table = await _challenge(app, browser, form, name, language_of(request))
    except Refused as problem:
        return _page(request, problem.text, form)
    response = RedirectResponse(f"/table/{table.key}", 303)
    give_browser(request, response, browser)
    remember(request, response, name=name, game=table.game.key)
    return response


async def _challenge(app: WebApp, browser: str, form: Mapping[str, Any], name: str, language: Language) -> Table:
    clock, side = str(form.get("clock", "")), str(form.get("side", SIDES[0]))
    try:
        game = games.load(str(form.get("game", ""))[:100])
    except UnknownGame:
        raise Refused("Dieses Spiel gibt es nicht.", "There is no such game.") from None
    if clock not in CLOCKS or side not in SIDES:
        raise Refused("Wähle eine Uhr und eine Seite aus der Liste.", "Choose a clock and a side from the list.")
    person, rated = app.people.of(browser), ""
    if form.get("rated") == "1":
        if person is None:
            raise Refused(
                "Für gewertete Spiele wähle dir erst einen Namen.", "Choose a name first to play rated games."
            )
        rated = person.id
    own = Seating(SeatKind.PERSON, _seat_name(app.people, person, browser, name, language))
    friend = Seating(SeatKind.FRIEND, Text("Gast", "Guest").to(language))
    is_first = side == "first" or (side == "random" and _random.random() < 0.5)
    seats = (own, friend) if is_first else (friend, own)
    return await app.tables.challenge(game, seats, game.new_state(_random), browser, limits=CLOCKS[clock], rated=rated)


def _seat_name(people: People, person: NamedPerson | None, browser: str, name: str, language: Language) -> str:
    """The name that others see. Raises ``Refused`` for another person's handle."""
    if person is not None:
        return person.handle
    people.check_name(name, browser)
    return name or Text("Gast", "Guest").to(language)


async def accept(request: Request) -> Response:
    """Take the free seat of a challenge, with one click."""
    app, browser = web_app_of(request), require_browser(request)
    table = app.tables.get(request.path_params["key"])
    if table is None or not table.is_challenge:
        return _page(request, Text("Diese Herausforderung gibt es nicht mehr.", "This challenge is gone."))
    if table.creator == browser:
        return RedirectResponse(f"/table/{table.key}", 303)
    person = app.people.of(browser)
    try:
        if not table.missing:
            raise Refused("Jemand anders war schneller.", "Somebody else was quicker.")
        wanted = name_in_class(request) or FormDefaults.of(request).name
        name = _seat_name(app.people, person, browser, wanted, language_of(request))
        own = "" if person is None else person.id
        await app.tables.take_seat(table, table.missing[0], browser, name, person=own)
    except Refused as problem:
        return _page(request, problem.text)
    return RedirectResponse(f"/table/{table.key}", 303)


async def change_handle(request: Request) -> Response:
    """Choose a handle, or give it up with everything that belongs to it."""
    app, browser = web_app_of(request), require_browser(request)
    form = await request.form(max_files=0, max_fields=3)
    match request.path_params["action"]:
        case "choose":
            if _attempts.try_acquire("handle", address_of(request.scope), time.monotonic()):
                return _page(request, Text("Das ging zu oft. Warte etwas.", "That was too often. Wait a while."))
            try:
                await app.people.choose(browser, str(form.get("handle", ""))[:200])
            except Refused as problem:
                return _page(request, problem.text)
        case "forget":
            try:
                await app.people.forget(browser)
            except Refused as problem:
                return refusal(request, problem, "/lobby")
        case _:
            raise not_found("Das gibt es hier nicht.", "There is no such thing here.")
    app.tables.lobby.publish()
    response = RedirectResponse("/lobby", 303)
    keep_browser(request, response)
    return response


PAGES = (
    Page("/lobby", lobby_page, Access.GUEST),
    Page("/lobby/events", lobby_events, Access.GUEST),
    Page("/lobby", challenge, Access.GUEST, "POST"),
    Page("/lobby/handle/{action}", change_handle, Access.GUEST, "POST"),
    Page("/lobby/{key}/accept", accept, Access.GUEST, "POST"),
)
