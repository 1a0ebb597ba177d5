"""The engine for the pages: one question at a time in a thread of its own, and game reports in the background."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from spielleiter.analysis import Analyst, GameAnalysis, Judgement
from spielleiter.game import AnyGame, Text
from spielleiter.search import Budget
from spielleiter.web.analysis.engine_pool import be_nice
from spielleiter.web.replays.library import LoadedRecord

log = logging.getLogger("spielleiter.web")

_MAX_REPORTS = 40
_T = TypeVar("_T")


class AnalysisThread:
    """Asks the analyst without blocking the pages."""

    def __init__(self) -> None:
        self._analyst = Analyst()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="analysis", initializer=be_nice)

    def close(self) -> None:
        """Answer no more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def why_unavailable(self, game: AnyGame) -> Text | None:
        """Why there is no analysis of this game, or ``None`` if there is."""
        return self._analyst.why_unavailable(game)

    async def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement:
        """The engine's opinion of a position. Raises ``EngineMissing``."""
        return await self._run(lambda: self._analyst.judge(game, state, budget))

    def steps(self, analysis: GameAnalysis) -> Iterator[tuple[int, int]]:
        """The steps of the analysis of a game, for ``judge_next``."""
        return analysis.steps(self._analyst)

    async def judge_next(self, steps: Iterator[tuple[int, int]]) -> bool:
        """Take one more step; false if none was left. Raises ``EngineMissing``."""
        return await self._run(lambda: next(steps, None)) is not None

    async def _run(self, call: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)


@dataclass(slots=True, eq=False)
class Report:
    """The analysis of a game, which grows in the background."""

    analysis: GameAnalysis
    failed: bool = False
    is_over: bool = False
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def done(self) -> int:
        """The number of positions that were judged."""
        return len(self.analysis.judgements)

    @property
    def total(self) -> int:
        """The number of all positions."""
        return len(self.analysis.states)


class Reports:
    """The reports that were asked for, computed one at a time; the oldest ones are forgotten."""

    def __init__(self, analyst: AnalysisThread) -> None:
        self._analyst = analyst
        self._reports: OrderedDict[tuple[str, int], Report] = OrderedDict()
        self._computing = asyncio.Lock()

    def of(self, loaded: LoadedRecord, *, retry: bool = False) -> Report:
        """The report of a game; the first request starts it, and so does a ``retry`` if it failed."""
        key = (loaded.key, loaded.plies)  # A game that is still being played grows.
        report = self._reports.get(key)
        if report is None or (report.failed and retry):
            report = self._reports[key] = Report(GameAnalysis(loaded.record, loaded.game, loaded.states))
            report.task = asyncio.create_task(self._compute(report, loaded.title))
        self._reports.move_to_end(key)
        while len(self._reports) > _MAX_REPORTS:
            _, oldest = self._reports.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()
        return report

    def close(self) -> None:
        """Compute no more."""
        for report in self._reports.values():
            if report.task is not None:
                report.task.cancel()

    async def _compute(self, report: Report, title: str) -> None:
        try:
            async with self._computing:
                steps = self._analyst.steps(report.analysis)
                while await self._analyst.judge_next(steps):
                    pass
            report.is_over = True
        except Exception:  # Whatever it was: the reader must see that it will not come, and we what it was.
            log.exception("the report of %s failed", title)
            report.failed = True
