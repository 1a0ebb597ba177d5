"""Piranhas on the wire: the words of 2019 and of 2026."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from spielleiter.errors import MessageError
from spielleiter.game import Codec, Dialect, Element, ResultForm, ScoreForm, StateWriter, Team, WinnerForm
from spielleiter.games.piranhas.recordings import state_from_fields
from spielleiter.games.piranhas.rules import SIZE, Direction, Move, Rules, State
from spielleiter.wire.writer import attributes

_DIRECTIONS = dict(Direction.__members__)
_TEAMS = dict(Team.__members__)


def codec(rules: Rules) -> Codec[State, Move]:
    """The wire form of this rule set."""
    return WeightedCodec(rules) if rules.weighted else PlainCodec(rules)


class _BoardWriter:
    """Writes boards out of ready-made texts: one for each square and each thing that can lie there."""

    def __init__(
        self, squares: Sequence[tuple[int, int]], words: Sequence[str], text: Callable[[int, int, str], str]
    ) -> None:
        """``squares`` is the order of writing, the first word stands for an empty square."""
        self._place = {y * SIZE + x: place for place, (x, y) in enumerate(squares)}
        self._texts = {word: {y * SIZE + x: text(x, y, word) for x, y in squares} for word in words}
        self._empty = [text(x, y, words[0]) for x, y in squares]

    def __call__(self, *boards: tuple[str, int]) -> str:
        """The board with these sets of squares, each under its word."""
        cells = self._empty.copy()
        place = self._place
        for word, board in boards:
            texts = self._texts[word]
            while board:
                square = board.bit_length() - 1
                board ^= 1 << square
                cells[place[square]] = texts[square]
        return "".join(cells)


# --- 2019 -------------------------------------------------------------------------------------------------------------

_PLAIN_WORDS = {word: word for word in ("EMPTY", "RED", "BLUE", "OBSTRUCTED")}


def _plain_cell(x: int, y: int, word: str) -> str:
    opening = "\n          <fields>" if y == 0 else ""
    closing = "\n          </fields>" if y == SIZE - 1 else ""
    return f'{opening}\n            <field x="{x}" y="{y}" state="{word}"/>{closing}'


class PlainCodec:
    """Fish without weight: columns of fields, players inside the state, moves with their hints."""

    dialect = Dialect(
        move_request="sc.framework.plugins.protocol.MoveRequest",
        request_gap=0.01,
        colors=("red", "blue"),
        has_hints=True,
        unnamed="Unknown",
        result=ResultForm(by_player=False, score=ScoreForm.CAUSE_AND_REASON, winner=WinnerForm.COLOR),
        original_message="originalRequest",
        announces_pause=False,
        shows_paused_moves=False,
        joins_together=True,
        reserves_all=True,
        counts_players=False,
    )
    _board = _BoardWriter([(x, y) for x in range(SIZE) for y in range(SIZE)], tuple(_PLAIN_WORDS), _plain_cell)

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def state_writer(self, names: tuple[str, str]) -> StateWriter[State]:
        """A writer for the states of one game."""
        red, blue = (
            attributes(displayName=name, color=color) for name, color in zip(names, ("RED", "BLUE"), strict=True)
        )
        players = f"\n        <red{red}/>\n        <blue{blue}/>"

        def write(state: State, hints: Sequence[str] = ()) -> str:
            last = "" if state.last_move is None else f"\n        {self._move(state.last_move, hints, 'lastMove', 4)}"
            current = "BLUE" if state.to_move else "RED"
            board = self._board(("RED", state.one), ("BLUE", state.two), ("OBSTRUCTED", state.krakens))
            return (
                f'\n      <state class="sc.plugin2019.GameState" startPlayerColor="RED" currentPlayerColor="{current}"'
                f' turn="{state.turn}">{last}{players}\n        <board>{board}\n        </board>\n      </state>'
            )

        return write

    def read_state(self, state: Element) -> State:
        """The state that ``<state>`` describes."""
        rows = [["EMPTY"] * SIZE for _ in range(SIZE)]
        for column in state.child("board").all("fields"):
            for field in column.all("field"):
                x, y = field.integer("x"), field.integer("y")
                if not (0 <= x < SIZE and 0 <= y < SIZE):
                    raise MessageError(f"das Feld ({x},{y}) gibt es nicht", f"there is no field ({x},{y})")
                rows[y][x] = field.choice("state", _PLAIN_WORDS)
        last = state.find("lastMove")
        return replace(
            state_from_fields(self._rules, state.integer("turn"), rows),
            last_move=None if last is None else self.read_move(last),
        )

    def write_move(self, move: Move, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move."""
        return f"\n    {self._move(move, hints, 'data', 2)}"

    def _move(self, move: Move, hints: Sequence[str], name: str, level: int) -> str:
        start = f'<{name} class="move" x="{move.x}" y="{move.y}" direction="{move.direction.name}"'
        if not hints:
            return f"{start}/>"
        indent = "\n" + "  " * level
        inside = "".join(f"{indent}  <hint{attributes(content=hint)}/>" for hint in hints)
        return f"{start}>{inside}{indent}</{name}>"

    def read_move(self, data: Element) -> Move:
        """The move that ``<data>`` describes."""
        data.one_of("move")
        return Move(data.integer("x"), data.integer("y"), data.choice("direction", _DIRECTIONS))


# --- 2026 -------------------------------------------------------------------------------------------------------------

_WEIGHTED_WORDS = {word: word for word in ("EMPTY", "ONE_S", "ONE_M", "ONE_L", "TWO_S", "TWO_M", "TWO_L", "SQUID")}


def _weighted_cell(x: int, y: int, word: str) -> str:
    opening = "\n          <row>" if x == 0 else ""
    closing = "\n          </row>" if x == SIZE - 1 else ""
    return f"{opening}\n            <field>{word}</field>{closing}"


class WeightedCodec:
    """Fish of three sizes: rows of fields, nothing about the players."""

    dialect = Dialect()
    _board = _BoardWriter([(x, y) for y in range(SIZE) for x in range(SIZE)], tuple(_WEIGHTED_WORDS), _weighted_cell)

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def state_writer(self, names: tuple[str, str]) -> StateWriter[State]:
        """A writer for the states of one game."""
        return self._write

    def _write(self, state: State, hints: Sequence[str] = ()) -> str:
        union = "" if state.first_union is None else f' firstUnion="{state.first_union.name}"'
        last = (
            "" if state.last_move is None else f"\n        <lastMove>{_inside(state.last_move, 4)}\n        </lastMove>"
        )
        board = self._board(*_by_word(state))
        return (
            f'\n      <state class="state" startTeam="ONE" turn="{state.turn}"{union}>{last}'
            f"\n        <board>{board}\n        </board>\n      </state>"
        )

    def read_state(self, state: Element) -> State:
        """The state that ``<state>`` describes."""
        board = state.child("board")
        rows = [[field.own_choice(_WEIGHTED_WORDS) for field in row.all("field")] for row in board.all("row")]
        if [len(row) for row in rows] != [SIZE] * SIZE:
            raise MessageError("<board> braucht zehn <row> zu zehn <field>", "<board> needs ten <row> of ten <field>")
        last = state.find("lastMove")
        union = None if state.get("firstUnion") is None else state.choice("firstUnion", _TEAMS)
        return replace(
            state_from_fields(self._rules, state.integer("turn"), rows, union),
            last_move=None if last is None else self._read(last),
        )

    def write_move(self, move: Move, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move; this season has no hints."""
        return f'\n    <data class="move">{_inside(move, 2)}\n    </data>'

    def read_move(self, data: Element) -> Move:
        """The move that ``<data>`` describes."""
        data.one_of("move")
        return self._read(data)

    def _read(self, move: Element) -> Move:
        start = move.child("from")
        return Move(start.integer("x"), start.integer("y"), move.choice("direction", _DIRECTIONS))


def _inside(move: Move, level: int) -> str:
    indent = "\n" + "  " * (level + 1)
    return f'{indent}<from x="{move.x}" y="{move.y}"/>{indent}<direction>{move.direction.name}</direction>'


def _by_word(state: State) -> Iterator[tuple[str, int]]:
    small = ~(state.medium | state.large)
    for team, fish in (("ONE", state.one), ("TWO", state.two)):
        yield f"{team}_S", fish & small
        yield f"{team}_M", fish & state.medium
        yield f"{team}_L", fish & state.large
    yield "SQUID", state.krakens
