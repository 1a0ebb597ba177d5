"""Positions just before the end, and ways to make moves in them by hand."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from spielleiter.game import AnyGame, Team
from spielleiter.games import load


@cache
def almost_won(key: str) -> tuple[AnyGame, Any, Any]:
    """A game, a position of it with ONE to move, and a move that wins whatever comes then."""
    game = load(key)
    for seed in range(400):
        rng = Random(seed)
        states = [game.new_state(rng)]
        while states[-1].outcome is None:
            states.append(states[-1].play_unchecked(rng.choice(states[-1].legal_moves())))
        if states[-1].outcome.winner is not Team.ONE:
            continue
        for state in states[-2:-5:-1]:
            if state.to_move is Team.ONE and (move := _winning(state)) is not None:
                # The way here is forgotten, as it is when a position comes from its notation.
                return game, game.notation.parse_state(game.notation.format_state(state)), move
    raise AssertionError(f"no such position of {key}")


def _winning(state: Any) -> Any:
    for move in state.legal_moves():
        if str(move).endswith("PASS"):
            continue
        after = state.play_unchecked(move)
        ends = [after] if after.outcome else [after.play_unchecked(reply) for reply in after.legal_moves()]
        if all(end.outcome is not None and end.outcome.winner is Team.ONE for end in ends):
            return move
    return None


RECORDED = {
    "piranhas-2026": 3,
    "ostseeschach-2022": 4,
    "blokus-2027": 5,
}
"""Games with a seed for a short random one."""
