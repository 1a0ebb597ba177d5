"""Pinguine for programs that learn: rows and fields as states list them, odd rows shifted by half a field (R2).

The board is as it is for both teams: it looks the same after half a turn at the start, and no side of it is anybody's.
A move is a step and the field where it begins: its number is ``64 * step + 8 * row + field``. Step 0 is a
placement; the others are the six directions as R3 lists them, each with the distances 1 to 7.
"""

from __future__ import annotations

from spielleiter.game import Plane, Square, Team
from spielleiter.game.encoding import PlaneArrays, bits, filled
from spielleiter.games.pinguine.moves import AXES, SIZE, Move, field_at, move_to
from spielleiter.games.pinguine.rules import MAX_FISH, PENGUINS, PLACING_TURNS, State

_FIELDS = SIZE * SIZE
_DISTANCES = SIZE - 1

DIRECTIONS: tuple[Square, ...] = tuple(step for x, y in AXES for step in ((x, y), (-x, -y)))
"""The six directions in the order in which moves are numbered."""

_NUMBERS = {
    (x * distance, y * distance): 1 + number * _DISTANCES + distance - 1
    for number, (x, y) in enumerate(DIRECTIONS)
    for distance in range(1, SIZE)
}
_STEPS: dict[int, Square] = {number: step for step, number in _NUMBERS.items()}
_MAX_CAUGHT = PENGUINS + MAX_FISH * (_FIELDS - PLACING_TURNS)  # R10


class PinguineEncoding(PlaneArrays):
    """Positions and moves as numbers."""

    size = (SIZE, SIZE)
    actions = (1 + len(_STEPS)) * _FIELDS
    planes = (
        Plane("own penguins"),
        Plane("the opponent's penguins"),
        *(Plane(f"floes with {fish} fish") for fish in range(1, MAX_FISH + 1)),
        Plane("own fish, on every field", _MAX_CAUGHT),
        Plane("the opponent's fish, on every field", _MAX_CAUGHT),
        Plane("all ones: this team moves second in a round"),
        Plane("the turn, on every field", _FIELDS),
    )

    def plane_bytes(self, state: State, team: Team) -> bytes:
        """The position as ``team`` sees it."""
        other = team.opponent
        boards = (state.penguins[team], state.penguins[other], *state.floes)
        numbers = (state.fish[team], state.fish[other], team is Team.TWO, state.turn)
        return b"".join((*(bits(board, _FIELDS) for board in boards), *(filled(each, _FIELDS) for each in numbers)))

    def action(self, state: State, move: Move) -> int:
        """The number of a legal move."""
        (x, y), step = move.target, 0
        if move.start is not None:
            step = _NUMBERS[x - move.start[0], y - move.start[1]]
            x, y = move.start
        return step * _FIELDS + SIZE * y + x // 2

    def move(self, state: State, action: int) -> Move:
        """The move with that number, legal or not; it may lead off the board."""
        number, field = divmod(action, _FIELDS)
        row, index = divmod(field, SIZE)
        x, y = field_at(index, row)
        if number == 0:
            return move_to(None, (x, y))
        dx, dy = _STEPS[number]
        return move_to((x, y), (x + dx, y + dy))
