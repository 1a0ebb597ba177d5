"""The players on the native engine: at full strength, or limited. None of their moves is ever late."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, floor, inf
from random import Random
from types import MappingProxyType
from typing import Any

from spielleiter.game import GameState
from spielleiter.games import game_of
from spielleiter.players.builtin import RESERVE, thinking_time
from spielleiter.search import Budget
from spielleiter.search.native import Analysis, Memory, NativeSearch

_BY_TREE = frozenset({"blokus"})
"""The families of games in which the engine plays better by tree search than by alpha-beta (engine-log.md)."""


class Reserve:
    """The seconds of a move that are not for thinking: few on a punctual machine, ``RESERVE`` on a late one."""

    _LEAST = 0.1

    def __init__(self) -> None:
        # Nothing is known of the machine yet.
        self._lateness = RESERVE

    @property
    def seconds(self) -> float:
        """Three times the lateness of the last moves, on top of the way to the game master."""
        return min(RESERVE, self._LEAST + 3 * self._lateness)

    def record(self, lateness: float) -> None:
        """A search came back so many seconds after its deadline: this counts at once, and is forgotten slowly."""
        self._lateness = max(lateness, 0.8 * self._lateness)


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
        self._searches: dict[tuple[str, bool], NativeSearch[Any, Any]] = {}
        self._reserve = Reserve()
        self.last: Analysis[Any] | None = None
        """What the last search found: to see why the move was chosen."""

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """The move that the engine finds; the answer is there within ``seconds``, on a busy machine too."""
        self.last = self._analyse(state, seconds, self._depth, lines=1)
        return self.last.move

    def _analyse(self, state: GameState[Any], seconds: float, depth: float, lines: int) -> Analysis[Any]:
        begun = time.monotonic()
        game = game_of(state)
        # Only alpha-beta finds several lines, and only it knows a limit of depth.
        tree = game.family in _BY_TREE and lines == 1 and depth == inf
        search = self._searches.get((game.key, tree))
        if search is None:
            search = NativeSearch(game, memory=self._memory, threads=self._threads, tree=tree)
            self._searches[game.key, tree] = search
        # Whatever it took until here is no longer there for thinking.
        deadline = begun + self._share * thinking_time(seconds, self._reserve.seconds)
        budget = Budget(seconds=max(0.0, deadline - time.monotonic()), nodes=self._nodes, depth=depth)
        found = search.search(state, budget, lines=lines)
        self._reserve.record(time.monotonic() - deadline)
        return found


@dataclass(frozen=True, slots=True)
class Limit:
    """How far a player looks ahead, and how often it takes another move than the best."""

    depth: float
    """In moves: 2.3 is two moves, and with every third move three."""
    temperature: float = 0.0
    """A move that wins by so much less often is chosen 2.7 times less often; 0 is always the best move."""
    choice: int = 12
    """Among so many of the best moves."""


class LimitedPlayer(EnginePlayer):
    """Looks as many moves ahead as its limit says, and takes one of the better moves, the better the likelier.

    It plays with the same strength on every machine: no clock decides what it sees.
    """

    def __init__(
        self,
        limit: Limit,
        of_family: Mapping[str, Limit] = MappingProxyType({}),
        *,
        seed: int | None = None,
        nodes: float = inf,
        table_mib: int = 4,
    ) -> None:
        """Play with ``limit``, or with that ``of_family`` in games that have one of their own. Draw with ``seed``."""
        super().__init__(nodes=nodes, table_mib=table_mib)
        self._limit = limit
        self._of_family = of_family
        self._rng = Random(seed)

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """One of the better moves."""
        limit = self._of_family.get(game_of(state).family, self._limit)
        depth = floor(limit.depth) + (self._rng.random() < limit.depth % 1)
        self.last = self._analyse(state, seconds, depth, limit.choice if limit.temperature else 1)
        if not limit.temperature:
            return self.last.move
        best = self.last.lines[0].win_probability
        weights = [exp((line.win_probability - best) / limit.temperature) for line in self.last.lines]
        return self._rng.choices([line.moves[0] for line in self.last.lines], weights)[0]
