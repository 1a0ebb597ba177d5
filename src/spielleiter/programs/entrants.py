"""The players of a match as values that can travel: what to start, its files, and a digest of all that.

An entrant is a built-in player by its name, any player program, or ``manual``: somebody who joins by himself with the
reservation that we print.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from spielleiter.programs.sandbox import LaunchSpec, ProgramFiles


class EntrantKind(StrEnum):
    """What an entrant is."""

    BUILT_IN = "built-in"
    PROGRAM = "program"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player of a match."""

    name: str
    """Different from all others of the match."""
    text: str
    """As it was given."""
    kind: EntrantKind
    command: tuple[str, ...] = ()
    """As seen in its folder; the arguments of the contest come behind."""
    parcel: ProgramFiles | None = None
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """What it is, in a short text: the same program has the same digest, a changed one another."""
        files = "" if self.parcel is None else self.parcel.digest
        told = "\0".join((self.kind, *self.command, files) if self.kind is EntrantKind.PROGRAM else (self.text,))
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def order(self, reservation: str, seconds: float) -> LaunchSpec:
        """What to start for a game with this reservation, as the contest does."""
        contest = ("--host", "{host}", "--port", "{port}", "--reservation", reservation)
        # Strangers know the limit of their season; ours ask.
        more = ("--limit", f"{seconds:g}") if self.kind is EntrantKind.BUILT_IN else ()
        return LaunchSpec((*self.command, *contest, *more), self.parcel, self.environment)


def with_unique_names(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The same entrants; who has the name of an earlier one gets a number behind."""
    taken: set[str] = set()
    named = []
    for entrant in entrants:
        name, number = entrant.name, 1
        while name in taken:
            number += 1
            name = f"{entrant.name} ({number})"
        taken.add(name)
        named.append(replace(entrant, name=name))
    return tuple(named)
