"""A second way of finding the moves of Piranhas: lists and loops, straight from the words of the rules."""

from __future__ import annotations

from spielleiter.games.piranhas import State
from spielleiter.games.piranhas.recordings import field_names

STEPS = {
    "UP": (0, 1), "UP_RIGHT": (1, 1), "RIGHT": (1, 0), "DOWN_RIGHT": (1, -1),
    "DOWN": (0, -1), "DOWN_LEFT": (-1, -1), "LEFT": (-1, 0), "UP_LEFT": (-1, 1),
}  # fmt: skip


def _owner(word: str) -> int | None:
    if word in ("EMPTY", "OBSTRUCTED", "SQUID"):
        return None
    return 0 if word == "RED" or word.startswith("ONE") else 1


def _walk(x: int, y: int, dx: int, dy: int) -> list[tuple[int, int]]:
    squares = []
    while 0 <= x + dx <= 9 and 0 <= y + dy <= 9:
        x, y = x + dx, y + dy
        squares.append((x, y))
    return squares


def legal_moves(state: State) -> set[tuple[int, int, str]]:
    """All legal moves as (x, y, direction), for a game that is not over."""
    board = field_names(state)
    mover = state.turn % 2
    moves = set()
    for y in range(10):
        for x in range(10):
            if _owner(board[y][x]) != mover:
                continue
            for name, (dx, dy) in STEPS.items():
                ahead, behind = _walk(x, y, dx, dy), _walk(x, y, -dx, -dy)
                distance = 1 + sum(_owner(board[b][a]) is not None for a, b in ahead + behind)
                if distance > len(ahead):
                    continue
                if any(_owner(board[b][a]) == 1 - mover for a, b in ahead[: distance - 1]):
                    continue
                a, b = ahead[distance - 1]
                if board[b][a] == "EMPTY" or _owner(board[b][a]) == 1 - mover:
                    moves.add((x, y, name))
    return moves


def swarm_sizes(state: State, team: int) -> list[int]:
    """The number of fish in each swarm of a team, largest first."""
    board = field_names(state)
    left = {(x, y) for y in range(10) for x in range(10) if _owner(board[y][x]) == team}
    sizes = []
    while left:
        swarm = [left.pop()]
        for x, y in swarm:
            near = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
            left -= near
            swarm.extend(near)
        sizes.append(len(swarm))
    return sorted(sizes, reverse=True)
