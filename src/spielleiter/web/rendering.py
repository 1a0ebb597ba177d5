"""Templates as answers to requests: in the language of the browser, with what the visitor may see."""

from __future__ import annotations

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from spielleiter.pages.environment import render, static_version
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of


def respond(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A whole page in the language of the browser."""
    role: Role = getattr(request.state, "role", Role.STRANGER)
    html = render(
        template,
        language_of(request),
        asset=asset,
        now=f"{time.monotonic():.3f}",
        path=request.url.path,
        here=_here(request),
        is_host=role >= Role.HOST,
        is_guest=role >= Role.GUEST,
        has_contest=request.app.state.contest_app is not None,
        **context,
    )
    return HTMLResponse(html, status, headers={"vary": "accept-language, cookie"})


def _here(request: Request) -> str:
    """Where to come back to after a choice: this page, if it can be opened by its address."""
    if request.method != "GET":
        return "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def asset(name: str) -> str:
    """The address of a static file; under this address it never changes."""
    return f"/static/{static_version()}/{name}"
