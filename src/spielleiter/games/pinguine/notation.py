"""One-line texts for Pinguine: ``pinguine-2023 31..2113/.../P11p2113 1-1 2``, ``c4`` and ``c4-f4``.

A position: the key of the rule set, the rows 1 to 8 (top to bottom) from a to h with one sign for each field (``1`` to
``4`` fish, ``.`` a hole, ``P`` and ``p`` a penguin of ONE and TWO), the fish of ONE and TWO, the number of moves made.
A move: the field where a penguin is placed, or the fields between which it slides.
"""

from __future__ import annotations

import re

from spielleiter.errors import NotationError
from spielleiter.game import TEAMS, Square, Team, Text, require_text
from spielleiter.game.board_input import Setup, SetupField, Stamp
from spielleiter.game.notation import MOVES_PLAYED, read_position_words, read_turn, write_rows
from spielleiter.games.pinguine.moves import COLUMNS, SIZE, Move, field_at, move_to
from spielleiter.games.pinguine.rules import MAX_FISH, Rules, State, why_impossible

HOLE = "."
PENGUIN_LETTERS = "Pp"
"""The sign of a penguin of each team."""

SETUP = Setup(
    (
        *(
            Stamp(str(fish), Text(f"{fish} {'Fisch' if fish == 1 else 'Fische'}", f"{fish} fish"))
            for fish in range(1, MAX_FISH + 1)
        ),
        Stamp(PENGUIN_LETTERS[0], Text("Pinguin, rot", "red penguin")),
        Stamp(PENGUIN_LETTERS[1], Text("Pinguin, blau", "blue penguin")),
    ),
    (
        SetupField(Text("Fische von Rot und Blau, etwa 12-9", "Fish of red and blue, as 12-9")),
        SetupField(Text("Gespielte Züge (gerade: Rot ist am Zug)", "Moves played (even: red is to move)")),
    ),
    empty=HOLE,
)
"""How positions are set up; what the rules forbid the notation refuses already."""

_CONTENTS: dict[str, int | Team] = {
    HOLE: 0,
    **{str(fish): fish for fish in range(1, MAX_FISH + 1)},
    **dict(zip(PENGUIN_LETTERS, TEAMS, strict=True)),
}
_SUMS = {0: HOLE} | {
    1 << place: sign for place, sign in enumerate((*PENGUIN_LETTERS, *map(str, range(1, MAX_FISH + 1))))
}
"""What is written for a field that lies in the set of ONE's penguins (1), of TWO's (2), or of floes (4 to 32)."""
_WORDS = (Text("Spielfeld", "the board"), Text("Fische", "the fish"), MOVES_PLAYED)
_FISH = re.compile(r"(0|[1-9][0-9]{0,2})-(0|[1-9][0-9]{0,2})")
_FIELD = re.compile(rf"([{COLUMNS}])([1-{SIZE}])|\((-?[0-9]{{1,9}}),(-?[0-9]{{1,9}})\)", re.IGNORECASE)


class PinguineNotation:
    """Reads and writes the positions of one rule set, and moves."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def format_state(self, state: State) -> str:
        rows = write_rows((*state.penguins, *state.floes), SIZE, _SUMS)
        return f"{state.rules.key} {rows} {state.fish[0]}-{state.fish[1]} {state.turn}"

    def parse_state(self, text: str) -> State:
        """The position that ``text`` describes; refuses what no game leads to, as far as the text shows it."""
        board, fish, moves_played = read_position_words(text, self._rules.key, _WORDS)
        fields = _parse_board(text, *board)
        caught = _FISH.fullmatch(fish.text)
        if caught is None:
            raise NotationError(
                f"erwartet: Fische von ONE und TWO wie 12-9; gefunden: {fish.text}",
                f"expected the fish of ONE and TWO like 12-9, found {fish.text}",
                text,
                fish.at,
            )
        turn = read_turn(text, moves_played, SIZE * SIZE, MOVES_PLAYED)
        state = State.of(self._rules, turn, fields, (int(caught[1]), int(caught[2])))
        if (reason := why_impossible(state)) is not None:
            raise NotationError(reason.de, reason.en, text, board.at)
        return state

    def format_move(self, state: State, move: Move) -> str:
        """``c4`` for a placement, ``c4-f4`` for a slide."""
        return str(move)

    def parse_move(self, state: State, text: str) -> Move:
        """The move that ``text`` names."""
        require_text(text)
        first, at = _parse_field(text, len(text) - len(text.lstrip()))
        if not text[at:].strip():
            return move_to(None, first)
        if text[at] != "-":
            raise NotationError(
                "erwartet: ein Feld (setzen), oder zwei Felder mit - dazwischen (rutschen)",
                "expected one field (placing), or two fields with - between them (sliding)",
                text,
                at,
            )
        target, at = _parse_field(text, at + 1)
        if text[at:].strip():
            raise NotationError(
                "nach dem zweiten Feld darf nichts mehr kommen", "expected nothing after the second field", text, at
            )
        return move_to(first, target)


def _parse_board(text: str, board: str, at: int) -> dict[Square, int | Team]:
    """What is on the fields of the board, whose word starts at ``at``."""
    rows = board.split("/")
    if len(rows) != SIZE:
        raise NotationError(
            f"erwartet: {SIZE} Reihen, getrennt durch /; gefunden: {len(rows)}",
            f"expected {SIZE} rows divided by /, found {len(rows)}",
            text,
            at,
        )
    fields: dict[Square, int | Team] = {}
    for y, row in enumerate(rows):
        if len(row) != SIZE:
            raise NotationError(
                f"erwartet: {SIZE} Felder in Reihe {y + 1}; gefunden: {len(row)}",
                f"expected {SIZE} fields in row {y + 1}, found {len(row)}",
                text,
                at,
            )
        for index, sign in enumerate(row):
            if sign not in _CONTENTS:
                raise NotationError(
                    f"erwartet: 1 bis {MAX_FISH}, {HOLE}, P oder p; gefunden: {sign!r}",
                    f"expected one of 1 to {MAX_FISH}, {HOLE}, P and p, found {sign!r}",
                    text,
                    at + index,
                )
            fields[field_at(index, y)] = _CONTENTS[sign]
        at += SIZE + 1
    return fields


def _parse_field(text: str, at: int) -> tuple[Square, int]:
    """The field written at ``at``, and where the text goes on."""
    found = _FIELD.match(text, at)
    if found is None:
        last = f"{COLUMNS[-1]}{SIZE}"
        raise NotationError(f"erwartet: ein Feld, a1 bis {last}", f"expected a field, a1 to {last}", text, at)
    column, row, x, y = found.groups()
    if column is None:
        return (int(x), int(y)), found.end()
    return field_at(COLUMNS.index(column.lower()), int(row) - 1), found.end()
