# /// script
# requires-python = ">=3.11"
# dependencies = ["spielleiter"]
# ///
"""A tournament of the built-in players, everybody against everybody: python3 examples/tournament.py [GAME]"""

import sys
from collections import Counter
from itertools import permutations
from random import Random

from spielleiter import games, players
from spielleiter.game import TEAMS

game = games.load(sys.argv[1] if len(sys.argv) > 1 else games.CURRENT_SEASON)
table: Counter[str] = Counter()
for names in permutations(["random", "greedy", "student"], 2):
    state, sides = game.new_state(Random(7)), [players.load(f"{name}:seed=1") for name in names]
    while state.outcome is None:
        state = state.play(sides[state.to_move].choose(state, 0.2))
    table.update({name: state.outcome.victory_points(team) for team, name in zip(TEAMS, names, strict=True)})
for name, points in table.most_common():
    print(f"{name:10} {points} points")
