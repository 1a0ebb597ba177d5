"""Estimates that wait until a position is quiet, for searches that do not see to it themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from spielleiter.game import MoveT, StateT, Team
from spielleiter.search.result import final_value


def quiet(
    evaluate: Callable[[StateT, Team], float], noisy_moves: Callable[[StateT], Sequence[MoveT]] | None
) -> Callable[[StateT, Team], float]:
    """An evaluation in which each team may first play noisy moves, such as captures, as long as it gains by them."""
    if noisy_moves is None:
        return evaluate
    noisy = noisy_moves

    def settled(state: StateT, alpha: float, beta: float) -> float:
        """The value for the team to move, exact between ``alpha`` and ``beta``."""
        if (outcome := state.outcome) is not None:
            return final_value(state, outcome, state.to_move)
        best = evaluate(state, state.to_move)
        for move in noisy(state) if best < beta else ():
            child = state.play_unchecked(move)
            floor = max(alpha, best)
            if child.to_move is state.to_move:
                best = max(best, settled(child, floor, beta))
            else:
                best = max(best, -settled(child, -beta, -floor))
            if best >= beta:
                break
        return best

    def quiet_value(state: StateT, team: Team) -> float:
        """How good ``state`` looks for ``team`` when the noise is over, from -1 to 1."""
        value = max(-1.0, min(1.0, settled(state, -inf, inf)))
        return value if state.to_move is team else -value

    return quiet_value
