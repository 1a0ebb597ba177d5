"""Templates as answers to requests: in the language of the browser, with what the visitor may see."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from spielleiter.errors import PageError, Refused
from spielleiter.game import AnyGame, Look, Text
from spielleiter.pages import boards, words
from spielleiter.pages.environment import render, static_version
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.history import Ply
from spielleiter.text import NO_TEXT, upper_first
from spielleiter.web.classroom.seats import class_bar, find_classroom
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
        has_contest=request.app.state.contest_slot.app is not None,
        has_class=find_classroom(request) is not None,
        has_lab=request.app.state.web_app.laboratory is not None,
        class_bar=class_bar(request),
        **context,
    )
    return HTMLResponse(html, status, headers={"vary": "accept-language, cookie"})


def refusal(
    request: Request, problem: Refused, back: str, advice: Text = NO_TEXT, *, is_script: bool | None = None
) -> Response:
    """Why something was not done: for a script, or on a page that leads ``back``. Raises a ``PageError`` again."""
    if isinstance(problem, PageError):
        raise problem
    language = language_of(request)
    text = upper_first(problem.text.to(language))
    if "application/json" in request.headers.get("accept", "") if is_script is None else is_script:
        return JSONResponse({"ok": False, "text": text})
    return respond(request, "problem.html", 409, title=text, advice=advice.to(language), back=back)


def earlier_position(
    request: Request,
    game: AnyGame,
    start: Any,
    plies: Sequence[Ply],
    *,
    flipped: bool,
    noted: Callable[[int, Look], Mapping[str, str]] | None = None,
) -> JSONResponse:
    """The board after so many plies of a game that goes on, and the move that led there in words.

    ``noted`` gives the board and a panel with what players noted, to a visitor who may see it.
    """
    ply, language = request.path_params["ply"], language_of(request)
    if ply > len(plies):  # A move was taken back.
        raise PageError(
            404,
            Text(f"Das Spiel hat erst {len(plies)} Züge.", f"The game has only {len(plies)} moves so far."),
            Text("Geh zum Spiel zurück.", "Go back to the game."),
        )
    state, said = start, ""
    if ply:
        played = plies[ply - 1]
        state, said = played.state, words.move_text(game, played.before, played.move, language)
    look = Look(flipped=flipped)
    parts = {"board": boards.board(game, state, look=look)} if noted is None else dict(noted(ply, look))
    return JSONResponse(PageUpdate(parts=parts, say=said).to_json(), headers={"vary": "accept-language, cookie"})


def _here(request: Request) -> str:
    """Where to come back to after a choice: this page, if it can be opened by its address."""
    if request.method != "GET":
        return "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def asset(name: str) -> str:
    """The address of a static file; under this address it never changes."""
    return f"/static/{static_version()}/{name}"
