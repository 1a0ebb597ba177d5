"""The same match on a Dask cluster with real worker processes, one of which is killed in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.matches.match import Match, Stop
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.results import MatchGame
from tests.support.players import GAME, entrants, program, short_start

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

from spielleiter.matches.cluster import DaskExecutor
from tests.support.waiting import until


def alive(word: bytes) -> list[int]:
    found = []
    for entry in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if word in Path(f"/proc/{entry}/cmdline").read_bytes():
                found.append(int(entry))
        except OSError:
            continue
    return found


def worker_of(pid: int) -> int:
    """The worker process above a player."""
    while b"multiprocessing" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        pid = int(Path(f"/proc/{pid}/status").read_text().split("PPid:")[1].split()[0])
        assert pid > 1
    return pid


def test_a_killed_worker_costs_no_game_and_leaves_no_process(tmp_path: Path) -> None:
    slow = program(tmp_path, "sluggish", asked="time.sleep(0.25)")
    plan = MatchPlan(
        game=GAME, entrants=entrants(slow, program(tmp_path, "other")), games=10,
        openings=Openings(positions=(short_start()[0],)),
    )  # fmt: skip
    killed: list[int] = []

    async def run() -> tuple[MatchGame, ...]:
        async with DaskExecutor("local:2", sandbox="auto") as executor:

            async def kill_one() -> None:
                found = await until(lambda: alive(b"sluggish.py"))
                killed.append(worker_of(found[0]))
                os.kill(killed[0], signal.SIGKILL)

            match = Match(plan, tmp_path, executor)
            killer = asyncio.create_task(kill_one())
            end = await match.run()
            await killer
            assert end.stop is Stop.COMPLETE
            return end.rows

    rows = asyncio.run(run())
    assert killed
    assert len({row.id for row in rows}) == len(rows) == 10
    assert all(side.fault is None for row in rows for side in row.sides)
    assert alive(b"sluggish.py") == []
    assert all((tmp_path / row.record).stat().st_size for row in rows)


def test_a_scheduler_that_is_not_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.matches.cluster.CONNECT_TIMEOUT", 0.5)

    async def run() -> None:
        async with DaskExecutor("tcp://127.0.0.1:9"):
            pass

    with pytest.raises(SettingsError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        asyncio.run(run())
    with pytest.raises(SettingsError, match="number of workers"):
        asyncio.run(_enter("local:many"))


async def _enter(address: str) -> None:
    async with DaskExecutor(address):
        pass
