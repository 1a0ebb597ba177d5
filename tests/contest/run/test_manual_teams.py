"""Teams that play on their own machines: one reservation for the whole season, and a walkover for who does not come."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.programs import active_entrants, submit
from spielleiter.contest.run.proof import prove
from spielleiter.contest.store import GameRow
from spielleiter.errors import ContestError, SettingsError
from spielleiter.matches import arena
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.entrants import EntrantKind
from spielleiter.programs.sandbox import Level
from tests.support.contest_small_season import found, season_text

TEAMS = ("Ada", "Bob", "Cem")


def text(**players: str) -> str:
    season = season_text(teams=TEAMS, players=players, final=False)
    return season.replace("in_process = true", 'sandbox = "none"\ntime = 20.0')


def start_laptop(host: str, port: int, reservation: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "spielleiter.players", "random:seed=1", "--host", host, "--port", str(port)]
    return subprocess.Popen([*command, "--reservation", reservation, "--rejoin"], stderr=subprocess.DEVNULL)


def test_a_season_is_played_with_a_team_on_its_own_machine_and_one_that_does_not_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "_RETURN_SECONDS", 1.5)
    laptop: list[subprocess.Popen[bytes]] = []
    arrived: list[str] = []

    async def run() -> None:
        entrants = active_entrants(contest)
        assert [entrant.kind for entrant in entrants] == [EntrantKind.MANUAL, EntrantKind.MANUAL, EntrantKind.ZIP]
        settings = ArenaSettings(level=Level.NONE, wait=5.0, join_timeout=30.0)
        async with LocalExecutor(settings, concurrency=1, entrants=entrants, on_arrival=arrived.append) as executor:
            host, port = executor.address
            laptop.append(start_laptop(host, port, entrants[0].reservation))
            with Conductor(contest) as conductor:
                await play_series(conductor, executor)

    with found(tmp_path, text(Ada="manual", Bob="manual", Cem="random:seed=2")) as contest:
        try:
            asyncio.run(run())
        finally:
            for process in laptop:
                process.kill()
                process.wait()
        assert prove(contest).difference is None
        with contest.store.reading() as session:
            games = list(session.scalars(select(GameRow).order_by(GameRow.id)))
            faults: dict[str, set[str | None]] = {name: set() for name in TEAMS}
            for game in games:
                faults[game.encounter.first.name].add(game.fault_first)
                faults[game.encounter.second.name].add(game.fault_second)
    assert len(games) == 6
    assert faults == {"Ada": {None}, "Bob": {"absent"}, "Cem": {None}}
    assert set(arrived) == {"Ada"}


def test_the_reservation_of_a_team_stays_the_same(tmp_path: Path) -> None:
    with found(tmp_path, text(Ada="manual")) as contest:
        [ada, *_] = active_entrants(contest)
    with found(tmp_path, text(Ada="manual")) as contest:
        assert active_entrants(contest)[0].reservation == ada.reservation


def test_in_a_season_in_one_process_nobody_joins_manually(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="in_process allows no others"):
        found(tmp_path, season_text(players={"Ada": "manual"}))
    with found(tmp_path, season_text()) as contest:
        executor = LocalExecutor(ArenaSettings(level=Level.NONE))
        with pytest.raises(ContestError, match="in_process is true"):
            asyncio.run(submit(contest, "Ada", "manual", who="Ada", executor=executor))
