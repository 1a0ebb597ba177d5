"""Whether this machine had something else to do while games were played: then times should not be trusted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from spielleiter.game import Text

TOO_MUCH = 0.15
"""The share of all cores that others may use before times are not to be trusted."""


class Reading(NamedTuple):
    """The clocks at one moment, in seconds."""

    at: float
    everybody: float | None
    """Processor time of all programs; ``None`` where the system does not tell."""
    ours: float


class CpuLoad:
    """Measures how much processor time goes to others than us and our players."""

    def __init__(self, players: Callable[[], float] = lambda: 0.0) -> None:
        """``players`` is the processor time of all our players so far, of those that still run too."""
        self._players = players
        self._began = self.reading()

    def reading(self) -> Reading:
        """The clocks now."""
        return Reading(time.monotonic(), _busy(), _ours() + self._players())

    def share(self, since: Reading | None = None) -> float | None:
        """The share of the machine that others used since then, by default since the beginning: 0 to 1, or unknown."""
        before, now = since or self._began, self.reading()
        if now.everybody is None or before.everybody is None:
            return None
        elapsed = (now.at - before.at) * (os.cpu_count() or 1)
        others = (now.everybody - before.everybody) - (now.ours - before.ours)
        return min(1.0, max(0.0, others / elapsed)) if elapsed > 0 else 0.0

    def notices(self) -> tuple[Text, ...]:
        """A warning if that was too much all in all."""
        share = self.share()
        if share is None or share < TOO_MUCH:
            return ()
        return (
            Text(
                f"Andere Programme haben {share * 100:.0f} % dieses Rechners belegt: den Zeiten ist nicht zu trauen.",
                f"Other programs used {share:.0%} of this machine: the times are not to be trusted.",
            ),
        )


def _busy() -> float | None:
    """Seconds of processor time that all programs on this machine have used."""
    if sys.platform != "linux":
        return None
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
        user, nice, system, _, _, irq, softirq, steal = map(int, fields[:8])
    except (OSError, ValueError):
        return None
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def _ours() -> float:
    """Seconds of processor time of this process. Its children are credited: not all of them are ours to wait for."""
    return time.process_time()
