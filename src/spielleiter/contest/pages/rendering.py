"""Turns templates into pages, in German or English, for the site without a server and for the live pages alike.

Names, schools, reasons and news come from strangers: templates escape everything, and addresses are made of ids.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from spielleiter import __version__
from spielleiter.contest.pages import charts, views
from spielleiter.contest.pages.chronicle import Chronicle
from spielleiter.contest.season import Stage
from spielleiter.game import Language, Text
from spielleiter.rating.figures import number
from spielleiter.rating.table import HEADINGS, Order

HERE = Path(__file__).parent
STATIC = HERE / "static"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Links(Protocol):
    """Where things are: as files beside one another, or as addresses of a server."""

    layout: str
    """The template around all pages."""

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

    def __init__(self, templates: Environment, chronicle: Chronicle, links: Links, language: Language) -> None:
        self._templates = templates
        self._chronicle = chronicle
        self._links = links
        self._language: Language = language
        self._always = words(language) | {
            "chronicle": chronicle,
            "season": chronicle.season,
            "game": chronicle.game,
            "secondary": chronicle.game.scores[1].text,
            "by_encounters": chronicle.season.order is Order.BY_ENCOUNTERS,
            "link": links.page,
            "asset": links.asset,
            "layout": links.layout,
            "headings": HEADINGS,
            "views": views,
            "charts": charts,
            "Stage": Stage,
        }

    def page(self, name: str, kind: str, id_: object = None, **context: Any) -> str:
        """A whole page; ``kind`` and ``id_`` say which one, for the menu and the other language."""
        other: Language = "en" if self._language == "de" else "de"
        return self._templates.get_template(name).render(
            self._always,
            kind=kind,
            id=id_,
            other_language=self._links.other_language(other, kind, id_),
            **context,
        )


def each_page(chronicle: Chronicle, draw: Callable[..., None]) -> None:
    """Call ``draw`` with template, kind, id and context of every page but those of encounters and games."""
    tables = tuple(views.table_of(chronicle, stage, group) for stage, group in chronicle.tables)
    bracket = views.bracket_of(chronicle)
    draw("index.html", "index", **index_context(chronicle, tables))
    for stage in chronicle.stages:
        if stage is not Stage.FINAL:
            draw("phase.html", "phase", stage.value, **phase_context(chronicle, stage, tables))
    draw("schedule.html", "schedule", days=[views.day_of(chronicle, day) for day in chronicle.days])
    for day in chronicle.days:
        draw("day.html", "day", day.id, page=views.day_of(chronicle, day))
    if bracket is not None:
        draw("bracket.html", "bracket", bracket=bracket)
    draw("teams.html", "teams", **teams_context(chronicle, tables))
    for team in chronicle.teams.values():
        draw("team.html", "team", team.id, page=views.team_of(chronicle, team, tables))
    draw("rating.html", "rating", **rating_context(chronicle))
    draw("rulings.html", "rulings")
    draw("news.html", "news")


def index_context(chronicle: Chronicle, tables: tuple[views.TableTold, ...]) -> dict[str, Any]:
    """What the start page shows."""
    day = views.current_day(chronicle)
    latest = [table for table in tables if table.stage is not Stage.TRIAL and table.finished]
    stages = [table.stage for table in latest]
    newest = max(stages, key=chronicle.stages.index, default=None)
    return {
        "day": None if day is None else views.day_of(chronicle, day),
        "tables": [table for table in latest if table.stage is newest],
        "podium": [chronicle.by_name[name] for name in chronicle.knockout.places],
        "bracket": views.bracket_of(chronicle) if chronicle.knockout.slots else None,
    }


def phase_context(chronicle: Chronicle, stage: Stage, tables: tuple[views.TableTold, ...]) -> dict[str, Any]:
    """What the page of a phase with groups shows."""
    mine = [table for table in tables if table.stage is stage]
    return {
        "stage": stage,
        "phase": chronicle.season.phase(stage),
        "tables": mine,
        "crosses": {table.group: views.cross_of(chronicle, table) for table in mine},
        "days": [views.day_of(chronicle, day) for day in chronicle.days if day.stage is stage],
    }


def teams_context(chronicle: Chronicle, tables: tuple[views.TableTold, ...]) -> dict[str, Any]:
    """What the list of all teams shows."""
    ratings = {} if chronicle.rating is None else {rating.player: rating for rating in chronicle.rating.ratings}
    groups = sorted({team.group for team in chronicle.teams.values()})
    return {"ratings": ratings, "groups": groups}


def rating_context(chronicle: Chronicle) -> dict[str, Any]:
    """What the page about strength shows."""
    rating = chronicle.rating
    courses: dict[str, list[Any]] = {}
    for _, ratings in chronicle.rating_by_day:
        for each in ratings.ratings:
            courses.setdefault(each.player, []).append(each)
    return {
        "rating": rating,
        "scale": None if rating is None else charts.scale(rating.ratings),
        "courses": courses,
    }
