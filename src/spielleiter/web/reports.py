"""Game reports: what the engine thinks of every position of a game; computed in the background, one at a time, kept."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from spielleiter.analysis.engine import Analyst, Judgement
from spielleiter.game import Team
from spielleiter.search import Budget
from spielleiter.web.replays.library import LoadedRecord

log = logging.getLogger("spielleiter.web")

_THOUGHT = Budget(seconds=0.25)
_KEPT = 40


@dataclass(slots=True, eq=False)
class Report:
    """What the engine thinks of every position of a game, as far as it has come."""

    judgements: list[Judgement | None]
    chances: list[float | None]
    """ONE's chance to win, in every position that was looked at."""
    done: int = 0
    failed: bool = False
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def finished(self) -> bool:
        """Whether all positions were looked at."""
        return self.done >= len(self.judgements)

    def loss(self, number: int, team: Team, played: Any) -> float | None:
        """How much of its chance ``team`` lost with the move ``number``; nothing if the engine would have played it."""
        before, after, best = self.chances[number - 1], self.chances[number], self.judgements[number - 1]
        if before is None or after is None:
            return None
        if best is not None and best.move == played:
            return 0.0
        return max(0.0, before - after if team is Team.ONE else after - before)


class Reports:
    """All reports that were asked for; the oldest ones are forgotten."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._reports: OrderedDict[tuple[str, int], Report] = OrderedDict()
        self._turn = asyncio.Lock()

    def of(self, loaded: LoadedRecord, *, retry: bool = False) -> Report:
        """The report of a game; whoever asks first has it begun, and anew if it failed and he wants to ``retry``."""
        key = (loaded.key, loaded.plies)  # A game that is still being played grows.
        report = self._reports.get(key)
        if report is None or (report.failed and retry):
            unknown = len(loaded.states)
            report = self._reports[key] = Report([None] * unknown, [None] * unknown)
            report.task = asyncio.create_task(self._compute(loaded, report))
        self._reports.move_to_end(key)
        while len(self._reports) > _KEPT:
            _, forgotten = self._reports.popitem(last=False)
            if forgotten.task is not None:
                forgotten.task.cancel()
        return report

    def close(self) -> None:
        """Compute no more."""
        for report in self._reports.values():
            if report.task is not None:
                report.task.cancel()

    async def _compute(self, loaded: LoadedRecord, report: Report) -> None:
        try:
            async with self._turn:
                for ply, state in enumerate(loaded.states):
                    await self._look_at(loaded, report, ply, state)
                    report.done = ply + 1
        except Exception:  # Whatever it was: the reader must see that it will not come, and we what it was.
            log.exception("the report of %s failed", loaded.title)
            report.failed = True

    async def _look_at(self, loaded: LoadedRecord, report: Report, ply: int, state: Any) -> None:
        if state.outcome is not None:
            winner = state.outcome.winner
            report.chances[ply] = 0.5 if winner is None else float(winner is Team.ONE)
            return
        judgement = await self._analyst.judge(loaded.game, state, _THOUGHT)
        report.judgements[ply] = judgement
        report.chances[ply] = None if judgement is None else judgement.win_probability
