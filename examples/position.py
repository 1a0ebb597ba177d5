# /// script
# requires-python = ">=3.11"
# dependencies = ["spielleiter"]
# ///
"""A position to play on from: read it from its text, look at it, try moves, ask random games who is better.

python3 examples/position.py ["POSITION"]
"""

import sys
from random import Random

from spielleiter import games
from spielleiter.game import Team, playout

POSITION = (
    "blokus-2027 2RRR9RRR3/2R1R4RRRRR1RR3/5RRRR11/6R7B5/7R6B1BBBB/RRR4RR4BBBG1G1/R7R3B3G1GG/R1RR4RGGGB3GG1G/"
    "1RR1GGGGGRRGB3BB1G/1R1G2RR1R1GB2BBGG1/2RGGGR1RRG1BGGBGGG1/RRRG2R3GGGBGGBB2/1RGR2R1R3GB1GB3/GGGRRR1RRR1G1B1BB3/"
    "1GYRY3RGGGGBB2BB1/1Y1YYB5BBGGGGBB1/YY1YBBBB1BBB1G3B2/YY1Y1YY1B3BBB3BB/2Y1YYBBB5B4B/YYYY1Y1B6B3BB "
    "47 PENTO_R BRG -"
)


def main(text: str = POSITION) -> None:
    game, state = games.parse_position(text)
    print(game.draw_text(state, False))
    move = state.legal_moves()[0]
    name = game.notation.format_move(state, move)
    print(f"{state.to_move.name} can play {len(state.legal_moves())} moves, such as {name}")
    print(f"After {name}:", game.notation.format_state(state.play(move)))

    rng = Random(1)
    ends = [playout(state, rng).outcome for _ in range(100)]
    for team in Team:
        print(f"{team.name} wins {sum(end.winner is team for end in ends)} of {len(ends)} random games")


if __name__ == "__main__":
    main(*sys.argv[1:2])
