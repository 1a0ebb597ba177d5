"""Puzzles: which follow one another, what a page shows of one, and what became of the moves that were tried."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Self

from spielleiter import games
from spielleiter.errors import PageError, Refused, UnknownGame
from spielleiter.game import AnyGame, Language, Look, Team, Text
from spielleiter.pages import boards, words
from spielleiter.pages.board_input import input_data, legal_move
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.puzzles import Attempt, Difficulty, Progress, Puzzle, all_puzzles, daily_puzzle

_ALL = "all"
_CHOOSE = Text("Wähle unter „Rätsel“ ein Spiel und eine Stufe.", "Choose a game and a difficulty under 'Puzzles'.")
_LINE = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){0,9}")
BACK = Text("Beginne das Rätsel von vorn.", "Start the puzzle again.")


@dataclass(frozen=True, slots=True)
class PuzzleStream:
    """The puzzles of a game and a difficulty; ``None`` stands for all of them."""

    game: AnyGame | None = None
    difficulty: Difficulty | None = None

    @classmethod
    def of(cls, text: str) -> Self:
        """The stream that an address names, as ``piranhas-2026.hard``; all if it names none. Raises ``PageError``."""
        key, _, level = (text or f"{_ALL}.{_ALL}").partition(".")
        try:
            game = None if key == _ALL else games.load(key)
            difficulty = None if level == _ALL else Difficulty(level)
        except UnknownGame as unknown:
            raise PageError(404, Text("Dieses Spiel gibt es nicht.", "There is no such game."), unknown.text) from None
        except ValueError:
            raise PageError(404, Text("Diese Stufe gibt es nicht.", "There is no such difficulty."), _CHOOSE) from None
        return cls(game, difficulty)

    def __str__(self) -> str:
        return f"{self.game.key if self.game else _ALL}.{self.difficulty.value if self.difficulty else _ALL}"

    def puzzles(self) -> list[Puzzle]:
        """Its puzzles in their order."""
        return [
            puzzle
            for puzzle in all_puzzles().values()
            if self.game in (None, puzzle.game) and self.difficulty in (None, puzzle.difficulty)
        ]

    def after(self, identifier: str) -> Puzzle:
        """The puzzle that follows the one with this id, after the last one the first. Raises ``PageError``."""
        found = self.puzzles()
        if not found:
            nothing = Text("Dafür gibt es noch keine Rätsel.", "There are no puzzles of this kind yet.")
            raise PageError(404, nothing, _CHOOSE)
        places = {puzzle.id: place for place, puzzle in enumerate(found)}
        return found[(places.get(identifier, -1) + 1) % len(found)]


def game_rows() -> list[tuple[AnyGame, list[PuzzleStream]]]:
    """The games that have puzzles, the newest first, with their streams."""
    known = sorted(games.all_games().values(), key=lambda game: (game.key != games.CURRENT_SEASON, -game.year))
    rows = [(game, [PuzzleStream(game, difficulty) for difficulty in (None, *Difficulty)]) for game in known]
    return [(game, streams) for game, streams in rows if streams[0].puzzles()]


@dataclass(frozen=True, slots=True)
class Refutation:
    """What the opponent answers to a wrong move."""

    state: Any
    """After the answer."""
    move: Any
    """``None`` where there is no answer: the game is over, or there is no engine."""
    still_wins: bool = False
    """The engine sees a win after the wrong move, too: the puzzle is not as clear as it should be."""


def find_attempt(puzzle: Puzzle, line: str) -> Attempt:
    """The attempt that ``line`` names. Raises ``Refused``."""
    if line and not _LINE.fullmatch(line):
        raise Refused("Diese Zugfolge gibt es in dem Rätsel nicht.", "The puzzle has no such moves.")
    return Attempt.replay(puzzle, [int(place) for place in line.split(".") if place])


def line_of(attempt: Attempt) -> str:
    """The solver's moves as an address names them."""
    return ".".join(map(str, attempt.own))


def unanswered(attempt: Attempt) -> Refutation:
    """No answer: the attempt goes on, or there is no engine."""
    return Refutation(attempt.state, None)


def page_context(attempt: Attempt, answer: Refutation, stream: PuzzleStream, language: Language) -> dict[str, Any]:
    """What the page of a puzzle shows."""
    puzzle = attempt.puzzle
    return {
        "puzzle": puzzle,
        "game": puzzle.game,
        "stream": stream,
        "update": update(attempt, answer, stream, language),
        "line": line_of(attempt),
        "task": _task(puzzle).to(language),
        "input_kind": boards.input_kind(puzzle.game),
        "example": puzzle.game.notation.format_move(puzzle.start, puzzle.start.legal_moves()[0]),
    }


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


def update(attempt: Attempt, answer: Refutation, stream: PuzzleStream, language: Language) -> PageUpdate:
    """The parts of the page that change with a move, and the possible moves as data."""
    puzzle, game = attempt.puzzle, attempt.puzzle.game
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
            "address": f"/puzzles/{puzzle.id}/{line_of(attempt)}?stream={stream}".replace("/?", "?"),
        },
        play={
            "position": {"line": line_of(attempt), "stream": str(stream)},
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


def play(puzzle: Puzzle, form: Mapping[str, Any]) -> tuple[Attempt, Attempt]:
    """The attempt of a form, before and after its move. Raises ``Refused``."""
    attempt = find_attempt(puzzle, str(form.get("line", "")))
    if attempt.progress is not Progress.OPEN:
        raise Refused("Dieser Versuch ist schon zu Ende.", "This attempt is already over.")
    return attempt, attempt.play(legal_move(puzzle.game, attempt.state, form))


def move_update(
    before: Attempt, after: Attempt, answer: Refutation, stream: PuzzleStream, language: Language
) -> PageUpdate:
    """What changes with a move, and what follows it a moment later."""
    found = update(after, answer, stream, language)
    if found.play is None or found.play["ply"] <= len(before.states):
        return found
    return replace(_own_move_update(after, before, language), puzzle=found.puzzle, reply=found)


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


def solution_context(puzzle: Puzzle, ply: int, stream: PuzzleStream, language: Language) -> dict[str, Any]:
    """What the page of a solution shows after so many of its moves, with the next one drawn on the board."""
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
    return {
        "puzzle": puzzle,
        "game": game,
        "stream": stream,
        "board": boards.board(game, shown, look=look),
        "rows": rows,
        "ply": ply,
        "data": {"id": puzzle.id, "progress": "shown", "day": None},
    }
