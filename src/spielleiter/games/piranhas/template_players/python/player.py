"""What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.

It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with ``value``.
The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.
"""

import random

SIZE = 10
DIRECTIONS = {
    "UP": (0, 1),
    "UP_RIGHT": (1, 1),
    "RIGHT": (1, 0),
    "DOWN_RIGHT": (1, -1),
    "DOWN": (0, -1),
    "DOWN_LEFT": (-1, -1),
    "LEFT": (-1, 0),
    "UP_LEFT": (-1, 1),
}
# What can lie on a square, in the words of both seasons: whose it is, and how heavy. In 2019 all fish weigh the same.
CONTENTS = {
    "EMPTY": ("", 0),
    "RED": ("ONE", 1),
    "BLUE": ("TWO", 1),
    "OBSTRUCTED": ("KRAKEN", 0),
    "ONE_S": ("ONE", 1),
    "ONE_M": ("ONE", 2),
    "ONE_L": ("ONE", 3),
    "TWO_S": ("TWO", 1),
    "TWO_M": ("TWO", 2),
    "TWO_L": ("TWO", 3),
    "SQUID": ("KRAKEN", 0),
}


class Move:
    """A fish on x,y swims in a direction, and so comes to a target."""

    def __init__(self, x, y, direction, target_x, target_y):
        self.x, self.y, self.direction = x, y, direction
        self.target_x, self.target_y = target_x, target_y


class Position:
    """What a player has to know of a <state>."""

    def __init__(self, state):
        self.is_2019 = state.get("class") == "sc.plugin2019.GameState"
        self.team, self.opponent = ("ONE", "TWO") if int(state.get("turn")) % 2 == 0 else ("TWO", "ONE")
        self.owner = [[""] * SIZE for _ in range(SIZE)]  # owner[x][y] is "ONE", "TWO", "KRAKEN" or ""
        self.weight = [[0] * SIZE for _ in range(SIZE)]
        lines = state.find("board").findall("fields" if self.is_2019 else "row")
        for i, line in enumerate(lines):
            for j, field in enumerate(line.findall("field")):
                if self.is_2019:  # A line is a column.
                    x, y, content = i, j, field.get("state")
                else:  # A line is a row.
                    x, y, content = j, i, field.text.strip()
                self.owner[x][y], self.weight[x][y] = CONTENTS[content]

    def moves(self):
        """All legal moves."""
        found = []
        for x in range(SIZE):
            for y in range(SIZE):
                if self.owner[x][y] == self.team:
                    for direction, (dx, dy) in DIRECTIONS.items():
                        distance = 1 + self.fish_from(x, y, dx, dy) + self.fish_from(x, y, -dx, -dy)
                        if self.can_swim(x, y, dx, dy, distance):
                            found.append(Move(x, y, direction, x + distance * dx, y + distance * dy))
        return found

    def can_swim(self, x, y, dx, dy, distance):
        """Whether the own fish on this square may swim so far in this direction."""
        target_x, target_y = x + distance * dx, y + distance * dy
        if not is_inside(target_x, target_y) or self.owner[target_x][target_y] in (self.team, "KRAKEN"):
            return False
        # Own fish and krakens may be passed, opponents not.
        return all(self.owner[x + step * dx][y + step * dy] != self.opponent for step in range(1, distance))

    def fish_from(self, x, y, dx, dy):
        """How many fish lie from this square on in this direction, the square itself not counted."""
        count = 0
        x, y = x + dx, y + dy
        while is_inside(x, y):
            if self.owner[x][y] in ("ONE", "TWO"):
                count += 1
            x, y = x + dx, y + dy
        return count

    def value(self, move):
        """How good a move is: the weight of the fish that it eats, 0 if it eats none."""
        return self.weight[move.target_x][move.target_y]


def is_inside(x, y):
    return 0 <= x < SIZE and 0 <= y < SIZE


def choose_move(state):
    """The <data> of the move to answer with: one of the best, chosen at random."""
    position = Position(state)
    moves = position.moves()
    best = max(position.value(move) for move in moves)
    move = random.choice([move for move in moves if position.value(move) == best])
    if position.is_2019:
        return f'<data class="move" x="{move.x}" y="{move.y}" direction="{move.direction}"/>'
    start = f'<from x="{move.x}" y="{move.y}"/>'
    return f'<data class="move">{start}<direction>{move.direction}</direction></data>'


if __name__ == "__main__":
    import client

    client.main()
