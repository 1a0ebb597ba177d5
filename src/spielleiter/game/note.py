"""What a player notes while it chooses a move, as a value and as a line of text; and the cells that notes name.

Notes are for the people who wrote the player: they never reach the opponent. The line is the same everywhere, on
standard error, as a debug hint on the wire and in a record: ``PREFIX``, then a text, or a JSON object::

    @note looks good
    @note {"text":"depth 5","values":{"b4":0.83},"arrows":[["a1","b4"]],"chance":0.6}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from spielleiter.game.board_input import AnyBoardInput
from spielleiter.game.drawing import Square, square_key
from spielleiter.text import Text

PREFIX = "@note "
"""How the line of a note begins."""
MAX_NOTES = 32
"""Notes for one move."""
MAX_SIZE = 8192
"""Bytes of all notes for one move, as lines."""
MAX_OUTPUT = 4000
"""Characters of what a program printed for one move."""
MAX_TEXT = 500
"""Characters of a text in a note."""
MAX_CELLS = 500
"""Entries of each list in a note: a value for each cell of the largest board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNote:
    """One note. Cells are in the notation of the game, as ``cells_of`` knows them."""

    text: str = ""
    squares: tuple[str, ...] = ()
    """Cells to look at."""
    arrows: tuple[tuple[str, str], ...] = ()
    """Pairs of cells (from, to), such as candidate moves, the best first."""
    values: tuple[tuple[str, float], ...] = ()
    """What cells are worth to the player, in any unit."""
    table: tuple[tuple[str, str | float], ...] = ()
    """Names with a number or a text each."""
    chance: float | None = None
    """The player's own winning chance as it sees it, from 0 to 1."""

    @property
    def data(self) -> dict[str, object]:
        """What the note says, as JSON."""
        found: dict[str, object] = {
            "text": self.text,
            "squares": list(self.squares),
            "arrows": [list(arrow) for arrow in self.arrows],
            "values": dict(self.values),
            "table": dict(self.table),
        }
        said = {key: value for key, value in found.items() if value}
        return said if self.chance is None else {**said, "chance": self.chance}

    @property
    def line(self) -> str:
        """The note as one line of ASCII."""
        import json

        return PREFIX + json.dumps(self.data, separators=(",", ":"), allow_nan=False)

    @property
    def short(self) -> str:
        """The most important of it in a few words, for the terminal of who starts the player by hand."""
        best = sorted(self.values, key=lambda each: -each[1])[:3]
        parts = [self.text, *(f"{name}: {value}" for name, value in self.table[:4])]
        parts.append(", ".join(f"{cell} {value:.4g}" for cell, value in best) + (" …" if len(self.values) > 3 else ""))
        parts.append("" if self.chance is None else f"{self.chance:.0%}")
        return f"note: {' | '.join(filter(None, parts))}"


def is_note_line(line: str) -> bool:
    """Whether a line that a player printed, or a debug hint, is a note."""
    return line.startswith(PREFIX)


def without_notes(printed: bytes) -> bytes:
    """What a program printed, without the lines of its notes."""
    start = PREFIX.encode()
    if start not in printed:
        return printed
    return b"".join(line for line in printed.splitlines(keepends=True) if not line.startswith(start))


def left_out(count: int) -> Text:
    """What to say of so many notes that were too many or too long for one move."""
    limit = f"{MAX_NOTES} / {MAX_SIZE >> 10} KiB"
    return Text(f"{count} Notizen fehlen: höchstens {limit} je Zug", f"{count} notes left out: at most {limit} a move")


# --- cells ------------------------------------------------------------------------------------------------------------


@cache
def cells_of(board_input: AnyBoardInput) -> Mapping[str, Square]:
    """The cells of a board by what notes may call them: their name in lower case, or ``x,y``."""
    squares = [square for row in board_input.rows for square in row]
    by_key = {square_key(square): square for square in squares}
    return by_key | {board_input.square_name(square).lower(): square for square in squares}


def find_cell(board_input: AnyBoardInput, name: str) -> Square | None:
    """The cell that a note calls so; ``None`` if the board has none."""
    return cells_of(board_input).get(name.strip().lower().replace(" ", ""))


def no_cells(names: Iterable[str]) -> Text:
    """What to say of names that are no cells of the board."""
    shown = list(dict.fromkeys(name[:20] for name in names))
    listed = ", ".join(shown[:5]) + (", …" if len(shown) > 5 else "")
    return Text(f"kein Feld dieses Spiels: {listed}", f"not a cell of this game: {listed}")
