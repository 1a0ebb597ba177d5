"""The track of Hase und Igel: 65 fields in a line, which of them are fixed and which are drawn (R1 to R3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from random import Random

from spielleiter.game import Text

LENGTH = 65
"""Fields of the track, START and GOAL included."""
LAST = LENGTH - 1
"""The number of the goal; the start is 0 (R28)."""


class Field(IntEnum):
    """What a field of the track is; the names are those of the wire."""

    START = 0
    CARROTS = 1
    HARE = 2
    SALAD = 3
    MARKET = 4
    HEDGEHOG = 5
    POSITION_1 = 6
    POSITION_2 = 7
    GOAL = 8

    @property
    def letter(self) -> str:
        """How a position's notation writes the field."""
        return LETTERS[self]

    @property
    def text(self) -> Text:
        """What people call the field."""
        return _TEXTS[self]


LETTERS = "0CHSMI12G"
"""The letters of the fields, in their order; I is the hedgehog (Igel)."""

_TEXTS = (
    Text("Startfeld", "start"),
    Text("Karottenfeld", "carrot field"),
    Text("Hasenfeld", "hare field"),
    Text("Salatfeld", "salad field"),
    Text("Markt", "market"),
    Text("Igelfeld", "hedgehog field"),
    Text("Positionsfeld 1", "position field 1"),
    Text("Positionsfeld 2", "position field 2"),
    Text("Ziel", "goal"),
)

# R2 and R3: what stands alone is fixed, the letters of a longer word are shuffled among its fields.
LAYOUT: tuple[tuple[tuple[int, ...], str], ...] = (
    ((0,), "0"),
    (tuple(range(1, 10)), "CCCHHHM12"),
    ((10,), "S"),
    ((11,), "I"),
    ((12, 13, 14), "CCH"),
    ((15,), "I"),
    ((16, 17, 18), "M12"),
    ((19,), "I"),
    ((20, 21, 23), "CC2"),
    ((22,), "S"),
    ((24,), "I"),
    (tuple(range(25, 30)), "CCHM2"),
    ((30,), "I"),
    (tuple(range(31, 37)), "CCHH12"),
    ((37,), "I"),
    (tuple(range(38, 42)), "CCH2"),
    ((42,), "S"),
    ((43,), "I"),
    (tuple(range(44, 50)), "CCHM12"),
    ((50,), "I"),
    (tuple(range(51, 56)), "CCHM2"),
    ((56,), "I"),
    ((57,), "S"),
    *(((58 + place,), letter) for place, letter in enumerate("HC1CHC")),
    ((LAST,), "G"),
)
"""Groups of fields and the letters that are drawn for them, each group for itself."""


@dataclass(frozen=True, slots=True)
class Track:
    """The fields of one game, made once by ``track_of`` with what the rules look up in them."""

    letters: str
    """One letter for each field, START first."""
    fields: tuple[Field, ...] = field(compare=False, repr=False)
    codes: bytes = field(compare=False, repr=False)
    """The same as plain numbers, for hot loops."""
    hedgehog_before: tuple[int, ...] = field(compare=False, repr=False)
    """For each field the nearest hedgehog behind it, -1 without one (R13)."""
    last_salad: int = field(compare=False, repr=False)
    """The last salad field, from which on carrots are not swapped (R10); -1 without one."""


_FIELDS = dict(zip(LETTERS, Field, strict=True))


@lru_cache(maxsize=4096)
def track_of(letters: str) -> Track:
    """The track of these letters, which the caller has validated."""
    fields = tuple([_FIELDS[letter] for letter in letters])
    before, nearest = [], -1
    for place, kind in enumerate(fields):
        before.append(nearest)
        if kind is Field.HEDGEHOG:
            nearest = place
    return Track(letters, fields, bytes(fields), tuple(before), letters.rfind(Field.SALAD.letter))


def draw_track(rng: Random) -> Track:
    """A track of the season: every order of each group is equally likely (R3)."""
    letters = [""] * LENGTH
    for places, group in LAYOUT:
        drawn = list(group)
        rng.shuffle(drawn)
        for place, letter in zip(places, drawn, strict=True):
            letters[place] = letter
    return track_of("".join(letters))
