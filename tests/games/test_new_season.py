"""Next year's game is one new folder: nothing else is edited, and everything already knows it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games, rl
from spielleiter.game import AnyGame, perft
from spielleiter.game.conformance import check_lesson, check_random_game
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from spielleiter.server import GameMaster, MasterSettings
from tests.support.raw import Raw, winner

FOLDER = Path(__file__).parent / "new_season"


@pytest.fixture
def tictactoe(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyGame]:
    """The toy game, put beside the real ones."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(FOLDER)])
    games.all_games.cache_clear()
    yield games.load("tictactoe-2028")
    games.all_games.cache_clear()


def test_it_is_found_and_keeps_the_laws(tictactoe: AnyGame) -> None:
    assert "tictactoe-2028" in games.all_games()
    for seed in range(20):
        check_random_game(tictactoe, seed)
    check_lesson(tictactoe)
    assert [perft(tictactoe.new_state(Random(0)), depth) for depth in (1, 2, 3, 5, 6)] == [9, 72, 504, 15120, 54720]
    assert games.parse_position("tictactoe-2028 XO.......")[1].to_move.name == "ONE"


def test_it_is_an_environment_for_learning(tictactoe: AnyGame) -> None:
    env: Any = rl.env("tictactoe-2028")
    env.reset()
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    assert env.rewards == {"ONE": 1.0, "TWO": -1.0}
    assert env.observe("TWO")["observation"].tolist() == [
        [[0, 0, 0], [1, 1, 0], [0, 0, 0]],
        [[1, 1, 1], [0, 0, 0], [0, 0, 0]],
    ]


def test_it_is_played_over_the_network_and_recorded(tictactoe: AnyGame, tmp_path: Path) -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=tmp_path)) as master:
            one, two = await Raw.connect(master.address), await Raw.connect(master.address)
            for player in (one, two):
                await player.send('<join gameType="swc_2028_tictactoe"/>')
                await player.wait_for("joined")
            for number, cell in enumerate([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]):
                player = (one, two)[number % 2]
                room = (await player.wait_for("moveRequest")).attrib["roomId"]
                await player.send(f'<room roomId="{room}"><data class="move" x="{cell[0]}" y="{cell[1]}"/></room>')
            assert winner(await two.wait_for("result")) == "ONE"
            for player in (one, two):
                await player.close()

    asyncio.run(run())
    [path] = tmp_path.glob("*.jsonl")
    assert verify_record(open_any(path)).findings == ()
