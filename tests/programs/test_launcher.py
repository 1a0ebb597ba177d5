"""The launcher: programs in a sandbox that meet a game master, whatever the level."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.game import Cause
from spielleiter.programs.entrants import contest_arguments, resolve, with_python
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import Level
from spielleiter.server import GameMaster, MasterSettings
from tests.support.hostile import works
from tests.support.players import GAME, program, short_start
from tests.support.waiting import until

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux"),
]
levels = pytest.mark.parametrize("level", tuple(Level), ids=lambda level: level.value)


@levels
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_two_programs_meet_at_the_game_master(level: Level, host: str, tmp_path: Path) -> None:
    works(level)
    entrants = [resolve(str(program(tmp_path, name))) for name in ("ada", "bob")]
    game = games.load(GAME)

    async def play() -> None:
        async with asyncio.timeout(60), GameMaster(MasterSettings(host=host, port=0)) as master:
            launcher = Launcher(master, level)
            room = master.open_room(game, start=game.notation.parse_state(short_start()[0]))
            processes = [
                await launcher.start(entrant, contest_arguments(code), cores=())
                for entrant, code in zip(entrants, room.codes, strict=True)
            ]
            for process in processes:
                process.go()
            ended = await room.ended
            for process in processes:
                await process.wait()
                assert (await launcher.stop(process)).code == 0
            assert {team.cause for team in ended.result.teams} == {Cause.REGULAR}

    asyncio.run(play())


@levels
def test_stopping_is_idempotent_and_survives_a_cancelled_caller(level: Level, tmp_path: Path) -> None:
    works(level)
    sleeper = replace(resolve(str(program(tmp_path, "sleeper", before="time.sleep(60)"))), name="sleeper")

    async def play() -> None:
        async with asyncio.timeout(60), GameMaster(MasterSettings(port=0)) as master:
            launcher = Launcher(master, level)
            process = await launcher.start(sleeper, ())
            process.go()
            hasty = asyncio.create_task(launcher.stop(process))
            await asyncio.sleep(0)
            hasty.cancel()
            first, second = await asyncio.gather(launcher.stop(process), launcher.stop(process))
            assert first is second
            assert first.code is None
            assert not process.running

    asyncio.run(play())


def test_looking_for_the_python_of_a_program_holds_up_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin" / "python3.48"
    slow.parent.mkdir()
    asked, go = tmp_path / "asked", tmp_path / "go"
    answer = f'[3, 48, "{slow}", "{slow.parent}", "{slow.parent}"]'
    slow.write_text(f"#!/bin/sh\ntouch {asked}\nwhile [ ! -e {go} ]; do sleep 0.05; done\necho '{answer}'\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")
    entrant = with_python(resolve(str(program(tmp_path, "ada"))), "3.48")

    async def play() -> None:
        async with asyncio.timeout(60), GameMaster(MasterSettings(port=0)) as master:
            launcher = Launcher(master, Level.NONE)
            starting = asyncio.create_task(launcher.start(entrant, ()))
            await until(asked.exists)
            assert not starting.done()
            go.touch()  # As long as it is looked for, everything else goes on.
            await launcher.stop(await starting)

    asyncio.run(play())
