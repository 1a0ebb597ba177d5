"""The book of a class: its journal with the state that follows from it, and who comes in, under what name, and goes."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spielleiter.contest.accounts.attempts import Attempts, Bound
from spielleiter.errors import PageError, Refused
from spielleiter.feeds.channel import Channel
from spielleiter.text import Text
from spielleiter.web.classroom.journal import open_journal
from spielleiter.web.classroom.names import MAX_PEOPLE, another_name, checked_name, find_name, new_code, plain_code
from spielleiter.web.classroom.state import (
    ClassEvent,
    ClassGameChosen,
    ClassOpened,
    ClassState,
    CodeRenewed,
    DoorSet,
    NamesListed,
    Participant,
    PersonJoined,
    PersonRemoved,
    PersonRenamed,
    SeatFreed,
)

_MINUTE = 60.0
_WRONG_CODES = Bound(150, _MINUTE)
"""Limit per address, which a class may share. At this rate a code is found after months."""
_ALL_WRONG_CODES = Bound(600, _MINUTE)
_JOINS = Bound(90, _MINUTE)
"""New seats of the class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSettings:
    """What can be chosen about a class."""

    folder: Path
    """Where everything about it is kept."""
    game: str
    """The key of the game that is played; empty: as before."""
    names: tuple[str, ...] = ()
    """To choose from; none: people type theirs."""

    @property
    def records(self) -> Path:
        """Where the records of its games go: they have names in them, and are forgotten with it."""
        return self.folder / "records"

    @property
    def players(self) -> Path:
        """Where the handed-in players lie."""
        return self.folder / "players"


class ClassBook:
    """What is known of a class, durable; ``channel`` tells of every change."""

    def __init__(self, settings: ClassSettings, now: Callable[[], float] = time.time) -> None:
        """Raises ``SettingsError`` if the class is open elsewhere, ``RecordError`` if its journal is damaged."""
        self.settings = settings
        self.channel = Channel()
        self.now = now
        self._wrong_codes = Attempts(_WRONG_CODES, _WRONG_CODES, _ALL_WRONG_CODES)
        self._joins = Attempts(_JOINS, _JOINS, _JOINS)
        self._journal = open_journal(settings.folder)
        try:
            self.state = ClassState.of(self._journal.events)
            self.was_open_before = bool(self._journal.events)
            self._begin()
        except BaseException:
            self._journal.close()
            raise

    def _begin(self) -> None:
        state, settings = self.state, self.settings
        if not state.host_key:
            self.record(ClassOpened(settings.game, secrets.token_urlsafe(18), secrets.token_urlsafe(12), self.now()))
            self.record(CodeRenewed(new_code()))
        elif settings.game not in ("", state.game):
            self.record(ClassGameChosen(settings.game))
        if settings.names and settings.names != state.listed:
            self.record(NamesListed(settings.names))

    def close(self) -> None:
        """Let another process have it."""
        self._journal.close()

    def record(self, event: ClassEvent) -> None:
        """Something has happened: first the disk, then everybody who looks. Raises ``RecordError``."""
        self._journal.append(event)
        self.state.apply(event)
        self.channel.publish()

    # --- coming in ----------------------------------------------------------------------------------------------------

    def check_code(self, text: str, address: str) -> None:
        """Raises ``Refused`` for a code that is wrong or old, ``PageError`` if too many were tried from there."""
        code = plain_code(text)
        if self._wrong_codes.try_acquire("code", address, self.now()):  # Then not even the right one is taken.
            raise PageError(
                429,
                Text("Gerade wurden zu viele falsche Codes eingegeben.", "Too many wrong codes were typed just now."),
                Text("Warte eine Minute und versuche es noch einmal.", "Wait a minute and try again."),
                retry_after=30,
            )
        if secrets.compare_digest(code.encode(), self.state.code.encode()):
            self._wrong_codes.succeeded("code", address)
            return
        if code in self.state.old_codes:
            raise Refused(
                "Dieser Code gilt nicht mehr. Der neue steht auf dem Beamer.",
                "This code is no longer valid. The new one is on the projector.",
            )
        if not code:
            raise Refused("Gib den Code ein, der auf dem Beamer steht.", "Type the code that is on the projector.")
        raise Refused(
            "Diesen Code gibt es nicht. Vergleiche ihn mit dem auf dem Beamer.",
            "There is no such code. Compare it with the one on the projector.",
        )

    def join(self, code: str, name: str, browser: str, address: str = "") -> Participant:
        """A seat for a browser. Raises ``Refused`` with what to do, or ``PageError``."""
        self.check_code(code, address)
        if (person := self.state.by_browser(browser)) is not None:
            return person
        name = checked_name(name)
        taken = self.state.by_name(name)
        if taken is not None and taken.browser:
            other = another_name(name, [person.name for person in self.state.people.values()])
            raise Refused(
                f"{taken.name} ist schon da. Heißt du auch so, häng etwas an, wie in „{other}“. Warst du das an einem "
                f"anderen Gerät, muss die Leitung erst deinen Platz freigeben.",
                f"{taken.name} is here already. If that is your name too, add something, as in '{other}'. If that was "
                f"you on another device, the host has to free your seat first.",
            )
        listed = find_name(name, self.state.listed)
        if taken is None:
            self._check_door(listed)
        person_id = self.state.last_id + 1 if taken is None else taken.id
        kept = listed or name if taken is None else taken.name
        self.record(PersonJoined(person_id, kept, browser, self.now()))
        return self.state.people[person_id]

    def _check_door(self, listed: str | None) -> None:
        """Whether a new person may come in. Raises ``Refused`` or ``PageError``."""
        if not self.state.is_open:
            raise Refused(
                "Gerade kommt niemand Neues herein. Frag die Leitung.", "Nobody new may come in now. Ask the host."
            )
        if self.state.listed and listed is None:
            raise Refused(
                "Dein Name steht nicht auf der Liste. Wähle ihn aus, oder frag die Leitung.",
                "Your name is not on the list. Choose it from there, or ask the host.",
            )
        if len(self.state.people) >= MAX_PEOPLE:
            raise Refused(f"Alle {MAX_PEOPLE} Plätze sind besetzt.", f"All {MAX_PEOPLE} seats are taken.")
        if self._joins.try_acquire("seat", "", self.now()):
            raise PageError(
                503,
                Text("Gerade kommen zu viele auf einmal herein.", "Too many people are coming in at once."),
                Text("Versuche es in einer Minute noch einmal.", "Try again in a minute."),
                retry_after=20,
            )

    # --- what the host does about people ------------------------------------------------------------------------------

    def person(self, person_id: int) -> Participant:
        """Raises ``Refused`` if there is no such person (any more)."""
        found = self.state.people.get(person_id)
        if found is None:
            raise Refused("Diese Person ist nicht mehr da.", "This person is no longer here.")
        return found

    def rename(self, person_id: int, name: str) -> None:
        """Rename a participant. Raises ``Refused``."""
        person, name = self.person(person_id), checked_name(name)
        other = self.state.by_name(name)
        if other is not None and other.id != person.id:
            raise Refused(f"{other.name} gibt es schon.", f"There is already a {other.name}.")
        self.record(PersonRenamed(person.id, name))

    def free_seat(self, person_id: int) -> None:
        """Let the person come back on another device. Raises ``Refused``."""
        if self.person(person_id).browser:
            self.record(SeatFreed(person_id))

    def remove(self, person_id: int) -> None:
        """The seat is gone with its name; the device is told. Raises ``Refused``."""
        self.record(PersonRemoved(self.person(person_id).id))

    def add_name(self, name: str) -> None:
        """One more name on the list. Raises ``Refused``."""
        name = checked_name(name)
        if find_name(name, self.state.listed) is not None or self.state.by_name(name) is not None:
            raise Refused(f"{name} gibt es schon.", f"There is already a {name}.")
        self.record(NamesListed((*self.state.listed, name)))

    def renew_code(self) -> None:
        """Another join code; the old one opens nothing any more."""
        self.record(CodeRenewed(new_code()))

    def set_door(self, is_open: bool) -> None:
        """Whether new people may come in."""
        if self.state.is_open is not is_open:
            self.record(DoorSet(is_open))
