"""The rules of all games, and of one: to be read, with pictures and the way to the exercises."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter import games
from spielleiter.errors import PageError, UnknownGame
from spielleiter.game import AnyGame, Illustration, Language, Lesson, Look, Text
from spielleiter.pages import boards
from spielleiter.pages.markdown import markdown
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page


@dataclass(frozen=True, slots=True)
class QuestionLink:
    """An exercise to go to."""

    number: int
    """The first is 1."""
    title: str


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section of the rules, ready for the page."""

    title: str
    html: Markup
    pictures: list[tuple[Markup, str]]
    """Each with its caption."""
    exercises: list[QuestionLink]


async def overview(request: Request) -> Response:
    """All games that can be learned."""
    found = [(game, game.lesson()) for game in games.seasons() if game.lesson is not None]
    return respond(
        request,
        "learn/overview.html",
        games=[game for game, _ in found],
        pictures={game.key: _cover(game.key) for game, _ in found},
        exercises={game.key: len(lesson.questions) for game, lesson in found},
        current=games.CURRENT_SEASON,
    )


async def lesson_page(request: Request) -> Response:
    """The rules of one game."""
    game, _ = taught(request)
    return respond(
        request, "learn/lesson.html", game=game, sections=_section_views(game.key, language_of(request)),
        other=next((other for other in games.all_games().values() if _is_twin(game, other)), None),
    )  # fmt: skip


def taught(request: Request) -> tuple[AnyGame, Lesson[Any, Any]]:
    """The game that the address names, and its lesson. Raises ``PageError``."""
    try:
        game = games.load(request.path_params["game"])
    except UnknownGame:
        raise PageError(
            404,
            Text("Dieses Spiel gibt es nicht.", "There is no such game."),
            Text(
                "Unter „Lernen“ stehen alle Spiele, die es gibt.", "All games that there are can be found at “Learn”."
            ),
        ) from None
    if game.lesson is None:
        raise not_found("Für dieses Spiel gibt es noch keine Anleitung.", "There is no guide to this game yet.")
    return game, game.lesson()


def _is_twin(game: AnyGame, other: AnyGame) -> bool:
    """Whether it is the same season, by the document and as refereed."""
    return other.wire_name == game.wire_name and other.official is not game.official


@lru_cache(maxsize=64)
def _cover(key: str) -> Markup:
    game = games.load(key)
    assert game.lesson is not None
    [shown, *_] = [picture for section in game.lesson().sections for picture in section.illustrations]
    return boards.board(game, shown.state, look=Look(coordinates=False, score=False))


def _picture(game: AnyGame, shown: Illustration[Any]) -> Markup:
    if shown.draw is not None:
        return boards.picture(shown.draw(shown.state, shown.look), game)
    return boards.board(game, shown.state, look=shown.look)


@lru_cache(maxsize=64)
def _section_views(key: str, language: Language) -> list[SectionView]:
    """Rules do not change while we run: every picture is drawn once."""
    game = games.load(key)
    assert game.lesson is not None
    views, number = [], 0
    for section in game.lesson().sections:
        exercises = [
            QuestionLink(number + index, question.title.to(language))
            for index, question in enumerate(section.questions, 1)
        ]
        number += len(exercises)
        pictures = [(_picture(game, shown), shown.caption.to(language)) for shown in section.illustrations]
        html = markdown(section.text.to(language), breaks=False)
        views.append(SectionView(section.title.to(language), html, pictures, exercises))
    return views


PAGES = (
    Page("/learn", overview, Access.EVERYBODY),
    Page("/learn/{game}", lesson_page, Access.EVERYBODY),
)
