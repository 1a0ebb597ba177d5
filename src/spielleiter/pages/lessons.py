"""The rules of a game, to be read: its sections with their pictures, and the exercises behind each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from spielleiter import games
from spielleiter.game import AnyGame, Illustration, Language, Look
from spielleiter.pages import boards
from spielleiter.pages.markdown import markdown


def overview_context() -> dict[str, Any]:
    """What the page with all games that can be learned shows."""
    found = [(game, game.lesson()) for game in games.seasons() if game.lesson is not None]
    return {
        "games": [game for game, _ in found],
        "pictures": {game.key: cover(game.key) for game, _ in found},
        "exercises": {game.key: len(lesson.questions) for game, lesson in found},
        "current": games.CURRENT_SEASON,
    }


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


@lru_cache(maxsize=64)
def cover(key: str) -> Markup:
    """A picture that stands for a game that has a lesson."""
    game = games.load(key)
    assert game.lesson is not None
    [shown, *_] = [picture for section in game.lesson().sections for picture in section.illustrations]
    return boards.board(game, shown.state, look=Look(coordinates=False, score=False))


def _picture(game: AnyGame, shown: Illustration[Any]) -> Markup:
    if shown.draw is not None:
        return boards.picture(shown.draw(shown.state, shown.look), game)
    return boards.board(game, shown.state, look=shown.look)


@lru_cache(maxsize=64)
def section_views(key: str, language: Language) -> list[SectionView]:
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
