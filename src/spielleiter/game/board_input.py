"""How people play a game on its picture or set up a position of it, and how its board sounds in words.

A legal move is a sequence of picks: cells of the picture, things beside it, numbers. A page offers what can come next,
and needs nothing else of a game; what is legal only the state decides. The laws are in ``conformance.check_picks``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar

from spielleiter.game.drawing import Arrow, Highlight, Look, Point, Square
from spielleiter.game.state import GameState
from spielleiter.text import Text

StateT = TypeVar("StateT", bound=GameState[Any])
MoveT = TypeVar("MoveT")

Pick = Square | str | int
"""One choice of the person who moves: a cell of the picture, the name of a thing beside the board, or a number."""

INCOMPLETE = Text("Der Zug ist noch nicht fertig.", "The move is not complete yet.")
NO_MOVE = Text("Das war kein Zug.", "That was not a move.")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something beside the board that can be picked: a tile, a card, a button such as "pass"."""

    name: str
    """The name for programs: a letter, then letters, digits, ``_`` and ``-``."""
    text: Text
    """What people call it."""


@dataclass(frozen=True, slots=True)
class MoveNote:
    """What to know of a legal move before one makes it."""

    text: Text
    counted: tuple[Square, ...] = ()
    """The squares whose contents decide how far the move goes."""


class BoardInput(ABC, Generic[StateT, MoveT]):
    """Which picks make a move, where the cells are, and what to say about them."""

    hand: ClassVar[str] = "picks"
    """The script that people play with; this one plays every game, others are more comfortable for some."""
    flips_for_two: ClassVar[bool] = False
    """Whether the second player looks at the board from the other side."""

    rows: Sequence[Sequence[Square]]
    """All squares as the picture shows them when it is not flipped: row by row from the top, left to right."""

    # --- the moves ---

    @abstractmethod
    def picks(self, state: StateT, move: MoveT) -> tuple[Pick, ...]:
        """The choices that make this legal move, in their order; those of no other legal move are the same."""

    @abstractmethod
    def refusal(self, state: StateT, picks: Sequence[Pick]) -> Text:
        """Why no legal move begins with ``picks``, of which there is at least one.

        A page may send any squares, names and numbers: what makes no sense at all is ``NO_MOVE``.
        """

    def things(self, state: StateT) -> Sequence[Thing]:
        """What the side to move has beside the board, whether it can be picked now or not."""
        return ()

    def note(self, state: StateT, move: MoveT) -> MoveNote | None:
        """What to know of this legal move before one makes it."""
        return None

    def advice(self, state: StateT) -> Text | None:
        """What to know before the first pick, where the rules leave little choice."""
        return None

    def tray(self, state: StateT, look: Look) -> str:
        """The things as an SVG picture, each a group with its name as ``data-kind``; without it they are buttons."""
        return ""

    def hand_data(self, state: StateT) -> Mapping[str, Any]:
        """What the script of the hand needs beside the legal moves, as JSON."""
        return {}

    # --- the picture ---

    @abstractmethod
    def outline(self, square: Square, look: Look) -> Sequence[Point]:
        """The corners of ``square`` in the units of the picture, clockwise. A cell is about one unit wide."""

    @abstractmethod
    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture in its units."""

    # --- words ---

    @abstractmethod
    def square_name(self, square: Square) -> str:
        """What people call the square."""

    @abstractmethod
    def contents(self, state: StateT, square: Square) -> Text:
        """What is on the square, in words."""

    @abstractmethod
    def move_text(self, state: StateT, move: MoveT) -> Text:
        """The move in words, as one would say it aloud; also for an illegal one."""

    def list_text(self, state: StateT, move: MoveT) -> Text | None:
        """The move as a list of moves names it, where its notation is for programs."""
        return None

    def move_detail(self, state: StateT, move: MoveT) -> Text | None:
        """What tells a move from others with the same ``move_text``, where there are such."""
        return None

    @abstractmethod
    def move_squares(self, state: StateT, move: MoveT) -> tuple[Square, ...]:
        """The squares of the move that are on the board: from and to, or all that are covered."""

    def show_move(self, state: StateT, move: MoveT, look: Look, color: str = "arrow") -> Look:
        """``look`` with this move drawn on the board: an arrow from square to square, or frames."""
        squares = self.move_squares(state, move)
        if len(squares) == 2:
            return replace(look, arrows=(*look.arrows, Arrow(*squares, color)))
        return _highlight(look, squares, color)

    def color_to_move(self, state: StateT) -> Text | None:
        """The colour whose turn it is, where a team plays more than one."""
        return None


AnyBoardInput = BoardInput[Any, Any]


def squares_among(picks: Sequence[Pick], number: int) -> tuple[Square, ...] | None:
    """``picks`` if they are just so many squares."""
    squares = tuple(pick for pick in picks if isinstance(pick, tuple))
    return squares if len(squares) == len(picks) == number else None


# --- hands that are more comfortable ----------------------------------------------------------------------------------


class PieceMoves(BoardInput[StateT, MoveT]):
    """Pieces move from square to square: two squares make a move. A piece that comes to the board is one square."""

    hand = "pieces"
    flips_for_two = True


@dataclass(frozen=True, slots=True)
class Orientation:
    """One way to turn and flip a tile: its squares from 0, 0 on, and which orientation a turn or a flip leads to."""

    cells: tuple[Square, ...]
    turned: int
    """The index of the orientation after a quarter turn clockwise."""
    flipped: int
    """The index of the orientation after left and right were exchanged."""


@dataclass(frozen=True, slots=True)
class Tile(Thing):
    """A piece beside the board, with all its orientations."""

    orientations: tuple[Orientation, ...]


PASS = Thing("pass", Text("Passen", "Pass"))
"""The thing whose pick places no tile."""


class TilePlacement(BoardInput[StateT, MoveT]):
    """Tiles are placed on unit squares: its name, the index of its orientation, and the upper left corner of its box.

    Where that is legal, ``PASS`` is a move.
    """

    hand = "tiles"

    def list_text(self, state: StateT, move: MoveT) -> Text | None:
        """The move in words: the notation of a tile means nothing to people."""
        return self.move_text(state, move)

    @abstractmethod
    def tiles(self, state: StateT) -> tuple[Tile, ...]:
        """The tiles that the side to move may choose from."""

    @abstractmethod
    def paint(self, state: StateT) -> tuple[str, str]:
        """The colour of these tiles and that of their edges, as ``fill`` and ``stroke`` of an SVG picture."""

    @abstractmethod
    def anchors(self, state: StateT) -> tuple[Square, ...]:
        """The squares of which the next tile has to cover at least one."""

    def things(self, state: StateT) -> Sequence[Thing]:
        """The tiles, and the pass."""
        return *self.tiles(state), PASS

    def hand_data(self, state: StateT) -> Mapping[str, Any]:
        """How the tiles turn, their colour, and where they have to go."""
        return {
            "orientations": {
                tile.name: [(shape.cells, shape.turned, shape.flipped) for shape in tile.orientations]
                for tile in self.tiles(state)
            },
            "paint": self.paint(state),
            "anchors": self.anchors(state),
        }

    def show_move(self, state: StateT, move: MoveT, look: Look, color: str = "arrow") -> Look:
        """The squares that the tile covers."""
        return _highlight(look, self.move_squares(state, move), color)


def _highlight(look: Look, squares: Sequence[Square], color: str) -> Look:
    return replace(look, highlights=(*look.highlights, *(Highlight(square, color) for square in squares)))


# --- setting up a position --------------------------------------------------------------------------------------------

# The notations of all games have one form: the key, the rows of the board as the picture shows them, divided by "/",
# with a number for so many empty squares or a sign for each of them, and then a word for each field.
_TOKEN = re.compile(r"[1-9][0-9]*|[^0-9+]\+?")
_SINGLE_TOKEN = re.compile(r"[^+]\+?")

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
    empty: str = ""
    """The sign of an empty square, where digits are stamps; otherwise a number says how many are empty."""


def write_position(key: str, rows: Sequence[Sequence[str]], fields: Sequence[str], empty: str = "") -> str:
    """The notation of what was set up; ``empty`` as in ``Setup``."""
    lines = []
    for row in rows:
        if empty:
            lines.append("".join(token or empty for token in row))
            continue
        runs = ((empty, list(run)) for empty, run in groupby(row, key=lambda token: not token))
        lines.append("".join(str(len(run)) if empty else "".join(run) for empty, run in runs))
    return " ".join((key, "/".join(lines), *fields))


def read_position(text: str, empty: str = "") -> tuple[Rows, tuple[str, ...]]:
    """The rows and the fields of a position that its notation has accepted; ``empty`` as in ``Setup``."""
    _, board, *fields = text.split()
    rows = []
    for line in board.split("/"):
        if empty:
            rows.append(tuple("" if token == empty else token for token in _SINGLE_TOKEN.findall(line)))
            continue
        row: list[str] = []
        for token in _TOKEN.findall(line):
            row += [""] * int(token) if token.isdecimal() else [token]
        rows.append(tuple(row))
    return tuple(rows), tuple(fields)
