"""The players on the native engine: at full strength, or limited. None of their moves is ever late.

A game that the engine does not know they search in Python, and every game where it was not built: with the same limits,
but never longer than the time of a move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import exp, floor, inf
from random import Random
from typing import Any

from spielleiter.game import AnyGame, GameState, Limit
from spielleiter.games import all_games, game_of
from spielleiter.players.builtin import RESERVE, SearchingPlayer, alpha_beta, monte_carlo, thinking_time
from spielleiter.search import AlphaBeta, Budget, SearchResult
from spielleiter.search.engine import Analysis, EngineSearch, Memory, why_unavailable


class Reserve:
    """The seconds of ``choose`` that are not for thinking: few on a punctual machine, ``RESERVE`` on a late one.

    The way to the game master is not in them: the player kit has kept its margin before it calls ``choose``.
    """

    _LEAST = 0.02

    def __init__(self) -> None:
        # Nothing is known of the machine yet.
        self._lateness = RESERVE

    @property
    def seconds(self) -> float:
        """Three times the lateness of the last moves, and a little more."""
        return min(RESERVE, self._LEAST + 3 * self._lateness)

    def record(self, lateness: float) -> None:
        """A search came back so many seconds after its deadline: this counts at once, and is forgotten slowly."""
        self._lateness = max(lateness, 0.8 * self._lateness)


class EnginePlayer:
    """Plays what the native engine finds, or a search in Python where there is no engine for the game."""

    def __init__(
        self, *, share: float = 1.0, nodes: float = inf, depth: float = inf, threads: int = 1, table_mib: int = 256
    ) -> None:
        """Use this ``share`` of the time, at most ``nodes`` nodes, and ``table_mib`` MiB of memory."""
        self._share = share
        self._nodes = nodes
        self._depth = depth
        self._threads = threads
        # Made here and not with the first move, whose time it would cost.
        self._memory = Memory(table_mib) if why_unavailable() is None else None
        _build_tables()
        self._searches: dict[str, EngineSearch[Any, Any]] = {}
        self._reserve = Reserve()
        self._in_python = SearchingPlayer(
            lambda game: (monte_carlo if game.tree_search else alpha_beta)(game, Random()),
            Budget(nodes=nodes) if nodes < inf else None,
        )
        self.last: SearchResult[Any] | None = None
        """What the last search found: to see why the move was chosen. ``None`` if nothing was searched."""

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """The move that the search finds; the answer is there within ``seconds``, on a busy machine too."""
        if why_unavailable(state.rules.key) is None:
            self.last = self._analyse(state, seconds, self._depth, lines=1)
            return self.last.move
        move = self._in_python.choose(state, self._share * seconds)
        self.last = self._in_python.last
        return move

    def _analyse(self, state: GameState[Any], seconds: float, depth: float, lines: int) -> Analysis[Any]:
        begun = time.monotonic()
        game = game_of(state)
        search = self._searches.get(game.key)
        if search is None:
            search = EngineSearch(game, memory=self._memory, threads=self._threads, tree=game.tree_search, points=True)
            self._searches[game.key] = search
        # Whatever it took until here is no longer there for thinking.
        deadline = begun + self._share * thinking_time(seconds, self._reserve.seconds)
        budget = Budget(seconds=max(0.0, deadline - time.monotonic()), nodes=self._nodes, depth=depth)
        found = search.search(state, budget, lines=lines)
        self._reserve.record(time.monotonic() - deadline)
        return found


@cache
def _build_tables() -> None:
    """Let the engine build what it needs for the rules of each game, which it does when it first sees a position."""
    for game in all_games().values():
        if why_unavailable(game.key) is None:
            EngineSearch(game, table_mib=1).legal_moves(game.new_state(Random(0)))


class LimitedPlayer(EnginePlayer):
    """Looks as many moves ahead as its limit says, and takes one of the better moves, the better the likelier.

    It plays with the same strength on every machine: no clock decides what it sees.
    """

    def __init__(
        self,
        limit: Callable[[AnyGame], Limit],
        *,
        seed: int | None = None,
        nodes: float = inf,
        table_mib: int = 4,
    ) -> None:
        """Play a game with the ``limit`` for it. Draw with ``seed``."""
        super().__init__(nodes=nodes, table_mib=table_mib)
        self._limit = limit
        self._rng = Random(seed)
        self._alpha_betas: dict[str, AlphaBeta[Any, Any]] = {}

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """One of the better moves."""
        game = game_of(state)
        limit = self._limit(game)
        if limit.blunders and self._rng.random() < limit.blunders:
            self.last = None
            return self._rng.choice(state.legal_moves())
        depth = floor(limit.depth) + (self._rng.random() < limit.depth % 1)
        if why_unavailable(game.key) is not None:
            return self._choose_in_python(game, state, Budget(seconds=thinking_time(seconds), depth=depth), limit)
        found = self._analyse(state, seconds, depth, limit.choice if limit.temperature else 1)
        self.last = found
        if not limit.temperature:
            return found.move
        return self._draw([(line.moves[0], line.win_probability) for line in found.lines], limit)

    def _choose_in_python(self, game: AnyGame, state: GameState[Any], budget: Budget, limit: Limit) -> Any:
        search = self._alpha_betas.setdefault(game.key, alpha_beta(game, self._rng))
        budget = replace(budget, nodes=self._nodes)
        if not limit.temperature:
            self.last = search.search(state, budget)
            return self.last.move
        rated = search.rate_moves(state, budget)[: limit.choice]
        # An evaluation is like an expected result from -1 to 1; proven ends are far beyond.
        return self._draw([(move, (max(-1.0, min(1.0, value)) + 1) / 2) for move, value in rated], limit)

    def _draw(self, rated: Sequence[tuple[Any, float]], limit: Limit) -> Any:
        """One of the moves, the best first with its winning chance; the better, the likelier."""
        best = rated[0][1]
        weights = [exp((chance - best) / limit.temperature) for _, chance in rated]
        return self._rng.choices([move for move, _ in rated], weights)[0]
