"""How hard programs on this machine had to wait for a processor core: then a loss on time says little about the loser.

Laws: the pressure of a game is a share of its time, from 0 to 1; it is ``None`` where the system does not tell, and
then nothing is claimed. What the programs of the game do to themselves does not count: however many threads they have,
a game that is alone on its machine is judged as usual.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spielleiter.text import Text

BUSY = 0.25
"""The pressure from which on a loss on time is not believed; docs/match.md has the measurements behind it."""
_STRETCH = 1.0
_TOO_SHORT = 0.2
"""Seconds in which nothing can be told from noise."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The counters of this machine at one moment, in seconds; ``None`` where the system does not tell."""

    at: float
    stalled: float | None
    """Seconds in which something was ready to run and had no core: "some" in ``/proc/pressure/cpu``."""
    used: float | None
    """Processor time of all programs."""
    stolen: float
    """Processor time that the host of a virtual machine kept for others."""
    players: float
    """Processor time of the programs of the game."""
    ours: float
    """Processor time of this process."""

    @classmethod
    def now(cls, players: float = 0.0) -> Reading:
        """The counters now."""
        used, stolen = _processor_time()
        return cls(time.monotonic(), _stalled(), used, stolen, players, time.process_time())

    def pressure_since(self, before: Reading, cores: int) -> float | None:
        """The pressure between two moments; ``None`` if they are too close together.

        Something must have waited, and other programs must have used a core meanwhile: programs with many threads also
        wait for themselves. Without the kernel's word on waiting it is the share of all cores that others used.
        """
        elapsed = self.at - before.at
        if self.used is None or before.used is None or elapsed < _TOO_SHORT:
            return None
        used, stolen = self.used - before.used, self.stolen - before.stolen
        others = used - (self.players - before.players)
        if self.stalled is None or before.stalled is None:
            waited = (others - (self.ours - before.ours)) / (elapsed * cores)
        else:
            waited = min(self.stalled - before.stalled, others) / elapsed
        return min(1.0, max(0.0, waited, stolen / max(elapsed, used + stolen)))


class PressureMeter:
    """Measures the pressure from now on; ``players`` is the processor time so far of the programs of the game.

    A moment of pressure in a long game may cost just the one move that was lost: the worse of the whole time and its
    last stretch counts. A stretch begins with ``mark``, at most once in ``stretch`` seconds.
    """

    def __init__(self, players: Callable[[], float] = lambda: 0.0, *, stretch: float = _STRETCH) -> None:
        self._players = players
        self._stretch = stretch
        self._cores = os.cpu_count() or 1
        self._began = self._before = self._marked = self._reading()

    def _reading(self) -> Reading:
        return Reading.now(self._players())

    def mark(self) -> None:
        """Let a new stretch begin, as with each move."""
        if time.monotonic() - self._marked.at >= self._stretch:
            self._before, self._marked = self._marked, self._reading()

    def overall(self) -> float | None:
        """The pressure of the whole time."""
        return self._reading().pressure_since(self._began, self._cores)

    def recent(self) -> float | None:
        """The pressure of the last stretch."""
        return self._since_mark(self._reading())

    def pressure(self) -> float | None:
        """The worse of the whole time and its last stretch."""
        now = self._reading()
        known = [now.pressure_since(self._began, self._cores), self._since_mark(now)]
        return max((each for each in known if each is not None), default=None)

    def _since_mark(self, now: Reading) -> float | None:
        start = self._marked if now.at - self._marked.at >= self._stretch else self._before
        return now.pressure_since(start, self._cores)


def is_busy(pressure: float | None) -> bool:
    """Whether a loss on time under this pressure is not believed."""
    return pressure is not None and pressure >= BUSY


def current_pressure() -> float | None:
    """The pressure of the last ten seconds, before anything was measured; without PSI that of the run queue."""
    try:
        if (text := _read("/proc/pressure/cpu")) is not None:
            return float(text.split("avg10=", 1)[1].split(" ", 1)[0]) / 100
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        return max(0.0, 1 - cores / load) if load > 0 else 0.0
    except (AttributeError, IndexError, OSError, ValueError):
        return None


def busy_machine(pressure: float) -> Text:
    """The fact, to be put beside a loss on time."""
    return Text(
        f"der Rechner war überlastet (Druck {percent(pressure)})",
        f"the machine was busy (pressure {percent(pressure)})",
    )


def with_pressure(said: Text, pressure: float | None) -> Text:
    """A sentence about a loss on time, with what has to be known of the machine."""
    if pressure is None or not is_busy(pressure):
        return said
    why = busy_machine(pressure)
    return said.followed_by(why)


def busy_warning(pressure: float) -> Text:
    """The warning for people who play games here now."""
    return Text(
        f"Dieser Rechner ist überlastet (Druck {percent(pressure)}): Programme warten auf einen freien Kern und können"
        " ohne eigene Schuld auf Zeit verlieren. Beende andere Programme oder spiele weniger Spiele zugleich"
        " (--concurrency).",
        f"This machine is busy (pressure {percent(pressure)}): programs wait for a free core and may lose on time"
        " through no fault of their own. End other programs, or play fewer games at once (--concurrency).",
    )


def busy_while_playing(pressure: float) -> Text:
    """What a reader of results should know."""
    return Text(
        f"Dieser Rechner war überlastet (Druck {percent(pressure)}): Den Zeiten ist nicht zu trauen.",
        f"This machine was busy (pressure {percent(pressure)}): the times are not to be trusted.",
    )


def percent(pressure: float) -> str:
    """The percentage as people write it, in both languages."""
    return f"{100 * pressure:.0f} %"


def _read(path: str) -> str | None:
    if sys.platform != "linux":
        return None
    try:
        return Path(path).read_text()
    except OSError:
        return None


def _stalled() -> float | None:
    text = _read("/proc/pressure/cpu")
    try:
        return None if text is None else int(text.split("\n", 1)[0].rpartition("total=")[2]) / 1e6
    except ValueError:
        return None


def _processor_time() -> tuple[float | None, float]:
    """What all programs have used, and what the host kept."""
    text = _read("/proc/stat")
    try:
        user, nice, system, _, _, irq, softirq, steal = map(int, (text or "").split("\n", 1)[0].split()[1:9])
    except ValueError:
        return None, 0.0
    tick = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) / tick, steal / tick
