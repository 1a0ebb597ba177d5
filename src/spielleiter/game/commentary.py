"""What a commentator says of a move by the rules alone; each game brings its own phrases.

Law (see ``conformance``): a remark is one sentence in each language, and true in the position after the move.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, TypeVar

from spielleiter.game.state import GameState
from spielleiter.text import Text

StateT = TypeVar("StateT", bound=GameState[Any])
MoveT = TypeVar("MoveT")

_SENTENCE = re.compile(r"[^.!?]+[.!?]")
MAX_LENGTH = 110
"""Characters of a remark: two lines on the screen of a hall."""


def is_sentence(text: str) -> bool:
    """Whether ``text`` is one sentence, short enough for a screen."""
    return len(text) <= MAX_LENGTH and text[:1] == text[:1].upper() and _SENTENCE.fullmatch(text) is not None


class Weight(IntEnum):
    """How much a remark matters: of a move only the weightiest is said."""

    ASIDE = 0
    EVENT = 1
    HIGHLIGHT = 2
    DECISION = 3


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence about one move."""

    weight: Weight
    text: Text

    @classmethod
    def of(cls, weight: Weight, de: str, en: str) -> Remark:
        """The remark with this sentence in German and in English."""
        return cls(weight, Text(de, en))


class Commentary(ABC, Generic[StateT, MoveT]):
    """The phrases of one game."""

    @abstractmethod
    def remark(self, before: StateT, move: MoveT, after: StateT) -> Remark | None:
        """The weightiest thing to say about ``move``, which led from ``before`` to ``after``; mostly nothing."""

    def move_name(self, state: StateT, move: MoveT) -> Text | None:
        """What a commentator calls a move, where its notation is not made to be read aloud."""
        return None


_COUNTS = {
    10: Text("zehn", "ten"),
    5: Text("fünf", "five"),
    3: Text("drei", "three"),
    2: Text("zwei", "two"),
}


def rounds_left(left: int) -> Remark | None:
    """The countdown at the begin of a round, with which ``left`` rounds are left to play; mostly nothing."""
    if left == 1:
        return Remark.of(Weight.ASIDE, "Die letzte Runde beginnt.", "The last round begins.")
    if (count := _COUNTS.get(left)) is None:
        return None
    return Remark.of(Weight.ASIDE, f"Höchstens noch {count.de} Runden.", f"At most {count.en} rounds to go.")
