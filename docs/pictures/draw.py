"""Makes the drawn pictures of the documentation; a test keeps them equal to what is made here.

python docs/pictures/draw.py
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from spielleiter import games, players
from spielleiter.game import Highlight, Look
from spielleiter.games.blokus import Color, State, draw_pieces_left
from spielleiter.games.blokus.board import reach, squares

HERE = Path(__file__).parent
GAME = games.load("blokus-2027")
SEED = 2027


def after(moves: int) -> State:
    """The position after so many moves of a game between two greedy players."""
    state, player = GAME.new_state(Random(SEED)), players.load(f"greedy:seed={SEED}")
    for _ in range(moves):
        state = state.play(player.choose(state, 10.0))
    assert isinstance(state, State)
    return state


def open_corners(state: State) -> str:
    """A position in which the squares are marked at which the colour to move can go on."""
    corners = squares(reach(state.boards[state.color], state.occupied, 0)[1])
    return GAME.draw(state, Look(theme="light", size=400, highlights=tuple(map(Highlight, corners)), last_move=False))


def pictures() -> dict[str, str]:
    """The content of every picture by the name of its file."""
    return {
        "pieces.svg": draw_pieces_left(after(0), Color.BLUE, Look(theme="light", size=400)) + "\n",
        "corners.svg": open_corners(after(12)) + "\n",
    }


if __name__ == "__main__":
    for name, picture in pictures().items():
        (HERE / name).write_text(picture, encoding="utf-8")
