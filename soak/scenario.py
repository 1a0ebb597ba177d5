"""What every scenario has: the time it may take, and what it says at its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


class Deadline:
    """The end of the time of a scenario; a round that has begun is finished all the same."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    @property
    def is_past(self) -> bool:
        return not self.left


@dataclass(slots=True)
class Findings:
    """What a scenario did, what it held to be true all the time, and what was not true."""

    asserted: str
    done: str = ""
    problems: list[str] = field(default_factory=list)
    unavailable: str = ""
    """Why it, or a part of it, cannot run on this machine."""

    def expect(self, holds: object, problem: str) -> None:
        """Note ``problem`` unless the condition holds; the scenario goes on."""
        if not holds:
            self.problems.append(problem)


Scenario = Callable[[Deadline], Findings]
