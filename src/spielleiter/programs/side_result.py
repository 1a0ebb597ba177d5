"""What became of one player in one game: the one report of matches, checks, drills and contests."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from spielleiter.game import Cause, Text
from spielleiter.programs.sandbox import Breach
from spielleiter.text import NO_TEXT


class Fault(StrEnum):
    """Why a player's game ended by its own fault; the texts are for people."""

    ILLEGAL = "illegal"
    LATE = "late"
    SILENT = "silent"
    LEFT = "left"
    CRASH = "crash"
    NO_START = "no-start"
    ABSENT = "absent"
    MEMORY = "memory"
    DISK = "disk"
    FILES = "files"
    PROCESSES = "processes"
    SOCKETS = "sockets"
    PONDERING = "pondering"
    OUTPUT = "output"

    @property
    def text(self) -> Text:
        """The name for people."""
        return _TEXTS[self]

    @property
    def is_of_process(self) -> bool:
        """Whether only the process knows of it; the referee saw a connection that was left."""
        return self not in _BY_CAUSE.values()

    @classmethod
    def from_cause(cls, cause: Cause) -> Fault | None:
        """What the referee saw, before the process adds what it knows; ``None`` if the game ended by the rules."""
        return None if cause is Cause.REGULAR else _BY_CAUSE[cause]

    @classmethod
    def from_breach(cls, breach: Breach) -> Fault:
        """The fault of a player that was ended because it went over a resource limit."""
        return _BY_BREACH[breach]

    @property
    def cause(self) -> Cause:
        """What the referee saw of it."""
        return next((cause for cause, fault in _BY_CAUSE.items() if fault is self), Cause.LEFT)


_TEXTS = {
    Fault.ILLEGAL: Text("ungültiger Zug", "illegal move"),
    Fault.LATE: Text("Zug zu spät", "late move"),
    Fault.SILENT: Text("kein Zug", "no move"),
    Fault.LEFT: Text("Verbindung verlassen", "left the game"),
    Fault.CRASH: Text("abgestürzt", "crashed"),
    Fault.NO_START: Text("nicht gestartet", "did not start"),
    Fault.ABSENT: Text("nicht gekommen", "did not come"),
    Fault.MEMORY: Text("zu viel Speicher", "too much memory"),
    Fault.DISK: Text("zu viel auf der Platte", "too much on disk"),
    Fault.FILES: Text("zu viele Dateien", "too many files"),
    Fault.PROCESSES: Text("zu viele Prozesse", "too many processes"),
    Fault.SOCKETS: Text("zu viele Sockets", "too many sockets"),
    Fault.PONDERING: Text("weitergerechnet", "kept pondering"),
    Fault.OUTPUT: Text("zu viel Ausgabe", "too much output"),
}

_BY_CAUSE = {
    Cause.LEFT: Fault.LEFT,
    Cause.RULE_VIOLATION: Fault.ILLEGAL,
    Cause.SOFT_TIMEOUT: Fault.LATE,
    Cause.HARD_TIMEOUT: Fault.SILENT,
}
_BY_BREACH = {
    Breach.MEMORY: Fault.MEMORY,
    Breach.DISK: Fault.DISK,
    Breach.FILES: Fault.FILES,
    Breach.PROCESSES: Fault.PROCESSES,
    Breach.SOCKETS: Fault.SOCKETS,
    Breach.PONDERING: Fault.PONDERING,
    Breach.OUTPUT: Fault.OUTPUT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """How one game was for one player, and how its program did."""

    name: str
    points: tuple[int, ...]
    fault: Fault | None = None
    move_times: tuple[float, ...] = ()
    """Seconds, to the tenth of a millisecond, judged as the record says."""
    joined_after: float | None = 0.0
    """Seconds until its game began; ``None`` if it never did."""
    exit_code: int | None = None
    """``None``: it had to be ended, or it was no process."""
    ended_after: float | None = None
    """Seconds from the end of the game to its own, if it ended by itself."""
    lingered: bool = False
    """It did not end by itself after the game."""
    leftovers: tuple[str, ...] = ()
    """What it had started and left running, where that was asked for."""
    output: int = 0
    """Bytes that it printed."""
    growth: int = 0
    """Bytes by which its folder has grown since its game began."""
    peak_memory: int = 0
    processor_time: float = 0.0
    ponder_time: float = 0.0
    """The part of it in the opponent's time."""
    sandbox: str = "none"
    log: str = ""
    """The name of the file with what it printed, if it did."""
    failure: Text = NO_TEXT
    """Why its program failed, in one line of its own; see ``programs.failure``."""
    last_words: str = ""
    """The end of its log, where something went wrong."""

    @property
    def joined(self) -> bool:
        return self.joined_after is not None

    @property
    def lost_on_time(self) -> bool:
        """Whether it was late, silent, or still starting when the others had waited long enough."""
        return self.fault in (Fault.LATE, Fault.SILENT) or (self.fault is Fault.NO_START and self.exit_code is None)

    @property
    def was_stopped(self) -> bool:
        """Whether it went over a resource limit, which ended it."""
        return self.fault in _BY_BREACH.values()
