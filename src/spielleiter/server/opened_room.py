"""A room that was opened from inside: its seats' codes, and what its opener is asked and told while its game runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spielleiter.game import Team
from spielleiter.pressure import PressureMeter
from spielleiter.referee import GameEnded, MoveMade, NotesTaken
from spielleiter.server.peer import Peer


def _nothing_to_do(team: Team) -> None: ...


def _nothing_noted(event: MoveMade | GameEnded) -> Sequence[NotesTaken]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomHooks:
    """Functions of the opener, each called in the event loop; they must return at once."""

    admits: Callable[[Team, Peer], bool] | None = None
    """Whether a client may take the seat; without it, any that has the code."""
    has_read: Callable[[Team, Peer], bool] | None = None
    """Whether the player has read the state: where a season leaves a gap before a request, it lasts until then."""
    before_request: Callable[[Team], None] = _nothing_to_do
    """Called just before a team is asked for a move."""
    players_time: Callable[[], float] = lambda: 0.0
    """The processor time so far of player programs on this machine."""
    take_notes: Callable[[MoveMade | GameEnded], Sequence[NotesTaken]] = _nothing_noted
    """What the players noted and printed: after a move of the one who made it, and before the end of both."""


@dataclass(frozen=True, slots=True)
class OpenedRoom:
    """The codes for both seats, and how its game ended, once it has."""

    room_id: str
    codes: tuple[str, str]
    """Empty for a person at our own pages."""
    ended: asyncio.Future[GameEnded]
    meter: PressureMeter
    """The machine's load since the room was opened."""
