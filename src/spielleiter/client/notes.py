"""``note(...)``: what a player thinks while it chooses a move, collected as values, without sockets, files and threads.

::

    with NoteTaker(game, state) as taker:
        move = player.choose(state, seconds)
    taker.notes       # the notes of this move, checked and bounded
    taker.problem     # what was wrong with some of them, in one line, or None

Laws: a note never raises, whatever it is given, and costs next to nothing before the move is chosen; of too many, the
latest are kept, since a search that goes deeper knows more. A note outside of a ``NoteTaker`` is dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar, Token
from itertools import islice
from math import isfinite
from operator import index
from types import TracebackType
from typing import Any, TypeVar

from spielleiter.backports import Self
from spielleiter.game import AnyGame
from spielleiter.game.drawing import square_key
from spielleiter.game.note import MAX_CELLS, MAX_NOTES, MAX_SIZE, MAX_TEXT, PlayerNote, find_cell, left_out, no_cells
from spielleiter.text import NO_TEXT, Text, one_line

T = TypeVar("T")

_current: ContextVar[NoteTaker | None] = ContextVar("note_taker", default=None)
_open: list[NoteTaker] = []
"""All that take notes now: a player's own threads know no context, but mostly there is only one."""


def note(
    *text: object,
    squares: Iterable[Any] = (),
    arrows: Iterable[Any] = (),
    values: Mapping[Any, float] | None = None,
    table: Mapping[Any, object] | None = None,
    chance: float | None = None,
) -> None:
    """Note what the player thinks of the move that it chooses just now; only its own people see it, beside the move.

    ``text`` is joined as by ``print``. ``squares`` are marked, ``arrows`` are pairs of them, ``values`` a number for
    each of them: what they look like is their name in the game (``"b4"``, ``12``), a pair ``(x, y)``, or a move, which
    stands for its squares. ``table`` has a number or a text for each name, ``chance`` is the winning chance as the
    player sees it, from 0 to 1. ``SPIELLEITER_NOTES=off`` switches notes off.

    >>> note("depth", 5, values={(3, 4): 0.7}, chance=0.55)
    """
    taker = _current.get() or (_open[0] if len(_open) == 1 else None)
    if taker is not None:
        taker.add(text, squares, arrows, values, table, chance)


class NoteTaker:
    """Takes the notes that are made inside its ``with`` block, by this thread, or by any if no other one is open."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        """``state`` is the position in which the player chooses."""
        self.notes: tuple[PlayerNote, ...] = ()
        """The notes, once the block has ended."""
        self.problem: Text | None = None
        """What was wrong with some of them, in one line."""
        self._game = game
        self._state = state
        self._raw: deque[tuple[Any, ...]] = deque(maxlen=MAX_NOTES)
        self._count = 0
        self._is_open = False
        self._token: Token[NoteTaker | None] | None = None

    def __enter__(self) -> Self:
        self._token = _current.set(self)
        _open.append(self)
        self._is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        _open.remove(self)
        assert self._token is not None
        _current.reset(self._token)
        if self._raw:
            self._read()

    def add(self, text: tuple[object, ...], *more: Any) -> None:
        """Take a note as it was given; what it holds may change afterwards."""
        if not self._is_open:
            return  # Of a search that was late, and goes on.
        self._count += 1
        squares, arrows, values, table, chance = more
        self._raw.append(
            (
                text,
                self._field("squares", _listed, squares),
                self._field("arrows", _listed, arrows),
                self._field("values", dict, values),
                self._field("table", dict, table),
                chance,
            )
        )

    # --- after the move -----------------------------------------------------------------------------------------------

    def _read(self) -> None:
        size, found, is_too_much = 0, [], self._count > MAX_NOTES
        for raw in reversed(self._raw):
            read = self._note(*raw)
            size += len(read.line) + 1
            if size > MAX_SIZE:
                is_too_much = True
                break
            if read.data:
                found.append(read)
        if is_too_much:
            self._wrong(left_out(self._count - len(found)))
        self.notes = tuple(reversed(found))

    def _note(
        self, text: tuple[object, ...], squares: Any, arrows: Any, values: Any, table: Any, chance: Any
    ) -> PlayerNote:
        return PlayerNote(
            text=self._field("text", _text, text) or "",
            squares=self._field("squares", self._squares, squares) or (),
            arrows=self._field("arrows", self._arrows, arrows) or (),
            values=self._field("values", self._values, values) or (),
            table=self._field("table", _table, table) or (),
            chance=self._field("chance", self._chance, chance),
        )

    def _field(self, name: str, read: Callable[[Any], T], given: Any) -> T | None:
        """What ``read`` makes of an argument of a note; ``None`` if it is not what was expected."""
        if given is None:
            return None
        try:
            return read(given)
        except Exception as problem:  # noqa: BLE001 - whatever a student's note is, the game goes on
            what = _EXPECTED.get(name, NO_TEXT)
            self._wrong(Text(f"{name}: {what.de} ({problem})", f"{name}: {what.en} ({problem})"))
            return None

    def _squares(self, squares: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple(name for each in squares for name in self._cells(each))[:MAX_CELLS]

    def _arrows(self, arrows: tuple[Any, ...]) -> tuple[tuple[str, str], ...]:
        return tuple(arrow for each in arrows if (arrow := self._arrow(each)) is not None)

    def _values(self, values: dict[Any, float]) -> tuple[tuple[str, float], ...]:
        """The value of each cell; of several moves that share one, the best."""
        found: dict[str, float] = {}
        for key, given in list(values.items())[:MAX_CELLS]:
            value = float(given)
            if not isfinite(value):
                self._wrong(Text(f"values: {value} ist keine Zahl", f"values: {value} is not a number"))
                continue
            names = self._cells(key)
            if _is_move(key) and len(names) == 2:
                names = names[1:]  # From square to square: it is the target that is worth it.
            for name in names:
                found[name] = max(found.get(name, value), value) if _is_move(key) else value
        return tuple((name, float(f"{value:.4g}")) for name, value in list(found.items())[:MAX_CELLS])

    def _arrow(self, arrow: Any) -> tuple[str, str] | None:
        """Start and end of the arrow; ``None`` for a move that goes nowhere, and for cells that do not exist."""
        if _is_move(arrow):
            names = self._cells(arrow)
            return (names[0], names[1]) if len(names) == 2 else None
        if isinstance(arrow, str):
            raise ValueError(arrow)
        start, end = arrow
        names = [*self._cells(start), *self._cells(end)]
        return (names[0], names[-1]) if len(names) >= 2 else None

    def _cells(self, given: Any) -> list[str]:
        """The names of a cell, or of those of a move; none for what the board has not."""
        board = self._game.board_input
        if board is None:
            return [] if _is_move(given) else [_name(given)]
        if _is_move(given):
            return [board.square_name(square) for square in board.move_squares(self._state, given)]
        name = _name(given)
        square = find_cell(board, name)
        if square is None:
            self._wrong(no_cells([name]))
            return []
        return [board.square_name(square)]

    def _chance(self, chance: float) -> float:
        if not 0 <= chance <= 1:
            raise ValueError(str(chance))
        return float(f"{chance:.4g}")

    def _wrong(self, problem: Text) -> None:
        if self.problem is None:
            self.problem = Text(one_line(problem.de)[:200], one_line(problem.en)[:200])


_EXPECTED = {
    "squares": Text("erwartet eine Liste von Feldern", "expected a list of squares"),
    "arrows": Text("erwartet eine Liste von Paaren von Feldern", "expected a list of pairs of squares"),
    "values": Text("erwartet {Feld: Zahl}", "expected {square: number}"),
    "table": Text("erwartet {Name: Zahl oder Text}", "expected {name: number or text}"),
    "chance": Text("erwartet eine Zahl von 0 bis 1", "expected a number from 0 to 1"),
}


def _is_move(given: Any) -> bool:
    """Whether it is neither the name of a cell, nor its number, nor its pair of coordinates."""
    return not (isinstance(given, str | int | tuple) or hasattr(given, "__index__"))


def _name(given: Any) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, tuple):
        x, y = given
        return square_key((index(x), index(y)))
    return str(index(given))


def _listed(given: Any) -> tuple[Any, ...]:
    """The first entries; one cell or move alone will do."""
    alone = isinstance(given, str) or not hasattr(given, "__iter__")
    return (given,) if alone else tuple(islice(given, MAX_CELLS))


def _text(parts: tuple[object, ...]) -> str:
    return _short(" ".join(map(str, parts)))


def _table(table: dict[Any, object]) -> tuple[tuple[str, str | float], ...]:
    return tuple((_short(str(key), 60), _entry(value)) for key, value in list(table.items())[:MAX_CELLS])


def _entry(value: object) -> str | float:
    """What stands in a table: a number if it is one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return int(value) if isinstance(value, int) and abs(value) < 10**15 else float(f"{float(value):.6g}")
    return _short(str(value), 100)


def _short(text: str, length: int = MAX_TEXT) -> str:
    plain = text[: 4 * length].encode("utf-8", "replace").decode()
    plain = one_line(plain)
    return plain if len(plain) <= length else plain[: length - 1] + "…"
