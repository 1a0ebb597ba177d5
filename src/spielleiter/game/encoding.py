"""The contract of a game with programs that learn: positions as planes of numbers, moves as numbers.

A plane has one number for each square of the board. A team sees the position from its own side: its own pieces come
before the opponent's, and where the start is symmetric the board is turned so that both teams see theirs in the same
place. Moves are numbered in that same view, so that one network can play both teams.

Laws: each legal move has a number of its own, which names just this move; positions that differ look different; no
number in a plane is greater than the plane says. The numbers are for good: networks are trained on them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from spielleiter.game.outcome import Team
from spielleiter.game.state import GameState, MoveT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

StateT_contra = TypeVar("StateT_contra", bound=GameState[Any], contravariant=True)


@dataclass(frozen=True, slots=True)
class Plane:
    """What one plane shows, and the greatest number that can stand in it; 0 is the least."""

    text: str
    highest: int = 1


class Encoding(Protocol[StateT_contra, MoveT]):
    """Positions and moves of one rule set as numbers."""

    @property
    def planes(self) -> tuple[Plane, ...]:
        """What each plane of an observation shows."""

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of a plane."""

    @property
    def actions(self) -> int:
        """How many numbers for moves there are; they count from 0."""

    def plane_bytes(self, state: StateT_contra, team: Team) -> bytes:
        """The position as ``team`` sees it: a byte for each square, plane after plane, row after row."""

    def observe(self, state: StateT_contra, team: Team) -> NDArray[np.uint8]:
        """The position as ``team`` sees it: a new array (planes, rows, columns) that may be written to. Needs numpy."""

    def action(self, state: StateT_contra, move: MoveT) -> int:
        """The number of a legal move, as the team to move sees the board."""

    def move(self, state: StateT_contra, action: int) -> MoveT:
        """The move with that number, legal or not."""


class PlaneArrays(ABC):
    """The part of an ``Encoding`` that all games share: its bytes as an array."""

    size: tuple[int, int]

    @abstractmethod
    def plane_bytes(self, state: Any, team: Team) -> bytes:
        """The planes one after the other, row by row, as ``team`` sees the position."""

    def observe(self, state: Any, team: Team) -> NDArray[np.uint8]:
        """The position as ``team`` sees it: a new array (planes, rows, columns) that may be written to. Needs numpy."""
        try:
            import numpy as np  # The rules do without it.
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(
                "encoding.observe needs numpy: install the extra with pip install 'spielleiter[rl]'", name="numpy"
            ) from missing
        return np.frombuffer(bytearray(self.plane_bytes(state, team)), np.uint8).reshape(-1, *self.size)


def bits(board: int, squares: int) -> bytes:
    """The plane of a set of squares: byte i is 1 where bit i of ``board`` is set."""
    return f"{board:0{squares}b}".encode().translate(_DIGITS)[::-1]


_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


def filled(number: int, squares: int) -> bytes:
    """The plane with the same number on every square."""
    return bytes((number,)) * squares


# --- mirrors ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mirror:
    """A mirror in which the rules stay the same, so that what was learned from a position holds for its image, too."""

    rows: bool
    """Whether the order of the rows is reversed."""
    columns: bool
    action: Callable[[int], int]
    """The action that in the mirror looks like the given one."""


def step_mirror(
    steps: Sequence[tuple[int, int]], size: tuple[int, int], *, rows: bool = False, columns: bool = False
) -> Mirror:
    """The mirror of a game whose actions are numbered step by step (rows, columns), and square by square for each."""
    squares = size[0] * size[1]
    numbers = {step: number for number, step in enumerate(steps)}

    def mirrored(action: int) -> int:
        number, square = divmod(action, squares)
        row, column = divmod(square, size[1])
        down, right = steps[number]
        step = (-down if rows else down, -right if columns else right)
        row = size[0] - 1 - row if rows else row
        return numbers[step] * squares + row * size[1] + (size[1] - 1 - column if columns else column)

    return Mirror(rows, columns, mirrored)
