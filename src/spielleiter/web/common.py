"""What the pages share: the web app behind a request, and problems that become pages which say what to do."""

from __future__ import annotations

from starlette.requests import Request

from spielleiter.errors import PageError
from spielleiter.game import Text
from spielleiter.web.webapp import WebApp


def webapp_of(request: Request) -> WebApp:
    """Everything that the pages share."""
    webapp: WebApp = request.app.state.webapp
    return webapp


def not_found(de: str, en: str) -> PageError:
    """A problem that something is not (any more) there."""
    return PageError(
        404,
        Text(de, en),
        Text(
            "Vielleicht ist das Spiel schon länger vorbei, oder der Spielleiter wurde neu gestartet.",
            "Perhaps the game ended some time ago, or the game master was restarted.",
        ),
    )
