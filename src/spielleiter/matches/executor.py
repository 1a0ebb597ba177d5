"""Where the games of a match are played: on this machine, several at once, or on a cluster (``matches.cluster``)."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from types import TracebackType
from typing import Protocol, Self

from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.pressure import PressureMeter, busy_while_playing, current_pressure, is_busy
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.text import whole_number

Cores = tuple[tuple[int, ...], tuple[int, ...]]
_POLL_SECONDS = 1.0
"""How often a game that waits for a calmer machine looks again."""
_MAX_CORE = 4095
_STRETCH = 5.0
"""Seconds over which the machine counts as busy or calm before a game begins."""


class Executor(Protocol):
    """Plays games. Use it as ``async with``; ``slots`` games can be played at the same time."""

    @property
    def slots(self) -> int:
        """How many games to give it at once."""

    @property
    def notices(self) -> tuple[Text, ...]:
        """What a reader of the results should know about where they were made."""

    async def __aenter__(self) -> Self:
        """Get ready."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything that still runs."""

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        """Play one game. Raises only if the machine fails, never because of a player.

        ``on_line`` gets the lines of its record while it is played; from the start again if it has to be repeated.
        """


def available_cores() -> list[int]:
    """The processor cores that we may use."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def chosen_cores(chosen: Sequence[int], games: int) -> list[int]:
    """The ``chosen`` cores, if this machine has them and they suffice for so many games. Raises ``SettingsError``."""
    available = available_cores()
    if sys.platform != "linux":
        raise SettingsError("Kerne lassen sich nur unter Linux wählen.", "cores can be chosen on Linux only")
    if missing := [core for core in chosen if core not in available]:
        de, en = f"{', '.join(map(str, missing))}", f"{', '.join(map(str, available))}"
        raise SettingsError(
            f"Diese Prozessorkerne gibt es hier nicht: {de}; es gibt {en}.",
            f"there are no such processor cores here: {de}; there are {en}",
        )
    if len(chosen) < 2 * games:
        de = "Ein Spiel braucht" if games == 1 else f"{games} Spiele zugleich brauchen"
        en = "a game needs" if games == 1 else f"{games} games at once need"
        raise SettingsError(
            f"{de} {2 * games} Kerne, einen je Spieler; gewählt: {len(chosen)}.",
            f"{en} {2 * games} cores, one for each player; chosen: {len(chosen)}",
        )
    return list(chosen)


def parse_cores(text: str) -> tuple[int, ...]:
    """The numbers of processor cores that ``0-3,6`` stands for. Raises ``SettingsError``."""
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        low, high = whole_number(first), whole_number(last if dash else first)
        if low is None or high is None or not low <= high <= _MAX_CORE:
            raise SettingsError(
                f"--cores erwartet Nummern von Kernen wie 0-3,6, nicht {text!r}.",
                f"--cores takes numbers of cores, as in 0-3,6, not {text!r}",
            )
        found |= set(range(low, high + 1))
    return tuple(sorted(found))


def assign_cores(cores: list[int], games: int) -> list[Cores]:
    """Cores for both players of each game, the last ones; nothing where they do not suffice."""
    needed = 2 * games
    if sys.platform != "linux" or needed > len(cores):
        return [((), ())] * games
    mine = cores[len(cores) - needed :]
    return [((mine[2 * game],), (mine[2 * game + 1],)) for game in range(games)]


class LocalExecutor:
    """Plays games on this machine: several at once while it is calm, one at a time while it is busy.

    Its game master is opened when a program may connect: games in this process need none.
    """

    def __init__(
        self,
        settings: ArenaSettings,
        *,
        concurrency: int | None = None,
        cores: Sequence[int] | None = None,
        entrants: Sequence[Entrant] = (),
        on_arrival: Callable[[str], None] = lambda name: None,
    ) -> None:
        """``entrants`` are the players, where that is known: those among them who join manually may come at once.

        With ``cores`` each player runs on one of these alone, or nothing is played.
        ``on_arrival`` gets the name of each of them who has come, again before every game.
        """
        if concurrency is not None and concurrency < 1:
            raise SettingsError(
                f"Mindestens ein Spiel muss zur selben Zeit laufen, nicht {concurrency}.",
                f"at least one game must be played at a time, not {concurrency}",
            )
        self._invited = [entrant for entrant in entrants if entrant.kind is EntrantKind.MANUAL]
        self._is_remote = bool(entrants) and len(self._invited) == len(entrants)
        # Games between laptops cost nothing here.
        self._cores = available_cores()
        self._player_cores = self._cores if cores is None else chosen_cores(cores, concurrency or 1)
        # Half the cores: every player has one of its own.
        usual = max(1, len(self._player_cores) // 2)
        self._places = concurrency or (len(entrants) // 2 if self._is_remote else usual)
        self._busy: set[str] = set()
        """The reservations of those who join manually and have a game."""
        self._freed = asyncio.Condition()
        self._stack = AsyncExitStack()
        self._arena = Arena(settings, on_arrival)
        self._opening = asyncio.Lock()
        self._is_open = False
        self._playing = 0
        # Players with cores of their own take nothing from each other, however many threads they have.
        alone = self._arena.processor_time if 2 * self._places <= len(self._player_cores) else lambda: 0.0
        self._meter = PressureMeter(alone, stretch=_STRETCH)

    @property
    def slots(self) -> int:
        """How many games to give it at once.

        A manual player plays one game at a time: those who are free are found among all games to come.
        """
        players = len(self._invited)
        return max(self._places, players * (players - 1))

    @property
    def notices(self) -> tuple[Text, ...]:
        """What a reader of the results should know about where they were made."""
        cores = len(self._cores)
        crowded = Text(
            f"{self._places} Spiele zugleich auf {cores} Kernen: die Spieler nehmen einander Rechenzeit weg.",
            f"{self._places} games at once on {cores} cores: the players take computing time from each other.",
        )
        enough = self._is_remote or 2 * self._places <= cores or self._places == 1
        pressure = self._meter.overall()
        busy = () if pressure is None or not is_busy(pressure) else (busy_while_playing(pressure),)
        return (*(() if enough else (crowded,)), *busy)

    async def __aenter__(self) -> Self:
        if self._invited:
            await self._open_arena()
        for entrant in self._invited:
            self._arena.invite(entrant)
        places = assign_cores(self._player_cores, self._places)
        taken = {core for place in places for own in place for core in own}
        rest = tuple(core for core in self._cores if core not in taken) if taken else ()
        self._free: asyncio.LifoQueue[Cores] = asyncio.LifoQueue()
        for place in places:
            self._free.put_nowait(place)
        if rest and sys.platform == "linux":
            before = os.sched_getaffinity(0)
            os.sched_setaffinity(0, rest)
            self._stack.callback(os.sched_setaffinity, 0, before)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _open_arena(self) -> None:
        async with self._opening:
            if not self._is_open:
                await self._stack.enter_async_context(self._arena)
                self._is_open = True

    @property
    def address(self) -> tuple[str, int]:
        """Where players who join manually come to."""
        return self._arena.address

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        """Play one game as soon as there is room for it, and those who join manually are free."""
        async with self._called({entrant.reservation for entrant in task.entrants if entrant.reservation}):
            return await self._play(task, on_line)

    @asynccontextmanager
    async def _called(self, reservations: set[str]) -> AsyncIterator[None]:
        async with self._freed:
            await self._freed.wait_for(lambda: self._busy.isdisjoint(reservations))
            self._busy |= reservations
        try:
            yield
        finally:
            async with self._freed:
                self._busy -= reservations
                self._freed.notify_all()

    async def _play(self, task: GameTask, on_line: OnLine | None) -> FinishedGame:
        place = await self._free.get()
        try:
            if task.in_process:
                return await _in_thread(task, on_line)
            await self._open_arena()
            while self._playing and not self._is_remote and self._is_busy():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS), self._freed:
                        await self._freed.wait()
            self._playing += 1
            try:
                return await self._arena.play(task, place, on_line)
            finally:
                self._playing -= 1
        finally:
            self._free.put_nowait(place)

    def _is_busy(self) -> bool:
        """Whether another game would only take computing time from those that are played."""
        self._meter.mark()
        recent = self._meter.recent()
        return is_busy(current_pressure() if recent is None else recent)


async def _in_thread(task: GameTask, on_line: OnLine | None) -> FinishedGame:
    """A game in this process; if its caller is cancelled, it ends after the present move."""
    loop, is_wanted = asyncio.get_running_loop(), True

    def in_loop(line: str) -> None:
        if not is_wanted:  # A thread cannot be cancelled, and the program would wait for it to the end of the game.
            raise InterruptedError
        if on_line is not None:
            loop.call_soon_threadsafe(on_line, line)

    try:
        return await asyncio.to_thread(play_in_process, task, in_loop)
    finally:
        is_wanted = False
