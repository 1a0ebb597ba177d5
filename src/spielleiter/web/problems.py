"""Errors as pages that say what happened and what to do."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.errors import PageError
from spielleiter.game import Text
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond

log = logging.getLogger("spielleiter.web")

STORE_DOWN = Text("Die Datenbank der Saison antwortet nicht.", "The store of the season does not answer.")
TRY_LATER = Text("Versuche es gleich noch einmal.", "Try again in a moment.")


def not_found(de: str, en: str) -> PageError:
    """Something is not (any more) there."""
    return PageError(
        404,
        Text(de, en),
        Text(
            "Vielleicht ist das Spiel schon länger vorbei, oder der Spielleiter wurde neu gestartet.",
            "Perhaps the game ended some time ago, or the game master was restarted.",
        ),
    )


def no_contest() -> PageError:
    """The pages were started without a season."""
    return PageError(
        404,
        Text("Hier läuft kein Wettbewerb.", "There is no contest here."),
        Text(
            "Mit einem Wettbewerb starten: spielleiter web --season season.toml",
            "Start with a contest: spielleiter web --season season.toml",
        ),
    )


def store_down(advice: Text = TRY_LATER) -> PageError:
    """The store of the season cannot be read just now."""
    return PageError(503, STORE_DOWN, advice, retry_after=10)


# --- handlers ---------------------------------------------------------------------------------------------------------


def _problem(request: Request, status: int, what: Text, advice: Text) -> Response:
    language = language_of(request)
    return respond(request, "problem.html", status, title=what.to(language), advice=advice.to(language), back="/")


def problem_page(request: Request, problem: PageError) -> Response:
    """The page that says what is wrong, and what to do."""
    answer = _problem(request, problem.status, problem.text, problem.advice)
    if problem.retry_after is not None:
        answer.headers["refresh"] = answer.headers["retry-after"] = str(problem.retry_after)
    return answer


async def _page_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, PageError)
    return problem_page(request, problem)


_STATUSES = {
    400: (
        Text("Das Formular kam nicht so an, wie es sein soll.", "The form did not arrive as it should be."),
        Text("Lade die Seite neu und versuche es noch einmal.", "Reload the page and try again."),
    ),
    404: (
        Text("Diese Seite gibt es nicht.", "There is no such page."),
        Text("Vielleicht hilft die Startseite weiter.", "Perhaps the start page helps."),
    ),
    405: (
        Text("So lässt sich diese Seite nicht öffnen.", "This page cannot be opened in this way."),
        Text("Benutze die Knöpfe und Formulare der Seiten.", "Use the buttons and forms of the pages."),
    ),
}
"""What the web framework finds wrong by itself; its own words are English, and for the log."""


async def _http_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    log.info("%s %s: %s", request.method, request.url.path, problem.detail)
    other = Text(f"Das ging nicht (Fehler {problem.status_code}).", f"This did not work ({problem.status_code}).")
    what, advice = _STATUSES.get(problem.status_code, (other, TRY_LATER))
    answer = _problem(request, problem.status_code, what, advice)
    answer.headers.update(problem.headers or {})
    return answer


async def _internal_error(request: Request, problem: Exception) -> Response:
    log.error("%s %s", request.method, request.url.path, exc_info=problem)
    with suppress(Exception):
        return _problem(
            request,
            500,
            Text("Bei uns ist etwas schiefgegangen.", "Something went wrong on our side."),
            Text(
                "Die Einzelheiten stehen im Terminal, in dem der Spielleiter läuft.",
                "The details are in the terminal in which the game master runs.",
            ),
        )
    return Response("Internal error; see the terminal.", 500, media_type="text/plain")


HANDLERS: Mapping[Any, Any] = {
    PageError: _page_error,
    HTTPException: _http_error,
    Exception: _internal_error,
}
