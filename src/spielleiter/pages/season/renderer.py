"""The pages of a season as HTML, for the site without a server and for the live pages alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.game import Language
from spielleiter.pages import charts
from spielleiter.pages.environment import render
from spielleiter.pages.season import views
from spielleiter.rating.standings import HEADINGS, SHORT_HEADINGS


class Links(Protocol):
    """Where things are: as files beside one another, or as addresses of a server."""

    layout: str
    """The template around all pages."""
    login: str
    """Where teams log in; empty if they cannot."""
    calendar: str
    """The matchdays for calendars."""

    def page(self, kind: str, id_: object = None) -> str:
        """The page of a kind, and of which one of them."""

    def asset(self, name: str) -> str:
        """A style sheet, script or picture."""

    def other_language(self, language: Language, kind: str, id_: object = None) -> str:
        """The same page in ``language``."""


class SeasonRenderer:
    """Renders the pages of one snapshot in one language."""

    def __init__(
        self,
        snapshot: SeasonSnapshot,
        links: Links,
        language: Language,
        layout_context: Mapping[str, Any] | None = None,
    ) -> None:
        self._links = links
        self._language: Language = language
        self._context = {
            "snapshot": snapshot,
            "season": snapshot.season,
            "game": snapshot.game,
            "secondary": snapshot.game.secondary,
            "link": links.page,
            "asset": links.asset,
            "layout": links.layout,
            "login": links.login,
            "calendar": links.calendar,
            "has_dates": any(phase.dates for phase in snapshot.season.phases),
            "headings": HEADINGS,
            "short_headings": SHORT_HEADINGS,
            "views": views,
            "charts": charts,
            "Stage": Stage,
            "events": "",  # A site of files does not change, and shows no running game.
            "shows_games": False,
            **(layout_context or {}),
        }

    def page(self, kind: str, id_: object = None, **context: Any) -> str:
        """A whole page of a kind, and of which one of them."""
        other: Language = "en" if self._language == "de" else "de"
        return render(
            f"season/{kind}.html",
            self._language,
            **self._context,
            kind=kind,
            id=id_,
            other_language=self._links.other_language(other, kind, id_),
            **context,
        )
