"""What the notations of all games share: a position is one line of words, the key of the game first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spielleiter.errors import NotationError
from spielleiter.game.encoding import bits
from spielleiter.text import Text

_KEY = Text("Schlüssel des Spiels", "the key of the game")
_TURN = re.compile(r"0|[1-9][0-9]{0,2}")
TURN = Text("Zugnummer", "the turn")
MOVES_PLAYED = Text("Zahl der gespielten Züge", "the number of moves played")


_EMPTY = re.compile(r"\.+")


def _run_length(run: re.Match[str]) -> str:
    return str(len(run[0]))


def write_rows(boards: Sequence[int], columns: int, letters: Mapping[int, str]) -> str:
    """The rows of a square board, the first one first, with what is written for each square.

    ``boards`` are sets of squares, a bit for each, row by row. A square has the sum of 2 to the power of the place of
    each set in which it is, and ``letters`` has what is written for this sum.
    """
    return "/".join(_rows(boards, columns)).translate(letters)


def write_board(boards: Sequence[int], columns: int, letters: Mapping[int, str]) -> str:
    """The same with the last row first, and a number for so many dots."""
    return _EMPTY.sub(_run_length, "/".join(reversed(_rows(boards, columns))).translate(letters))


def _rows(boards: Sequence[int], columns: int) -> list[str]:
    squares = columns * columns
    sums = 0
    for place, board in enumerate(boards):
        sums += int.from_bytes(bits(board, squares), "big") << place
    written = sums.to_bytes(squares, "big").decode("ascii")
    return [written[at : at + columns] for at in range(0, squares, columns)]


class Word(NamedTuple):
    """A word of a text, and where it begins."""

    text: str
    at: int


def split_words(text: str) -> list[Word]:
    """The words of a text."""
    return [Word(found[0], found.start()) for found in re.finditer(r"\S+", text)]


def read_position_words(text: str, key: str, names: Sequence[Text]) -> list[Word]:
    """The words of a position behind its key: as many as there are ``names``. Raises ``NotationError``."""
    words = split_words(text)
    expected = (_KEY, *names)
    if len(words) != len(expected):
        raise NotationError(
            f"erwartet: {', '.join(name.de for name in expected)}; gefunden: {_counted(len(words)).de}",
            f"expected {', '.join(name.en for name in expected)}, but found {_counted(len(words)).en}",
            text,
            words[len(expected)].at if len(words) > len(expected) else len(text),
        )
    if words[0].text != key:
        raise NotationError(
            f"erwartet: {key}, der Schlüssel des Spiels; gefunden: {words[0].text}",
            f"expected {key}, the key of the game, found {words[0].text}",
            text,
            words[0].at,
        )
    return words[1:]


def _counted(number: int) -> Text:
    return Text("1 Wort", "1 word") if number == 1 else Text(f"{number} Wörter", f"{number} words")


def read_turn(text: str, word: Word, max_turn: int, name: Text = TURN) -> int:
    """The number of a turn, 0 to ``max_turn``, without leading zeros. Raises ``NotationError``."""
    if _TURN.fullmatch(word.text) is None or int(word.text) > max_turn:
        raise NotationError(
            f"erwartet: die {name.de}, 0 bis {max_turn}; gefunden: {word.text}",
            f"expected {name.en}, 0 to {max_turn}, found {word.text}",
            text,
            word.at,
        )
    return int(word.text)
