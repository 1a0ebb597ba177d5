"""Pages for people with accounts: who is logged in, the token of the forms, and notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from spielleiter.game import Language
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.forms import form_token

STREAM_SECONDS = 600.0
"""Seconds until a stream ends; the browser reconnects by itself, and its rights are checked again."""


def respond_in_contest(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A whole page for visitors who are, or may be, logged in."""
    app = contest_app_of(request)
    return respond(
        request,
        template,
        status,
        person=request.state.person,
        token=form_token(request),
        notes=app.take_notes(request.state.browser),
        season=app.contest.season,
        named=_named_in(language_of(request)),
        **context,
    )


def _named_in(language: Language) -> Callable[[str], str]:
    """Writes a person as the audit log names them, with their role in this language."""

    def named(who: str) -> str:
        return who.replace(" (organiser)", " (Spielleitung)").replace(" (member)", " (Mitglied)")

    return named if language == "de" else str
