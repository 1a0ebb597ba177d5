"""What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.

It goes to a field with as many fish as possible. To make it better, begin with ``value``.
Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.
"""

import random

PENGUINS = 4  # of each team
DIRECTIONS = [(2, 0), (-2, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)]


class Move:
    """A penguin comes to a target; start is None if it is placed."""

    def __init__(self, start, target):
        self.start, self.target = start, target


class Position:
    """What a player has to know of a <state>."""

    def __init__(self, state):
        self.fish = {}  # by field (x, y): how many; fields without fish are left out
        self.penguins = {"ONE": [], "TWO": []}
        for y, row in enumerate(state.find("board").findall("list")):
            for index, field in enumerate(row.findall("field")):
                content, x = field.text.strip(), 2 * index + y % 2
                if content in self.penguins:
                    self.penguins[content].append((x, y))
                elif content != "0":
                    self.fish[x, y] = int(content)
        self.team, other = ("ONE", "TWO") if int(state.get("turn")) % 2 == 0 else ("TWO", "ONE")
        if not self.moves():
            self.team = other  # A team that cannot move is passed over: it must be the other one that is asked.

    def moves(self):
        """All legal moves."""
        own = self.penguins[self.team]
        if len(own) < PENGUINS:
            return [Move(None, field) for field, fish in self.fish.items() if fish == 1]
        return [Move(start, target) for start in own for target in self.targets(start)]

    def targets(self, start):
        """All fields to which the penguin on this field can slide."""
        found = []
        for dx, dy in DIRECTIONS:
            x, y = start[0] + dx, start[1] + dy
            while (x, y) in self.fish:  # holes, penguins and the edge are in the way
                found.append((x, y))
                x, y = x + dx, y + dy
        return found

    def value(self, move):
        """How good a move is: the fish that it gets."""
        return self.fish[move.target]


def choose_move(state):
    """The <data> of the move to answer with: one of the best, chosen at random."""
    position = Position(state)
    moves = position.moves()
    best = max(position.value(move) for move in moves)
    move = random.choice([move for move in moves if position.value(move) == best])
    start = "" if move.start is None else f'<from x="{move.start[0]}" y="{move.start[1]}"/>'
    return f'<data class="move">{start}<to x="{move.target[0]}" y="{move.target[1]}"/></data>'


if __name__ == "__main__":
    import client

    client.main()
