"""A second way of finding the moves of Blokus: sets and loops, straight from the words of the rules."""

from __future__ import annotations

from spielleiter.games.blokus import State

Cells = frozenset[tuple[int, int]]

SHAPES = {
    "MONO": "0,0", "DOMINO": "0,0 1,0", "TRIO_L": "0,0 0,1 1,1", "TRIO_I": "0,0 0,1 0,2",
    "TETRO_O": "0,0 1,0 0,1 1,1", "TETRO_T": "0,0 1,0 2,0 1,1", "TETRO_I": "0,0 0,1 0,2 0,3",
    "TETRO_L": "0,0 0,1 0,2 1,2", "TETRO_Z": "0,0 1,0 1,1 2,1", "PENTO_L": "0,0 0,1 0,2 0,3 1,3",
    "PENTO_T": "0,0 1,0 2,0 1,1 1,2", "PENTO_V": "0,0 0,1 0,2 1,2 2,2", "PENTO_S": "1,0 2,0 3,0 0,1 1,1",
    "PENTO_Z": "0,0 1,0 1,1 1,2 2,2", "PENTO_I": "0,0 0,1 0,2 0,3 0,4", "PENTO_P": "0,0 1,0 0,1 1,1 0,2",
    "PENTO_W": "0,0 0,1 1,1 1,2 2,2", "PENTO_U": "0,0 0,1 1,1 2,1 2,0", "PENTO_R": "0,1 1,1 1,2 2,1 2,0",
    "PENTO_X": "1,0 0,1 1,1 2,1 1,2", "PENTO_Y": "0,1 1,0 1,1 1,2 1,3",
}  # fmt: skip
TURNS = {
    "NONE": lambda x, y: (x, y),
    "RIGHT": lambda x, y: (-y, x),
    "MIRROR": lambda x, y: (-x, -y),
    "LEFT": lambda x, y: (y, -x),
}


def lay(kind: str, rotation: str, flipped: bool, x: int, y: int) -> Cells:
    """The squares that a piece covers if the upper left corner of its bounding box is x, y."""
    cells = []
    for pair in SHAPES[kind].split():
        a, b = map(int, pair.split(","))
        a, b = TURNS[rotation](a, b)
        cells.append((-a if flipped else a, b))
    left, top = min(a for a, _ in cells), min(b for _, b in cells)
    return frozenset((a - left + x, b - top + y) for a, b in cells)


WAYS = {
    kind: {lay(kind, rotation, flipped, 0, 0) for rotation in TURNS for flipped in (False, True)} for kind in SHAPES
}


def legal_placements(state: State) -> set[tuple[str, Cells]]:
    """All placements as (kind, squares), for a game that is not over."""
    found = {(x, y): state.color_at(x, y) for x in range(20) for y in range(20)}
    own = {cell for cell, color in found.items() if color is state.color}
    empty = {cell for cell, color in found.items() if color is None}
    corners = {(0, 0), (0, 19), (19, 0), (19, 19)}
    border = {(x, y) for x, y in found if x in (0, 19) or y in (0, 19)}
    if own:
        kinds = [kind.name for kind in state.kinds_left(state.color)]
        wanted = {(x + dx, y + dy) for x, y in own for dx in (-1, 1) for dy in (-1, 1)}
        closed = {(x + dx, y + dy) for x, y in own for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    else:
        kinds = [state.start.name]
        wanted = border if state.rules.year == 2027 else corners
        closed = set()
    moves = set()
    for kind in kinds:
        for shape in WAYS[kind]:
            for x in range(20):
                for y in range(20):
                    cells = frozenset((x + a, y + b) for a, b in shape)
                    if cells <= empty and not cells & closed and cells & wanted:
                        moves.add((kind, cells))
    return moves
