"""Whether this machine had something else to do while games were played: then times should not be trusted."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from spielleiter.game import Text

TOO_MUCH = 0.15
"""The share of all cores that others may use before we warn."""


class CpuLoad:
    """Measures from its making on how much processor time went to others than us and our players."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._all, self._ours = _busy(), _ours()

    def credit(self, seconds: float) -> None:
        """Processor time that a player has used: it is ours, too."""
        self._ours -= seconds

    def share(self) -> float | None:
        """The share of the machine that others used, 0 to 1; ``None`` where the system does not tell."""
        now = _busy()
        if now is None or self._all is None:
            return None
        elapsed = (time.monotonic() - self._began) * (os.cpu_count() or 1)
        others = (now - self._all) - (_ours() - self._ours)
        return min(1.0, max(0.0, others / elapsed)) if elapsed > 0 else 0.0

    def notices(self) -> tuple[Text, ...]:
        """A warning if that was too much."""
        share = self.share()
        if share is None or share < TOO_MUCH:
            return ()
        return (
            Text(
                f"Andere Programme haben {share:.0%} dieses Rechners belegt: den Zeiten ist nicht zu trauen.",
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
