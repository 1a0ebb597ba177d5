"""The page of one puzzle. The server remembers nothing: an address names the moves that were played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.errors import EngineMissing, PageError, Refused
from spielleiter.game import AnyGame, Team, Text
from spielleiter.pages import puzzles
from spielleiter.pages.puzzles import PuzzleStream, Refutation
from spielleiter.pages.updates import PageUpdate
from spielleiter.puzzles import Attempt, Progress, Puzzle, find_puzzle
from spielleiter.search import Budget
from spielleiter.web.classroom.seats import note_achieved
from spielleiter.web.language import language_of
from spielleiter.web.play.board_input import answer_move, try_page
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.web_app import WebApp, web_app_of

_REFUTATION = Budget(nodes=50_000)


def _puzzle(request: Request) -> Puzzle:
    found = find_puzzle(request.path_params["id"])
    if found is None:
        raise PageError(
            404,
            Text("Dieses Rätsel gibt es nicht (mehr).", "There is no such puzzle (any more)."),
            Text("Unter „Rätsel“ findest du die anderen.", "Find the others under 'Puzzles'."),
        )
    return found


async def _answer(app: WebApp, attempt: Attempt) -> Refutation:
    state, game = attempt.state, attempt.puzzle.game
    team: Team = attempt.states[0].to_move
    nothing = puzzles.unanswered(attempt)
    if attempt.progress is not Progress.WRONG or state.outcome is not None:
        return nothing
    try:
        judgement = await app.analyst.judge(game, state, _REFUTATION)
    except EngineMissing:
        return nothing
    if judgement is None:
        return nothing
    chance = judgement.chance(team)
    if state.to_move is team:
        return Refutation(state, None, still_wins=chance == 1.0)
    return Refutation(state.play(judgement.move), judgement.move, still_wins=chance == 1.0)


async def puzzle_page(request: Request) -> Response:
    """The board, what is asked for, and what became of the moves so far."""
    puzzle, app = _puzzle(request), web_app_of(request)
    stream = PuzzleStream.of(request.query_params.get("stream", ""))
    try:
        attempt = puzzles.find_attempt(puzzle, request.path_params.get("line", ""))
    except Refused as problem:
        raise PageError(404, problem.text, puzzles.BACK) from None
    answer = await _answer(app, attempt)
    context = puzzles.page_context(attempt, answer, stream, language_of(request))
    engine_missing = app.analyst.why_unavailable(puzzle.game)
    return respond(request, "puzzles/puzzle.html", engine_missing=engine_missing, **context)


# --- moves ------------------------------------------------------------------------------------------------------------


async def make_move(request: Request) -> Response:
    """A move of the solver: two squares, a tile and its place, a pass, or notation. Answers what came of it."""
    puzzle, language, app = _puzzle(request), language_of(request), web_app_of(request)

    async def play(form: Mapping[str, Any]) -> tuple[str, PageUpdate]:
        stream = PuzzleStream.of(str(form.get("stream", "")))
        attempt, after = puzzles.play(puzzle, form)
        if after.progress is Progress.SOLVED:
            note_achieved(request, "puzzle", puzzle.game.key, puzzle.id)
        update = puzzles.move_update(attempt, after, await _answer(app, after), stream, language)
        return f"/puzzles/{puzzle.id}/{puzzles.line_of(after)}?stream={stream}", update

    return await answer_move(request, f"/puzzles/{puzzle.id}", play)


def _position(request: Request) -> tuple[AnyGame, Any]:
    attempt = puzzles.find_attempt(_puzzle(request), request.query_params.get("line", ""))
    return attempt.puzzle.game, attempt.state


try_move = try_page(_position)


# --- the solution -----------------------------------------------------------------------------------------------------


async def solution_page(request: Request) -> Response:
    """The solution after so many of its moves, with the next one drawn on the board."""
    puzzle, ply = _puzzle(request), request.path_params["ply"]
    stream = PuzzleStream.of(request.query_params.get("stream", ""))
    if ply > len(puzzle.solution):
        raise PageError(404, Text("So lang ist die Lösung nicht.", "The solution is not that long."), puzzles.BACK)
    context = puzzles.solution_context(puzzle, ply, stream, language_of(request))
    return respond(request, "puzzles/solution.html", **context)


PAGES = (
    Page("/puzzles/{id}", puzzle_page, Access.GUEST),
    Page("/puzzles/{id}/move", make_move, Access.GUEST, "POST"),
    Page("/puzzles/{id}/try", try_move, Access.GUEST),
    Page("/puzzles/{id}/solution/{ply:int}", solution_page, Access.GUEST),
    Page("/puzzles/{id}/{line}", puzzle_page, Access.GUEST),
)
