"""Piranhas as text: positions like ``piranhas-2019 1BBBBBBBB1/R8R/.../1BBBBBBBB1 0``, moves like ``A4-C4``, ``A2xC0``.

A position is: the key, the ten rows from 9 down to 0, the turn, and with weighted fish the team that was united
first (or ``-``). In a row a number stands for so many empty squares, K is a kraken; fish are R and B, or where they
are weighted S, M, L for ONE and s, m, l for TWO.
"""

from __future__ import annotations

import re

from spielleiter.errors import NotationError
from spielleiter.game import TEAMS, Team, Text, require_text
from spielleiter.game.notation import TURN, read_position_words, read_turn, write_board
from spielleiter.games.piranhas.rules import (
    BOARDS,
    LAST_TURN,
    SIZE,
    Direction,
    Move,
    Rules,
    State,
    square_name,
    state_of_boards,
)

_KRAKEN = "K"
_PLAIN = {"R": ("one",), "B": ("two",), _KRAKEN: ("krakens",)}
_WEIGHTED = {
    "S": ("one",),
    "M": ("one", "medium"),
    "L": ("one", "large"),
    "s": ("two",),
    "m": ("two", "medium"),
    "l": ("two", "large"),
    _KRAKEN: ("krakens",),
}
_WORDS = (Text("Spielfeld", "the board"), TURN, Text("zuerst vereintes Team", "the first union"))
"""The words of a position behind the key; the last one only where fish are weighted."""
_SQUARES = re.compile(r"\s*([A-J])([0-9])\s*[-x]?\s*([A-J])([0-9])\s*", re.IGNORECASE)
_WITH_DIRECTION = re.compile(r"\s*([A-J])([0-9])\s+([A-Z_]+)\s*", re.IGNORECASE)

_PLAIN_SUMS = {0: ".", 1: "R", 2: "B", 4: _KRAKEN}
_WEIGHTED_SUMS = {
    0: ".", 1: "S", 2: "s", 4: _KRAKEN, 1 + 8: "M", 2 + 8: "m", 1 + 16: "L", 2 + 16: "l",
}  # fmt: skip
"""What is written for a square in the sets of ONE (1), TWO (2), the krakens (4), medium (8) and large (16) fish."""


def letter(state: State, bit: int) -> str:
    """The letter for what lies on the square ``bit``, or an empty text."""
    if bit & state.krakens:
        return _KRAKEN
    if not bit & (state.one | state.two):
        return ""
    if not state.rules.weighted:
        return "R" if bit & state.one else "B"
    size = "L" if bit & state.large else "M" if bit & state.medium else "S"
    return size if bit & state.one else size.lower()


class PiranhasNotation:
    """Writes and reads the positions and moves of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._letters = _WEIGHTED if rules.weighted else _PLAIN

    def format_state(self, state: State) -> str:
        if not self._rules.weighted:
            board = write_board((state.one, state.two, state.krakens), SIZE, _PLAIN_SUMS)
            return f"{state.rules.key} {board} {state.turn}"
        board = write_board((state.one, state.two, state.krakens, state.medium, state.large), SIZE, _WEIGHTED_SUMS)
        text = f"{state.rules.key} {board} {state.turn}"
        return f"{text} {'-' if state.first_union is None else state.first_union.name}"

    def parse_state(self, text: str) -> State:
        names = _WORDS if self._rules.weighted else _WORDS[:-1]
        board, turn_word, *union = read_position_words(text, self._rules.key, names)
        boards = self._parse_board(text, *board)
        turn = read_turn(text, turn_word, LAST_TURN)
        first_union = self._parse_union(text, *union[0]) if self._rules.weighted else None
        return state_of_boards(self._rules, turn, boards, first_union)

    def _parse_board(self, text: str, board: str, at: int) -> dict[str, int]:
        rows = board.split("/")
        if len(rows) != SIZE:
            raise NotationError(
                f"erwartet: zehn Reihen, getrennt durch /; gefunden: {len(rows)}",
                f"expected ten rows with / between them, but found {len(rows)}",
                text,
                at,
            )
        boards = dict.fromkeys(BOARDS, 0)
        for y, row in zip(reversed(range(SIZE)), rows, strict=True):
            x = 0
            for token in re.finditer(r"[1-9][0-9]*|.", row):
                if token[0].isdecimal() and token[0] != "0":
                    x += int(token[0][:3])
                elif token[0] in self._letters:
                    if x < SIZE:
                        for name in self._letters[token[0]]:
                            boards[name] |= 1 << y * SIZE + x
                    x += 1
                else:
                    known = ", ".join(self._letters)
                    raise NotationError(
                        f"erwartet in Reihe {y}: {known} oder eine Anzahl leerer Felder",
                        f"expected one of {known} or a number of empty squares in row {y}",
                        text,
                        at + token.start(),
                    )
            if x != SIZE:
                raise NotationError(
                    f"erwartet: zehn Felder in Reihe {y}; gefunden: {x}",
                    f"expected ten squares in row {y}, but found {x}",
                    text,
                    at,
                )
            at += len(row) + 1
        return boards

    def _parse_union(self, text: str, word: str, at: int) -> Team | None:
        if word == "-":
            return None
        if word not in Team.__members__:
            raise NotationError(
                "erwartet: ONE oder TWO, das zuerst vereinte Team, oder -",
                "expected ONE or TWO, the team that was united first, or -",
                text,
                at,
            )
        return Team[word]

    def format_move(self, state: State, move: Move) -> str:
        """``A4-C4``, ``A2xC0`` if something is eaten; ``A4 LEFT`` if the move leads nowhere."""
        target = state.target(move)
        if target is None:
            return str(move)
        eats = state.fish(TEAMS[1 - (state.turn & 1)]) >> target[1] * SIZE + target[0] & 1
        return f"{square_name(move.x, move.y)}{'x' if eats else '-'}{square_name(*target)}"

    def parse_move(self, state: State, text: str) -> Move:
        """The move that ``A4-C4`` or ``A4 RIGHT`` names; the distance must be the one that the board gives."""
        require_text(text)
        if found := _WITH_DIRECTION.fullmatch(text):
            name = found[3].upper()
            if name not in Direction.__members__:
                known = ", ".join(Direction.__members__)
                raise NotationError(
                    f"erwartet: eine Richtung ({known})", f"expected a direction: {known}", text, found.start(3)
                )
            return Move(_column(found[1]), int(found[2]), Direction[name])
        found = _SQUARES.fullmatch(text)
        if found is None:
            raise NotationError(
                "erwartet: ein Zug wie A4-C4 oder A4 RIGHT", "expected a move like A4-C4 or A4 RIGHT", text
            )
        x, y, to_x, to_y = _column(found[1]), int(found[2]), _column(found[3]), int(found[4])
        distance = max(abs(to_x - x), abs(to_y - y))
        step = (to_x - x) // distance if distance else 0, (to_y - y) // distance if distance else 0
        if distance == 0 or (x + distance * step[0], y + distance * step[1]) != (to_x, to_y):
            raise NotationError(
                "erwartet: zwei Felder auf einer Geraden oder Diagonalen",
                "expected two squares on one straight or diagonal line",
                text,
                found.start(3),
            )
        move = Move(x, y, Direction(step))
        if (target := state.target(move)) != (to_x, to_y):
            to = square_name(*target) if target else None
            raise NotationError(
                f"{move} führt in dieser Stellung {f'nach {to}' if to else 'vom Spielfeld'}",
                f"{move} leads {f'to {to}' if to else 'off the board'} in this position",
                text,
                found.start(3),
            )
        return move


def _column(name: str) -> int:
    return ord(name.upper()) - ord("A")
