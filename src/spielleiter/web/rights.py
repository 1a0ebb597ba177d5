"""Who may open which page.

Law: a page names the access that it needs, and nothing gives it but the key of the network (``guard``) or the cookie
of a session. Every form of a page with accounts carries a token that only this browser could have been given.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.accounts import accounts
from spielleiter.contest.accounts.accounts import Person
from spielleiter.errors import PageError, StoreError
from spielleiter.feeds.live import Audience
from spielleiter.game import TEAMS, Team, Text
from spielleiter.web.classroom.seats import JOIN, must_join, own_names
from spielleiter.web.guard import Role
from spielleiter.web.problems import TRY_LATER, no_contest, store_down
from spielleiter.web.season.contest_app import ContestApp, find_contest_app
from spielleiter.web.season.forms import check_token
from spielleiter.web.season.live_season import RECORD_PREFIX
from spielleiter.web.season.sessions import LOGIN, SESSION_COOKIE, VISIT_COOKIE, set_cookie

Endpoint = Callable[[Request], Awaitable[Response]]


class Access(Enum):
    """What a visitor must be to open a page."""

    EVERYBODY = "everybody"
    GUEST = "guest"
    """Visitors with the key of the network, or at this machine."""
    SEASON_RECORD = "season record"
    """Guests; but the recorded games of a season are public."""
    SPECTATOR = "spectator"
    """Guests; but the running games of a season are for whom it says: the page asks ``audience_of``."""
    HOST = "host"
    """The user who started the game master."""
    DIRECTOR = "director"
    """The host, or an organiser of the season: who directs the show. Forms need no token: the guard refuses what comes
    from a foreign page."""
    CONTEST = "contest"
    """Every visitor, where there is a contest."""
    ACCOUNT = "account"
    """Logged in."""
    MEMBER = "member"
    """Members of a team; the page shows this team's things only."""
    ORGANISER = "organiser"

    @property
    def uses_session(self) -> bool:
        """Whether the page belongs to the accounts of a contest."""
        return self in (Access.CONTEST, Access.ACCOUNT, Access.MEMBER, Access.ORGANISER)


@dataclass(frozen=True, slots=True)
class Page:
    """An address, what answers there, and who may ask."""

    path: str
    endpoint: Endpoint
    access: Access
    method: str = "GET"


def guarded(page: Page) -> Endpoint:
    """The endpoint of a page behind its access."""
    return _with_session(page) if page.access.uses_session else _with_key(page)


def _with_key(page: Page) -> Endpoint:
    async def answer(request: Request) -> Response:
        role: Role = request.state.role
        if page.access is not Access.EVERYBODY and must_join(request):
            return _to_entrance(page)
        if page.access is Access.DIRECTOR and role < Role.HOST:
            if (refusal := await _turn_away_spectator(request, page)) is not None:
                return refusal
        elif not _may_enter(page.access, role, request):
            raise PageError(
                403,
                Text("Hier darfst du nicht hinein.", "You may not enter here."),
                Text(
                    "Öffne die Seiten mit dem ganzen Link, den dir gegeben wurde; er enthält einen Schlüssel.",
                    "Open the pages with the whole link that you were given; it contains a key.",
                )
                if role is Role.STRANGER
                else Text("Das darf nur, wer den Spielleiter gestartet hat.", "Only the host can do this."),
            )
        return await page.endpoint(request)

    return answer


def _to_entrance(page: Page) -> Response:
    """The answer to a visitor without a seat in the class."""
    if page.method == "GET":
        return RedirectResponse(JOIN, 303)
    raise PageError(
        403,
        Text("Du hast hier noch keinen Platz.", "You have no seat here yet."),
        Text(f"Öffne {JOIN} und gib den Code vom Beamer ein.", f"Open {JOIN} and type the code from the projector."),
    )


async def _turn_away_spectator(request: Request, page: Page) -> Response | None:
    """The answer to a visitor who is neither host nor organiser; ``None`` for an organiser."""
    app = find_contest_app(request)
    if app is None:
        raise PageError(
            403,
            Text("Hier darfst du nicht hinein.", "You may not enter here."),
            Text("Das darf nur, wer den Spielleiter gestartet hat.", "Only the host can do this."),
        )
    person = await _person(app, request.cookies.get(SESSION_COOKIE, ""))
    return None if may(person, Access.ORGANISER) else _turn_away(request, person, page)


def _may_enter(access: Access, role: Role, request: Request) -> bool:
    match access:
        case Access.EVERYBODY:
            return True
        case Access.SEASON_RECORD:
            return role >= Role.GUEST or request.path_params["key"].startswith(RECORD_PREFIX)
        case Access.SPECTATOR:
            return role >= Role.GUEST or find_contest_app(request) is not None
        case Access.HOST:
            return role >= Role.HOST
        case _:
            return role >= Role.GUEST


def _with_session(page: Page) -> Endpoint:
    async def answer(request: Request) -> Response:
        app = find_contest_app(request)
        if app is None:
            raise no_contest()
        cookie = request.cookies.get(SESSION_COOKIE, "")
        person = await _person(app, cookie)
        request.state.person = person
        visit = request.cookies.get(VISIT_COOKIE, "")
        request.state.browser = cookie if person is not None else visit or secrets.token_urlsafe(32)
        if not may(person, page.access):
            return _turn_away(request, person, page)
        try:
            if page.method == "POST":
                await check_token(request)
            response = await page.endpoint(request)
        except StoreError as problem:
            raise store_down(problem.text if may(person, Access.ORGANISER) else TRY_LATER) from problem
        finally:
            await request.close()  # An uploaded file.
        if person is None and not visit:
            set_cookie(response, VISIT_COOKIE, request.state.browser, None)
        return response

    return answer


async def _person(app: ContestApp, cookie: str) -> Person | None:
    return await app.in_thread(lambda: accounts.who_is(app.contest.store, cookie)) if cookie else None


async def audience_of(request: Request) -> Audience:
    """Which running games the visitor may watch. Raises ``PageError`` if the store does not answer."""
    app = find_contest_app(request)
    if request.state.role >= Role.GUEST:
        return Audience.GUESTS
    if app is None:
        return Audience.EVERYBODY
    try:
        person = await _person(app, request.cookies.get(SESSION_COOKIE, ""))
    except StoreError as problem:
        raise store_down() from problem
    return Audience.EVERYBODY if person is None else Audience.MEMBERS


async def member_of(request: Request) -> Person | None:
    """The team member who asks, if one does; ``None`` while the store does not answer."""
    app = find_contest_app(request)
    if app is None:
        return None
    with suppress(StoreError):
        person = await _person(app, request.cookies.get(SESSION_COOKIE, ""))
        return person if may(person, Access.MEMBER) else None
    return None


async def sides_seen(request: Request, names: tuple[str, str], *, is_of_season: bool) -> frozenset[Team]:
    """The sides whose notes the visitor may see: the host both, a member of a team or of a class their own."""
    if request.state.role >= Role.HOST:
        return frozenset(TEAMS)
    own = set(own_names(request))
    if is_of_season and (person := await member_of(request)) is not None:
        own.add(person.team)
    return frozenset(team for team in TEAMS if names[team] in own)


def may(person: Person | None, access: Access) -> bool:
    """Whether a person with an account may open pages of that access."""
    match access:
        case Access.ACCOUNT:
            return person is not None
        case Access.MEMBER:
            return person is not None and person.team_id is not None
        case Access.ORGANISER:
            return person is not None and person.organiser
        case _:
            return True


def _turn_away(request: Request, person: Person | None, page: Page) -> Response:
    if person is None and page.method == "GET" and not page.path.endswith("/events"):
        return RedirectResponse(f"{LOGIN}?next={quote(request.url.path, safe='')}", 303)
    if person is None:
        raise PageError(
            403,
            Text("Dafür musst du angemeldet sein.", "You must be logged in for this."),
            Text("Melde dich an und versuche es noch einmal.", "Log in and try again."),
        )
    raise PageError(
        403,
        Text("Hier darfst du nicht hinein.", "You may not enter here."),
        Text("Das dürfen nur Mitglieder eines Teams.", "Only members of a team may do this.")
        if page.access is Access.MEMBER
        else Text("Das darf nur die Spielleitung.", "Only organisers may do this."),
    )


def person_of(request: Request) -> Person:
    """Who asks; only pages for which one must be logged in ask for that."""
    person: Person = request.state.person
    return person


def team_of(request: Request) -> tuple[int, str]:
    """The id and the name of the visitor's team."""
    person = person_of(request)
    assert person.team_id is not None
    return person.team_id, person.team
