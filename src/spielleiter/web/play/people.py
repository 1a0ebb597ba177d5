"""Handles and ratings of people who play each other here: who wants one belongs to one browser.

Laws: of a browser only a hash is stored. Nobody else gets a handle that looks like one that is taken. A rating rests
on the games of one rule set that both sides wanted to be rated, and says how far it can be off. Nothing is stored of
people without a handle. When a handle is given up, its games go too.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from spielleiter.errors import RecordError, Refused
from spielleiter.game import Team
from spielleiter.players import BUILT_IN
from spielleiter.rating.bradley_terry import Rating, rate
from spielleiter.rating.pairs import PlayedGame, cross_table
from spielleiter.web.event_file import EventFile

log = logging.getLogger("spielleiter.web")

MIN_HANDLE, MAX_HANDLE = 3, 20
"""Characters of a handle."""
AVERAGE = 1500
"""What is shown for the average of all who are rated in a game."""
_MAX_PEOPLE = 5000
_MAX_CHANGES = 10
"""Maximum number of times that a handle can be changed."""
_MAX_RATED_GAMES = 2000
"""The newest games of a rule set, which count."""
_MAX_RATED_PEOPLE = 100
"""Only the people who played last are rated: the work grows with the cube of their number."""
_PUNCTUATION = "-_."
_LOOK_ALIKES = str.maketrans("01i", "oll")
_RESERVED = (
    "spielleiter", "computer", "human", "mensch", "guest", "gast", "admin", "host", "organiser", "organisation",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandleChosen:
    """Somebody has this handle from now on."""

    person: str
    handle: str


@dataclass(frozen=True, slots=True)
class GameRated:
    """A rated game has ended."""

    room: str
    game: str
    one: str
    two: str
    victory_points: int
    """Victory points of ONE: 2 for a win, 1 for a draw, 0 for a loss."""


_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (HandleChosen, GameRated)}


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """Somebody with a handle."""

    id: str
    handle: str


@dataclass(frozen=True, slots=True)
class RatedPerson:
    """A line of the list of ratings; ``elo`` is ``AVERAGE`` for the average."""

    handle: str
    rating: Rating

    @property
    def elo(self) -> float:
        return AVERAGE + self.rating.elo


class People:
    """All handles of this server and the ratings, in memory and in a file beside the records."""

    def __init__(self, path: Path | None) -> None:
        """Without a ``path``, or where it cannot be used, there are no handles."""
        self._file: EventFile[Any] | None = None
        self._changing = asyncio.Lock()
        self._fold(())
        if path is None or not path.parent.is_dir():
            return
        try:
            self._file = EventFile(path, _KINDS)
        except RecordError as problem:  # Another server has it, or it is damaged.
            log.warning("there are no handles and no ratings: %s", problem)
            return
        self._fold(self._file.events)
        for key in {game.game for game in self._games.values()}:
            self._ratings[key] = self._rated(key)

    @property
    def is_available(self) -> bool:
        """Whether handles and ratings can be stored."""
        return self._file is not None

    def close(self) -> None:
        """Let another server have the file."""
        if self._file is not None:
            self._file.close()

    def _fold(self, events: Iterable[Any]) -> None:
        self._people: dict[str, NamedPerson] = {}
        self._plain: dict[str, str] = {}
        self._changes: Counter[str] = Counter()
        self._games: dict[str, GameRated] = {}
        self._ratings: dict[str, dict[str, Rating]] = {}
        for event in events:
            self._apply(event)

    def _apply(self, event: HandleChosen | GameRated) -> None:
        if isinstance(event, GameRated):
            self._games[event.room] = event
            return
        if (before := self._people.get(event.person)) is not None:
            self._plain.pop(plain_handle(before.handle), None)
            self._changes[event.person] += 1
        self._people[event.person] = NamedPerson(event.person, event.handle)
        self._plain[plain_handle(event.handle)] = event.person

    # --- handles ------------------------------------------------------------------------------------------------------

    def of(self, browser: str) -> NamedPerson | None:
        """Whose handle a browser has, if it has one."""
        return self._people.get(_id(browser)) if browser else None

    def handle(self, person: str) -> str:
        """The handle of the person with this id; empty if it was given up."""
        found = self._people.get(person)
        return "" if found is None else found.handle

    def check_name(self, name: str, browser: str) -> None:
        """Refuse another person's handle. Raises ``Refused``."""
        owner = self._plain.get(plain_handle(name))
        if owner is not None and owner != _id(browser):
            raise Refused(
                f"„{name}“ ist hier der Name von jemand anderem. Nimm einen anderen.",
                f"“{name}” is the name of somebody else here. Choose another one.",
            )

    async def choose(self, browser: str, wanted: str) -> NamedPerson:
        """Give ``browser`` the handle, or another one than it has. Raises ``Refused``."""
        handle, person = check_handle(wanted), _id(browser)
        async with self._changing:
            if self._file is None:
                raise Refused("Hier können keine Namen gespeichert werden.", "No names can be stored here.")
            before = self._people.get(person)
            if before is not None and before.handle == handle:
                return before
            self.check_name(handle, browser)
            if before is None and len(self._people) >= _MAX_PEOPLE:
                raise Refused("Hier sind alle Namen vergeben.", "All names are taken here.")
            if self._changes[person] >= _MAX_CHANGES:
                raise Refused("So oft lässt sich ein Name nicht ändern.", "A name cannot be changed that often.")
            event = HandleChosen(person, handle)
            await asyncio.to_thread(self._file.append, event)
            self._apply(event)
        return self._people[person]

    async def forget(self, browser: str) -> None:
        """Take the handle of ``browser`` back, and all rated games of it. Raises ``Refused``."""
        person = _id(browser)
        async with self._changing:
            if self._file is None or person not in self._people:
                return
            kept = [event for event in self._file.events if not _concerns(event, person)]
            await asyncio.to_thread(self._file.rewrite, kept)
            self._fold(kept)
            for key in {game.game for game in self._games.values()}:
                self._ratings[key] = await asyncio.to_thread(self._rated, key)

    # --- ratings ------------------------------------------------------------------------------------------------------

    def rating(self, person: str, game_key: str) -> Rating | None:
        """The rating of a person in a game, if they have played rated games of it."""
        return self._ratings.get(game_key, {}).get(person)

    def ranking(self, game_key: str) -> list[RatedPerson]:
        """All who are rated in a game, the strongest first."""
        found = [(self.handle(person), rating) for person, rating in self._ratings.get(game_key, {}).items()]
        ranked = [RatedPerson(handle, rating) for handle, rating in found if handle]
        return sorted(ranked, key=lambda each: (-each.rating.elo, each.handle))

    async def record(self, room: str, game_key: str, people: tuple[str, str], winner: Team | None) -> None:
        """Store a rated game, once, and rate everybody again. Raises ``RecordError`` if the disk does not take it."""
        async with self._changing:
            known = all(person in self._people for person in people) and people[0] != people[1]
            if self._file is None or not known or room in self._games:
                return
            event = GameRated(room, game_key, *people, 1 if winner is None else 2 * (winner is Team.ONE))
            await asyncio.to_thread(self._file.append, event)
            self._apply(event)
            self._ratings[game_key] = await asyncio.to_thread(self._rated, game_key)

    def _rated(self, game_key: str) -> dict[str, Rating]:
        """The ratings by the newest games of a rule set."""
        newest = [game for game in reversed(self._games.values()) if game.game == game_key][:_MAX_RATED_GAMES]
        recent = list(dict.fromkeys(person for game in newest for person in (game.one, game.two)))
        known = set(recent[:_MAX_RATED_PEOPLE])
        winners = {2: Team.ONE, 0: Team.TWO}
        played = [
            PlayedGame(game.one, game.two, winners.get(game.victory_points), game.room)
            for game in newest
            if {game.one, game.two} <= known
        ]
        return {rating.player: rating for rating in rate(cross_table(played)).ratings} if played else {}


def _concerns(event: HandleChosen | GameRated, person: str) -> bool:
    people = (event.person,) if isinstance(event, HandleChosen) else (event.one, event.two)
    return person in people


def _id(browser: str) -> str:
    return hashlib.sha256(browser.encode()).hexdigest()[:32]


def check_handle(wanted: str) -> str:
    """``wanted`` as a handle: letters of one script, digits, and single ``-``, ``_``, ``.``. Raises ``Refused``."""
    handle = unicodedata.normalize("NFKC", wanted.strip())
    if not MIN_HANDLE <= len(handle) <= MAX_HANDLE:
        raise Refused(
            f"Ein Name hat {MIN_HANDLE} bis {MAX_HANDLE} Zeichen.",
            f"A name has {MIN_HANDLE} to {MAX_HANDLE} characters.",
        )
    fits = all(char.isalpha() or char.isdecimal() or char in _PUNCTUATION for char in handle)
    scripts = {unicodedata.name(char, "?").split()[0] for char in handle if char.isalpha()}
    doubled = any(one in _PUNCTUATION and two in _PUNCTUATION for one, two in pairwise(handle))
    if not fits or doubled or len(scripts) != 1 or not handle[0].isalpha() or handle[-1] in _PUNCTUATION:
        raise Refused(
            "Ein Name besteht aus Buchstaben einer Schrift, Ziffern und einzelnen Zeichen - _ . und beginnt mit einem"
            " Buchstaben.",
            "A name is made of letters of one script, digits and single - _ . and begins with a letter.",
        )
    if plain_handle(handle) in _reserved():
        raise Refused(
            "Diesen Namen könnte man mit einem Computer oder der Spielleitung verwechseln.",
            "This name could be taken for a computer player or the host.",
        )
    return handle


def plain_handle(handle: str) -> str:
    """What two handles that look alike have in common."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", handle).casefold())
    return "".join(char for char in letters if char.isalnum()).translate(_LOOK_ALIKES)


def _reserved() -> set[str]:
    names = [name for player in BUILT_IN.values() for name in (player.name, player.title.de, player.title.en)]
    return {plain_handle(name) for name in (*_RESERVED, *names)}
