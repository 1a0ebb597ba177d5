"""What a player program may use: the limits of the contest, and the levels of isolation that enforce them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from spielleiter.game import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceLimits:
    """What one player program may use during one game. The defaults are those of the contest."""

    memory: int = 1_500_000_000
    """Bytes of real memory, all its processes together."""
    processes: int = 256
    """Processes and threads."""
    disk: int = 100_000_000
    """Bytes it may write, on top of its own files."""
    files: int = 20_000
    """Files it may make: empty ones cost no disk, but memory of the kernel."""
    sockets: int = 512
    """Sockets in a network of its own: what TCP holds, all programs of the machine have together."""
    cores: tuple[int, ...] = ()
    """The processor cores it runs on; empty: any."""
    output: int | None = None
    """Bytes that it may print; ``None``: any number, what is too much for the log is dropped."""
    log: int = 1_000_000
    """Bytes of what it prints that are stored: the beginning and the end."""

    @staticmethod
    def descriptors(*, counted: bool) -> int:
        """Open files of a process: fewer where the buffers behind them are not ``counted`` as memory."""
        return 4096 if counted else 1024


class Level(Enum):
    """How well a player program is isolated, the best first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    LIMITS = "limits"
    NONE = "none"

    @property
    def text(self) -> Text:
        """What it means, in one sentence."""
        return _TEXTS[self]

    def isolation(self, *, counted: bool) -> str:
        """For the record: the level, and whether a control group has ``counted`` the memory."""
        return self.value if self is Level.NONE else f"{self.value}, {'cgroup' if counted else 'no cgroup'}"


_TEXTS = {
    Level.BUBBLEWRAP: Text(
        "eigene Prozesse, eigenes Netz nur mit dem Spielleiter, eigenes Dateisystem, alle Grenzen",
        "its own processes, a network of its own with the game master only, its own files, all limits",
    ),
    Level.LANDLOCK: Text(
        "sieht nur eigene Dateien, TCP nur zum Spielleiter (UDP ist offen), nie root, alle Grenzen",
        "sees its own files only, TCP to the game master only (UDP is open), never root, all limits",
    ),
    Level.LIMITS: Text(
        "nur Grenzen für Speicher, Prozesse und den eigenen Ordner, nie root; Dateien und Netz sind offen",
        "limits of memory, processes and its own folder only, never root; files and network are open",
    ),
    Level.NONE: Text("nicht isoliert", "not isolated"),
}


class Breach(Enum):
    """The limit that a player program went over, which ended it."""

    MEMORY = Text("hat mehr Speicher benutzt als erlaubt", "used more memory than allowed")
    DISK = Text("hat mehr auf die Platte geschrieben als erlaubt", "wrote more to disk than allowed")
    FILES = Text("hat mehr Dateien angelegt als erlaubt", "made more files than allowed")
    PROCESSES = Text("hat mehr Prozesse gestartet als erlaubt", "started more processes than allowed")
    SOCKETS = Text("hat mehr Sockets geöffnet als erlaubt", "opened more sockets than allowed")
    PONDERING = Text("hat weitergerechnet, obwohl es angehalten war", "kept running although it was stopped")
    OUTPUT = Text("hat mehr ausgegeben als erlaubt", "printed more than allowed")

    @property
    def text(self) -> Text:
        """What the program did, to stand behind its name."""
        return self.value
