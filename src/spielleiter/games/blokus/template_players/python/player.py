"""What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve."""

import random

YEAR = __YEAR__
SIDE = 20
COLORS = ("BLUE", "YELLOW", "RED", "GREEN")
PIECES = {
    "MONO": "#",
    "DOMINO": "##",
    "TRIO_L": "#. ##",
    "TRIO_I": "# # #",
    "TETRO_O": "## ##",
    "TETRO_T": "### .#.",
    "TETRO_I": "# # # #",
    "TETRO_L": "#. #. ##",
    "TETRO_Z": "##. .##",
    "PENTO_L": "#. #. #. ##",
    "PENTO_T": "### .#. .#.",
    "PENTO_V": "#.. #.. ###",
    "PENTO_S": ".### ##..",
    "PENTO_Z": "##. .#. .##",
    "PENTO_I": "# # # # #",
    "PENTO_P": "## ## #.",
    "PENTO_W": "#.. ##. .##",
    "PENTO_U": "#.# ###",
    "PENTO_R": "..# ### .#.",
    "PENTO_X": ".#. ### .#.",
    "PENTO_Y": ".# ## .# .#",
}
ROTATIONS = {
    "NONE": lambda x, y: (x, y),
    "RIGHT": lambda x, y: (-y, x),
    "MIRROR": lambda x, y: (-x, -y),
    "LEFT": lambda x, y: (y, -x),
}


def orientations(picture):
    """Every way in which a piece can lie: (rotation, flipped) -> squares, each set of squares once."""
    cells = [(x, y) for y, row in enumerate(picture.split()) for x, mark in enumerate(row) if mark == "#"]
    found = {}
    for rotation, rotate in ROTATIONS.items():
        for flipped in (False, True):
            turned = [rotate(x, y) for x, y in cells]
            if flipped:
                turned = [(-x, y) for x, y in turned]
            left, top = min(x for x, _ in turned), min(y for _, y in turned)
            aligned = sorted((x - left, y - top) for x, y in turned)
            if aligned not in found.values():
                found[rotation, flipped] = aligned
    return found


ORIENTATIONS = {kind: orientations(picture) for kind, picture in PIECES.items()}


class Position:
    """What a player has to know of a <state>."""

    def __init__(self, state):
        self.color = COLORS[int(state.get("turn")) % 4]
        fields = state.find("board").findall("field")
        self.covered = {(int(field.get("x")), int(field.get("y"))): field.get("content") for field in fields}
        self.is_first = self.color not in self.covered.values()
        left = [shape.text.strip() for shape in state.find(f"{self.color.lower()}Shapes").findall("shape")]
        self.pieces = [state.get("startPiece")] if self.is_first else left

    def touches(self, *squares):
        return any(self.covered.get(square) == self.color for square in squares)

    def is_open(self, x, y):
        """Whether the colour may cover this square of the board."""
        return (x, y) not in self.covered and not self.touches((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))

    def is_corner(self, x, y):
        """Whether this open square is one of those of which a piece must cover at least one."""
        if self.is_first:
            edges = (x in (0, SIDE - 1)) + (y in (0, SIDE - 1))
            return edges == 2 if YEAR == 2021 else edges > 0  # in 2021 the first piece covers a corner of the board
        return self.touches((x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1))

    def moves(self, kinds, open_squares, corners):
        """All (kind, rotation, flipped, x, y) that may be laid; some of them more than once."""
        for kind in kinds:
            for (rotation, flipped), cells in ORIENTATIONS[kind].items():
                for corner_x, corner_y in corners:
                    for cell_x, cell_y in cells:
                        left, top = corner_x - cell_x, corner_y - cell_y
                        if all((left + x, top + y) in open_squares for x, y in cells):
                            yield kind, rotation, flipped, left, top


def choose(position):
    """A move with one of the largest pieces that fit, or None if there is none."""
    open_squares = {(x, y) for x in range(SIDE) for y in range(SIDE) if position.is_open(x, y)}
    corners = [square for square in open_squares if position.is_corner(*square)]
    for size in (5, 4, 3, 2, 1):
        kinds = [kind for kind in position.pieces if PIECES[kind].count("#") == size]
        moves = list(position.moves(kinds, open_squares, corners))
        if moves:
            return random.choice(moves)
    return None


def choose_move(state):
    """The <data> to answer a request in this <state> with."""
    position = Position(state)
    move = choose(position)
    if move is None:
        return f'<data class="sc.plugin{YEAR}.SkipMove"><color>{position.color}</color></data>'
    kind, rotation, flipped, x, y = move
    return (
        f'<data class="sc.plugin{YEAR}.SetMove"><piece color="{position.color}" kind="{kind}" rotation="{rotation}" '
        f'isFlipped="{str(flipped).lower()}"><position x="{x}" y="{y}"/></piece></data>'
    )


if __name__ == "__main__":
    import client

    client.main()
