"""The contract of a game with hands: how a person plays it on its picture, and how its board sounds in words.

There are two ways to move: in some games a piece on the board steps to another square (``Stepping``), in others a
tile from the side is laid (``Laying``). Whoever builds a page or a window needs no more than this to let people play;
what is legal says the state alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from spielleiter.game.drawing import Look, Square
from spielleiter.game.state import GameState, MoveT
from spielleiter.text import Text

StateT_contra = TypeVar("StateT_contra", bound=GameState[Any], contravariant=True)
MoveT_contra = TypeVar("MoveT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Step:
    """A legal move of a piece on the board, and why it leads just there."""

    move: Any
    start: Square
    target: Square
    why: Text
    counted: tuple[Square, ...] = ()
    """The squares whose contents decide how far the piece goes."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece beside the board that could be laid, with every way in which it can lie."""

    name: str
    """What programs call it."""
    text: Text
    orientations: tuple[Orientation, ...]


@dataclass(frozen=True, slots=True)
class Orientation:
    """One way in which a tile can lie: its squares from 0, 0 on, and where a turn and a flip of it lead."""

    cells: tuple[Square, ...]
    turned: int
    """The index of the lie after a quarter turn clockwise."""
    flipped: int
    """The index of the lie after left and right were exchanged."""


class Board(Protocol[StateT_contra, MoveT_contra]):
    """Where the squares are, and what to say about them."""

    @property
    def rows(self) -> Sequence[Sequence[Square]]:
        """All squares as the picture shows them when it is not flipped: row by row from the top, left to right."""

    def corner(self, square: Square, look: Look) -> tuple[float, float]:
        """The upper left corner of ``square`` in the units of the picture; every square is one unit wide."""

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture in its units."""

    def square_name(self, square: Square) -> str:
        """What people call the square."""

    def contents(self, state: StateT_contra, square: Square) -> Text:
        """What lies on the square, in words."""

    def move_text(self, state: StateT_contra, move: MoveT_contra) -> Text:
        """The move in words, as one would say it aloud; also for an illegal one."""

    def move_squares(self, state: StateT_contra, move: MoveT_contra) -> tuple[Square, ...]:
        """The squares that the move is about, as far as they are on the board: from and to, or all that are covered."""


class PieceMoves(Board[StateT_contra, MoveT_contra], Protocol[StateT_contra, MoveT_contra]):
    """A game in which pieces step from square to square."""

    def steps(self, state: StateT_contra) -> tuple[Step, ...]:
        """Every legal move."""

    def refusal(self, state: StateT_contra, start: Square, target: Square) -> Text:
        """The rule that forbids what a hand tried, for two squares between which there is no step."""


class TilePlacement(Board[StateT_contra, MoveT], Protocol[StateT_contra, MoveT]):
    """A game in which tiles are laid on the board."""

    def side(self, state: StateT_contra) -> Text:
        """Whose tiles are to be laid now, in words."""

    def tiles(self, state: StateT_contra) -> tuple[Tile, ...]:
        """The tiles that the side to move may choose from."""

    def tray(self, state: StateT_contra, look: Look) -> str:
        """The tiles of the side to move as an SVG picture; each stands in a group with its name as ``data-kind``."""

    def places(self, state: StateT_contra) -> dict[tuple[str, int], list[Square]]:
        """For the name of a tile and the index of its lie: where the upper left corner of its box may legally go."""

    def anchors(self, state: StateT_contra) -> tuple[Square, ...]:
        """The squares of which the next tile has to cover at least one."""

    def lay(self, state: StateT_contra, name: str, lie: int, at: Square) -> MoveT:
        """The move that lays this tile there, legal or not. Raises ``KeyError`` for a tile or lie that is none."""

    def passing(self, state: StateT_contra) -> MoveT | None:
        """The move that lays nothing, where it is legal."""


AnyTouch = PieceMoves[Any, Any] | TilePlacement[Any, Any]
