"""Reads the notes of a player program: from lines that it printed, from debug hints, and from a record.

Nothing is believed: lines are bounded, cells have to be on the board, and what is wrong becomes one clear sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spielleiter.errors import RecordError, Refused
from spielleiter.game.game import AnyGame
from spielleiter.game.note import (
    MAX_CELLS,
    MAX_NOTES,
    MAX_OUTPUT,
    MAX_SIZE,
    MAX_TEXT,
    PREFIX,
    PlayerNote,
    find_cell,
    is_note_line,
    left_out,
    no_cells,
)
from spielleiter.text import Text, one_line, printable
from spielleiter.values import Values, parse_json

_MAX_NAME = 60
_MAX_PROBLEM = 200
_KEYS = ("text", "squares", "arrows", "values", "table", "chance")

_CELLS = Text("eine Liste von Feldern", "a list of squares")
_ARROWS = Text("eine Liste von Paaren von Feldern", "a list of pairs of squares")
_VALUES = Text("{Feld: Zahl}", "{square: number}")
_TABLE = Text("{Name: Zahl oder Text}", "{name: number or text}")


def read_notes(lines: Iterable[str], game: AnyGame) -> tuple[tuple[PlayerNote, ...], Text | None]:
    """The notes in these lines, each of which begins with ``PREFIX``; and what is wrong with some, in one sentence.

    Of too many, the latest are kept.
    """
    every = list(lines)
    kept: list[str] = []
    size = 0
    for line in reversed(every[-MAX_NOTES:]):
        size += len(line.encode("utf-8", "replace")) + 1
        if size > MAX_SIZE:
            break
        kept.append(line)
    problems = [left_out(len(every) - len(kept))] if len(kept) < len(every) else []
    found: list[PlayerNote] = []
    for line in reversed(kept):
        try:
            note, missing = _on_board(_parse(line.removeprefix(PREFIX).strip()), game)
        except Refused as problem:
            problems.append(problem.text)
            continue
        if missing:
            problems.append(no_cells(missing))
        if note.data:
            found.append(note)
    if not problems:
        return tuple(found), None
    said = problems[0]
    return tuple(found), Text(one_line(said.de)[:_MAX_PROBLEM], one_line(said.en)[:_MAX_PROBLEM])


def read_printed(out: bytes, err: bytes, game: AnyGame) -> tuple[tuple[PlayerNote, ...], Text | None, str]:
    """The notes in what a program printed, what is wrong with some of them, and the rest of it as bounded text."""
    lines = err.decode("utf-8", "replace").splitlines()
    notes, problem = read_notes([line for line in lines if is_note_line(line)], game)
    rest = "\n".join(line for line in lines if not is_note_line(line))
    text = printable("\n".join(filter(None, (out.decode("utf-8", "replace").rstrip(), rest.rstrip()))))
    if len(text) > MAX_OUTPUT:
        half = MAX_OUTPUT // 2 - 40
        text = f"{text[:half]}\n[... {len(text) - 2 * half} ...]\n{text[-half:]}"
    return notes, problem, text


def _parse(text: str) -> PlayerNote:
    if not text.startswith("{"):
        return PlayerNote(text=_short(text, MAX_TEXT))
    return note_of(parse_json(text.encode("utf-8", "replace"), PREFIX.strip(), RecordError))


def note_of(data: Values) -> PlayerNote:
    """The note with this ``data``. Raises what ``data`` raises."""
    data.refuse_unknown(_KEYS)
    return PlayerNote(
        text=_short(data.text("text", ""), MAX_TEXT),
        squares=tuple(_cell(data, "squares", each, _CELLS) for each in _entries(data, "squares")),
        arrows=tuple(_arrow(data, each) for each in _entries(data, "arrows")),
        values=tuple(
            (_cell(data, "values", name, _VALUES), _number(data, value)) for name, value in _pairs(data, "values")
        ),
        table=tuple((_short(name, _MAX_NAME), _entry(data, value)) for name, value in _pairs(data, "table")),
        chance=data.number("chance", low=0, high=1) if data.has("chance") else None,
    )


def _entries(data: Values, key: str) -> list[Any]:
    return data.value(key, list, [])[:MAX_CELLS] if data.has(key) else []


def _pairs(data: Values, key: str) -> list[tuple[str, Any]]:
    return list(data.value(key, dict).items())[:MAX_CELLS] if data.has(key) else []


def _cell(data: Values, key: str, cell: Any, expected: Text) -> str:
    if isinstance(cell, int) and not isinstance(cell, bool):
        cell = str(cell)  # The fields of a track have numbers.
    if not isinstance(cell, str):
        raise data.expected(key, expected)
    return _short(cell, _MAX_NAME)


def _arrow(data: Values, arrow: Any) -> tuple[str, str]:
    if not isinstance(arrow, list) or len(arrow) != 2:
        raise data.expected("arrows", _ARROWS)
    start, end = (_cell(data, "arrows", each, _ARROWS) for each in arrow)
    return start, end


def _number(data: Values, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise data.expected("values", _VALUES)
    return data.finite("values", value)


def _entry(data: Values, value: Any) -> str | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise data.expected("table", _TABLE)
    if isinstance(value, str):
        return _short(value, 100)
    data.finite("table", value)
    return value


def _short(text: str, length: int) -> str:
    plain = one_line(text[: 4 * length].encode("utf-8", "replace").decode())
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def _on_board(note: PlayerNote, game: AnyGame) -> tuple[PlayerNote, list[str]]:
    """The note with the cells of the board under their own names, and the names of what are none."""
    board = game.board_input
    if board is None:
        return note, []
    missing: list[str] = []

    def named(name: str) -> str | None:
        square = find_cell(board, name)
        if square is None:
            missing.append(name)
            return None
        return board.square_name(square)

    arrows = [(named(start), named(end)) for start, end in note.arrows]
    return (
        PlayerNote(
            text=note.text,
            squares=tuple(cell for name in note.squares if (cell := named(name)) is not None),
            arrows=tuple((start, end) for start, end in arrows if start is not None and end is not None),
            values=tuple((cell, value) for name, value in note.values if (cell := named(name)) is not None),
            table=note.table,
            chance=note.chance,
        ),
        missing,
    )
