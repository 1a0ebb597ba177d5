"""Whole games over real sockets, played by programs that share no code with the package."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from spielleiter.game import AnyGame
from spielleiter.records.reference import read_recorded_games
from spielleiter.server import GameMaster, MasterSettings

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
CLIENT = Path(__file__).parents[1] / "support" / "minimal_client.py"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


def moves_of(game: AnyGame, data: Any) -> tuple[Any, list[dict[int, str]]]:
    """The start of a recorded game, and the moves of each side by turn."""
    state = start = game.recordings.start(data)
    sides: list[dict[int, str]] = [{}, {}]
    for text in data["moves"]:
        sides[state.to_move][state.turn] = text
        state = state.play(game.recordings.move(state, text))
    return start, sides


async def play(master: GameMaster, year: int, code: str, moves: dict[int, str]) -> dict[str, Any]:
    host, port = master.address
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(CLIENT), host, str(port), code, str(year),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate(json.dumps(moves).encode())
    assert process.returncode == 0, err.decode()
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_recorded_game_ends_over_the_network_as_it_did_on_the_reference_server(path: Path) -> None:
    recorded = next(islice((game for game in read_recorded_games(path) if len(game.data["moves"]) > 20), 3, None))
    game = recorded.load_game()

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, official=True)) as master:
            start, sides = moves_of(game, recorded.data)
            room = master.open_room(game, names=("Ada", "Bob"), start=start)
            results = await asyncio.gather(
                *(play(master, game.year, code, moves) for code, moves in zip(room.codes, sides, strict=True))
            )
            end = recorded.data["end"]
            expected = {"winner": end["winner"], "scores": [end["scores"]["ONE"], end["scores"]["TWO"]]}
            assert results == [expected, expected]
            ended = await room.ended
            assert ended.result.regular
            assert ended.state.turn == end["turn"]

    asyncio.run(run())
