from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter import players
from spielleiter.errors import UnknownPlayer
from spielleiter.game import AnyGame
from spielleiter.games import all_games
from spielleiter.players import BUILT_IN
from tests.support.rule_sets import each_game


def test_the_five_named_players_are_there_the_weaker_ones_first() -> None:
    assert list(BUILT_IN)[:5] == ["random", "greedy", "student", "solid", "explorer"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_name_gives_a_player_and_says_how_it_plays(name: str) -> None:
    assert hasattr(players.load(name), "choose")
    text = BUILT_IN[name].text
    assert text.de
    assert text.en


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "studant",
            "called 'studant': did you mean student\\? expected one of random, greedy, student, solid, explorer",
        ),
        ("zzz", "called 'zzz': expected one of random, "),
        ("", "called '': expected one of random, "),
        ("Student", "did you mean student"),
        ("student:deth=3", "no option 'deth': did you mean depth\\? expected one of depth, seed"),
        ("random:depth=3", "random has no option 'depth': expected one of seed"),
        ("student:depth", "needs a whole number for depth, as in student:depth=3, but got ''"),
        ("student:depth=x", "needs a whole number for depth.*got 'x'"),
        ("student:depth=-1", "needs a whole number for depth.*got '-1'"),
        ("student:seed=" + "9" * 5000, "needs a whole number for seed"),
        ("student:depth=0", "needs a whole number for depth.*got '0'"),
        ("solid:nodes=10,depth=", "needs a whole number for depth"),
    ],
)
def test_a_wrong_name_is_reported_with_what_is_known(name: str, message: str) -> None:
    with pytest.raises(UnknownPlayer, match=message):
        players.load(name)


def test_options_stand_behind_the_name() -> None:
    game = all_games()["ostseeschach-2022"]
    player: Any = players.load("student:depth=3,seed=0")
    player.choose(game.new_state(Random(1)), 60)
    assert player.last.depth == 3


@pytest.mark.slow
@each_game
@pytest.mark.parametrize(
    "name", ["random:seed=5", "greedy:seed=5", "student:seed=5", "solid:nodes=60,seed=5", "explorer:nodes=60,seed=5"]
)
def test_with_a_seed_a_player_repeats_itself(game: AnyGame, name: str) -> None:
    def moves() -> list[object]:
        player, state = players.load(name), game.new_state(Random(2))
        played: list[object] = []
        while state.outcome is None and len(played) < 6:
            played.append(player.choose(state, 600))
            state = state.play(played[-1])  # Checked: the move is legal.
        return played

    assert moves() == moves()


def test_without_a_seed_random_plays_differently() -> None:
    game = all_games()["piranhas-2026"]
    state = game.new_state(Random(2))
    assert len({players.load("random").choose(state, 1) for _ in range(50)}) > 1
