"""Pictures of Piranhas: what is lit up at the end."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.game import Look, playout
from spielleiter.games.piranhas import State
from spielleiter.games.piranhas.drawing import deciding_squares
from spielleiter.games.piranhas.rules import PiranhasEnd


@pytest.mark.parametrize("key", ["piranhas-2019", "piranhas-2026-official"])
def test_a_finished_game_lights_up_the_swarm_that_won_it(key: str) -> None:
    game = games.load(key)
    for seed in range(30):
        state = playout(game.new_state(Random(seed)), Random(seed))
        assert isinstance(state, State)
        assert state.outcome is not None
        lit = deciding_squares(state)
        assert (lit == ()) == (state.outcome.reason is PiranhasEnd.NO_MOVE)
        assert ('fill-rule="evenodd"' in game.draw(state, Look())) == bool(lit)
        assert 'fill-rule="evenodd"' not in game.draw(state, Look(result=False))
        if state.outcome.winner is not None and lit:
            assert state.largest_swarm(state.outcome.winner) == sum(1 << 10 * y + x for x, y in lit)


def test_nothing_is_lit_up_while_a_game_runs() -> None:
    state = games.load("piranhas-2026").new_state(Random(1))
    assert isinstance(state, State)
    assert deciding_squares(state) == ()
