"""A second way of playing Ostseeschach: dictionaries and loops, straight from the words of the rules."""

from __future__ import annotations

from spielleiter.games.ostseeschach import State

Place = tuple[int, int]
Step = tuple[int, int, int, int]
Board = dict[Place, tuple[str, str, int]]
"""For each occupied square the team, the kind and the height."""


def board_of(state: State) -> Board:
    return {square: (piece.team.name, piece.kind.name, piece.height) for square, piece in state.pieces()}


def may_step(team: str, kind: str, dx: int, dy: int) -> bool:
    """Whether such a piece may go ``dx`` lines towards line 8 and ``dy`` files towards h."""
    forward = dx if team == "ONE" else -dx
    if kind == "HERZMUSCHEL":
        return forward == 1 and abs(dy) == 1
    if kind == "MOEWE":
        return abs(dx) + abs(dy) == 1
    if kind == "SEESTERN":
        return (abs(dx) == 1 and abs(dy) == 1) or (forward == 1 and dy == 0)
    return {abs(dx), abs(dy)} == {1, 2}


def legal_moves(board: Board, team: str) -> set[Step]:
    """All moves of ``team`` as (x, y, to_x, to_y), for a game that is not over."""
    moves = set()
    for (x, y), (owner, kind, _) in board.items():
        for to_x in range(8):
            for to_y in range(8):
                own_there = board.get((to_x, to_y), ("", "", 0))[0] == team
                if owner == team and not own_there and may_step(team, kind, to_x - x, to_y - y):
                    moves.add((x, y, to_x, to_y))
    return moves


def play(board: Board, move: Step) -> tuple[Board, int]:
    """The board after a legal move, and the ambers that it wins."""
    x, y, to_x, to_y = move
    after = dict(board)
    team, kind, height = after.pop((x, y))
    height += after.pop((to_x, to_y), ("", "", 0))[2]
    last_line = 7 if team == "ONE" else 0
    ambers = (height >= 3) + (kind != "ROBBE" and to_x == last_line)
    if not ambers:
        after[to_x, to_y] = (team, kind, height)
    return after, ambers
