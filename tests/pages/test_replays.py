"""Games packed for pages without a server: every picture comes out as it was drawn."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from spielleiter import games
from spielleiter.game import Look, random_game
from spielleiter.pages.boards import strict_svg
from spielleiter.pages.replays import pack, read_or_last
from tests.support.histories import history_of
from tests.support.volumes import unpack


@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
def test_packed_pictures_are_those_of_the_game(key: str) -> None:
    game = games.load(key)
    replays = {seed: history_of(list(random_game(game.new_state(Random(seed)), Random(seed)))[:12]) for seed in (1, 2)}
    unpacked = unpack(pack(replays.items(), game))
    for id_, replay in replays.items():
        assert unpacked[str(id_)]["pictures"] == [strict_svg(game.draw(state, Look())) for state in replay.states]


def test_moves_and_their_times_are_packed_too() -> None:
    game = games.load("piranhas-2026")
    history = history_of(list(random_game(game.new_state(Random(0)), Random(0)))[:3])
    first, second = history.moves
    history = replace(history, moves=(first, replace(second, timing=None)))
    assert unpack(pack([("g", history)], game))["g"]["moves"] == [[first.text, 0.5], [second.text, None]]


def test_a_record_that_cannot_be_replayed_is_shown_by_its_last_position() -> None:
    game = games.load("piranhas-2026")
    history = history_of(list(random_game(game.new_state(Random(0)), Random(0)))[:4])
    final = game.notation.format_state(history.state)
    assert read_or_last(lambda: history, game, final).states == history.states
    broken = replace(history, moves=history.moves[1:])
    assert read_or_last(lambda: broken, game, final).states == (history.state,)
    assert read_or_last(None, game, final).states == (history.state,)


def test_a_packed_game_is_small() -> None:
    game = games.load("blokus-2027")
    replay = history_of(list(random_game(game.new_state(Random(3)), Random(3))))
    assert len(pack([(1, replay)], game)) < 40_000
