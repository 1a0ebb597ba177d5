"""Attempts at puzzles: right moves are answered, wrong ones end them, and a line of numbers replays them."""

from __future__ import annotations

from typing import Any

import pytest

from spielleiter.errors import Refused
from spielleiter.puzzles import Attempt, Progress, Puzzle, all_puzzles

LONG = next(puzzle for puzzle in all_puzzles().values() if len(puzzle.solution) == 3)


def solve(puzzle: Puzzle) -> Attempt:
    attempt = Attempt.begin(puzzle)
    while attempt.progress is Progress.OPEN:
        attempt = attempt.play(attempt.right_move)
    return attempt


def wrong_move(attempt: Attempt) -> Any:
    """A move that neither is the right one nor wins at once."""
    team, right = attempt.state.to_move, attempt.state.play(attempt.right_move)
    for move in attempt.state.legal_moves():
        after = attempt.state.play(move)
        if after != right and (after.outcome is None or after.outcome.winner is not team):
            return move
    raise AssertionError("every move is right")


def test_every_puzzle_is_solved_by_its_solution() -> None:
    for puzzle in all_puzzles().values():
        attempt = solve(puzzle)
        assert attempt.progress is Progress.SOLVED
        assert len(attempt.own) == puzzle.own_moves


def test_a_right_move_is_answered_and_the_attempt_goes_on() -> None:
    attempt = Attempt.begin(LONG).play(Attempt.begin(LONG).right_move)
    assert attempt.progress is Progress.OPEN
    assert len(attempt.states) == 3
    assert attempt.state.to_move is LONG.start.to_move


def test_a_wrong_move_ends_the_attempt() -> None:
    attempt = Attempt.begin(LONG)
    after = attempt.play(wrong_move(attempt))
    assert after.progress is Progress.WRONG
    assert len(after.states) == 2


def test_a_second_move_that_wins_at_once_solves_the_puzzle_too() -> None:
    found = 0
    for puzzle in all_puzzles().values():
        attempt = Attempt.begin(puzzle)
        while attempt.progress is Progress.OPEN:
            team = attempt.state.to_move
            for move in attempt.state.legal_moves():
                outcome = attempt.state.play(move).outcome
                if outcome is not None and outcome.winner is team:
                    found += 1
                    assert attempt.play(move).progress is Progress.SOLVED
            attempt = attempt.play(attempt.right_move)
        if found > 20:
            return
    assert found


def test_an_attempt_is_replayed_from_the_places_of_its_moves() -> None:
    solved = solve(LONG)
    again = Attempt.replay(LONG, solved.own)
    assert again.states == solved.states
    assert again.progress is Progress.SOLVED


@pytest.mark.parametrize("own", [(9999,), (0, 0, 0, 0, 0)])
def test_moves_that_cannot_have_been_played_are_refused(own: tuple[int, ...]) -> None:
    with pytest.raises(Refused):
        Attempt.replay(LONG, own)
