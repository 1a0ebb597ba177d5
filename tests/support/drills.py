"""A drill of two exercises that the programs of ``tests.support.players`` solve, and how to make them fail."""

from __future__ import annotations

from typing import Any

from spielleiter import games
from spielleiter.coach.drill import Drill, Exercise
from tests.support.players import GAME, short_start


def _states() -> tuple[Any, Any]:
    """The position that the programs know, and the one after their first move."""
    game = games.load(GAME)
    text, moves = short_start()
    first = game.notation.parse_state(text)
    return first, first.play(_known_move(first, moves))


def _known_move(state: Any, moves: dict[int, str]) -> Any:
    """The move that the programs play there."""
    write = games.load(GAME).codec.write_move
    return next(move for move in state.legal_moves() if write(move) == moves[state.turn])


def short_drill() -> Drill:
    """One exercise for each side."""
    game, (_, moves) = games.load(GAME), short_start()
    exercises = [
        Exercise(
            position=game.notation.format_state(state),
            acceptable=(game.notation.format_move(state, _known_move(state, moves)),),
            source="records/short.jsonl",
            ply=ply,
            played="A1-A2",
            loss=0.5,
        )
        for ply, state in enumerate(_states(), 1)
    ]
    return Drill(game=GAME, player="pupil", exercises=tuple(exercises))


def wrong_move() -> str:
    """Code for a program, at its ``asked``: another legal move in the first exercise."""
    game, (_, moves) = games.load(GAME), short_start()
    first = _states()[0]
    other = next(move for move in first.legal_moves() if move != _known_move(first, moves))
    return f"if turn == {first.turn}: move = {game.codec.write_move(other)!r}"
