"""Turns templates into pages, in German or English, for the site without a server and for the live pages alike.

Names, schools, reasons and news come from strangers: templates escape everything, and addresses are made of ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from spielleiter import __version__
from spielleiter.contest.season.model import Stage
from spielleiter.game import Language, Text
from spielleiter.pages.season import charts, views
from spielleiter.pages.season.snapshot import SeasonSnapshot
from spielleiter.rating.formatting import number
from spielleiter.rating.standings import HEADINGS, Order

HERE = Path(__file__).parent
STATIC = HERE / "static"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Links(Protocol):
    """Where things are: as files beside one another, or as addresses of a server."""

    layout: str
    """The template around all pages."""
    script: str
    """The script that keeps a page up to date; empty for none."""
    door: str
    """Where teams log in; empty if they cannot."""

    def page(self, kind: str, id_: object = None) -> str:
        """The page of a kind, and of which one of them."""

    def asset(self, name: str) -> str:
        """A style sheet, script or picture."""

    def other_language(self, language: Language, kind: str, id_: object = None) -> str:
        """The same page in ``language``."""


def environment(*more: BaseLoader) -> Environment:
    """The templates of a season, and others beside them."""
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), *more]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["upper_first"] = lambda text: text[:1].upper() + text[1:]
    return made


def when(moment: datetime | None, language: Language) -> str:
    """Date and time on the clock of this machine; empty for no moment."""
    if moment is None:
        return ""
    local = moment.astimezone()
    if language == "de":
        return f"{local:%d.%m.%Y, %H:%M}"
    return f"{local.day} {_MONTHS[local.month - 1]} {local:%Y, %H:%M}"


def words(language: Language) -> dict[str, Any]:
    """What every template needs to speak a language."""

    def either(de: str, en: str) -> str:
        return de if language == "de" else en

    def word(text: Text) -> str:
        return text.to(language)

    def figure(value: float, digits: int = 0, *, signed: bool = False) -> str:
        return number(value, digits, signed=signed).to(language).replace("-", "−")

    return {
        "_": either,
        "word": word,
        "figure": figure,
        "when": lambda moment: when(moment, language),
        "lang": language,
        "version": __version__,
    }


class Renderer:
    """Makes the pages of one chronicle in one language."""

    def __init__(
        self,
        templates: Environment,
        snapshot: SeasonSnapshot,
        links: Links,
        language: Language,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """``more`` is what another layout needs."""
        self._templates = templates
        self._chronicle = snapshot
        self._links = links
        self._language: Language = language
        self._always = words(language) | {
            "chronicle": snapshot,
            "season": snapshot.season,
            "game": snapshot.game,
            "secondary": snapshot.game.scores[1].text,
            "by_encounters": snapshot.season.order is Order.BY_ENCOUNTERS,
            "link": links.page,
            "asset": links.asset,
            "layout": links.layout,
            "script": links.script,
            "door": links.door,
            "headings": HEADINGS,
            "views": views,
            "charts": charts,
            "Stage": Stage,
            **(more or {}),
        }

    def page(self, kind: str, id_: object = None, **context: Any) -> str:
        """A whole page of a kind, and of which one of them."""
        other: Language = "en" if self._language == "de" else "de"
        return self._templates.get_template(f"{kind}.html").render(
            self._always,
            kind=kind,
            id=id_,
            other_language=self._links.other_language(other, kind, id_),
            **context,
        )
