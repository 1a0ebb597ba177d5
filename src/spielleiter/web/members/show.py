"""Pages behind the log-in, drawn: who is logged in, and the notes."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse

from spielleiter.game import Language
from spielleiter.web.contestapp import contestapp_of
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.rights import form_token

_LONGEST_STREAM = 600.0
"""Seconds after which a stream ends; the browser comes back by itself, and its rights are seen to anew."""


def show(request: Request, name: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page behind the log-in."""
    office, language = contestapp_of(request), language_of(request)
    return respond(
        request,
        name,
        status,
        person=request.state.person,
        token=form_token(request),
        notes=office.notes(request.state.browser),
        season=office.contest.season,
        named=people(language),
        **context,
    )


def people(language: Language) -> Callable[[str], str]:
    """Writes somebody as the audit log names him, with his role in words."""

    def named(who: str) -> str:
        return who.replace(" (organiser)", " (Organisation)").replace(" (member)", " (Mitglied)")

    return named if language == "de" else str


def ending(stream: StreamingResponse) -> StreamingResponse:
    """The stream, which ends after a while: rights may have ended meanwhile."""
    looks = stream.body_iterator

    async def bounded() -> AsyncIterator[Any]:
        ends = time.monotonic() + _LONGEST_STREAM
        async for look in looks:
            yield look
            if time.monotonic() > ends:
                return

    stream.body_iterator = bounded()
    return stream
