"""The puzzles that the games bring: enough of them, no two alike, right by an independent search, one for each day."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import product

import pytest

from bench.puzzles import RECIPES, TO_THE_END, canonical, why_wrong
from spielleiter import games
from spielleiter.puzzles import Difficulty, Puzzle, all_puzzles, daily_puzzle, find_puzzle

PUZZLES = list(all_puzzles().values())
PROOF_NODES = 12_000
"""Of a sample that is proved in every run of the tests; ``python -m bench.puzzles --verify`` proves all."""
KEYS = sorted(RECIPES)


def test_every_family_with_puzzles_has_a_hundred_easy_and_harder_ones() -> None:
    assert {game.key for game in games.seasons()} >= set(RECIPES)  # A game may do without.
    assert Counter(puzzle.game.key for puzzle in PUZZLES) == {key: made.number for key, made in RECIPES.items()}
    families = Counter(puzzle.game.family for puzzle in PUZZLES)
    assert min(families.values()) >= 100
    there = {(puzzle.game.family, puzzle.difficulty) for puzzle in PUZZLES}
    assert there >= set(product(families, (Difficulty.EASY, Difficulty.MEDIUM)))


def test_no_position_comes_twice_even_turned_or_mirrored() -> None:
    assert len({canonical(puzzle.position) for puzzle in PUZZLES}) == len(PUZZLES)


def test_a_mirrored_and_turned_board_is_the_same_board() -> None:
    board = "ostseeschach-2022 1r+1mh3/3R1ssm/8/8/8/8/8/SM1H1MR1 0-0 30"
    mirrored = "ostseeschach-2022 3hm1r+1/mss1R3/8/8/8/8/8/1RM1H1MS 0-0 12"
    other = "ostseeschach-2022 3hm1r1/mss1R3/8/8/8/8/8/1RM1H1MS 0-0 12"
    assert canonical(board) == canonical(mirrored) != canonical(other)


def test_every_solution_is_legal_and_begins_and_ends_with_the_solver() -> None:
    for puzzle in PUZZLES:
        state, movers = puzzle.start, []
        for text in puzzle.solution:
            movers.append(state.to_move)
            state = state.play(puzzle.game.notation.parse_move(state, text))
        assert movers[0] is movers[-1] is puzzle.start.to_move, puzzle.position
        assert 1 <= puzzle.own_moves <= 4
        assert state.outcome is None or state.outcome.winner is puzzle.start.to_move


@pytest.mark.parametrize("key", KEYS)
def test_a_sample_of_each_rule_set_holds_by_exhaustive_search(key: str) -> None:
    sample = [puzzle for puzzle in PUZZLES if puzzle.game.key == key]
    # The latest endings of Blokus, and the shortest wins elsewhere: the others take minutes.
    sample.sort(key=lambda puzzle: (puzzle.plies, -puzzle.start.turn if puzzle.plies == TO_THE_END else 0, puzzle.id))
    for puzzle in sample[:4]:
        assert why_wrong(puzzle, PROOF_NODES) is None, puzzle.position


def test_a_wrong_solution_is_noticed() -> None:
    puzzle = min(PUZZLES, key=lambda puzzle: (puzzle.plies, puzzle.id))
    right = puzzle.game.notation.parse_move(puzzle.start, puzzle.solution[0])
    wrong = next(move for move in puzzle.start.legal_moves() if move != right)
    text = puzzle.game.notation.format_move(puzzle.start, wrong)
    false = Puzzle(game=puzzle.game, position=puzzle.position, plies=puzzle.plies, nodes=64, solution=(text,))
    assert why_wrong(false, PROOF_NODES) == f"{text} does not win within {puzzle.plies} moves"


def test_a_puzzle_is_read_as_it_was_written_and_found_by_its_id() -> None:
    for puzzle in PUZZLES[:5]:
        assert Puzzle.of_line(puzzle.to_line()) == puzzle
        assert find_puzzle(puzzle.id) == puzzle
    assert find_puzzle("nonsense") is None


def test_each_day_has_its_puzzle_and_all_have_a_day_before_one_returns() -> None:
    first = date(2026, 11, 16)
    days = [daily_puzzle(first + timedelta(days=number)) for number in range(len(PUZZLES))]
    assert daily_puzzle(first) == daily_puzzle(date(2026, 11, 16))
    assert len({puzzle.id for puzzle in days if puzzle}) == len(PUZZLES)
