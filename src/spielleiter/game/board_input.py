"""How people play a game on its picture or set up a position of it, and how its board sounds in words.

There are two kinds of input: pieces on the board move to another square (``PieceMoves``), or tiles from beside the
board are placed on it (``TilePlacement``). A page or a window has one handler for each kind, and needs nothing else of
a game; what is legal only the state decides.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar

from spielleiter.game.drawing import Arrow, Highlight, Look, Square
from spielleiter.game.state import GameState
from spielleiter.text import Text

StateT = TypeVar("StateT", bound=GameState[Any])
MoveT = TypeVar("MoveT")


class BoardInput(ABC, Generic[StateT, MoveT]):
    """What every kind of input knows: where the squares are, and what to say about them."""

    kind: ClassVar[str]
    """The tag by which scripts and style sheets choose their handler."""
    flips_for_two: ClassVar[bool]
    """Whether the second player looks at the board from the other side."""
    lists_words: ClassVar[bool]
    """Whether lists of moves say them in words, because their notation is for programs."""

    rows: Sequence[Sequence[Square]]
    """All squares as the picture shows them when it is not flipped: row by row from the top, left to right."""

    @abstractmethod
    def corner(self, square: Square, look: Look) -> tuple[float, float]:
        """The upper left corner of ``square`` in the units of the picture; every square is one unit wide."""

    @abstractmethod
    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture in its units."""

    @abstractmethod
    def square_name(self, square: Square) -> str:
        """What people call the square."""

    @abstractmethod
    def contents(self, state: StateT, square: Square) -> Text:
        """What is on the square, in words."""

    @abstractmethod
    def move_text(self, state: StateT, move: MoveT) -> Text:
        """The move in words, as one would say it aloud; also for an illegal one."""

    @abstractmethod
    def move_squares(self, state: StateT, move: MoveT) -> tuple[Square, ...]:
        """The squares of the move that are on the board: from and to, or all that are covered."""

    @abstractmethod
    def show_move(self, state: StateT, move: MoveT, look: Look, color: str = "arrow") -> Look:
        """``look`` with this move drawn on the board."""

    def color_to_move(self, state: StateT) -> Text | None:
        """The colour whose turn it is, where a team plays more than one."""
        return None


@dataclass(frozen=True, slots=True)
class Step:
    """A legal move of a piece on the board, and why it leads just there."""

    move: Any
    start: Square
    target: Square
    why: Text
    counted: tuple[Square, ...] = ()
    """The squares whose contents decide how far the piece goes."""


class PieceMoves(BoardInput[StateT, MoveT]):
    """Pieces move from square to square."""

    kind = "pieces"
    flips_for_two = True
    lists_words = False

    @abstractmethod
    def steps(self, state: StateT) -> tuple[Step, ...]:
        """Every legal move."""

    @abstractmethod
    def refusal(self, state: StateT, start: Square, target: Square) -> Text:
        """The rule that forbids a move between two squares that no step connects."""

    def show_move(self, state: StateT, move: MoveT, look: Look, color: str = "arrow") -> Look:
        """An arrow, or the one square that is on the board."""
        squares = self.move_squares(state, move)
        if len(squares) == 2:
            return replace(look, arrows=(*look.arrows, Arrow(*squares, color)))
        return _highlight(look, squares, color)


@dataclass(frozen=True, slots=True)
class Orientation:
    """One way to turn and flip a tile: its squares from 0, 0 on, and which orientation a turn or a flip leads to."""

    cells: tuple[Square, ...]
    turned: int
    """The index of the orientation after a quarter turn clockwise."""
    flipped: int
    """The index of the orientation after left and right were exchanged."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece beside the board, with all its orientations."""

    name: str
    text: Text
    """What people call it."""
    orientations: tuple[Orientation, ...]


class TilePlacement(BoardInput[StateT, MoveT]):
    """Tiles are placed on the board."""

    kind = "tiles"
    flips_for_two = False
    lists_words = True

    @abstractmethod
    def tiles(self, state: StateT) -> tuple[Tile, ...]:
        """The tiles that the side to move may choose from."""

    @abstractmethod
    def tray(self, state: StateT, look: Look) -> str:
        """The tiles of the side to move as an SVG picture; each is a group with its name as ``data-kind``."""

    @abstractmethod
    def paint(self, state: StateT) -> tuple[str, str]:
        """The colour of these tiles and that of their edges, as ``fill`` and ``stroke`` of an SVG picture."""

    def advice(self, state: StateT) -> Text | None:
        """What to know before this move, where the rules leave no choice of a tile."""
        return None

    @abstractmethod
    def placements(self, state: StateT) -> dict[tuple[str, int], list[Square]]:
        """For a tile's name and the index of its orientation: where the upper left corner of its box may legally be."""

    @abstractmethod
    def anchors(self, state: StateT) -> tuple[Square, ...]:
        """The squares of which the next tile has to cover at least one."""

    @abstractmethod
    def place(self, state: StateT, name: str, orientation: int, at: Square) -> MoveT:
        """The move that places this tile there, legal or not. Raises ``KeyError`` if there is no such tile."""

    @abstractmethod
    def pass_move(self, state: StateT) -> MoveT | None:
        """The move that places nothing, where it is legal."""

    def show_move(self, state: StateT, move: MoveT, look: Look, color: str = "arrow") -> Look:
        """The squares that the tile covers."""
        return _highlight(look, self.move_squares(state, move), color)


def _highlight(look: Look, squares: Sequence[Square], color: str) -> Look:
    return replace(look, highlights=(*look.highlights, *(Highlight(square, color) for square in squares)))


AnyBoardInput = PieceMoves[Any, Any] | TilePlacement[Any, Any]


# --- setting up a position --------------------------------------------------------------------------------------------

# The notations of all games have one form: the key, the rows of the board as the picture shows them, divided by "/",
# with a number for so many empty squares, and then a word for each field.
_TOKEN = re.compile(r"[1-9][0-9]*|[^0-9+]\+?")

Rows = tuple[tuple[str, ...], ...]
"""What is on each square, row by row from the top: the token of a stamp, or an empty text."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Something that can be put on a square, and how the notation writes it."""

    token: str
    text: Text


@dataclass(frozen=True, slots=True)
class SetupField:
    """A word of the notation behind the board."""

    text: Text
    choices: tuple[str, ...] = ()
    """All that it can be; empty: whatever the notation allows, which says what that is."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How positions of a game are set up."""

    stamps: tuple[Stamp, ...]
    fields: tuple[SetupField, ...]
    why_impossible: Callable[[Any], Text | None] = lambda state: None
    """The rule by which no game leads to a position, although the notation can say it."""


def write_position(key: str, rows: Sequence[Sequence[str]], fields: Sequence[str]) -> str:
    """The notation of what was set up."""
    lines = []
    for row in rows:
        runs = ((empty, list(run)) for empty, run in groupby(row, key=lambda token: not token))
        lines.append("".join(str(len(run)) if empty else "".join(run) for empty, run in runs))
    return " ".join((key, "/".join(lines), *fields))


def read_position(text: str) -> tuple[Rows, tuple[str, ...]]:
    """The rows and the fields of a position that its notation has accepted."""
    _, board, *fields = text.split()
    rows = []
    for line in board.split("/"):
        row: list[str] = []
        for token in _TOKEN.findall(line):
            row += [""] * int(token) if token.isdecimal() else [token]
        rows.append(tuple(row))
    return tuple(rows), tuple(fields)
