"""The recorder: events become a record, and a record that fails ends no game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from spielleiter import games
from spielleiter.game import Clock, Limits, MoveTiming, Team, Text
from spielleiter.records.reader import read_record
from spielleiter.records.verify import verify_record
from spielleiter.referee import ClockChanged, GameEnded, GameEvent, GameStarted, MoveMade, verdict
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.server.metrics import Metrics
from spielleiter.server.recorder import Recorder
from tests.support.raw import Raw

GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(1))
LIMITS = Limits(2.0, 10.0)


def events() -> list[GameEvent]:
    """A game of one move, which is then cancelled; the server's clock stands at 100 when it begins."""
    move = START.legal_moves()[0]
    after = START.play(move)
    timing = MoveTiming(100.0, 100.5, 100.6, Clock.KERNEL)
    result = verdict.undecided(after, Text("abgebrochen", "cancelled"))
    return [
        GameStarted("room", GAME, ("Ada", "Bob"), START, 100.0, (LIMITS, None), ("limits", "none")),
        MoveMade("room", Team.ONE, move, after, ("a hint",), timing),
        ClockChanged("room", Team.TWO, LIMITS),
        GameEnded("room", result, after, 101.0),
    ]


def record_all(folder: Path, metrics: Metrics) -> None:
    async def run() -> None:
        recorder = Recorder(folder, Clock.KERNEL, metrics)
        for event in events():
            recorder.record(event)
        await recorder.close()

    asyncio.run(run())


def test_the_events_of_a_game_become_its_record(tmp_path: Path) -> None:
    metrics = Metrics()
    record_all(tmp_path, metrics)
    [path] = tmp_path.iterdir()
    record = read_record(path)
    assert (record.id, record.names, record.isolation) == ("room", ("Ada", "Bob"), ("limits", "none"))
    [move] = record.moves
    assert move.timing == MoveTiming(0.0, 0.5, 0.6, Clock.KERNEL)
    assert move.hints == ("a hint",)
    [change] = record.clock_changes
    assert (change.team, change.limits) == (Team.TWO, LIMITS)
    assert record.result is not None
    assert record.result.finished == 1.0
    assert verify_record(record).is_sound
    assert metrics.record_failures_total == 0


def test_a_record_that_cannot_be_opened_is_counted_once(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    metrics = Metrics()
    record_all(blocked, metrics)
    assert metrics.record_failures_total == 1


def test_players_without_names_are_recorded_with_where_they_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=tmp_path, language="en")) as master:
            clients = [await Raw.connect(master.address) for _ in range(2)]
            for client in clients:
                await client.send("<join/>")
            for client in clients:
                await client.wait_for("memento")
                await client.close()

    asyncio.run(run())
    [path] = tmp_path.iterdir()
    assert read_record(path).names == ("Player from 127.0.0.1", "Player from 127.0.0.1 (2)")
