"""Coming in and going out: log in, log out, accept an invitation, change the password."""

from __future__ import annotations

import re
from math import ceil

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.accounts import accounts
from spielleiter.contest.accounts.accounts import Person
from spielleiter.errors import ContestError, PageError, WrongPassword
from spielleiter.game import Text
from spielleiter.web.rights import Access, Page, person_of
from spielleiter.web.season.contest_app import Note, contest_app_of
from spielleiter.web.season.forms import field, secret_field
from spielleiter.web.season.members.team import HOME as TEAM_HOME
from spielleiter.web.season.organisers.season import HOME as ORGANISERS_HOME
from spielleiter.web.season.rendering import respond_in_contest
from spielleiter.web.season.sessions import DEVICE_COOKIE, LOGIN, SESSION_COOKIE, logged_in, logged_out

_LOCAL = re.compile(r"/contest/[A-Za-z0-9._~/-]*")


def home_of(person: Person) -> str:
    """The first page of a user."""
    return ORGANISERS_HOME if person.organiser else TEAM_HOME


def _wanted(address: str, otherwise: str) -> str:
    return address if _LOCAL.fullmatch(address) and "//" not in address and address != LOGIN else otherwise


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


async def home_redirect(request: Request) -> Response:
    """To the first page of the user who is logged in."""
    return RedirectResponse(home_of(person_of(request)), 303)


async def login_page(request: Request) -> Response:
    """The form to log in; users who are logged in already are redirected."""
    if request.state.person is not None:
        return RedirectResponse(home_of(request.state.person), 303)
    return respond_in_contest(
        request, "members/login.html", next=_wanted(request.query_params.get("next", ""), ""), typed="", problem=None
    )


async def log_in(request: Request) -> Response:
    """Log in, and on to the page that was wanted."""
    app = contest_app_of(request)
    name, wanted = await field(request, "name"), _wanted(await field(request, "next"), "")
    password = await secret_field(request, "password")
    address, device = _address(request), await _known_device(request, name)
    wait = app.try_acquire(name, address, device)
    if wait > 0:
        answer = respond_in_contest(
            request, "members/login.html", 429, next=wanted, typed=name, problem=_too_often(wait)
        )
        answer.headers["retry-after"] = str(ceil(wait))
        return answer
    try:
        cookie = await app.hash_in_thread(lambda: accounts.log_in(app.contest.store, name, password))
    except WrongPassword as problem:
        return respond_in_contest(request, "members/login.html", 401, next=wanted, typed=name, problem=problem.text)
    app.attempts.succeeded(name, address, device)
    return await _enter(request, cookie, wanted)


async def _known_device(request: Request, name: str) -> str:
    """The token of a browser that was logged in to this account before, else nothing."""
    app, token = contest_app_of(request), request.cookies.get(DEVICE_COOKIE, "")[:200]
    if not token or not await app.in_thread(lambda: accounts.is_known_device(app.contest.store, name, token)):
        return ""
    return token


def _too_often(wait: float) -> Text:
    minutes = ceil(wait / 60)
    return Text(
        f"Zu viele Versuche. Warte {minutes} Minuten, oder bitte die Spielleitung um eine neue Einladung."
        if minutes > 1
        else "Zu viele Versuche. Warte eine Minute.",
        f"Too many attempts. Wait {minutes} minutes, or ask the organisers for a new invitation."
        if minutes > 1
        else "Too many attempts. Wait a minute.",
    )


async def _enter(request: Request, cookie: str, wanted: str = "") -> Response:
    """Go on with a new session; one that this browser had before ends."""
    app = contest_app_of(request)
    before = request.cookies.get(SESSION_COOKIE, "")
    if before:
        await app.in_thread(lambda: accounts.log_out(app.contest.store, before))
    person = await app.in_thread(lambda: accounts.who_is(app.contest.store, cookie))
    assert person is not None
    device = await app.in_thread(lambda: accounts.new_device(app.contest.store, person.id))
    return logged_in(RedirectResponse(wanted or home_of(person), 303), cookie, device)


async def log_out(request: Request) -> Response:
    """End this session."""
    app, cookie = contest_app_of(request), request.cookies.get(SESSION_COOKIE, "")
    await app.in_thread(lambda: accounts.log_out(app.contest.store, cookie))
    return logged_out(RedirectResponse(LOGIN, 303))


# --- invitations ------------------------------------------------------------------------------------------------------


async def invitation_page(request: Request) -> Response:
    """The form that makes an account out of an invitation."""
    return await _invitation(request)


async def _invitation(request: Request, problem: Text | None = None, name: str = "", status: int = 200) -> Response:
    app, token = contest_app_of(request), request.path_params["invitation"]
    try:
        invited = await app.in_thread(lambda: accounts.read_invitation(app.contest.store, token))
    except ContestError as refused:
        raise PageError(
            404,
            refused.text,
            Text("Jeder Link gilt einmal und 14 Tage lang.", "Each link works once and for 14 days."),
        ) from None
    return respond_in_contest(
        request, "members/invitation.html", status, invited=invited, invitation=token, typed=name, problem=problem,
        shortest=accounts.MIN_PASSWORD,
    )  # fmt: skip


async def accept_invitation(request: Request) -> Response:
    """Make the account and log in."""
    app, token = contest_app_of(request), request.path_params["invitation"]
    name = await field(request, "name")
    password, again = await secret_field(request, "password"), await secret_field(request, "again")
    if password != again:
        return await _invitation(request, _DIFFERENT, name, 400)
    try:
        cookie = await app.hash_in_thread(lambda: accounts.accept(app.contest.store, token, name, password))
    except ContestError as problem:
        return await _invitation(request, problem.text, name, 400)
    return await _enter(request, cookie)


_DIFFERENT = Text("Die beiden Passwörter sind verschieden.", "The two passwords differ.")


# --- the account ------------------------------------------------------------------------------------------------------


async def account_page(request: Request) -> Response:
    """Who I am, and the form for a new password."""
    return respond_in_contest(request, "members/account.html", problem=None, shortest=accounts.MIN_PASSWORD)


async def change_password(request: Request) -> Response:
    """A new password: everybody else who is logged in with the old one is logged out."""
    app, person = contest_app_of(request), person_of(request)
    old, new = await secret_field(request, "old"), await secret_field(request, "password")
    again = await secret_field(request, "again")
    try:
        if new != again:
            raise ContestError(_DIFFERENT.de, _DIFFERENT.en)
        accounts.check_password(new, person.name)
        device = await _known_device(request, person.name)
        wait = app.try_acquire(person.name, _address(request), device)
        if wait > 0:
            raise ContestError(_too_often(wait).de, _too_often(wait).en)
        cookie = await app.hash_in_thread(lambda: accounts.change_password(app.contest.store, person, old, new))
    except ContestError as problem:
        return respond_in_contest(
            request, "members/account.html", 400, problem=problem.text, shortest=accounts.MIN_PASSWORD
        )
    app.attempts.succeeded(person.name, _address(request), device)
    app.add_note(
        cookie,
        Note(
            Text(
                "Das Passwort ist geändert; alle anderen Geräte sind abgemeldet.",
                "The password is changed; all other devices are logged out.",
            )
        ),
    )
    device = await app.in_thread(lambda: accounts.new_device(app.contest.store, person.id))
    return logged_in(RedirectResponse("/contest/account", 303), cookie, device)


PAGES = (
    Page("/contest", home_redirect, Access.ACCOUNT),
    Page("/contest/login", login_page, Access.CONTEST),
    Page("/contest/login", log_in, Access.CONTEST, "POST"),
    Page("/contest/logout", log_out, Access.ACCOUNT, "POST"),
    Page("/contest/invitation/{invitation}", invitation_page, Access.CONTEST),
    Page("/contest/invitation/{invitation}", accept_invitation, Access.CONTEST, "POST"),
    Page("/contest/account", account_page, Access.ACCOUNT),
    Page("/contest/account/password", change_password, Access.ACCOUNT, "POST"),
)
