"""What the pages share: the hall behind a request, and problems that become pages which say what to do."""

from __future__ import annotations

from starlette.requests import Request

from spielleiter.errors import SpielleiterError
from spielleiter.game import Text
from spielleiter.web.hall import Hall


class PageProblem(SpielleiterError):
    """Something that makes a page impossible: what it is, and what to do."""

    def __init__(self, status: int, what: Text, advice: Text, *, refresh: int | None = None) -> None:
        super().__init__(what.en)
        self.status = status
        self.what = what
        self.advice = advice
        self.refresh = refresh
        """Seconds after which it is worth trying again."""


def hall_of(request: Request) -> Hall:
    """Everything that the pages share."""
    hall: Hall = request.app.state.hall
    return hall


def not_found(de: str, en: str) -> PageProblem:
    """A problem that something is not (any more) there."""
    return PageProblem(
        404,
        Text(de, en),
        Text(
            "Vielleicht ist das Spiel schon länger vorbei, oder der Spielleiter wurde neu gestartet.",
            "Perhaps the game ended some time ago, or the game master was restarted.",
        ),
    )
