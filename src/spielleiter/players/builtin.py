"""Players in Python, which play every game: one plays anything, the other searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Protocol

from spielleiter.game import AnyGame, GameState
from spielleiter.games import game_of
from spielleiter.search import AlphaBeta, Budget, MonteCarlo, SearchResult, quiet

RESERVE = 0.2
"""Seconds of a move that are kept for its way to the game master, and for whatever the machine is up to."""


class Search(Protocol):
    """What ``AlphaBeta`` and ``MonteCarlo`` have in common."""

    def search(self, state: Any, budget: Budget) -> SearchResult[Any]:
        """The best move of a running game that can be found within ``budget``."""


def alpha_beta(game: AnyGame, rng: Random, *, noisy: bool = True) -> AlphaBeta[Any, Any]:
    """The alpha-beta search of a game; it plays out ``noisy`` moves before it estimates."""
    return AlphaBeta(
        game.evaluate, moves=game.promising_moves, noisy_moves=game.noisy_moves if noisy else None, rng=rng
    )


def monte_carlo(game: AnyGame, rng: Random) -> MonteCarlo[Any, Any]:
    """The tree search of a game."""
    return MonteCarlo(quiet(game.evaluate, game.noisy_moves), moves=game.promising_moves, rng=rng)


def thinking_time(seconds: float, reserve: float = RESERVE) -> float:
    """The part of ``seconds`` to think; the rest is a reserve, at most half."""
    return max(seconds - reserve, seconds / 2)


class RandomPlayer:
    """Plays any legal move, each as likely as the others."""

    def __init__(self, seed: int | None = None) -> None:
        self._rng = Random(seed)

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """Any legal move."""
        return self._rng.choice(state.legal_moves())


class SearchingPlayer:
    """Plays what a search finds; it learns which game it is from the first state that it sees."""

    def __init__(self, new_search: Callable[[AnyGame], Search], budget: Budget | None = None) -> None:
        """Search with what ``new_search`` makes for a game, within ``budget``, and always within the time of a move."""
        self._new_search = new_search
        self._budget = budget
        self._searches: dict[str, Search] = {}
        self.last: SearchResult[Any] | None = None
        """What the last search found: to see why the move was chosen."""

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """The move that the search finds within ``seconds``."""
        key = state.rules.key
        if key not in self._searches:
            self._searches[key] = self._new_search(game_of(state))
        seconds = thinking_time(seconds)
        budget = replace(self._budget, seconds=seconds) if self._budget else Budget(seconds=seconds)
        self.last = self._searches[key].search(state, budget)
        return self.last.move
