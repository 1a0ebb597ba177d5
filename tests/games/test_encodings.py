"""Laws of the numbers that learning programs see, for every game found."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import numpy as np
import pytest

from spielleiter import games
from spielleiter.game import TEAMS, AnyGame, random_game
from tests.support.rule_sets import each_game


@each_game
def test_every_legal_move_has_a_number_of_its_own(game: AnyGame) -> None:
    encoding = game.encoding
    for state in random_game(game.new_state(Random(1)), Random(1)):
        moves = state.legal_moves()
        numbers = [encoding.action(state, move) for move in moves]
        assert len(set(numbers)) == len(moves)
        assert [encoding.move(state, number) for number in numbers] == list(moves)
        assert all(0 <= number < encoding.actions for number in numbers)


@each_game
def test_every_number_names_a_move_that_has_this_number(game: AnyGame) -> None:
    start = game.new_state(Random(1))
    for state in (start, start.play(start.legal_moves()[0])):
        for number in range(game.encoding.actions):
            assert game.encoding.action(state, game.encoding.move(state, number)) == number


@each_game
def test_planes_are_whole_and_within_their_bounds(game: AnyGame) -> None:
    rows, columns = game.encoding.size
    planes = game.encoding.planes
    greatest = [0] * len(planes)
    for seed in range(2):
        for state in random_game(game.new_state(Random(seed)), Random(seed)):
            for team in TEAMS:
                seen = game.encoding.plane_bytes(state, team)
                assert len(seen) == len(planes) * rows * columns
                for index in range(len(planes)):
                    number = max(seen[index * rows * columns : (index + 1) * rows * columns])
                    greatest[index] = max(greatest[index], number)
    for plane, number in zip(planes, greatest, strict=True):
        assert number <= plane.highest <= 255, plane
    assert len({plane.text for plane in planes}) == len(planes)


@each_game
def test_positions_that_differ_look_different_to_both_teams(game: AnyGame) -> None:
    states = {state for seed in range(3) for state in random_game(game.new_state(Random(seed)), Random(seed))}
    for team in TEAMS:
        assert len({game.encoding.plane_bytes(state, team) for state in states}) == len(states)


@each_game
def test_the_teams_do_not_see_the_same(game: AnyGame) -> None:
    state = game.new_state(Random(1))
    state = state.play(state.legal_moves()[0])
    one, two = (game.encoding.plane_bytes(state, team) for team in TEAMS)
    assert one != two


@each_game
def test_an_observation_is_an_array_of_planes_rows_and_columns(game: AnyGame) -> None:
    state = game.new_state(Random(1))
    for team in TEAMS:
        seen = game.encoding.observe(state, team)
        assert (seen.dtype, seen.shape) == (np.uint8, (len(game.encoding.planes), *game.encoding.size))
        assert seen.tobytes() == game.encoding.plane_bytes(state, team)
        seen[:] = 7
        assert not (game.encoding.observe(state, team) == 7).all(), "each call makes an array of its own"


TRAINED_ON = [
    (
        "blokus-2021 R18B/RR13B2BB/1R13BB1B1/1R14B1B1/2RRR2R9B2/5RRR9BBB/7R7BB1B1/20/20/20/20/20/17Y2/17Y2/16YY2/"
        "2G2G8YY1Y2/1GGG1G9Y2Y1/1G2GG9YY1Y1/2GG1G12YY/GGG16Y 13 PENTO_S BYRG -",
        "0a4ebd90caf3",
        "62974ae0f2ef",
    ),
    (
        "blokus-2027 13YYR2RR/11YYY2RRR1/8YYY3YY3R/8Y1Y2YYY1RRR/15BBB2/16BB1B/18BB/18B1/18B1/16BB2/16BB2/15B4/14BB4/"
        "9G4B5/7GGG10/7G12/8GGGG8/10G9/7GGG10/9GG9 13 PENTO_S BYRG -",
        "07a530f91cfa",
        "fd45d31cc56d",
    ),
    ("ostseeschach-2022 ms1h2sh/7r/1r2m3/8/8/8/1HS1RS2/2RMH2M 0-0 13", "78dee7d524e1", "f8821c6fead3"),
    (
        "pinguine-2023 21232312/1P1.211./2.1.2..1/2.121P1P/11p1p112/..12.1p2/.1121121/2p3232P2 8-7 13",
        "148f510300d1",
        "33775fc81ed3",
    ),
    ("piranhas-2019 1BBBB3B1/R8R/R3BB3R/4B5/4K4R/RRR4R2/RB1K6/RB5R1R/R6R1R/4BBBBBB 13", "3e7f45cfddf7", "8166dafccfbf"),
    (
        "piranhas-2026 1lm1l1s1ls/L1S6L/L4l1l1L/10/2M4L2/S6S2/L5K3/ss1K2sL1M/S6S1L/3l1msll1 13 -",
        "f77d05e8a9f4",
        "ed3362244897",
    ),
]
"""A position of each season, and digests: all moves in the order of their numbers, and what both teams see."""


@pytest.mark.parametrize(("position", "moves", "planes"), TRAINED_ON, ids=lambda text: text.split()[0])
@pytest.mark.parametrize("rules", ["", "-official"])
def test_what_networks_were_trained_on_stays(position: str, moves: str, planes: str, rules: str) -> None:
    key, rest = position.split(maxsplit=1)
    game, state = games.parse_position(f"{key}{rules} {rest}")
    first = min(game.encoding.action(state, move) for move in state.legal_moves())
    numbered, seen = sha256(), sha256()
    for position_of_team in (state, state.play(game.encoding.move(state, first))):
        for number in range(game.encoding.actions - 1, -1, -7):
            # The wire form of a move is the one that nobody may change.
            numbered.update(game.codec.write_move(game.encoding.move(position_of_team, number)).encode())
        for team in TEAMS:
            seen.update(game.encoding.plane_bytes(position_of_team, team))
    assert (numbered.hexdigest()[:12], seen.hexdigest()[:12]) == (moves, planes)
