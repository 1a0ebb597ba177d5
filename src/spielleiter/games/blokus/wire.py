"""Blokus on the wire: the words of 2021 and of 2027."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from spielleiter.errors import MessageError
from spielleiter.game import Dialect, Element, ResultForm, ScoreForm, StateWriter, WinnerForm
from spielleiter.games.blokus.board import BOARD, SIDE, STRIDE
from spielleiter.games.blokus.moves import PASSES, Move, Pass, Place
from spielleiter.games.blokus.rules import Four, Rules, State
from spielleiter.games.blokus.shapes import COLORS, KINDS, Color, Rotation, Shape
from spielleiter.wire.writer import attributes

_COLORS = dict(Color.__members__)
_KINDS = dict(Shape.__members__)
_ROTATIONS = dict(Rotation.__members__)

_DIALECTS = {
    2021: Dialect(
        move_request="sc.framework.plugins.protocol.MoveRequest",
        request_gap=0.01,
        result=ResultForm(by_player=False, score=ScoreForm.CAUSE, winner=WinnerForm.PLAYERS),
        announces_resuming_last=True,
    ),
    2027: Dialect(),
}


class BlokusCodec:
    """Covered squares, the pieces that each colour has left, the colours that are still in."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._package = f"sc.plugin{rules.year}"
        self.dialect = _DIALECTS[rules.year]

    def state_writer(self, names: tuple[str, str]) -> StateWriter[State]:
        """A writer for the states of one game; what lies on the board stays there, so only new squares are written."""
        board = _BoardWriter()
        if self._rules.year == 2021:
            return self._writer_2021(board, names)

        def write(state: State, hints: Sequence[str] = ()) -> str:
            return (
                f'\n      <state class="state" startTeam="ONE" turn="{state.turn}" startPiece="{state.start.name}"'
                f' round="{state.round}">{self._last_move(state)}{board(state.boards)}{_finished(state)}'
                f"{_pieces_left(state.hands)}{_colors_in(state.still_in)}\n      </state>"
            )

        return write

    def _writer_2021(self, board: Callable[[Four], str], names: tuple[str, str]) -> StateWriter[State]:
        players = "".join(
            f'\n        <{place}{attributes(displayName=name)}>\n          <color class="team">{team}</color>'
            f"\n        </{place}>"
            for place, team, name in zip(("first", "second"), ("ONE", "TWO"), names, strict=True)
        )

        def write(state: State, hints: Sequence[str] = ()) -> str:
            attributes = f'turn="{state.turn}" round="{state.round}" startPiece="{state.start.name}"'
            return (
                f'\n      <state class="state" {attributes}>\n        <startTeam class="team">ONE</startTeam>'
                f"{_pieces_left(state.hands)}{_colors_in(state.still_in)}{players}{board(state.boards)}"
                f"{self._last_move(state)}{_finished(state)}\n      </state>"
            )

        return write

    def _last_move(self, state: State) -> str:
        return "" if state.last_move is None else self._move(state.last_move, "lastMove", 4)

    def write_move(self, move: Move, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move; these seasons have no hints."""
        return self._move(move, "data", 2)

    def _move(self, move: Move, name: str, level: int) -> str:
        indent = "\n" + "  " * level
        if isinstance(move, Pass):
            color = f"{indent}  <color>{move.color.name}</color>"
            return f'{indent}<{name} class="{self._package}.SkipMove">{color}{indent}</{name}>'
        piece = f'color="{move.color.name}" kind="{move.kind.name}" rotation="{move.rotation.name}"'
        flipped = "true" if move.flipped else "false"
        return (
            f'{indent}<{name} class="{self._package}.SetMove">{indent}  <piece {piece} isFlipped="{flipped}">'
            f'{indent}    <position x="{move.x}" y="{move.y}"/>{indent}  </piece>{indent}</{name}>'
        )

    def read_move(self, data: Element) -> Move:
        """The move that ``<data>`` describes."""
        if data.one_of("setmove", "skipmove") == "skipmove":
            return PASSES[data.choice("color", _COLORS)]
        piece = data.child("piece")
        place = piece.child("position")
        return Place(
            piece.choice("color", _COLORS),
            piece.choice("kind", _KINDS),
            piece.choice("rotation", _ROTATIONS),
            piece.boolean("isFlipped"),
            place.integer("x"),
            place.integer("y"),
        )

    def read_state(self, state: Element) -> State:
        """The state that ``<state>`` describes."""
        boards = [0, 0, 0, 0]
        for field in state.child("board").all("field"):
            x, y = field.integer("x"), field.integer("y")
            if not (0 <= x < SIDE and 0 <= y < SIDE):
                raise MessageError(f"das Feld ({x},{y}) gibt es nicht", f"there is no field ({x},{y})")
            boards[field.choice("content", _COLORS)] |= 1 << STRIDE * y + x
        hands = [_set_of(state.child(f"{color.name.lower()}Shapes"), "shape", _KINDS) for color in COLORS]
        mono = 0
        if (finished := state.find("lastMoveMono")) is not None:
            for entry in finished.all("entry"):
                mono |= entry.boolean("boolean") << entry.choice("color", _COLORS)
        last = state.find("lastMove")
        return State(
            self._rules,
            state.choice("startPiece", _KINDS),
            (boards[0], boards[1], boards[2], boards[3]),
            (hands[0], hands[1], hands[2], hands[3]),
            state.integer("turn"),
            _set_of(state.child("validColors"), "color", _COLORS),
            mono,
            None if last is None else self.read_move(last),
        )


def _set_of(parent: Element, name: str, numbers: dict[str, Color] | dict[str, Shape]) -> int:
    """The children called ``name`` as a set of bits."""
    found = 0
    for child in parent.all(name):
        found |= 1 << child.own_choice(numbers)
    return found


# --- ready-made texts -------------------------------------------------------------------------------------------------

_SQUARES = [
    [
        f'\n          <field x="{n % STRIDE}" y="{n // STRIDE}" content="{color.name}"/>'
        for n in range(BOARD.bit_length())
    ]
    for color in COLORS
]


class _BoardWriter:
    """Writes the boards of one game: remembers what it wrote, and adds what is new."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._cells = [""] * BOARD.bit_length()
        self._written: Four = (0, 0, 0, 0)

    def __call__(self, boards: Four) -> str:
        """The ``<board>``, row by row."""
        if any(old & ~new for old, new in zip(self._written, boards, strict=True)):
            self._begin()  # An earlier state of this game, or another one: pieces never leave the board.
        for old, new, texts in zip(self._written, boards, _SQUARES, strict=True):
            added = new & ~old
            while added:
                number = added.bit_length() - 1
                added ^= 1 << number
                self._cells[number] = texts[number]
        self._written = boards
        fields = "".join(self._cells)
        return f"\n        <board>{fields}\n        </board>" if fields else "\n        <board/>"


def _pieces_left(hands: Four) -> str:
    return "".join([_hand(color, hand) for color, hand in zip(COLORS, hands, strict=True)])


@cache
def _colors_in(colors: int) -> str:
    listed = "".join(f"\n          <color>{color.name}</color>" for color in COLORS if colors >> color & 1)
    return f"\n        <validColors>{listed}\n        </validColors>" if listed else "\n        <validColors/>"


_SHAPES = [f"\n          <shape>{kind.name}</shape>" for kind in KINDS]


@lru_cache(maxsize=1024)
def _hand(color: Color, hand: int) -> str:
    name = f"{color.name.lower()}Shapes"
    listed = "".join([shape for kind, shape in enumerate(_SHAPES) if hand >> kind & 1])
    return f"\n        <{name}>{listed}\n        </{name}>" if listed else f"\n        <{name}/>"


def _finished(state: State) -> str:
    """For each colour that has laid all its pieces whether the monomino was the last."""
    listed = "".join(
        f"\n          <entry>\n            <color>{color.name}</color>"
        f"\n            <boolean>{'true' if state.mono >> color & 1 else 'false'}</boolean>\n          </entry>"
        for color in COLORS
        if not state.hands[color]
    )
    return f"\n        <lastMoveMono>{listed}\n        </lastMoveMono>" if listed else "\n        <lastMoveMono/>"
