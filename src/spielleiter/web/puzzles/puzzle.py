"""The page of one puzzle. The server remembers nothing: an address names the moves that were played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.errors import EngineMissing, PageError, Refused
from spielleiter.game import AnyGame, Language, Look, Team, Text
from spielleiter.pages import boards, words
from spielleiter.pages.environment import render
from spielleiter.puzzles import Attempt, Progress, Puzzle, daily_puzzle, find_puzzle
from spielleiter.search import Budget
from spielleiter.web.classroom.seats import note_achieved
from spielleiter.web.language import language_of
from spielleiter.web.play.board_input import answer_move, input_data, legal_move, try_page
from spielleiter.web.puzzles.streams import PuzzleStream
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.updates import PageUpdate
from spielleiter.web.web_app import WebApp, web_app_of

_REFUTATION = Budget(nodes=50_000)
_LINE = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){0,9}")
_BACK = Text("Beginne das Rätsel von vorn.", "Start the puzzle again.")


@dataclass(frozen=True, slots=True)
class Refutation:
    """What the opponent answers to a wrong move."""

    state: Any
    """After the answer."""
    move: Any
    """``None`` where nobody answers: the game is over, or there is no engine."""
    still_wins: bool = False
    """The engine sees a win after the wrong move, too: the puzzle is not as clear as it should be."""


# --- what a request names ---------------------------------------------------------------------------------------------


def _puzzle(request: Request) -> Puzzle:
    found = find_puzzle(request.path_params["id"])
    if found is None:
        raise PageError(
            404,
            Text("Dieses Rätsel gibt es nicht (mehr).", "There is no such puzzle (any more)."),
            Text("Unter „Rätsel“ findest du die anderen.", "Find the others under 'Puzzles'."),
        )
    return found


def _attempt(puzzle: Puzzle, line: str) -> Attempt:
    """The attempt that ``line`` names. Raises ``Refused``."""
    if line and not _LINE.fullmatch(line):
        raise Refused("Diese Zugfolge gibt es in dem Rätsel nicht.", "The puzzle has no such moves.")
    return Attempt.replay(puzzle, [int(place) for place in line.split(".") if place])


def _line(attempt: Attempt) -> str:
    return ".".join(map(str, attempt.own))


async def _answer(app: WebApp, attempt: Attempt) -> Refutation:
    state, game = attempt.state, attempt.puzzle.game
    team: Team = attempt.states[0].to_move
    if state.outcome is not None:
        return Refutation(state, None)
    try:
        judgement = await app.analyst.judge(game, state, _REFUTATION)
    except EngineMissing:
        return Refutation(state, None)
    if judgement is None:
        return Refutation(state, None)
    chance = judgement.chance(team)
    if state.to_move is team:
        return Refutation(state, None, still_wins=chance == 1.0)
    return Refutation(state.play(judgement.move), judgement.move, still_wins=chance == 1.0)


# --- the page ---------------------------------------------------------------------------------------------------------


async def puzzle_page(request: Request) -> Response:
    """The board, what is asked for, and what became of the moves so far."""
    puzzle, language, app = _puzzle(request), language_of(request), web_app_of(request)
    stream = PuzzleStream.of(request.query_params.get("stream", ""))
    try:
        attempt = _attempt(puzzle, request.path_params.get("line", ""))
    except Refused as problem:
        raise PageError(404, problem.text, _BACK) from None
    return respond(
        request,
        "puzzles/puzzle.html",
        puzzle=puzzle,
        game=puzzle.game,
        stream=stream,
        update=await _update(app, attempt, stream, language),
        line=_line(attempt),
        task=_task(puzzle).to(language),
        input_kind=boards.input_kind(puzzle.game),
        example=puzzle.game.notation.format_move(puzzle.start, puzzle.start.legal_moves()[0]),
        engine_missing=app.analyst.why_unavailable(puzzle.game),
    )


def _task(puzzle: Puzzle) -> Text:
    color, number = puzzle.game.color_to_move(puzzle.start), puzzle.own_moves
    many = Text(f"{number} Züge", f"{number} moves") if number > 1 else Text("einen Zug", "one move")
    return Text(
        f"{color.de} ist am Zug und kann den Sieg erzwingen. Finde {many.de}!",
        f"{color.en} to move can force a win. Find {many.en}!",
    )


def _flipped(puzzle: Puzzle) -> bool:
    board_input = puzzle.game.board_input
    return board_input is not None and board_input.flips_for_two and puzzle.start.to_move is Team.TWO


async def _update(app: WebApp, attempt: Attempt, stream: PuzzleStream, language: Language) -> PageUpdate:
    """The parts of the page that change with a move, and the possible moves as data."""
    puzzle, game = attempt.puzzle, attempt.puzzle.game
    answer = await _answer(app, attempt) if attempt.progress is Progress.WRONG else Refutation(attempt.state, None)
    flipped = _flipped(puzzle)
    look = Look(flipped=flipped)
    if answer.move is not None:
        look = boards.move_look(game, attempt.state, answer.move, look, "mark")
    status = _status(attempt, answer).to(language)
    is_open = attempt.progress is Progress.OPEN
    return PageUpdate(
        parts={
            "board": boards.board(game, answer.state, look=look),
            "status": render("parts/status.html", language, status=status, over=not is_open, mine=is_open),
            "result": render(
                "puzzles/result.html", language, attempt=attempt, answer=answer, before=_before(attempt), stream=stream
            ),
            "moves": render("puzzles/moves.html", language, rows=_rows(attempt, answer, language)),
        },
        say=status,
        puzzle={
            "id": puzzle.id,
            "progress": "open" if answer.still_wins else attempt.progress.value,
            "day": date.today().isoformat() if daily_puzzle(date.today()) == puzzle else None,
            "address": f"/puzzles/{puzzle.id}/{_line(attempt)}?stream={stream}".replace("/?", "?"),
        },
        play={
            "position": {"line": _line(attempt), "stream": str(stream)},
            **input_data(
                game,
                answer.state,
                language,
                flipped=flipped,
                mine=is_open,
                ply=len(attempt.states) - (answer.move is None),
            ),
        },
    )


def _own_move_update(attempt: Attempt, before: Attempt, language: Language) -> PageUpdate:
    """The board after the solver's move, which is seen for a moment before it is answered."""
    game, ply, flipped = attempt.puzzle.game, len(before.states), _flipped(attempt.puzzle)
    state = attempt.states[ply]
    return PageUpdate(
        parts={"board": boards.board(game, state, flipped=flipped)},
        play=input_data(game, state, language, flipped=flipped, mine=False, ply=ply),
    )


def _before(attempt: Attempt) -> str:
    """The line without its last move: where to try again."""
    return ".".join(map(str, attempt.own[:-1]))


def _status(attempt: Attempt, answer: Refutation) -> Text:
    game = attempt.puzzle.game
    match attempt.progress:
        case Progress.SOLVED:
            return Text("Gelöst!", "Solved!")
        case Progress.OPEN if attempt.own:
            return Text("Richtig! Und jetzt?", "Right! And now?")
        case Progress.OPEN:
            color = game.color_to_move(attempt.state)
            return Text(f"Du bist am Zug ({color.de}).", f"Your move ({color.en}).")
        case Progress.WRONG if answer.still_wins:
            return Text(
                "Die Engine gewinnt auch so. Gesucht ist aber ein Zug, der schneller und sicher gewinnt.",
                "The engine wins that way, too. But there is a move that wins sooner and for sure.",
            )
        case Progress.WRONG if answer.move is not None:
            de, en = (words.move_text(game, attempt.state, answer.move, language) for language in ("de", "en"))
            return Text(f"So nicht! Die Antwort ist: {de}.", f"Not this one! The answer is: {en}.")
    return Text("So gewinnst du nicht.", "This does not win.")


def _rows(attempt: Attempt, answer: Refutation, language: Language) -> list[dict[str, Any]]:
    """The moves so far, in notation and in words."""
    game, states = attempt.puzzle.game, attempt.states
    states = states if answer.move is None else (*states, answer.state)
    moves = [after.last_move for after in states[1:]]
    return [
        {
            "text": game.notation.format_move(before, move),
            "words": words.move_text(game, before, move, language),
            "own": before.to_move is states[0].to_move,
        }
        for before, move in zip(states, moves, strict=False)
    ]


# --- moves ------------------------------------------------------------------------------------------------------------


async def make_move(request: Request) -> Response:
    """A move of the solver: two squares, a tile and its place, a pass, or notation. Answers what came of it."""
    puzzle, language, app = _puzzle(request), language_of(request), web_app_of(request)

    async def play(form: Mapping[str, Any]) -> tuple[str, PageUpdate]:
        stream = PuzzleStream.of(str(form.get("stream", "")))
        attempt = _attempt(puzzle, str(form.get("line", "")))
        if attempt.progress is not Progress.OPEN:
            raise Refused("Dieser Versuch ist schon zu Ende.", "This attempt is already over.")
        after = attempt.play(legal_move(puzzle.game, attempt.state, form))
        if after.progress is Progress.SOLVED:
            note_achieved(request, "puzzle", puzzle.game.key, puzzle.id)
        update = await _update(app, after, stream, language)
        if update.play is not None and update.play["ply"] > len(attempt.states):
            update = replace(_own_move_update(after, attempt, language), puzzle=update.puzzle, reply=update)
        return f"/puzzles/{puzzle.id}/{_line(after)}?stream={stream}", update

    return await answer_move(request, f"/puzzles/{puzzle.id}", play)


def _position(request: Request) -> tuple[AnyGame, Any]:
    attempt = _attempt(_puzzle(request), request.query_params.get("line", ""))
    return attempt.puzzle.game, attempt.state


try_move = try_page(_position)


# --- the solution -----------------------------------------------------------------------------------------------------


async def solution_page(request: Request) -> Response:
    """The solution after so many of its moves, with the next one drawn on the board."""
    puzzle, ply, language = _puzzle(request), request.path_params["ply"], language_of(request)
    stream = PuzzleStream.of(request.query_params.get("stream", ""))
    if ply > len(puzzle.solution):
        raise PageError(404, Text("So lang ist die Lösung nicht.", "The solution is not that long."), _BACK)
    game, line, look = puzzle.game, puzzle.line, Look(flipped=_flipped(puzzle))
    shown, team = line.states[ply], line.first_state.to_move
    if ply < len(line.plies):
        look = boards.move_look(game, shown, line.plies[ply].move, look)
    rows = [
        {
            "text": played.text,
            "words": words.move_text(game, played.before, played.move, language),
            "own": played.team is team,
        }
        for played in line.plies
    ]
    return respond(
        request,
        "puzzles/solution.html",
        puzzle=puzzle,
        game=game,
        stream=stream,
        board=boards.board(game, shown, look=look),
        rows=rows,
        ply=ply,
        data={"id": puzzle.id, "progress": "shown", "day": None},
    )


PAGES = (
    Page("/puzzles/{id}", puzzle_page, Access.GUEST),
    Page("/puzzles/{id}/move", make_move, Access.GUEST, "POST"),
    Page("/puzzles/{id}/try", try_move, Access.GUEST),
    Page("/puzzles/{id}/solution/{ply:int}", solution_page, Access.GUEST),
    Page("/puzzles/{id}/{line}", puzzle_page, Access.GUEST),
)
