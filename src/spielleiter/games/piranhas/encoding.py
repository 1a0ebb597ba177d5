"""Piranhas for programs that learn: ONE sees rows y and columns x, TWO the board mirrored on the diagonal.

So both teams see their own fish on the left and on the right edge, where TWO's rows are ONE's columns (R1). A move is
a direction and a square: its number is ``100 * direction + 10 * row + column``, directions in the order of the rules.
"""

from __future__ import annotations

from spielleiter.game import Plane, Team
from spielleiter.game.encoding import PlaneArrays, bits, filled, step_mirror
from spielleiter.games.piranhas.rules import LAST_TURN, SIZE, Direction, Move, Rules, State

_SQUARES = SIZE * SIZE
_DIRECTIONS = tuple(Direction)
_NUMBERS = {direction.value: number for number, direction in enumerate(_DIRECTIONS)}

_PLAIN = (Plane("own fish"), Plane("the opponent's fish"))
_WEIGHTED = tuple(
    Plane(f"{whose} fish of weight {weight}") for whose in ("own", "the opponent's") for weight in (1, 2, 3)
)
_UNIONS = (Plane("all ones: the own fish were united first"), Plane("all ones: the opponent's fish were united first"))
_CLOCK = (Plane("all ones: this team moves second in a round"), Plane("the turn, on every square", LAST_TURN))

_STEPS = tuple(direction.value[::-1] for direction in _DIRECTIONS)
MIRRORS = tuple(
    step_mirror(_STEPS, (SIZE, SIZE), rows=rows, columns=columns)
    for rows, columns in ((False, True), (True, False), (True, True))
)


class PiranhasEncoding(PlaneArrays):
    """Positions and moves of one rule set as numbers; with weighted fish there are more planes."""

    size = (SIZE, SIZE)
    actions = len(_DIRECTIONS) * _SQUARES

    def __init__(self, rules: Rules) -> None:
        self.planes = (
            (*_WEIGHTED, Plane("krakens"), *_UNIONS, *_CLOCK)
            if rules.weighted
            else (*_PLAIN, Plane("krakens"), *_CLOCK)
        )

    def plane_bytes(self, state: State, team: Team) -> bytes:
        """The position as ``team`` sees it."""
        boards = [*self._fish(state, team), *self._fish(state, team.opponent), state.krakens]
        planes = [bits(board, _SQUARES) for board in boards]
        if team is Team.TWO:
            planes = [_mirrored(plane) for plane in planes]
        if state.rules.weighted:
            planes += [filled(state.first_union is whose, _SQUARES) for whose in (team, team.opponent)]
        return b"".join((*planes, filled(team is Team.TWO, _SQUARES), filled(state.turn, _SQUARES)))

    def _fish(self, state: State, team: Team) -> tuple[int, ...]:
        fish = state.fish(team)
        if not state.rules.weighted:
            return (fish,)
        return fish & ~(state.medium | state.large), fish & state.medium, fish & state.large

    def action(self, state: State, move: Move) -> int:
        """The number of a move on the board, as the team to move sees it."""
        x, y, (dx, dy) = move.x, move.y, move.direction.value
        if state.to_move is Team.TWO:
            x, y, dx, dy = y, x, dy, dx
        return _NUMBERS[dx, dy] * _SQUARES + y * SIZE + x

    def move(self, state: State, action: int) -> Move:
        number, square = divmod(action, _SQUARES)
        direction = _DIRECTIONS[number]
        y, x = divmod(square, SIZE)
        if state.to_move is Team.TWO:
            x, y, direction = y, x, Direction(direction.value[::-1])
        return Move(x, y, direction)


def _mirrored(plane: bytes) -> bytes:
    """The plane with rows and columns exchanged."""
    return b"".join(plane[column::SIZE] for column in range(SIZE))
