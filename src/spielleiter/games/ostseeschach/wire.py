"""Ostseeschach on the wire: the words of 2022."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spielleiter.errors import MessageError
from spielleiter.game import (
    TEAMS,
    Dialect,
    Element,
    ResultForm,
    ScoreForm,
    Square,
    StateWriter,
    Team,
    WinnerForm,
)
from spielleiter.games.ostseeschach.moves import SIZE, Move, Piece, PieceKind, move_between, on_board
from spielleiter.games.ostseeschach.rules import Rules, State

_KINDS = {kind.wire_name: kind for kind in PieceKind}
_TEAMS = dict(Team.__members__)


class OstseeschachCodec:
    """Pieces by square, in the order in which the season's server happened to keep them."""

    dialect = Dialect(request_gap=0.01, result=ResultForm(score=ScoreForm.CAUSE, winner=WinnerForm.TEAM))

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def state_writer(self, names: tuple[str, str]) -> StateWriter[State]:
        """A writer for the states of one game; they say nothing about the players."""
        order = _ServerOrder()

        def write(state: State, hints: Sequence[str] = ()) -> str:
            entries = "".join(order.sort(_entries(state)))
            last = (
                ""
                if state.last_move is None
                else f"\n        <lastMove>{_steps(state.last_move, 5)}\n        </lastMove>"
            )
            return (
                f'\n      <state class="state" turn="{state.turn}">\n        <startTeam class="team">ONE</startTeam>'
                f"\n        <board>\n          <pieces>{entries}\n          </pieces>\n        </board>"
                f"{last}{_ambers(state)}\n      </state>"
            )

        return write

    def read_state(self, state: Element) -> State:
        """The state that ``<state>`` describes."""
        pieces: dict[Square, Piece] = {}
        for entry in state.child("board").child("pieces").all("entry"):
            place, element = entry.child("coordinates"), entry.child("piece")
            square = place.integer("x"), place.integer("y")
            height = element.integer("count")
            if not on_board(square) or square in pieces or not 1 <= height <= 2:
                raise MessageError(
                    f"auf {square} kann keine weitere Figur der Höhe {height} stehen",
                    f"on {square} there cannot be another piece of height {height}",
                )
            pieces[square] = Piece(element.choice("team", _TEAMS), element.choice("type", _KINDS), height)
        ambers = dict.fromkeys(TEAMS, 0)
        if (counted := state.find("ambers")) is not None:
            for entry in counted.all("entry"):
                ambers[entry.choice("team", _TEAMS)] = entry.integer("int")
        last = state.find("lastMove")
        return replace(
            State.of(self._rules, state.integer("turn"), pieces.items(), (ambers[Team.ONE], ambers[Team.TWO])),
            last_move=None if last is None else _read_steps(last),
        )

    def write_move(self, move: Move, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move; this season has no hints."""
        return f'\n    <data class="move">{_steps(move, 3)}\n    </data>'

    def read_move(self, data: Element) -> Move:
        """The move that ``<data>`` describes."""
        data.one_of("move")
        return _read_steps(data)


def _steps(move: Move, level: int) -> str:
    indent = "\n" + "  " * level
    (x, y), (to_x, to_y) = move.start, move.target
    return f'{indent}<from x="{x}" y="{y}"/>{indent}<to x="{to_x}" y="{to_y}"/>'


def _read_steps(move: Element) -> Move:
    start, target = move.child("from"), move.child("to")
    return move_between((start.integer("x"), start.integer("y")), (target.integer("x"), target.integer("y")))


def _ambers(state: State) -> str:
    """The ambers; a team is listed once it has moved."""
    ambers = "".join(
        f"\n          <entry>\n            <team>{team.name}</team>\n            <int>{state.ambers(team)}</int>"
        f"\n          </entry>"
        for team in TEAMS[: state.turn]
    )
    return (
        f'\n        <ambers enum-type="team">{ambers}\n        </ambers>'
        if ambers
        else '\n        <ambers enum-type="team"/>'
    )


def _entry(bit_number: int, team: Team, kind: PieceKind, height: int) -> str:
    x, y = divmod(bit_number, SIZE)
    return (
        f'\n            <entry>\n              <coordinates x="{x}" y="{y}"/>'
        f'\n              <piece type="{kind.wire_name}" team="{team.name}" count="{height}"/>\n            </entry>'
    )


_ENTRIES = [
    [[[_entry(number, team, kind, height) for number in range(SIZE * SIZE)] for height in (1, 2)] for kind in PieceKind]
    for team in TEAMS
]
"""For team, kind, height - 1 and the number of a square's bit the ready-made text."""


def _entries(state: State) -> dict[int, str]:
    """The text for each occupied square, by the number of its bit."""
    found: dict[int, str] = {}
    for own, of_team in zip((state.one, state.two), _ENTRIES, strict=True):
        kinds = (state.herzmuscheln, state.moewen, state.seesterne, state.robben)
        for pieces, of_kind in zip(kinds, of_team, strict=True):
            for board, texts in zip((pieces & ~state.towers, pieces & state.towers), of_kind, strict=True):
                board &= own
                while board:
                    number = board.bit_length() - 1
                    board ^= 1 << number
                    found[number] = texts[number]
    return found


class _ServerOrder:
    """The order of the occupied squares in the season's server, a hash table: by bucket, then by arrival.

    So it depends on how the position came about. It means nothing, but programs have seen it in no other way.
    """

    def __init__(self) -> None:
        self._arrivals: list[int] = []

    def sort(self, entries: dict[int, str]) -> list[str]:
        """The entries of the next state of the game; a capturing piece takes the place of the captured one."""
        known = self._arrivals
        self._arrivals = [number for number in known if number in entries]
        self._arrivals += sorted(number for number in entries if number not in known)
        return [entries[number] for number in sorted(self._arrivals, key=_BUCKETS.__getitem__)]


_BUCKETS = [(31 * x + y) % 32 for x in range(SIZE) for y in range(SIZE)]
