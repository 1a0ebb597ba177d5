"""Game events to records: one writer per running game, closed where no game waits for the disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from spielleiter.errors import RecordError
from spielleiter.game import Clock
from spielleiter.records.history import History
from spielleiter.records.writer import RecordWriter
from spielleiter.referee import GameEnded, GameEvent, GameStarted
from spielleiter.server.metrics import Metrics

log = logging.getLogger("spielleiter.records")

OnRecordLine = Callable[[str, str], None]
"""Takes the id of a room, and a line of its record that was just written."""


class Recorder:
    """Writes the records of all running games to ``folder``. A record that fails is logged; its game goes on."""

    def __init__(self, folder: Path, clock: Clock, metrics: Metrics, on_line: OnRecordLine | None = None) -> None:
        self._folder = folder
        self._clock = clock
        self._metrics = metrics
        self._on_line = on_line or (lambda room_id, line: None)
        self._running: dict[str, tuple[History, RecordWriter]] = {}
        self._closing: set[asyncio.Future[None]] = set()
        # Made ready now: at the end of a game there may be no file descriptor left to load and start it with.
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="records")
        self._disk.submit(int)

    def record(self, event: GameEvent) -> None:
        """Write down what happened."""
        try:
            if isinstance(event, GameStarted):
                history = History.begin(event, datetime.now(UTC), self._clock)
                writer = RecordWriter(self._folder, history, partial(self._on_line, event.room_id))
                self._running[event.room_id] = history, writer
            elif (running := self._running.get(event.room_id)) is not None:
                history, writer = running
                writer.write(history.follow(event))
        except RecordError as problem:
            self._failed(problem)
        if isinstance(event, GameEnded) and (running := self._running.pop(event.room_id, None)) is not None:
            closing = asyncio.get_running_loop().run_in_executor(self._disk, self._close, running[1])
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Wait until the disk has every record."""
        await asyncio.gather(*self._closing)
        self._disk.shutdown()

    def _close(self, writer: RecordWriter) -> None:
        try:
            writer.close()
        except RecordError as problem:
            self._failed(problem)

    def _failed(self, problem: RecordError) -> None:
        self._metrics.record_failures_total += 1
        log.error("%s", problem)
