"""The same match on many machines: whole games travel to Dask workers, each with a game master beside its players.

A worker takes as many games at once as it offers of the resource ``match``. The files of a player travel to each
worker once, by their digest. A worker that dies takes its player processes along; its games are played again
elsewhere and counted once, because a game's id is the same everywhere.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
import warnings
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.programs.sandbox import Level, ProgramFiles, ResourceLimits, choose

RESOURCE = "match"
_MAX_ATTEMPTS = 5
"""Workers on which a game is tried, if one after the other dies."""
CONNECT_TIMEOUT = 10.0
"""Seconds in which the scheduler must answer."""
_WORKER_TIMEOUT = 60.0
"""Seconds to wait for the first worker."""

_levels: dict[str, Level] = {}


def play_on_worker(
    task: GameTask,
    files: tuple[ProgramFiles | None, ProgramFiles | None],
    sandbox: str,
    resource_limits: ResourceLimits,
    topic: str | None,
) -> FinishedGame:
    """Play one game on this worker, in the thread that Dask gave us; the lines of its record go to ``topic``."""
    on_line = None if topic is None else partial(_log_line, topic, task.id)
    if task.in_process:
        return play_in_process(task, on_line)
    one, two = (replace(entrant, files=own) for entrant, own in zip(task.entrants, files, strict=True))
    return asyncio.run(_play(replace(task, entrants=(one, two)), sandbox, resource_limits, on_line))


def _log_line(topic: str, game_id: str, line: str) -> None:
    import distributed

    distributed.get_worker().log_event(topic, (game_id, line))


async def _play(task: GameTask, sandbox: str, resource_limits: ResourceLimits, on_line: OnLine | None) -> FinishedGame:
    if sandbox not in _levels:
        _levels[sandbox] = (await choose(sandbox)).level
    async with Arena(ArenaSettings(level=_levels[sandbox], resource_limits=resource_limits)) as arena:
        return await arena.play(task, on_line=on_line)


def files_on_worker(data: bytes) -> ProgramFiles:
    """The files, on the worker that needs them. The scheduler can make them again if that worker is lost."""
    return ProgramFiles(data)


class DaskExecutor:
    """Plays games on the Dask cluster at ``address``, or on new workers here (``local:4``)."""

    def __init__(self, address: str, *, sandbox: str = "auto", resource_limits: ResourceLimits | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise SettingsError(
                "Für einen Cluster fehlt das Extra: pip install 'spielleiter[cluster]'",
                "a cluster needs the extra: pip install 'spielleiter[cluster]'",
            ) from None
        # Where we log (serve, web, lab serve) it would tell of every worker that comes and goes.
        logging.getLogger(distributed.__name__).setLevel(logging.WARNING)
        self._dask: Any = distributed
        self._address = address
        self._sandbox = sandbox
        self._resource_limits = resource_limits or ResourceLimits()
        self._stack = AsyncExitStack()
        self._files: dict[str, Any] = {}
        self._slots = 0
        self._topic = f"spielleiter-{uuid.uuid4()}"
        self._on_line: dict[str, OnLine] = {}

    @property
    def slots(self) -> int:
        """A few more than the workers can play at once, so that none waits for the next."""
        return self._slots

    @property
    def notices(self) -> tuple[Text, ...]:
        """Where the games are played."""
        return ()

    async def __aenter__(self) -> Self:
        try:
            self._client = await self._connect()
            # Workers need no port for spectators: what they write down comes the way on which their games went.
            self._client.subscribe_topic(self._topic, self._take_line)
            await self._wait_for_workers()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._files.clear()
        await self._stack.aclose()

    async def _connect(self) -> Any:
        address: Any = self._address
        if self._address.startswith("local:"):
            number = self._address.removeprefix("local:")
            if not number.isdecimal() or not 0 < int(number) <= 1000:
                raise SettingsError(
                    f"--cluster local:N erwartet eine Anzahl von Workern, nicht {number!r}.",
                    f"--cluster local:N takes a number of workers, not {number!r}",
                )
            cluster = self._dask.LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                processes=True,
                resources={RESOURCE: 1},
                dashboard_address=None,
                asynchronous=True,
            )
            address = await self._stack.enter_async_context(cluster)
        try:
            client = self._dask.Client(address, asynchronous=True, timeout=CONNECT_TIMEOUT)
            return await self._stack.enter_async_context(client)
        except (OSError, ValueError) as problem:
            raise SettingsError(
                f"Unter {self._address} antwortet kein Dask-Scheduler: {problem}",
                f"there is no Dask scheduler at {self._address}: {problem}",
            ) from None

    async def _wait_for_workers(self) -> None:
        try:
            async with asyncio.timeout(_WORKER_TIMEOUT):
                while not (places := await self._places()):  # noqa: ASYNC110 - the scheduler is elsewhere
                    await asyncio.sleep(0.2)
        except TimeoutError:
            raise SettingsError(
                f"Kein Worker von {self._address} nimmt Spiele an: starte sie mit --resources '{RESOURCE}=1'.",
                f"no worker of {self._address} offers games: start them with --resources '{RESOURCE}=1'",
            ) from None
        self._slots = places + max(2, places // 4)

    async def _places(self) -> int:
        """How many games all workers together can play at once."""
        workers = (await self._client.scheduler.identity())["workers"].values()
        return int(sum(worker.get("resources", {}).get(RESOURCE, 0) for worker in workers))

    def _take_line(self, event: tuple[float, tuple[str, str]]) -> None:
        _, (game_id, line) = event
        if (on_line := self._on_line.get(game_id)) is not None:
            on_line(line)

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        """Play one game on whichever worker has room for it; on another one if that dies."""
        if on_line is None:
            return await self._play(task, None)
        self._on_line[task.id] = on_line
        try:
            return await self._play(task, self._topic)
        finally:
            del self._on_line[task.id]

    async def _play(self, task: GameTask, topic: str | None) -> FinishedGame:
        files = tuple(self._sent(entrant.files) for entrant in task.entrants)
        one, two = (replace(entrant, files=None) for entrant in task.entrants)
        bare = replace(task, entrants=(one, two))
        for attempt in range(_MAX_ATTEMPTS):
            future = self._client.submit(
                play_on_worker,
                bare,
                files,
                self._sandbox,
                self._resource_limits,
                topic,
                key=f"game-{id(self)}-{task.id}-{attempt}",
                resources={RESOURCE: 1},
                pure=False,
            )
            try:
                finished: FinishedGame = await future
            except (self._dask.scheduler.KilledWorker, self._dask.CancelledError) as problem:
                if isinstance(problem, asyncio.CancelledError) and asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                continue
            finally:
                future.release()
            self._slots = max(1, await self._places()) + 2
            return finished
        raise SettingsError(
            f"{_MAX_ATTEMPTS} Worker sind nacheinander am Spiel {task.id} gescheitert.",
            f"{_MAX_ATTEMPTS} workers died one after another over the game {task.id}",
        )

    def _sent(self, files: ProgramFiles | None) -> Any:
        """Where the workers find the files: they travel once, and from worker to worker."""
        if files is None:
            return None
        if files.digest not in self._files:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # That the data is large is known.
                self._files[files.digest] = self._client.submit(
                    files_on_worker, files.data, key=f"files-{files.digest}"
                )
        return self._files[files.digest]
