"""Many games of all seasons at once, each verified from its record; the long form is soak/memory.py."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spielleiter import games
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from spielleiter.server import GameMaster, MasterSettings
from tests.support.scripted import SEASONS, Script, scripted_player, scripts


def test_a_hundred_games_of_all_seasons_at_once_are_all_whole_and_right(tmp_path: Path) -> None:
    plan = [script for key in SEASONS for script in scripts(key, 20)]

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, official=True, records=tmp_path)) as master:

            async def play(script: Script) -> None:
                game, start = games.parse_position(script.start)
                room = master.open_room(game, names=("Ada", "Bob"), start=start)
                players = zip(room.codes, script.moves, strict=True)
                await asyncio.gather(*(scripted_player(master.address, code, moves) for code, moves in players))
                assert (await room.ended).result.regular

            await asyncio.gather(*map(play, plan))
            assert not master.lobby.rooms
        assert master.metrics.connections == 0

    asyncio.run(run())
    records = [open_any(path) for path in tmp_path.glob("*.jsonl")]
    assert len(records) == len(plan)
    for record in records:
        assert verify_record(record).findings == (), record.place
        assert all(move.timing is not None for move in record.moves)
