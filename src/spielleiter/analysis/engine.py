"""The native engine behind hints, evaluation bars and game reports; the pages work without it, and say so."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from spielleiter.game import AnyGame, Team, Text
from spielleiter.search import Budget
from spielleiter.search.native import Memory, NativeSearch, why_unavailable

_ABSENT = Text(
    "Tipps und Auswertung brauchen die schnelle Engine, die hier nicht gebaut ist; mit einem Rust-Compiler baut sie "
    "die Installation von selbst.",
    "Hints and analysis need the native engine, which is not built here; with a Rust compiler the installation builds "
    "it by itself.",
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the engine thinks of a position."""

    move: Any
    win_probability: float
    """Of ONE."""
    line: tuple[Any, ...]
    depth: int


class Analyst:
    """Asks the engine, one question at a time, without holding up the pages."""

    def __init__(self) -> None:
        self._workers = ThreadPoolExecutor(1, thread_name_prefix="analysis")
        self._memory: Memory | None = None
        self._searches: dict[str, NativeSearch[Any, Any]] = {}

    def close(self) -> None:
        """Answer no more."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    def why_unavailable(self, game: AnyGame) -> Text | None:
        """Why there is no analysis of this game, or ``None`` if there is."""
        return None if why_unavailable(game.key) is None else _ABSENT

    async def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement | None:
        """The engine's opinion of a running game; ``None`` without engine, or when the game is over."""
        if self.why_unavailable(game) is not None or state.outcome is not None:
            return None
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._judge, game, state, budget)

    def _judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement:
        if game.key not in self._searches:
            self._memory = self._memory or Memory(32)
            self._searches[game.key] = NativeSearch(game, memory=self._memory)
        found = self._searches[game.key].search(state, budget)
        chance = found.win_probability
        return Judgement(found.move, chance if state.to_move is Team.ONE else 1 - chance, found.line, found.depth)
