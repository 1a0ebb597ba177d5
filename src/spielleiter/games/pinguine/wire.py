"""Pinguine on the wire: the words of 2023."""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.errors import MessageError
from spielleiter.game import TEAMS, Dialect, Element, ResultForm, ScoreForm, Square, StateWriter, Team, WinnerForm
from spielleiter.games.pinguine.moves import FIELDS, SIZE, Move, bit_of, field_at, move_to
from spielleiter.games.pinguine.rules import MAX_FISH, Rules, State, why_impossible

_CONTENTS: dict[str, int | Team] = {
    **{str(fish): fish for fish in range(MAX_FISH + 1)},
    **{team.name: team for team in TEAMS},
}
_ROWS = tuple(tuple(bit_of(square) for square in FIELDS[SIZE * row : SIZE * (row + 1)]) for row in range(SIZE))
_LIST = "\n          <list>" + "\n            <field>{}</field>" * SIZE + "\n          </list>"


class PinguineCodec:
    """Fields row by row, as text: fish, or whose penguin. Moves are in doubled coordinates (R2)."""

    dialect = Dialect(request_gap=0.01, result=ResultForm(score=ScoreForm.CAUSE, winner=WinnerForm.TEAM))

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def state_writer(self, names: tuple[str, str]) -> StateWriter[State]:
        """A writer for the states of one game; they say nothing about the players."""
        return _write_state

    def read_state(self, state: Element) -> State:
        """The state that ``<state>`` describes."""
        rows = [[*row.all("field")] for row in state.child("board").all("list")]
        if [len(row) for row in rows] != [SIZE] * SIZE:
            raise MessageError(
                f"<board> braucht {SIZE} Reihen <list> mit je {SIZE} Feldern <field>",
                f"<board> needs {SIZE} rows <list> of {SIZE} <field> each",
            )
        fields = {
            field_at(index, y): element.own_choice(_CONTENTS)
            for y, row in enumerate(rows)
            for index, element in enumerate(row)
        }
        caught = [number.own_integer() for number in state.child("fishes").all("int")]
        if len(caught) != len(TEAMS):
            raise MessageError("<fishes> braucht zwei Zahlen <int>", "<fishes> needs two numbers <int>")
        last = state.find("lastMove")
        last_move = None if last is None else _read_steps(last)
        read = State.of(self._rules, state.integer("turn"), fields, (caught[0], caught[1]), last_move)
        if (reason := why_impossible(read)) is not None:
            raise MessageError(reason.de, reason.en)
        return read

    def write_move(self, move: Move, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move; this season has no hints."""
        return f'\n    <data class="move">{_steps(move, 3)}\n    </data>'

    def read_move(self, data: Element) -> Move:
        """The move that ``<data>`` describes."""
        data.one_of("move")
        return _read_steps(data)


def _write_state(state: State, hints: Sequence[str] = ()) -> str:
    texts: dict[int, int | str] = {bit: fish for fish, board in enumerate(state.floes, 1) for bit in _bits(board)}
    texts |= {bit: team.name for team in TEAMS for bit in _bits(state.penguins[team])}
    rows = "".join(_LIST.format(*(texts.get(bit, 0) for bit in row)) for row in _ROWS)
    last = "" if state.last_move is None else f"\n        <lastMove>{_steps(state.last_move, 5)}\n        </lastMove>"
    return (
        f'\n      <state class="state" turn="{state.turn}">\n        <startTeam>ONE</startTeam>'
        f"\n        <board>{rows}\n        </board>{last}\n        <fishes>\n          <int>{state.fish[0]}</int>"
        f"\n          <int>{state.fish[1]}</int>\n        </fishes>\n      </state>"
    )


def _bits(board: int) -> list[int]:
    found = []
    while board:
        found.append(bit := board & -board)
        board ^= bit
    return found


def _steps(move: Move, level: int) -> str:
    indent = "\n" + "  " * level
    start = "" if move.start is None else '{}<from x="{}" y="{}"/>'.format(indent, *move.start)
    return '{}{}<to x="{}" y="{}"/>'.format(start, indent, *move.target)


def _read_steps(move: Element) -> Move:
    start = move.find("from")
    return move_to(None if start is None else _read_square(start), _read_square(move.child("to")))


def _read_square(element: Element) -> Square:
    return element.integer("x"), element.integer("y")
