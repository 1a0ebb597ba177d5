"""Who may come in and what may leave: hosts, origins, keys, sizes of requests, and the strict headers of every answer.

On loopback whoever reaches the pages is the one who started them; the name of the host is checked, so that no foreign
page can pretend to be ours. In a network a key in the address is needed: one makes a host, who may start programs and
administer games, the other a guest, who may play and watch.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from math import inf
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spielleiter.errors import PageError
from spielleiter.server.addresses import neighbourhood
from spielleiter.text import Text

COOKIE = "spielleiter-key"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
EMBEDDED = "/embed/"
"""Only what lies here may be shown in a frame of another page: it has no forms and knows no visitor."""
_FRAMEABLE = {"content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")}
_SMALL = 64 * 1024
MAX_UPLOAD = 32 << 20
"""Of a file that is sent, in bytes."""
_LARGE = MAX_UPLOAD + (2 << 20)
"""The form around it has some room, too."""
_MAX_DRAINED = 256 << 20
"""Bytes of a too large body that are read nevertheless: a browser shows the answer only after sending everything."""
LARGE_BODIES = ("/replays", "/tables", "/contest/my/programs")
"""Where files may be sent to."""
_HSTS = "max-age=31536000"
_MAX_FILES = 8
"""Uploads at the same time; each may need much memory."""


class Role(IntEnum):
    """Who is asking; each may do all that those before may."""

    STRANGER = 0
    GUEST = 1
    HOST = 2


@dataclass(frozen=True, slots=True)
class Keys:
    """What opens the pages in a network; ``None`` on loopback, where nothing is needed."""

    host: str = field(default_factory=lambda: secrets.token_urlsafe(18), repr=False)
    guest: str = field(default_factory=lambda: secrets.token_urlsafe(12), repr=False)

    def role(self, key: str) -> Role:
        """Whom ``key`` makes."""
        given = key.encode(errors="replace")
        if compare_digest(given, self.host.encode()):
            return Role.HOST
        return Role.GUEST if compare_digest(given, self.guest.encode()) else Role.STRANGER


Refuse = Callable[[Scope, PageError], Response]


class Guard:
    """The outermost layer of the application."""

    def __init__(
        self, app: ASGIApp, keys: Keys | None, refuse: Refuse, *, per_address: int, https: bool = False
    ) -> None:
        """``refuse`` makes the page that says why somebody was not let in.

        Each visitor may have ``per_address`` requests and streams at once, also behind a reverse proxy.
        """
        self._app = app
        self._keys = keys
        self._refuse = refuse
        self._per_address = per_address
        self._https = https
        self._files = 0
        self._requests: Counter[str] = Counter()
        """By address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not; see the module."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        strict = self._strict(scope, send, https=self._https or scope["scheme"] == "https")
        address = neighbourhood((scope.get("client") or ("", 0))[0])
        if self._requests[address] >= self._per_address:
            await self._refuse(scope, _TOO_MANY_REQUESTS)(scope, receive, strict)
            return
        self._requests[address] += 1
        try:
            await self._admit(scope, receive, strict)
        finally:
            self._requests[address] -= 1
            if not self._requests[address]:
                del self._requests[address]

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if problem is not None:
            if problem.status == 413 and _length(headers) <= _MAX_DRAINED:
                await _drain(receive)
            await self._refuse(scope, problem)(scope, receive, send)
            return
        if self._keys is not None and (answer := self._new_key(scope)) is not None:
            await answer(scope, receive, send)
            return
        scope.setdefault("state", {})["role"] = self._role(headers)
        if scope["method"] != "POST" or scope["path"] not in LARGE_BODIES:
            await self._app(scope, _bounded(receive, _SMALL), send)
            return
        if self._files >= _MAX_FILES:
            await self._refuse(scope, _TOO_MANY_FILES)(scope, receive, send)
            return
        self._files += 1
        try:
            await self._app(scope, _bounded(receive, _LARGE), send)
        finally:
            self._files -= 1

    def _problem(self, scope: Scope, headers: Headers) -> PageError | None:
        host = headers.get("host", "")
        if self._keys is None and not is_loopback_name(host):
            return _FOREIGN_HOST
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            site = headers.get("sec-fetch-site", "same-origin")
            if (origin is not None and _is_foreign(origin, host)) or site not in ("same-origin", "none"):
                return _FOREIGN_PAGE
        limit = _LARGE if scope["path"] in LARGE_BODIES else _SMALL
        return _too_large(limit) if _length(headers) > limit else None

    def _new_key(self, scope: Scope) -> Response | None:
        """A key in the address becomes a cookie, and the address loses it."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        key = next((value for name, value in query if name == "key"), None)
        assert self._keys is not None
        if key is None or self._keys.role(key) is Role.STRANGER:
            return None
        rest = urlencode([pair for pair in query if pair[0] != "key"])
        path = "/" + scope["path"].lstrip("/\\")
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(COOKIE, key, httponly=True, samesite="lax", path="/")
        return answer

    def _role(self, headers: Headers) -> Role:
        if self._keys is None:
            return Role.HOST
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            morsel = None
        return Role.STRANGER if morsel is None else self._keys.role(morsel.value)

    def _strict(self, scope: Scope, send: Send, *, https: bool) -> Send:
        strict = _HEADERS
        if scope["path"].startswith(EMBEDDED):
            strict = {name: value for name, value in _HEADERS.items() if name != "x-frame-options"} | _FRAMEABLE

        async def send_strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in strict.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
                if https:
                    message["headers"] = [_secure(name, value) for name, value in headers.raw]
                if self._https:
                    message["headers"].append((b"strict-transport-security", _HSTS.encode()))
            await send(message)

        return send_strict


_AGAIN = Text("Versuche es gleich noch einmal.", "Try again in a moment.")
_TOO_MANY_REQUESTS = PageError(
    503,
    Text("Von deiner Adresse kommen zu viele Anfragen auf einmal.", "Too many requests at once from your address."),
    _AGAIN,
    retry_after=5,
)
_TOO_MANY_FILES = PageError(
    503,
    Text("Gerade werden zu viele Dateien auf einmal hochgeladen.", "Too many files are being uploaded at once."),
    _AGAIN,
)
_FOREIGN_HOST = PageError(
    421,
    Text("Diese Seiten sind nur für diesen Rechner.", "These pages are for this machine only."),
    Text("Öffne sie als http://127.0.0.1 mit ihrem Port.", "Open them as http://127.0.0.1 with their port."),
)
_FOREIGN_PAGE = PageError(
    403,
    Text("Das kam von einer fremden Seite und wurde abgelehnt.", "This came from a foreign page and was refused."),
    Text("Benutze die Formulare auf diesen Seiten.", "Use the forms on these pages."),
)


def _too_large(limit: int) -> PageError:
    """What is said about a request of more than ``limit`` bytes."""
    if limit == _LARGE:
        largest = MAX_UPLOAD >> 20
        advice = Text(f"Eine Datei hat höchstens {largest} MiB.", f"A file has at most {largest} MiB.")
    else:
        largest = limit >> 10
        advice = Text(f"Ein Formular hat höchstens {largest} KiB.", f"A form has at most {largest} KiB.")
    return PageError(413, Text("Das ist zu groß.", "This is too large."), advice)


def _length(headers: Headers) -> float:
    """How much is announced, in bytes."""
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else inf


async def _drain(receive: Receive) -> None:
    """Read what nobody needs."""
    while True:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            return


def _secure(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """The header, as a cookie for encrypted connections alone if it is one."""
    return (name, value + b"; Secure") if name == b"set-cookie" else (name, value)


def is_loopback_name(host: str) -> bool:
    """Whether a ``Host`` header names this machine."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:  # A bracket that is not closed, say.
        return False
    return name in ("localhost", "127.0.0.1", "::1")


def _is_foreign(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() != host.lower()
    except ValueError:
        return True


def _bounded(receive: Receive, limit: int) -> Receive:
    left = limit

    async def receive_bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _too_large(limit)
        return message

    return receive_bounded
