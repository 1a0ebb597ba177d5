"""One table: who sits there, what counts of its games, and what each browser may do."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from spielleiter.feeds.channel import Channel
from spielleiter.feeds.live import LiveGame
from spielleiter.game import TEAMS, AnyGame, Limits, Team
from spielleiter.programs.seat import ProgramSeat
from spielleiter.records.history import Ply
from spielleiter.server import OpenedRoom
from spielleiter.web.analysis.reports import BetterMove
from spielleiter.web.play.holders import Holder
from spielleiter.web.play.processes import Computer


class SeatKind(StrEnum):
    """Who sits at a place."""

    PERSON = "person"
    FRIEND = "friend"
    """A person at another device, who is sent a link."""
    BUILT_IN = "built-in"
    PROGRAM = "program"
    JOINS = "joins"


PEOPLE = (SeatKind.PERSON, SeatKind.FRIEND)


@dataclass(frozen=True, slots=True)
class Seating:
    """One place as it was ordered."""

    kind: SeatKind
    name: str
    """What the others see."""
    what: str = ""
    """The name of the built-in player, or the program."""
    upload: Path | None = None
    """The folder that was made for an uploaded program; it goes with the table."""


@dataclass(slots=True, eq=False)
class Table:
    """One table. ``past`` are the moves that were played in earlier rooms and still counted when this one opened."""

    key: str
    game: AnyGame
    seats: tuple[Seating, Seating]
    start: Any
    past: tuple[Ply, ...] = ()
    room: OpenedRoom | None = None
    live: LiveGame | None = None
    """The game in the room, once it has begun; it stays however many others have been played since."""
    programs: dict[Team, ProgramSeat] = field(default_factory=dict)
    computers: dict[Team, Computer] = field(default_factory=dict)
    holders: dict[Team, Holder] = field(default_factory=dict)
    """One for each person's seat where a friend is invited; else empty."""
    limits: Limits | None = None
    """The clock of people who play each other; mostly they have none."""
    is_challenge: bool = False
    """Whether the free seat is for everybody on this server, and not only for whom the link was sent to."""
    rated: tuple[str, ...] = ()
    """The ids of ONE and TWO among the ``people``, if their games are rated; before both are here, of whom is."""
    creator: str = ""
    """The browser that set up the table; without one every browser is taken for it."""
    away: tuple[Team, ...] = ()
    """Whose players have not been seen for a while."""
    channel: Channel = field(default_factory=Channel)
    hint: tuple[int, Any] | None = None
    """The ply for which a hint was given, and the move."""
    hinting: bool = False
    """Whether the engine is looking for one."""
    costliest: dict[str, int | None] = field(default_factory=dict)
    """The ply of the loser's worst move in each room that was lost, once it is found."""
    better: dict[str, BetterMove] = field(default_factory=dict)
    """What should have been played there, where the engine is sure."""
    is_gone: bool = False
    """Whether it was closed while an action at it was waiting."""
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: float = field(default_factory=time.monotonic)
    """When it last had a viewer, on the monotonic clock."""

    def looked_at(self, browser: str = "") -> None:
        """The table has a viewer."""
        self.seen = time.monotonic()
        for team in self.hands(browser) if self.holders else ():
            self.holders[team].looked()

    @property
    def plies(self) -> tuple[Ply, ...]:
        """All moves that count, of earlier rooms too."""
        return self.live.history.plies if self.live else self.past

    @property
    def state(self) -> Any:
        """The present position."""
        plies = self.plies
        return plies[-1].state if plies else self.start

    def person_teams(self) -> tuple[Team, ...]:
        """The sides that people play at this table."""
        return tuple(team for team in TEAMS if self.seats[team].kind in PEOPLE)

    def hands(self, browser: str) -> tuple[Team, ...]:
        """The sides that ``browser`` may move."""
        if not self.holders:
            return self.person_teams() if self._is_creator(browser) else ()
        return tuple(team for team, holder in self.holders.items() if browser and holder.browser == browser)

    def admits(self, browser: str) -> bool:
        """Whether ``browser`` has something to do here; all others only watch."""
        return self._is_creator(browser) or bool(self.hands(browser))

    def _is_creator(self, browser: str) -> bool:
        return self.creator in ("", browser)

    @property
    def has_company(self) -> bool:
        """Whether people at different browsers play each other: neither restarts or asks the engine alone."""
        return len(self.holders) > 1

    @property
    def missing(self) -> tuple[Team, ...]:
        """The sides whose friends have not come yet."""
        return tuple(team for team, holder in self.holders.items() if holder.is_missing)

    @property
    def is_open(self) -> bool:
        """Whether the lobby offers it to everybody."""
        return self.is_challenge and bool(self.missing) and not self.is_gone

    @property
    def can_take_back(self) -> bool:
        """Whether no other person has to be asked."""
        return all(seat.kind in (SeatKind.PERSON, SeatKind.BUILT_IN) for seat in self.seats)

    @property
    def browsers(self) -> list[str]:
        """The browsers of all people who have a seat of their own."""
        return [holder.browser for holder in self.holders.values()]

    def seat_person(self, team: Team, seating: Seating) -> None:
        """Another player for one side, from the next room on."""
        one, two = self.seats
        self.seats = (one, seating) if team else (seating, two)
