"""A second way of playing Pinguine: dictionaries and loops, straight from the words of the rules."""

from __future__ import annotations

from spielleiter.games.pinguine import State

Place = tuple[int, int]
"""The row and the number of a field in it, both from 0, as states list them."""
Board = dict[Place, int | str]
"""For each of the 64 places the fish, or ONE or TWO."""
Step = tuple[Place | None, Place]


def board_of(state: State) -> Board:
    board: Board = {}
    for row in range(8):
        for number in range(8):
            square = (2 * number + row % 2, row)
            team = state.penguin_at(square)
            board[row, number] = state.fish_at(square) if team is None else team.name
    return board


def step_of(start: tuple[int, int] | None, target: tuple[int, int]) -> Step:
    """A move in doubled coordinates, as places."""
    return None if start is None else (start[1], start[0] // 2), (target[1], target[0] // 2)


def next_place(place: Place, direction: str) -> Place:
    """The neighbour in a direction; odd rows are shifted to the right by half a field."""
    row, number = place
    shifted = row % 2
    match direction:
        case "left":
            return row, number - 1
        case "right":
            return row, number + 1
        case "up left":
            return row - 1, number - 1 + shifted
        case "up right":
            return row - 1, number + shifted
        case "down left":
            return row + 1, number - 1 + shifted
    return row + 1, number + shifted


DIRECTIONS = ("left", "right", "up left", "up right", "down left", "down right")


def has_fish(board: Board, place: Place) -> bool:
    return board.get(place, 0) not in (0, "ONE", "TWO")


def penguins(board: Board, team: str) -> list[Place]:
    return [place for place, content in board.items() if content == team]


def slides(board: Board, team: str) -> set[Step]:
    found: set[Step] = set()
    for start in penguins(board, team):
        for direction in DIRECTIONS:
            place = next_place(start, direction)
            while has_fish(board, place):
                found.add((start, place))
                place = next_place(place, direction)
    return found


def moves_of_team(board: Board, team: str) -> set[Step]:
    if len(penguins(board, team)) < 4:
        return {(None, place) for place, content in board.items() if content == 1}
    return slides(board, team)


def side_to_move(board: Board, turn: int) -> str:
    team, other = ("TWO", "ONE") if turn % 2 else ("ONE", "TWO")
    return team if moves_of_team(board, team) else other


def play(board: Board, team: str, step: Step) -> tuple[Board, int]:
    """The board after a legal move of ``team``, and the fish that it catches."""
    start, target = step
    after = dict(board)
    caught = after[target]
    assert isinstance(caught, int)
    if start is not None:
        after[start] = 0
    after[target] = team
    return after, caught
