"""One game to play, and what came out of it: the values that go into an executor and come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spielleiter.analysis.adjudication import Adjudication
from spielleiter.game import Limits
from spielleiter.matches.results import MatchGame
from spielleiter.programs.entrants import Entrant

OnLine = Callable[[str], None]
"""Takes each line of a game's record as soon as it is written, in the event loop; must return at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTask:
    """One game to play, with everything that it takes; it can travel to another machine."""

    id: str
    """The same in every run, different from all other games of the match or season."""
    game: str
    start: str
    """The position, in notation."""
    entrants: tuple[Entrant, Entrant]
    """ONE and TWO."""
    limits: Limits
    in_process: bool = False
    can_timeout: tuple[bool, bool] = (True, True)
    """Whether each side has a clock: an opponent of ours in a check has none."""
    ponder: bool = True
    """Whether a player may think while its opponent does; otherwise it is stopped."""
    takes_notes: bool = True
    """Whether what the players note and print is recorded beside their moves."""
    adjudication: Adjudication | None = None
    """When to end the game early; only a match sets it, never a contest."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """The line of a finished game, what the players printed, and the record."""

    row: MatchGame
    logs: tuple[bytes, bytes] = (b"", b"")
    record: bytes = b""
