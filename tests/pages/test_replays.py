"""Games packed for pages without a server: every picture comes out as it was drawn."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.game import Look, Team, random_game
from spielleiter.pages.boards import strict_svg
from spielleiter.pages.replays import Replay, ReplayMove, pack
from tests.support.volumes import unpack


@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
def test_packed_pictures_are_those_of_the_game(key: str) -> None:
    game = games.load(key)
    replays = {seed: Replay(tuple(random_game(game.new_state(Random(seed)), Random(seed)))[:12]) for seed in (1, 2)}
    unpacked = unpack(pack(replays.items(), game))
    for id_, replay in replays.items():
        assert unpacked[str(id_)]["pictures"] == [strict_svg(game.draw(state, Look())) for state in replay.states]


def test_moves_and_their_times_are_packed_too() -> None:
    game = games.load("piranhas-2026")
    replay = Replay((game.new_state(Random(0)),), (ReplayMove(Team.ONE, "A4-C4", 0.5), ReplayMove(Team.TWO, "x", None)))
    assert unpack(pack([("g", replay)], game))["g"]["moves"] == [["A4-C4", 0.5], ["x", None]]


def test_a_packed_game_is_small() -> None:
    game = games.load("blokus-2027")
    replay = Replay(tuple(random_game(game.new_state(Random(3)), Random(3))))
    assert len(pack([(1, replay)], game)) < 40_000
