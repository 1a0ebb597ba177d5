"""Squares, kinds of pieces, moves, and the ready-made tables of where each kind may step.

A board is an ``int`` of 64 bits: the square (x, y) is bit ``8 * x + y``, so that a line is one byte and a1 is bit 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from spielleiter.game import TEAMS, Square, Team, Text

SIZE = 8
"""Lines and files of the board (R1)."""

FILES = "abcdefgh"
"""The names of the files, y = 0 first; the lines are called 1 to 8, x = 0 first (R1)."""

FORWARD = (1, -1)
"""The direction of x in which each team plays (R2)."""

HOME_LINE = (0, SIZE - 1)
"""The x of each team's start line (R2); the opponent's one is where ambers wait (R13)."""


class PieceKind(IntEnum):
    """A kind of piece, in the order of the rule document."""

    HERZMUSCHEL = 0
    MOEWE = 1
    SEESTERN = 2
    ROBBE = 3

    @property
    def text(self) -> Text:
        """What people call it."""
        return _KIND_TEXTS[self]

    @property
    def letter(self) -> str:
        """Its letter in positions."""
        return "HMSR"[self]

    @property
    def wire_name(self) -> str:
        """Its name on the wire and in recordings: ``Moewe``, without the umlaut."""
        return self.name.capitalize()

    @property
    def is_light(self) -> bool:
        """Whether it can win an amber by reaching the opponent's start line (R3): all but the Robbe."""
        return self is not PieceKind.ROBBE


_KIND_TEXTS = (
    Text("Herzmuschel", "cockle"),
    Text("Möwe", "gull"),
    Text("Seestern", "starfish"),
    Text("Robbe", "seal"),
)

STEPS: tuple[tuple[Square, ...], ...] = (
    ((1, -1), (1, 1)),  # R6
    ((1, 0), (0, -1), (0, 1), (-1, 0)),  # R7
    ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 1)),  # R8
    ((2, -1), (2, 1), (1, -2), (1, 2), (-1, -2), (-1, 2), (-2, -1), (-2, 1)),  # R9
)
"""For each kind the steps (forward, sideways) that it may take."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a square: the piece on top and how many lie there in all (1, or 2 for a tower)."""

    team: Team
    kind: PieceKind
    height: int = 1

    def __str__(self) -> str:
        letter = self.kind.letter if self.team is Team.ONE else self.kind.letter.lower()
        return letter + "+" * (self.height - 1)


def on_board(square: Square) -> bool:
    """Whether the board has this square."""
    x, y = square
    return 0 <= x < SIZE and 0 <= y < SIZE


def bit_of(square: Square) -> int:
    """The bit of ``square`` in a board, or 0 if it lies outside."""
    return 1 << SIZE * square[0] + square[1] if on_board(square) else 0


def square_name(square: Square) -> str:
    """``c1`` for (0, 2); a square outside the board is written with its numbers, ``(8,2)``."""
    x, y = square
    return f"{FILES[y]}{x + 1}" if on_board(square) else f"({x},{y})"


@dataclass(frozen=True, slots=True)
class Move:
    """A piece goes from ``start`` to ``target``, both (x, y). Any numbers will do: the rules judge them."""

    start: Square
    target: Square
    start_bit: int = field(init=False, compare=False, repr=False)
    """The bit of ``start``, 0 outside the board."""
    target_bit: int = field(init=False, compare=False, repr=False)
    """The bit of ``target``, 0 outside the board."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "start_bit", bit_of(self.start))
        object.__setattr__(self, "target_bit", bit_of(self.target))

    def __str__(self) -> str:
        return f"{square_name(self.start)}-{square_name(self.target)}"


class Choices(dict[int, tuple[Move, ...]]):
    """The moves of a piece on one square, looked up by those of its target squares that own pieces block.

    At most 256 entries; each is made when it is first asked for.
    """

    __slots__ = ("_moves",)

    def __init__(self, moves: tuple[Move, ...]) -> None:
        super().__init__()
        self._moves = moves

    def __missing__(self, blocked: int) -> tuple[Move, ...]:
        found = self[blocked] = tuple(move for move in self._moves if not move.target_bit & blocked)
        return found


SQUARES: tuple[Square, ...] = tuple((x, y) for x in range(SIZE) for y in range(SIZE))
"""All squares in the order of their bits."""

_INTERNED: dict[tuple[Square, Square], Move] = {}


def move_between(start: Square, target: Square) -> Move:
    """The move from ``start`` to ``target``: always the same object where a piece could step so."""
    return _INTERNED.get((start, target)) or Move(start, target)


def _moves_from(start: Square, kind: PieceKind, team: Team) -> tuple[Move, ...]:
    """The moves of such a piece from ``start`` on an empty board."""
    x, y = start
    targets = [(x + forward * FORWARD[team], y + sideways) for forward, sideways in STEPS[kind]]
    moves = (Move(start, target) for target in targets if on_board(target))
    return tuple(_INTERNED.setdefault((move.start, move.target), move) for move in moves)


def _reach_table(team: Team, kind: PieceKind) -> dict[int, tuple[int, Choices]]:
    """For the bit of each square: the squares that the piece attacks from there, and its choices."""
    table = {}
    for square in SQUARES:
        moves = _moves_from(square, kind, team)
        table[bit_of(square)] = (sum(move.target_bit for move in moves), Choices(moves))
    return table


REACH: tuple[tuple[dict[int, tuple[int, Choices]], ...], ...] = tuple(
    tuple(_reach_table(team, kind) for kind in PieceKind) for team in TEAMS
)
"""``REACH[team][kind][bit]``: the attacked squares and the choices of a piece on the square of that bit."""
