"""Blokus as the recordings of the reference servers write it, and what they tell beside legal moves and results."""

from __future__ import annotations

from itertools import pairwise

import pytest

from spielleiter import games
from spielleiter.games.blokus import BlokusEnd, Color, Pass, Place, Rotation, Shape
from tests.support.blokus_positions import in_corners, recorded, start, states


def test_a_recorded_move_is_read_with_its_name() -> None:
    recordings = games.load("blokus-2021-official").recordings
    assert recordings.move(start(), "RED SKIP") == Pass(Color.RED)
    read = recordings.move(start(), "YELLOW PENTO_I MIRROR true 3,14")
    assert read == Place(Color.YELLOW, Shape.PENTO_I, Rotation.NONE, False, 3, 14)
    assert (read.rotation, read.flipped) == (Rotation.MIRROR, True)


@pytest.mark.parametrize(
    "text", ["RED", "RED SKIP 3,4", "PINK SKIP", "RED PENTO_I NONE maybe 3,4", "RED MONO NONE true 3"]
)
def test_a_damaged_move_is_an_error(text: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        games.load("blokus-2021-official").recordings.move(start(), text)


def test_the_legal_moves_are_written_by_their_squares_and_without_the_pass() -> None:
    moves = games.load("blokus-2021").recordings.canonical_moves(in_corners())
    assert len(moves) == len(in_corners().legal_moves()) - 1
    assert "BLUE MONO 3,1" in moves
    assert "BLUE PENTO_U 3,1 5,1 3,2 4,2 5,2" in moves


@pytest.mark.parametrize("year", [2021, 2027])
def test_r13_colors_are_skipped_and_go_out_when_the_server_said_so(year: int) -> None:
    for data in recorded(year):
        skipped: list[int] = []
        gone: list[list[int | str]] = []
        for ply, (before, after) in enumerate(pairwise(states(f"blokus-{year}-official", data))):
            # When the last colour goes out, the turn stays there, and that turn counts as skipped.
            passed_over = range(before.turn + 1, after.turn + (after.still_in == 0))
            skipped += passed_over
            for color in before.colors_in:
                if color not in after.colors_in:
                    turn = next(turn for turn in passed_over if turn % 4 == color)
                    # The recordings of 2021 name the turn at which a colour went out, those of 2027 the move before.
                    gone.append([turn if year == 2021 else ply, color.name])
        assert skipped == data["skipped"]
        assert gone == data["removed"]


@pytest.mark.parametrize("year", [2021, 2027])
def test_r15_the_document_ends_a_game_with_the_round_in_which_a_color_has_finished(year: int) -> None:
    finished_games = 0
    for data in recorded(year):
        round_over = None
        for before, after in pairwise(states(f"blokus-{year}", data)):
            if 0 in after.hands and round_over is None:
                round_over = before.turn - before.turn % 4 + 4
                finished_games += 1
            is_finished = round_over is not None and after.turn >= round_over and after.still_in != 0
            assert is_finished == (after.outcome is not None and after.outcome.reason is BlokusEnd.FINISHED)
    assert finished_games > 5
