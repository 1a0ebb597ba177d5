"""What a commentator says of a move by the rules alone; each game brings its own phrases.

Law (see ``conformance``): a remark is one sentence in each language, and true in the position after the move; so is a
reason why a move was worse than another one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
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


@dataclass(frozen=True, slots=True)
class WorseMove(Generic[StateT, MoveT]):
    """A move that was played where another one was better, and what the opponent answers best."""

    before: StateT
    move: MoveT
    better: MoveT
    after: StateT
    """The position after ``move``."""
    instead: StateT
    """The position after ``better``."""
    answer: MoveT | None = None
    """A legal move in ``after``, where one is known."""

    @classmethod
    def of(cls, before: StateT, move: MoveT, better: MoveT, answer: MoveT | None = None) -> WorseMove[StateT, MoveT]:
        """The comparison of two legal moves."""
        after = before.play_unchecked(move)
        if answer is not None and (after.outcome is not None or after.violation(answer) is not None):
            answer = None
        return cls(before, move, better, after, before.play_unchecked(better), answer)

    @property
    def answered(self) -> StateT | None:
        """The position after the answer of the opponent; ``None`` where none is known, or the same side moves again."""
        if self.answer is None or self.after.to_move is self.before.to_move:
            return None
        return self.after.play_unchecked(self.answer)

    @property
    def prevents(self) -> bool:
        """Whether the better move would have made the answer impossible."""
        if self.answer is None or self.instead.outcome is not None or self.instead.turn != self.after.turn:
            return False
        return self.instead.violation(self.answer) is not None


class Commentary(ABC, Generic[StateT, MoveT]):
    """The phrases of one game."""

    @abstractmethod
    def remark(self, before: StateT, move: MoveT, after: StateT) -> Remark | None:
        """The weightiest thing to say about ``move``, which led from ``before`` to ``after``; mostly nothing."""

    def reasons(self, worse: WorseMove[StateT, MoveT]) -> Iterable[Text]:
        """Why a move was worse than the better one, in the game's own terms: sentences, the weightiest first."""
        return ()

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
