"""The rules of all games, and of one: to be read, with pictures and the way to the exercises."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spielleiter import games
from spielleiter.errors import PageError, UnknownGame
from spielleiter.game import AnyGame, Lesson, Text
from spielleiter.pages.lessons import overview_context, section_views
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page


async def overview(request: Request) -> Response:
    """All games that can be learned."""
    return respond(request, "learn/overview.html", **overview_context())


async def lesson_page(request: Request) -> Response:
    """The rules of one game."""
    game, _ = taught(request)
    return respond(
        request, "learn/lesson.html", game=game, sections=section_views(game.key, language_of(request)),
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


PAGES = (
    Page("/learn", overview, Access.EVERYBODY),
    Page("/learn/{game}", lesson_page, Access.EVERYBODY),
)
