"""Who may open which page of a contest: sessions, and tokens that prove that a form came from our own page.

Laws: a page asks for a right, and nothing but the session's cookie gives it; every form carries a token that only this
browser's session could have been given; logging in makes a new session, whatever cookie came.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import IntEnum
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.accounts import accounts
from spielleiter.contest.accounts.accounts import Person
from spielleiter.errors import ContestError, PageError, ProgramError, Refused, SettingsError, StoreError
from spielleiter.game import Text
from spielleiter.web.contestapp import ContestApp, Note, contestapp_of

SESSION = "spielleiter-session"
VISIT = "spielleiter-visit"
"""The cookie of a browser that is not logged in: its forms need a token too."""
FIELD = "token"
LOGIN = "/contest/login"
Endpoint = Callable[[Request], Awaitable[Response]]


class Right(IntEnum):
    """What somebody must be to open a page."""

    ANYBODY = 0
    PERSON = 1
    """Logged in, as whomever."""
    MEMBER = 2
    """Of a team; the page shows this team's things only."""
    ORGANISER = 3


@dataclass(frozen=True, slots=True)
class OfficePage:
    """An address, what answers there, and who may ask."""

    path: str
    endpoint: Endpoint
    right: Right
    method: str = "GET"


def guarded(page: OfficePage) -> Endpoint:
    """The page behind its right, and, if it changes something, behind the token of its form."""

    async def answer(request: Request) -> Response:
        if getattr(request.app.state, "office", None) is None:
            raise PageError(
                404,
                Text("Hier läuft kein Wettbewerb.", "There is no contest here."),
                Text(
                    "Mit einem Wettbewerb starten: spielleiter web --season season.toml",
                    "Start with a contest: spielleiter web --season season.toml",
                ),
            )
        office = contestapp_of(request)
        cookie = request.cookies.get(SESSION, "")
        person = await office.ask(lambda: accounts.who_is(office.contest.store, cookie)) if cookie else None
        request.state.person = person
        visit = request.cookies.get(VISIT, "")
        request.state.browser = cookie if person is not None else visit or secrets.token_urlsafe(32)
        if not may(person, page.right):
            return _turn_away(request, person, page)
        try:
            if page.method == "POST":
                await _check_token(request)
            response = await page.endpoint(request)
        except StoreError as problem:
            raise PageError(
                503,
                Text("Der Speicher der Saison antwortet nicht.", "The store of the season does not answer."),
                Text(str(problem), str(problem)) if may(person, Right.ORGANISER) else _LATER,
                retry_after=10,
            ) from problem
        finally:
            await request.close()  # An uploaded file.
        if person is None and not visit:
            _set_cookie(request, response, VISIT, request.state.browser, None)
        return response

    return answer


_LATER = Text("Versuche es gleich noch einmal.", "Try again in a moment.")


def may(person: Person | None, right: Right) -> bool:
    """Whether somebody has a right."""
    match right:
        case Right.ANYBODY:
            return True
        case Right.PERSON:
            return person is not None
        case Right.MEMBER:
            return person is not None and person.team_id is not None
        case Right.ORGANISER:
            return person is not None and person.organiser


def _turn_away(request: Request, person: Person | None, page: OfficePage) -> Response:
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
        if page.right is Right.MEMBER
        else Text("Das darf nur die Organisation.", "Only organisers may do this."),
    )


def person_of(request: Request) -> Person:
    """Who asks; only pages for which one must be logged in ask for that."""
    person: Person = request.state.person
    return person


def team_of(request: Request) -> tuple[int, str]:
    """The id and the name of the team of whoever asks."""
    person = person_of(request)
    assert person.team_id is not None
    return person.team_id, person.team


# --- forms ------------------------------------------------------------------------------------------------------------


def form_token(request: Request) -> str:
    """A token for a form of this browser; another one each time, since pages are sent compressed."""
    salt = secrets.token_hex(8)
    return f"{salt}.{_mac(request.state.browser, salt)}"


def _mac(browser: str, salt: str) -> str:
    return hmac.new(browser.encode("utf-8", "replace"), f"form {salt}".encode(), hashlib.sha256).hexdigest()


async def _check_token(request: Request) -> None:
    form = await request.form(max_files=1, max_fields=20)
    given = form.get(FIELD)
    salt, _, mac = (given if isinstance(given, str) else "").partition(".")
    if len(salt) != 16 or not hmac.compare_digest(mac.encode(), _mac(request.state.browser, salt).encode()):
        raise PageError(
            403,
            Text("Diese Seite war zu lange offen.", "This page was open for too long."),
            Text("Lade sie neu und schicke das Formular noch einmal ab.", "Reload it and send the form once more."),
        )


async def field(request: Request, name: str, longest: int = 200) -> str:
    """A text of the form; what is longer is cut."""
    value = (await request.form()).get(name, "")
    return value.strip()[:longest] if isinstance(value, str) else ""


async def secret_field(request: Request, name: str) -> str:
    """A password of the form, with its spaces; far too long ones are cut, and will be refused for their length."""
    value = (await request.form()).get(name, "")
    return value[: 10 * accounts.LONGEST_PASSWORD] if isinstance(value, str) else ""


async def done(request: Request, act: Callable[[], Awaitable[Note | Text | None]], back: str) -> Response:
    """Do something and go back, with a note of what was done, or of why it was not."""
    office = contestapp_of(request)
    try:
        told = await act()
    except (ContestError, ProgramError, SettingsError) as problem:
        told = Note(as_text(problem), good=False)
    if told is not None:
        office.note(request.state.browser, told if isinstance(told, Note) else Note(told))
    return RedirectResponse(back, 303)


def as_text(problem: Exception) -> Text:
    """A problem in both languages, as far as it knows them."""
    return problem.text if isinstance(problem, Refused) else Text(f"Das geht nicht: {problem}", f"No: {problem}")


# --- cookies ----------------------------------------------------------------------------------------------------------


def logged_in(request: Request, response: Response, cookie: str) -> Response:
    """The response with the cookie of a session; the one of the visit goes."""
    _set_cookie(request, response, SESSION, cookie, int(accounts.SESSION.total_seconds()))
    response.delete_cookie(VISIT, path="/")
    return response


def logged_out(response: Response) -> Response:
    """The response that takes the cookie away."""
    response.delete_cookie(SESSION, path="/", httponly=True, samesite="lax")
    return response


def _set_cookie(request: Request, response: Response, name: str, value: str, seconds: int | None) -> None:
    response.set_cookie(name, value, max_age=seconds, path="/", httponly=True, samesite="lax", secure=is_https(request))


def is_https(request: Request) -> bool:
    """Whether the browser talks to us in secret, if need be through somebody in front of us."""
    office: ContestApp = contestapp_of(request)
    return request.url.scheme == "https" or office.public.startswith("https://")


def base_address(request: Request) -> str:
    """How others reach these pages."""
    return contestapp_of(request).public.rstrip("/") or f"{request.url.scheme}://{request.url.netloc}"
