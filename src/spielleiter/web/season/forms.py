"""Forms of pages with accounts: the token that proves that a form came from our own page, and its fields."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.accounts import accounts
from spielleiter.errors import ContestError, PageError, ProgramError, SettingsError
from spielleiter.game import Text
from spielleiter.web.season.contest_app import Note, contest_app_of

_MAX_FIELDS = 1000
"""A season may have a date for each of several hundred matchdays."""


def form_token(request: Request) -> str:
    """A token for a form of this browser; another one each time, since pages are sent compressed."""
    salt = secrets.token_hex(8)
    return f"{salt}.{_mac(request.state.browser, salt)}"


def _mac(browser: str, salt: str) -> str:
    return hmac.new(browser.encode("utf-8", "replace"), f"form {salt}".encode(), hashlib.sha256).hexdigest()


async def check_token(request: Request) -> None:
    """Raise ``PageError`` if the form did not come from a page that we gave to this browser."""
    form = await request.form(max_files=1, max_fields=_MAX_FIELDS)
    given = form.get("token")
    salt, _, mac = (given if isinstance(given, str) else "").partition(".")
    if len(salt) != 16 or not hmac.compare_digest(mac.encode(), _mac(request.state.browser, salt).encode()):
        raise PageError(
            403,
            Text("Diese Seite war zu lange offen.", "This page was open for too long."),
            Text("Lade sie neu und schicke das Formular noch einmal ab.", "Reload it and send the form once more."),
        )


async def field(request: Request, name: str, max_length: int = 200) -> str:
    """A text of the form; what is longer is cut."""
    value = (await request.form()).get(name, "")
    return value.strip()[:max_length] if isinstance(value, str) else ""


async def secret_field(request: Request, name: str) -> str:
    """A password of the form, with its spaces; far too long ones are cut, and will be refused for their length."""
    value = (await request.form()).get(name, "")
    return value[: 10 * accounts.MAX_PASSWORD] if isinstance(value, str) else ""


def moment_of(value: str) -> datetime | None:
    """What an input of a date and a time says, in the time zone of this machine; ``None`` if it is empty.

    Raises ``SettingsError``.
    """
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None and 2000 <= moment.year <= 2999:
            return moment.astimezone()
    except ValueError:
        pass
    raise SettingsError(
        f"Ein Datum mit Uhrzeit wie 2027-03-08 18:00, nicht {value[:40]!r}.",
        f"A date and a time like 2027-03-08 18:00, not {value[:40]!r}",
    )


async def act_and_redirect(request: Request, act: Callable[[], Awaitable[Note | Text | None]], target: str) -> Response:
    """Do something and go to ``target``, with a note of what was done, or of why it was refused."""
    try:
        done = await act()
    except (ContestError, ProgramError, SettingsError) as problem:
        done = Note(problem.text, good=False)
    if done is not None:
        note = done if isinstance(done, Note) else Note(done)
        contest_app_of(request).add_note(request.state.browser, note)
    return RedirectResponse(target, 303)
