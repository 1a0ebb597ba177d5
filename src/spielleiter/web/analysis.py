"""The native engine behind hints, evaluation bars and game reports; everything here works without it, and says so."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from spielleiter.game import AnyGame, Team, Text

_ABSENT = Text(
    "Die Engine ist nicht installiert; ohne sie gibt es keine Tipps und keine Auswertung.",
    "The engine is not installed; without it there are no hints and no analysis.",
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
        self._searches: dict[str, Any] = {}

    def close(self) -> None:
        """Answer no more."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    def absence(self, game: AnyGame) -> Text | None:
        """Why there is no analysis of this game, or ``None`` if there is."""
        try:
            native = import_module("spielleiter.search.native")
        except ImportError:
            return _ABSENT
        why: Text | None = native.absence(game.key)
        return why

    async def judge(self, game: AnyGame, state: Any, seconds: float) -> Judgement | None:
        """The engine's opinion of a running game after so much thought; ``None`` without engine or game."""
        if self.absence(game) is not None or state.outcome is not None:
            return None
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._judge, game, state, seconds)

    def _judge(self, game: AnyGame, state: Any, seconds: float) -> Judgement:
        native, search = import_module("spielleiter.search.native"), import_module("spielleiter.search")
        if game.key not in self._searches:
            self._searches[game.key] = native.NativeSearch(game, table_mib=32)
        found = self._searches[game.key].search(state, search.SearchLimits(seconds=seconds))
        chance = found.win_probability
        line = tuple(found.lines[0].moves)
        return Judgement(found.move, chance if state.to_move is Team.ONE else 1 - chance, line, found.depth)
