"""What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.

It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with ``value``.
"""

import random

SIZE = 8
# Where the pieces go, as steps (forward, to the side).
STEPS = {
    "Herzmuschel": [(1, -1), (1, 1)],
    "Moewe": [(1, 0), (-1, 0), (0, 1), (0, -1)],
    "Seestern": [(1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)],
    "Robbe": [(2, 1), (2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2), (-2, 1), (-2, -1)],
}


class Piece:
    """A piece or a stack of pieces; a stack moves as its uppermost piece."""

    def __init__(self, kind, team, height):
        self.kind, self.team, self.height = kind, team, height


class Move:
    """The piece on x,y goes to a target."""

    def __init__(self, x, y, target_x, target_y):
        self.x, self.y, self.target_x, self.target_y = x, y, target_x, target_y


class Position:
    """What a player has to know of a <state>."""

    def __init__(self, state):
        self.team = "ONE" if int(state.get("turn")) % 2 == 0 else "TWO"
        self.pieces = {}  # by square (x, y); x counts the lines from the start line of ONE
        for entry in state.find("board").find("pieces").findall("entry"):
            square, piece = entry.find("coordinates"), entry.find("piece")
            self.pieces[int(square.get("x")), int(square.get("y"))] = Piece(
                piece.get("type"), piece.get("team"), int(piece.get("count"))
            )

    def moves(self):
        """All legal moves."""
        forward = 1 if self.team == "ONE" else -1
        found = []
        for (x, y), piece in self.pieces.items():
            if piece.team == self.team:
                for ahead, aside in STEPS[piece.kind]:
                    target_x, target_y = x + forward * ahead, y + aside
                    if self.is_open(target_x, target_y):
                        found.append(Move(x, y, target_x, target_y))
        return found

    def is_open(self, x, y):
        """Whether a piece may end its move here: on the board, and not on an own piece."""
        there = self.pieces.get((x, y))
        return 0 <= x < SIZE and 0 <= y < SIZE and (there is None or there.team != self.team)

    def ambers(self, move):
        """How many ambers this move wins."""
        piece = self.pieces[move.x, move.y]
        below = self.pieces.get((move.target_x, move.target_y))
        last_line = SIZE - 1 if self.team == "ONE" else 0
        count = 0
        if below is not None and piece.height + below.height >= 3:
            count += 1
        if move.target_x == last_line and piece.kind != "Robbe":
            count += 1
        return count

    def value(self, move):
        """How good a move is: two for each amber, one for landing on an opponent."""
        lands_on_opponent = (move.target_x, move.target_y) in self.pieces
        return 2 * self.ambers(move) + (1 if lands_on_opponent else 0)


def choose_move(state):
    """The <data> of the move to answer with: one of the best, chosen at random."""
    position = Position(state)
    moves = position.moves()
    best = max(position.value(move) for move in moves)
    move = random.choice([move for move in moves if position.value(move) == best])
    start, target = f'<from x="{move.x}" y="{move.y}"/>', f'<to x="{move.target_x}" y="{move.target_y}"/>'
    return f'<data class="move">{start}{target}</data>'


if __name__ == "__main__":
    import client

    client.main()
