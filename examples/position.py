"""A position to play on from: read it from its text, look at it, try moves, ask a thousand random games who is better.

python3 examples/position.py ["POSITION"]
"""

import sys
from random import Random

from spielleiter import games
from spielleiter.game import Team, playout

POSITION = "piranhas-2026 1mmssm2l1/5s1l2/S1S2K2ms/L5l2M/9M/1S2s2M1S/L6S2/S3K5/2S6M/1ss2s2l1 24 -"


def main(text: str = POSITION) -> None:
    game, state = games.parse_position(text)
    print(game.draw_text(state, False))
    move = state.legal_moves()[0]
    name = game.notation.format_move(state, move)
    print(f"{state.to_move.name} can play {len(state.legal_moves())} moves, such as {name}")
    print(f"After {name}:", game.notation.format_state(state.play(move)))

    rng = Random(1)
    ends = [playout(state, rng).outcome for _ in range(1000)]
    for team in Team:
        print(f"{team.name} wins {sum(end.winner is team for end in ends)} of {len(ends)} random games")


if __name__ == "__main__":
    main(*sys.argv[1:2])
