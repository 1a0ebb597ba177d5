"""Who may come in and what may leave: hosts, origins, keys, sizes of requests, and the strict headers of every answer.

On loopback every visitor is the one who started the pages; the name of the host is checked, so that no foreign
page can pretend to be ours, and with a public URL only its host is answered. In a network a key in the address is
needed: one makes a host, who may start programs and administer games, the other a guest, who may play and watch.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from math import inf
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spielleiter.errors import PageError
from spielleiter.programs.archive import MAX_ZIP
from spielleiter.server.addresses import is_local, neighbourhood
from spielleiter.text import Text, whole_number

log = logging.getLogger("spielleiter.web")

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
WORKSHOP = "/workshop/"
"""Only on these pages programs of WebAssembly may run; the editor there has styles with a nonce."""
WORKSHOP_FILES = "/workshop/files/"
WORKSHOP_WORKER = "/workshop-worker.js"
"""How the address ends of the script that runs players: it gets no network, and no other script."""
_SMALL = 64 * 1024
MAX_UPLOAD = MAX_ZIP
"""Bytes of a file that is uploaded."""
_LARGE = MAX_UPLOAD + (2 << 20)
"""The form around it has some room, too."""
_MAX_DRAINED = 256 << 20
"""Bytes of a too large body that are read nevertheless: a browser shows the answer only after sending everything."""
UPLOADS = ("/replays", "/contest/my/programs", "/class/player")
"""Where files are sent to."""
LARGE_BODIES = (*UPLOADS, "/tables", "/lab/tests", "/contest/new", "/contest/organise/teams")
"""Where files may be sent to: tables and seasons are mostly set up by a small form without one."""
_HSTS = "max-age=31536000"
_MAX_UPLOADS = 8
"""Maximum at the same time, as each may need much of the disk; the others wait for their turn."""
UPLOAD_PATIENCE = 60.0
"""Seconds that an upload waits for its turn."""


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


def give_key(response: Response, key: str) -> None:
    """Let the browser that gets this answer in from now on."""
    response.set_cookie(COOKIE, key, httponly=True, samesite="lax", path="/")


Refuse = Callable[[Scope, PageError], Response]


class Guard:
    """The outermost layer of the application."""

    def __init__(
        self, app: ASGIApp, keys: Keys | None, refuse: Refuse, *, per_address: int, public_url: str = ""
    ) -> None:
        """``refuse`` makes the page that says why a visitor was not let in.

        With a ``public_url`` no other host is answered, except loopback. Each visitor may have ``per_address`` requests
        and streams at once, also behind a reverse proxy.
        """
        self._app = app
        self._keys = keys
        self._refuse = refuse
        self._per_address = per_address
        self._public_url = public_url
        self._https = public_url.startswith("https://")
        self._has_warned = False
        """Whether the log has named a reverse proxy that the settings do not."""
        self._uploads = asyncio.Semaphore(_MAX_UPLOADS)
        self._requests: Counter[str] = Counter()
        """Counted for each address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not; see the module."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        strict = self._strict(scope, send, https=self._https or scope["scheme"] == "https")
        address = address_of(scope)
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
        if not _is_upload(scope, headers):
            await self._app(scope, _bounded(receive, _SMALL), send)
            return
        try:
            async with asyncio.timeout(UPLOAD_PATIENCE):
                await self._uploads.acquire()
        except TimeoutError:
            await self._refuse(scope, _TOO_MANY_UPLOADS)(scope, receive, send)
            return
        try:
            await self._app(scope, _bounded(receive, _LARGE), send)
        finally:
            self._uploads.release()

    def _problem(self, scope: Scope, headers: Headers) -> PageError | None:
        host = headers.get("host", "")
        if not self._is_own(host):
            return _foreign_host(self._public_url)
        self._warn_of_unknown_proxy(scope, host)
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            site = headers.get("sec-fetch-site", "same-origin")
            if (origin is not None and _is_foreign(origin, host)) or site not in ("same-origin", "none"):
                return _FOREIGN_PAGE
        limit = _LARGE if scope["path"] in LARGE_BODIES else _SMALL
        return _too_large(limit) if _length(headers) > limit else None

    def _is_own(self, host: str) -> bool:
        """Whether a ``Host`` header names these pages; in a network without a public URL they have many names."""
        if is_loopback_name(host):
            return True
        if self._public_url:
            return host_name(host) == urlsplit(self._public_url).hostname
        return self._keys is not None

    def _warn_of_unknown_proxy(self, scope: Scope, host: str) -> None:
        """Requests for the public host come through the proxy; from loopback only if the settings do not name it."""
        address = (scope.get("client") or ("", 0))[0]
        if self._public_url and not self._has_warned and is_local(address) and not is_loopback_name(host):
            self._has_warned = True
            log.warning(
                "visitors of %s seem to come from this machine, so all of them share one limit of log-ins and requests:"
                " start with --trusted-proxy %s, and let the reverse proxy set X-Forwarded-For",
                self._public_url, address,
            )  # fmt: skip

    def _new_key(self, scope: Scope) -> Response | None:
        """A key in the address becomes a cookie, and the address loses it."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        key = next((value for name, value in query if name == "key"), None)
        assert self._keys is not None
        if key is None or self._keys.role(key) is Role.STRANGER:
            return None
        rest = urlencode([pair for pair in query if pair[0] != "key"])
        answer = RedirectResponse(local_address(scope["path"], rest), 303)
        give_key(answer, key)
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
        elif scope["path"].endswith(WORKSHOP_WORKER):
            strict = _HEADERS | {"content-security-policy": _worker_policy(Headers(scope=scope).get("host", ""))}
        elif scope["path"].startswith(WORKSHOP) and not scope["path"].startswith(WORKSHOP_FILES):
            nonce = scope.setdefault("state", {})["nonce"] = secrets.token_urlsafe(12)
            strict = _HEADERS | {"content-security-policy": _workshop_policy(nonce)}

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
_TOO_MANY_UPLOADS = PageError(
    503,
    Text("Gerade werden zu viele Dateien auf einmal hochgeladen.", "Too many files are being uploaded at once."),
    _AGAIN,
    retry_after=30,
)
_FOREIGN_PAGE = PageError(
    403,
    Text("Das kam von einer fremden Seite und wurde abgelehnt.", "This came from a foreign page and was refused."),
    Text("Benutze die Formulare auf diesen Seiten.", "Use the forms on these pages."),
)


def _foreign_host(public_url: str) -> PageError:
    if public_url:
        what = Text("Unter diesem Namen gibt es diese Seiten nicht.", "These pages do not have this name.")
        return PageError(421, what, Text(f"Öffne sie als {public_url}.", f"Open them as {public_url}."))
    return PageError(
        421,
        Text("Diese Seiten sind nur für diesen Rechner.", "These pages are for this machine only."),
        Text("Öffne sie als http://127.0.0.1 mit ihrem Port.", "Open them as http://127.0.0.1 with their port."),
    )


def _too_large(limit: int) -> PageError:
    """What is said about a request of more than ``limit`` bytes."""
    if limit == _LARGE:
        largest = MAX_UPLOAD // 10**6
        advice = Text(f"Eine Datei hat höchstens {largest} MB.", f"A file has at most {largest} MB.")
    else:
        largest = limit >> 10
        advice = Text(f"Ein Formular hat höchstens {largest} KiB.", f"A form has at most {largest} KiB.")
    return PageError(413, Text("Das ist zu groß.", "This is too large."), advice)


def _workshop_policy(nonce: str) -> str:
    scripts = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'")
    return scripts.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'")


def _worker_policy(host: str) -> str:
    """For the worker in which players run: Python itself may be loaded, and nothing else be reached."""
    name = host_name(host)
    # A policy has no word for an address of IPv6.
    own = f"{host}{WORKSHOP_FILES}" if name and ":" not in name else "'self'"
    return f"default-src 'none'; script-src {own} 'wasm-unsafe-eval'"


def _is_upload(scope: Scope, headers: Headers) -> bool:
    """Whether a request sends a file, or something as large as one."""
    path = scope["path"]
    return scope["method"] == "POST" and (path in UPLOADS or (path in LARGE_BODIES and _length(headers) > _SMALL))


def _length(headers: Headers) -> float:
    """How much is announced, in bytes."""
    length = whole_number(headers.get("content-length", "0"))
    return inf if length is None else length


async def _drain(receive: Receive) -> None:
    """Read and drop the rest."""
    while True:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            return


def _secure(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """The header, as a cookie for encrypted connections alone if it is one."""
    return (name, value + b"; Secure") if name == b"set-cookie" else (name, value)


def address_of(scope: Scope) -> str:
    """What counts as the address of a visitor."""
    return neighbourhood((scope.get("client") or ("", 0))[0])


def is_loopback_name(host: str) -> bool:
    """Whether a ``Host`` header names this machine."""
    return host_name(host) in ("localhost", "127.0.0.1", "::1")


def host_name(host: str) -> str:
    """The name in a ``Host`` header, without the port; empty if it makes no sense."""
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname or "" if parts.netloc == host and "@" not in host else ""
    except ValueError:  # A bracket that is not closed, say.
        return ""


def local_address(path: str, query: str) -> str:
    """An address without a host, so that a redirect stays here whatever the request called us."""
    local = quote("/" + path.lstrip("/\\"))
    return f"{local}?{query}" if query else local


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
