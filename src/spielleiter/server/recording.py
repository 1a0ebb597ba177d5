"""Game events to records: one writer for each running game, closed where nobody waits for the disk."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from spielleiter.errors import RecordError
from spielleiter.records.record import Clock, Times
from spielleiter.records.writing import RecordWriter
from spielleiter.referee import ClockChanged, GameEnded, GameStarted, JudgedBy, MoveMade, Timing
from spielleiter.wire.writing import markup

log = logging.getLogger("spielleiter.records")

_CLOCKS = {JudgedBy.KERNEL: Clock.KERNEL, JudgedBy.READING: Clock.READING}


@dataclass(slots=True)
class _Running:
    writer: RecordWriter
    started: float


class Recorder:
    """Keeps the records of all running games in ``folder``. A record that fails is logged; its game goes on."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.failures = 0
        self._folder = folder
        self._clock = clock
        self._running: dict[str, _Running] = {}
        self._closing: set[asyncio.Future[None]] = set()

    def started(self, event: GameStarted, isolation: tuple[str, str] | None = None) -> None:
        """A game begins: open its record. ``isolation`` is how both programs are locked up, where that is known."""
        try:
            writer = RecordWriter(
                self._folder,
                event.game,
                event.state,
                game_id=event.room_id,
                names=event.names,
                started=datetime.now(UTC),
                limits=event.limits,
                clock=self._clock,
                isolation=isolation,
            )
        except RecordError as problem:
            self._failed(problem)
            return
        self._running[event.room_id] = _Running(writer, event.at)

    def moved(self, event: MoveMade) -> None:
        """A move was made."""
        if (running := self._running.get(event.room_id)) is None:
            return
        try:
            running.writer.move(event.move, event.state, _times(event.timing, running.started), event.hints)
        except RecordError as problem:
            self._failed(problem)

    def clock_changed(self, event: ClockChanged) -> None:
        """A player got other limits."""
        if (running := self._running.get(event.room_id)) is None:
            return
        try:
            running.writer.clock_changed(event.team, event.limits)
        except RecordError as problem:
            self._failed(problem)

    def ended(self, event: GameEnded) -> None:
        """A game is over: write its result, and let the disk take its time elsewhere."""
        if (running := self._running.pop(event.room_id, None)) is None:
            return
        writer, offence = running.writer, None
        try:
            if (wrong := event.offence) is not None:
                times = None if wrong.timing is None else _times(wrong.timing, running.started)
                sent = None if wrong.sent is None else markup(wrong.sent, 0).strip()
                offence = writer.offence(wrong.team, wrong.text, move=wrong.move, sent=sent, times=times)
            writer.finish(event.result, event.at - running.started, offence)
        except RecordError as problem:
            self._failed(problem)
        closing = asyncio.get_running_loop().run_in_executor(None, self._close, writer)
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Wait until the disk has every record."""
        await asyncio.gather(*self._closing)

    def _close(self, writer: RecordWriter) -> None:
        try:
            writer.close()
        except RecordError as problem:
            self._failed(problem)

    def _failed(self, problem: RecordError) -> None:
        self.failures += 1
        log.error("%s", problem)


def _times(timing: Timing, start: float) -> Times:
    received = None if timing.received is None else timing.received - start
    return Times(timing.requested - start, received, timing.read - start, _CLOCKS[timing.judged_by])
