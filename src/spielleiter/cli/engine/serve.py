"""``spielleiter engine serve``: analyses for other programs, by the lines of standard input and output."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf
from queue import Full, PriorityQueue, Queue
from typing import Annotated, Any

import typer

from spielleiter.analysis.protocol import (
    MAX_LINE,
    Action,
    AnalysisRequest,
    Command,
    analysis_answer,
    parse_line,
    read_request,
    version_answer,
)
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import errors, language, t
from spielleiter.errors import Refused, SettingsError
from spielleiter.game import GameState, Text
from spielleiter.search.engine import Analysis, EngineSearch, Memory, why_unavailable

log = logging.getLogger("spielleiter.engine")

MAX_WAITING = 1000
"""Requests that wait or are searched; more are refused."""
_CHUNK = 1 << 16


@dataclass(slots=True, eq=False)
class _Job:
    """A request that has not been answered to the end."""

    request: AnalysisRequest
    has_begun: bool = False
    is_stopped: bool = False


class AnalysisServer:
    """Answers requests in threads: the ones with the highest priority first, then in the order of arrival.

    Each request has a memory of its own, so that the same nodes find the same, whatever was asked before.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        on_broken_output: Callable[[], None],
        *,
        parallel: int,
        threads: int,
        mebibytes: int,
    ) -> None:
        self._write = write
        self._on_broken_output = on_broken_output
        self.output_error: OSError | None = None
        """Why nothing can be answered any more."""
        self._threads = threads
        self._mebibytes = mebibytes
        self._lock = threading.Lock()
        self._output_lock = threading.Lock()
        self._jobs: dict[str, _Job] = {}
        self._queue: PriorityQueue[tuple[float, int, _Job | None]] = PriorityQueue()
        self._arrivals = count()
        self._workers = [threading.Thread(target=self._work, name=f"analysis {n}") for n in range(parallel)]
        for worker in self._workers:
            worker.start()

    def handle(self, data: bytes, number: int) -> None:
        """Take the request in line ``number`` of the input; what is wrong with it is an answer, too."""
        name = None
        try:
            name, values = parse_line(data, number)
            request = read_request(name, values)
            if isinstance(request, Command):
                self._obey(request)
            else:
                self._enqueue(request, number)
        except Refused as problem:
            self._send({"id": name, "line": number, "error": problem.text.to(language())})

    def finish(self) -> None:
        """Return when every request was answered."""
        for _ in self._workers:
            self._queue.put((inf, next(self._arrivals), None))
        for worker in self._workers:
            worker.join()

    def terminate_all(self) -> int:
        """Answer every request with what was found so far; the number of these requests."""
        with self._lock:
            names = list(self._jobs)
        return sum(map(self._terminate, names))

    # --- requests -----------------------------------------------------------------------------------------------------

    def _obey(self, command: Command) -> None:
        match command.action:
            case Action.VERSION:
                self._send(version_answer(command.id))
                return
            case Action.TERMINATE:
                assert command.target is not None
                number = int(self._terminate(command.target))
            case Action.TERMINATE_ALL:
                number = self.terminate_all()
        self._send({"id": command.id, "action": command.action.value, "terminated": number})

    def _enqueue(self, request: AnalysisRequest, number: int) -> None:
        with self._lock:
            if request.id in self._jobs:
                raise SettingsError(
                    f"stdin:{number}: die Anfrage {request.id!r} ist noch nicht beantwortet; nimm eine andere id",
                    f"stdin:{number}: the request {request.id!r} is not answered yet; choose another id",
                )
            if len(self._jobs) >= MAX_WAITING:
                raise SettingsError(
                    f"stdin:{number}: {MAX_WAITING} Anfragen warten schon; schicke mehr, wenn Antworten gekommen sind",
                    f"stdin:{number}: {MAX_WAITING} requests wait already; send more when answers have come",
                )
            job = self._jobs[request.id] = _Job(request)
        self._queue.put((-request.priority, next(self._arrivals), job))

    def _terminate(self, name: str) -> bool:
        """End a request; whether there was one."""
        with self._lock:
            job = self._jobs.get(name)
            if job is None:
                return False
            job.is_stopped = True
            if job.has_begun:
                return True
            del self._jobs[name]
        for ply, state in job.request.positions:
            self._send(analysis_answer(job.request, ply, state, None, terminated=True))
        return True

    # --- searches -----------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (job := self._queue.get()[2]) is not None:
            with self._lock:
                if job.is_stopped:
                    continue
                job.has_begun = True
            try:
                self._analyse(job)
            except Exception as problem:  # Whatever it was: the requests of others must be answered.
                log.exception("the analysis of request %r failed", job.request.id)
                self._forget(job)
                error = Text("Die Engine ist gescheitert", "the engine failed").to(language())
                self._send({"id": job.request.id, "error": f"{error}: {type(problem).__name__}: {problem}"})

    def _analyse(self, job: _Job) -> None:
        request = job.request
        search: EngineSearch[Any, Any] = EngineSearch(
            request.game, memory=Memory(self._mebibytes), threads=self._threads, tree=request.tree
        )
        for place, (ply, state) in enumerate(request.positions, 1):
            skipped = job.is_stopped or state.outcome is not None
            found = None if skipped else self._search(job, search, ply, state)
            if place == len(request.positions):
                self._forget(job)  # The id is free as soon as the last answer is there.
            self._send(analysis_answer(request, ply, state, found, terminated=job.is_stopped))

    def _search(self, job: _Job, search: EngineSearch[Any, Any], ply: int, state: GameState[Any]) -> Analysis[Any]:
        request, news, reported = job.request, None, time.monotonic()

        def watch(found: Analysis[Any] | None) -> bool:
            nonlocal news, reported
            news = found or news
            if news is not None and (now := time.monotonic()) - reported >= request.report_every:
                self._send(analysis_answer(request, ply, state, news, during_search=True))
                news, reported = None, now
            return job.is_stopped

        return search.search(state, request.budget, lines=request.lines, watch=watch)

    def _forget(self, job: _Job) -> None:
        with self._lock:
            self._jobs.pop(job.request.id, None)

    def _send(self, answer: dict[str, Any]) -> None:
        with self._output_lock:
            if self.output_error is not None:
                return
            try:
                self._write(json.dumps(answer))
            except OSError as problem:
                self.output_error = problem
                self._on_broken_output()


# --- the command ------------------------------------------------------------------------------------------------------


def serve(
    parallel: Annotated[int | None, typer.Option("--parallel", "-j", min=1, max=256, help=t(
        "So viele Anfragen gleichzeitig bearbeiten; Standard: die Zahl der Prozessorkerne.",
        "Number of requests at the same time; default: the number of processor cores."))] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help=t(
        "Threads für jede Suche; mit mehreren sind Ergebnisse nicht wiederholbar.",
        "Threads of each search; with several of them results cannot be repeated."))] = 1,
    memory: Annotated[int, typer.Option(min=1, max=1 << 20, metavar="MIB", help=t(
        "Speicher jeder Suche in MiB.", "Memory of each search in MiB."))] = 32,
) -> None:  # fmt: skip
    if (problem := why_unavailable()) is not None:
        errors.print(problem.to(language()), soft_wrap=True)
        raise typer.Exit(1)
    try:
        Memory(memory)
    except MemoryError:
        raise SettingsError(
            f"--memory {memory}: so viel Speicher ist nicht frei", f"--memory {memory}: there is not that much memory"
        ) from None
    if sys.stdin is not None and sys.stdin.isatty():
        waiting = Text("Ich warte auf Anfragen; Strg-D beendet.", "Waiting for requests; Ctrl-D ends.")
        errors.print(waiting.to(language()))
    interrupt_on_every_signal()
    events: Queue[bytes | None] = Queue(64)

    def wake() -> None:
        with suppress(Full):  # Then there is an event that wakes it.
            events.put_nowait(b"")

    server = AnalysisServer(
        _write_line, wake, parallel=parallel or os.cpu_count() or 1, threads=threads, mebibytes=memory
    )
    threading.Thread(target=_read_input, args=(events,), daemon=True, name="input").start()
    try:
        for number in count(1):
            if (line := events.get()) is None or server.output_error is not None:
                break
            if line.strip():
                server.handle(line, number)
        if server.output_error is None:
            server.finish()
    finally:
        # After Ctrl-C, too: what was found so far is answered.
        server.terminate_all()
        server.finish()
    if server.output_error is not None:
        raise server.output_error


def _write_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _read_input(events: Queue[bytes | None]) -> None:
    """Put every line of standard input into ``events``, then ``None``."""
    # Not sys.stdin: at the end of the program Python would wait for its lock, which a reading thread holds.
    with suppress(OSError):  # It is closed.
        for line in _bounded_lines(lambda: os.read(0, _CHUNK), MAX_LINE):
            events.put(line)
    events.put(None)


def _bounded_lines(read: Callable[[], bytes], limit: int) -> Iterator[bytes]:
    """The lines of a stream; of a line longer than ``limit`` no more than its beginning, which is longer, too."""
    line = bytearray()
    while chunk := read():
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            line += end[: limit + 1 - len(line)]
            yield bytes(line)
            line.clear()
        line += rest[: limit + 1 - len(line)]
    if line:
        yield bytes(line)
