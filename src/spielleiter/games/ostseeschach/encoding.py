"""Ostseeschach for programs that learn: ONE sees rows x and columns y, TWO the board turned by half a turn.

So both teams see their own start line as row 0 and play towards row 7 (R2, R4). A move is a step and a square: its
number is ``64 * step + 8 * row + column``; the steps are those of ``STEPS``, forward before sideways.
"""

from __future__ import annotations

from spielleiter.game import Plane, Team
from spielleiter.game.encoding import PlaneArrays, bits, filled, step_mirror
from spielleiter.games.ostseeschach.moves import SIZE, Move, PieceKind, move_between
from spielleiter.games.ostseeschach.rules import AMBERS_TO_END, TURN_LIMIT, State

_SQUARES = SIZE * SIZE
_LAST = SIZE - 1

STEPS = (
    *((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)),  # R6 to R8
    *((2, -1), (2, 1), (1, -2), (1, 2), (-1, -2), (-1, 2), (-2, -1), (-2, 1)),  # R9
)
"""The steps (forward, sideways) of all kinds, in the order in which moves are numbered."""

_NUMBERS = {step: number for number, step in enumerate(STEPS)}
_MAX_AMBERS = AMBERS_TO_END + 1  # R14, R17: one before the last round, and two more by one move in it

MIRRORS = (step_mirror(STEPS, (SIZE, SIZE), columns=True),)  # forward stays forward


class OstseeschachEncoding(PlaneArrays):
    """Positions and moves as numbers."""

    size = (SIZE, SIZE)
    actions = len(STEPS) * _SQUARES
    planes = (
        *(Plane(f"own pieces: {kind.text.en}") for kind in PieceKind),
        *(Plane(f"the opponent's pieces: {kind.text.en}") for kind in PieceKind),
        Plane("towers of two pieces"),
        Plane("own ambers, on every square", _MAX_AMBERS),
        Plane("the opponent's ambers, on every square", _MAX_AMBERS),
        Plane("all ones: this team moves second in a round"),
        Plane("the turn, on every square", TURN_LIMIT),
    )

    def plane_bytes(self, state: State, team: Team) -> bytes:
        """The position as ``team`` sees it."""
        own, other = (state.two, state.one) if team is Team.TWO else (state.one, state.two)
        kinds = (state.herzmuscheln, state.moewen, state.seesterne, state.robben)
        boards = (*(own & kind for kind in kinds), *(other & kind for kind in kinds), state.towers)
        planes = [bits(board, _SQUARES) for board in boards]
        if team is Team.TWO:
            planes = [plane[::-1] for plane in planes]
        numbers = (state.ambers(team), state.ambers(team.opponent), team is Team.TWO, state.turn)
        return b"".join((*planes, *(filled(number, _SQUARES) for number in numbers)))

    def action(self, state: State, move: Move) -> int:
        """The number of a legal move, as the team to move sees it."""
        (x, y), (to_x, to_y) = move.start, move.target
        if state.to_move is Team.TWO:
            x, y, to_x, to_y = _LAST - x, _LAST - y, _LAST - to_x, _LAST - to_y
        return _NUMBERS[to_x - x, to_y - y] * _SQUARES + SIZE * x + y

    def move(self, state: State, action: int) -> Move:
        """The move with that number, legal or not; it may lead off the board."""
        number, square = divmod(action, _SQUARES)
        x, y = divmod(square, SIZE)
        to_x, to_y = x + STEPS[number][0], y + STEPS[number][1]
        if state.to_move is Team.TWO:
            x, y, to_x, to_y = _LAST - x, _LAST - y, _LAST - to_x, _LAST - to_y
        return move_between((x, y), (to_x, to_y))
