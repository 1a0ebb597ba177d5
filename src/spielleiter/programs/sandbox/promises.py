"""What each level of the sandbox promises, against which attack: data for people and for the tests of the attacks.

``SECURITY.md`` shows this table. Every promise other than ``OPEN`` is held by a test that is the attack, and takes its
levels from here (``against`` in ``tests/support/hostile.py``).
"""

from __future__ import annotations

from enum import Enum

from spielleiter.game import Text
from spielleiter.programs.sandbox.limits import Level


class Attack(Enum):
    """What a hostile player program may try."""

    OTHER_FILES = Text("fremde Dateien lesen oder ändern", "read or change other files")
    OTHER_PROCESSES = Text("fremde Prozesse sehen oder stören", "see or disturb other processes")
    NETWORK = Text("ins Netz", "reach the network")
    UNIX_SOCKETS = Text("Dienste über Unix-Sockets erreichen", "reach services by Unix sockets")
    TAKE_SEAT = Text("den Platz des Gegners einnehmen", "take the opponent's seat")
    MEMORY = Text("zu viel Speicher", "too much memory")
    HIDDEN_MEMORY = Text("Speicher, den kein Prozess eingeblendet hat", "memory that no process maps")
    PROCESSES = Text("zu viele Prozesse", "too many processes")
    DISK = Text("zu viel auf der Platte", "too much on disk")
    FILES = Text("zu viele Dateien", "too many files")
    OUTLIVE = Text("das Spiel überleben", "outlive the game")
    PRIVILEGES = Text("Rechte gewinnen", "gain privileges")

    @property
    def text(self) -> Text:
        """The name for people."""
        return self.value


class Promise(Enum):
    """How far an attack gets."""

    REFUSED = Text("verhindert der Kern", "the kernel refuses it")
    ENDED = Text("wird bemerkt, das Programm beendet", "is noticed, and the program ended")
    OPEN = Text("offen", "open")

    @property
    def text(self) -> Text:
        """The name for people."""
        return self.value


_ALL_REFUSED = dict.fromkeys(Attack, Promise.REFUSED)
_BELOW = {
    **dict.fromkeys(Attack, Promise.OPEN),
    Attack.UNIX_SOCKETS: Promise.REFUSED,
    Attack.TAKE_SEAT: Promise.REFUSED,
    Attack.MEMORY: Promise.ENDED,
    Attack.PROCESSES: Promise.ENDED,
    Attack.OUTLIVE: Promise.REFUSED,
    Attack.PRIVILEGES: Promise.REFUSED,
}
_BY_CGROUP = {
    Attack.MEMORY: Promise.REFUSED,
    Attack.HIDDEN_MEMORY: Promise.REFUSED,
    Attack.PROCESSES: Promise.REFUSED,
}


def promises(level: Level, *, cgroup: bool) -> dict[Attack, Promise]:
    """What ``level`` promises on this machine: with a control group (``cgroup``) the kernel counts memory itself."""
    match level:
        case Level.BUBBLEWRAP:
            noticed = (Attack.MEMORY, Attack.HIDDEN_MEMORY, Attack.FILES)
            own = {**_ALL_REFUSED, **dict.fromkeys(noticed, Promise.ENDED)}
        case Level.LANDLOCK:
            own = {
                **_BELOW,
                Attack.OTHER_FILES: Promise.REFUSED,
                Attack.DISK: Promise.ENDED,
                Attack.FILES: Promise.ENDED,
            }
        case Level.LIMITS:
            own = _BELOW  # It is watched in its own folder, but there are others.
        case Level.NONE:
            return dict.fromkeys(Attack, Promise.OPEN)
    return {**own, **_BY_CGROUP} if cgroup else dict(own)
