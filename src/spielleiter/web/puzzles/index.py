"""The page of all puzzles, the puzzle of the day, and the next one of a stream."""

from __future__ import annotations

from datetime import date

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.game import Look
from spielleiter.pages import boards
from spielleiter.pages.puzzles import PuzzleStream, game_rows
from spielleiter.puzzles import daily_puzzle
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page


async def index_page(request: Request) -> Response:
    """The puzzle of the day, the streak, and a stream for each game and difficulty."""
    day = date.today()
    daily = daily_puzzle(day)
    return respond(
        request,
        "puzzles/index.html",
        daily=daily,
        daily_board="" if daily is None else boards.board(daily.game, daily.start, look=Look(coordinates=False)),
        data={"day": day.isoformat()},
        everything=PuzzleStream(),
        rows=game_rows(),
    )


async def daily(request: Request) -> Response:
    """To the puzzle of the day."""
    found = daily_puzzle(date.today())
    if found is None:
        raise not_found("Es gibt noch keine Rätsel.", "There are no puzzles yet.")
    return RedirectResponse(f"/puzzles/{found.id}", 303)


async def next_puzzle(request: Request) -> Response:
    """To the puzzle of ``?stream=`` that follows the one of ``?after=``."""
    stream = PuzzleStream.of(request.query_params.get("stream", ""))
    found = stream.after(request.query_params.get("after", ""))
    return RedirectResponse(f"/puzzles/{found.id}?stream={stream}", 303)


PAGES = (
    Page("/puzzles", index_page, Access.GUEST),
    Page("/puzzles/daily", daily, Access.GUEST),
    Page("/puzzles/next", next_puzzle, Access.GUEST),
)
