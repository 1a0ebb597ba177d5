"""Game events to records: one writer per running game, closed where nobody waits for the disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import assert_never

from spielleiter.errors import RecordError
from spielleiter.game import Clock
from spielleiter.records.record import RecordedOffence
from spielleiter.records.writer import RecordWriter
from spielleiter.referee import ClockChanged, GameEnded, GameEvent, GameStarted, MoveMade, Offence
from spielleiter.server.metrics import Metrics
from spielleiter.wire.writer import markup

log = logging.getLogger("spielleiter.records")

OnRecordLine = Callable[[str, str], None]
"""Takes the id of a room, and a line of its record that was just written."""


@dataclass(slots=True)
class _Running:
    writer: RecordWriter
    started: float


class Recorder:
    """Writes the records of all running games to ``folder``. A record that fails is logged; its game goes on."""

    def __init__(self, folder: Path, clock: Clock, metrics: Metrics, on_line: OnRecordLine | None = None) -> None:
        self._folder = folder
        self._clock = clock
        self._metrics = metrics
        self._on_line = on_line or (lambda room_id, line: None)
        self._running: dict[str, _Running] = {}
        self._closing: set[asyncio.Future[None]] = set()
        # Made ready now: at the end of a game there may be no file descriptor left to load and start it with.
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="records")
        self._disk.submit(int)

    def record(self, event: GameEvent) -> None:
        """Write down what happened."""
        try:
            if isinstance(event, GameStarted):
                self._running[event.room_id] = _Running(self._open(event), event.at)
            elif (running := self._running.get(event.room_id)) is not None:
                _write(running, event)
        except RecordError as problem:
            self._failed(problem)
        if isinstance(event, GameEnded) and (running := self._running.pop(event.room_id, None)) is not None:
            closing = asyncio.get_running_loop().run_in_executor(self._disk, self._close, running.writer)
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Wait until the disk has every record."""
        await asyncio.gather(*self._closing)
        self._disk.shutdown()

    def _open(self, event: GameStarted) -> RecordWriter:
        return RecordWriter(
            self._folder,
            event.game,
            event.state,
            game_id=event.room_id,
            names=event.names,
            started=datetime.now(UTC),
            limits=event.limits,
            clock=self._clock,
            isolation=event.isolation,
            on_line=partial(self._on_line, event.room_id),
        )

    def _close(self, writer: RecordWriter) -> None:
        try:
            writer.close()
        except RecordError as problem:
            self._failed(problem)

    def _failed(self, problem: RecordError) -> None:
        self._metrics.record_failures_total += 1
        log.error("%s", problem)


def _write(running: _Running, event: MoveMade | ClockChanged | GameEnded) -> None:
    writer = running.writer
    match event:
        case MoveMade():
            writer.move(event.move, event.state, event.timing.since(running.started), event.hints)
        case ClockChanged():
            writer.clock_changed(event.team, event.limits)
        case GameEnded():
            writer.finish(event.result, event.at - running.started, _offence(running, event.offence))
        case _:
            assert_never(event)


def _offence(running: _Running, wrong: Offence | None) -> RecordedOffence | None:
    if wrong is None:
        return None
    timing = None if wrong.timing is None else wrong.timing.since(running.started)
    sent = None if wrong.sent is None else markup(wrong.sent, 0).strip()
    return running.writer.offence(wrong.team, wrong.text, move=wrong.move, sent=sent, timing=timing)
