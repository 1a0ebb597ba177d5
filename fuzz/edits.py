"""Inputs with structure from plain bytes: choices that a fuzzer can steer, and edits of documents that are well-formed.

Plain bytes rarely get past the first bracket of a reader. A document of the seeds with some words exchanged does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][\w.-]*|-?\d+(?:\.\d+)?|\s+|.', re.DOTALL)
_MAX_EDITS = 16
WORDS = (
    "", "0", "1", "-1", "2", "19", "1e999", "NaN", "1.5", "9999999999", "true", "false", "null", "[]", "{}", '""',
    '"x"', '"ONE"', '"TWO"', "\n", "<", ">", "/>", "<data>", "</data>", "&amp;", "&#0;",
    "\ud800", "\x00", "\u202e", "ä", "=",
    "id0", "id1", "@say 2\n", "@due\n", "REGULAR", "RULE_VIOLATION", "HARD_TIMEOUT", "SOFT_TIMEOUT", "LEFT", "reading",
    "kernel", "reference", "spielleiter", "PASS", "piranhas-2026", "blokus-2021", "\t",
    "[season]", "[[teams]]", "[teams]", '"""', "1979-05-27", "0x10", ",", ":", "\"2026-01-01T00:00:00+00:00\"",
)  # fmt: skip


_CHARACTERS = '09aZ-/ .:;|x!<&"\n\t@K?,'


class Choices:
    """Reads decisions off the beginning of ``data``; when it is used up, every further one is the first."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self, below: int) -> int:
        """A number from 0 on."""
        if below <= 1:
            return 0
        width = 1 if below <= 256 else 2
        piece = self._data[self._at : self._at + width]
        self._at += width
        return int.from_bytes(piece, "little") % below

    def pick(self, values: Sequence[T]) -> T:
        """One of them."""
        return values[self.number(len(values))]

    def rest(self, length: int | None = None) -> bytes:
        """The next bytes as they are; all of them without a length."""
        end = None if length is None else self._at + length
        piece = self._data[self._at : end]
        self._at += len(piece)
        return piece

    @property
    def left(self) -> bool:
        """Whether there are decisions left."""
        return self._at < len(self._data)


def edited(document: str, choices: Choices, others: Sequence[str] = ()) -> str:
    """The document with some of its words and lines exchanged, changed, repeated or left out.

    ``others`` are documents of the same kind, from which words and lines may come.
    """
    if choices.number(3) == 1:
        document = _lines_edited(document, choices, others)
    tokens = _TOKEN.findall(document)
    for _ in range(_MAX_EDITS):
        if not (choices.left and tokens):
            break
        kind, at = choices.number(9), choices.number(len(tokens))
        run = 1 + choices.number(12)
        if kind == 0:
            tokens[at] = choices.pick(WORDS)
        elif kind == 1:
            tokens[at] = choices.pick(tokens)
        elif kind == 2:
            del tokens[at : at + run]
        elif kind == 3:
            tokens[at:at] = tokens[at : at + run]
        elif kind == 4:
            other = choices.number(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 5:
            tokens[at] = f'"{choices.rest(run).decode("latin-1")}"'
        elif kind == 6:
            tokens[at] = _nudged(tokens[at], choices)
        elif kind == 7 and others:
            tokens[at] = choices.pick(_TOKEN.findall(choices.pick(others)) or [""])
        else:
            inside = choices.number(len(tokens[at]))
            tokens[at] = tokens[at][:inside] + choices.pick(_CHARACTERS) + tokens[at][inside + choices.number(2) :]
    return "".join(tokens)


def _lines_edited(document: str, choices: Choices, others: Sequence[str]) -> str:
    """The document with a line left out, repeated, cut, or taken from another one."""
    lines = document.splitlines(keepends=True) or [""]
    kind, at = choices.number(4), choices.number(len(lines))
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, choices.pick(lines))
    elif kind == 2:
        lines[at] = lines[at][: choices.number(len(lines[at]) + 1)]
    elif others:
        lines[at] = choices.pick(choices.pick(others).splitlines(keepends=True) or [""])
    return "".join(lines)


def _nudged(token: str, choices: Choices) -> str:
    """A number that is a little different; any other word becomes one."""
    try:
        value = float(token)
        changed = choices.pick((value + 1, value - 1, -value, value * 2, value + 0.5, value * 1e6))
        return str(int(changed)) if changed == int(changed) else str(changed)
    except (ValueError, OverflowError):
        return str(choices.number(300))
