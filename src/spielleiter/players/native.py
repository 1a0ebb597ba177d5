"""The players on the native engine, from novice to expert: none of their moves is ever late."""

from __future__ import annotations

import time
from math import exp, inf
from random import Random
from typing import Any

from spielleiter.game import GameState
from spielleiter.games import game_of
from spielleiter.players.builtin import thinking_time
from spielleiter.search import Budget
from spielleiter.search.native import Analysis, Line, Memory, NativeSearch


class EnginePlayer:
    """Plays what the native engine finds. Raises ``EngineMissing`` where the engine was not built."""

    def __init__(
        self, *, share: float = 1.0, nodes: float = inf, depth: float = inf, threads: int = 1, table_mib: int = 256
    ) -> None:
        """Use this ``share`` of the time, at most ``nodes`` nodes, and ``table_mib`` MiB of memory."""
        self._share = share
        self._nodes = nodes
        self._depth = depth
        self._threads = threads
        # Made here and not with the first move, whose time it would cost.
        self._memory = Memory(table_mib)
        self._searches: dict[str, NativeSearch[Any, Any]] = {}
        self.last: Analysis[Any] | None = None
        """What the last search found: to see why the move was chosen."""

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """The move that the engine finds; the answer is there within ``seconds``, on a busy machine too."""
        self.last = self._analyse(state, seconds, lines=1)
        return self.last.move

    def _analyse(self, state: GameState[Any], seconds: float, lines: int) -> Analysis[Any]:
        begun = time.monotonic()
        game = game_of(state)
        if game.key not in self._searches:
            self._searches[game.key] = NativeSearch(game, memory=self._memory, threads=self._threads)
        # Whatever it took until here is no longer there for thinking.
        left = self._share * thinking_time(seconds) - (time.monotonic() - begun)
        budget = Budget(seconds=max(0.0, left), nodes=self._nodes, depth=self._depth)
        return self._searches[game.key].search(state, budget, lines=lines)


class Novice(EnginePlayer):
    """Looks a few moves ahead and takes one of the better moves, the better the likelier."""

    _LINES = 6
    _TEMPERATURE = 0.04
    """A move that wins so much less often is chosen 2.7 times less often."""

    def __init__(self, seed: int | None = None, nodes: float = 400, table_mib: int = 16) -> None:
        """Draw with ``seed``."""
        super().__init__(nodes=nodes, depth=2, table_mib=table_mib)
        self._rng = Random(seed)

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """One of the better moves."""
        self.last = self._analyse(state, seconds, self._LINES)
        best = self.last.lines[0].win_probability
        weights = [self._weight(line, best) for line in self.last.lines]
        return self._rng.choices([line.moves[0] for line in self.last.lines], weights)[0]

    def _weight(self, line: Line[Any], best: float) -> float:
        return exp((line.win_probability - best) / self._TEMPERATURE)
