"""Which browser asks: a random, anonymous cookie, to which a seat or a guess belongs."""

from __future__ import annotations

import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from spielleiter.errors import PageError
from spielleiter.game import Text

COOKIE = "spielleiter-browser"
_SECONDS = 30 * 86400
_KEPT_SECONDS = 365 * 86400
_VALUE = re.compile(r"[A-Za-z0-9_-]{20,64}")


def browser_of(request: HTTPConnection) -> str:
    """What tells this browser from all others; empty if it has no cookie yet."""
    value = request.cookies.get(COOKIE, "")
    return value if _VALUE.fullmatch(value) else ""


def require_browser(request: HTTPConnection) -> str:
    """The same for what cannot be done without. Raises ``PageError`` if the browser takes no cookies."""
    browser = browser_of(request)
    if not browser:
        raise PageError(
            400,
            Text("Dein Browser nimmt keine Cookies an.", "Your browser takes no cookies."),
            Text(
                "Ohne Cookie lässt sich dein Platz nicht wiedererkennen. Erlaube Cookies und lade die Seite neu.",
                "Without one your place cannot be recognised. Allow cookies and reload the page.",
            ),
        )
    return browser


def new_browser() -> str:
    """A name for a browser that has none yet."""
    return secrets.token_urlsafe(24)


def keep_browser(request: HTTPConnection, response: Response) -> None:
    """Let a browser to which a handle belongs keep its cookie for a year from now on."""
    if browser := browser_of(request):
        response.set_cookie(COOKIE, browser, max_age=_KEPT_SECONDS, httponly=True, samesite="lax")


def give_browser(request: HTTPConnection, response: Response, browser: str = "") -> None:
    """Give a browser that has no cookie yet one with ``response``: ``browser``, if it is known already."""
    if not browser_of(request):
        response.set_cookie(COOKIE, browser or new_browser(), max_age=_SECONDS, httponly=True, samesite="lax")
