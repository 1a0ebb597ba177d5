"""The engine for the pages: one question at a time in a thread of its own, and game reports in the background.

Law: a report is computed while it has viewers; without any it pauses, and continues where it was.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from spielleiter.analysis import Analyst, GameAnalysis, Judgement, MoveClass, loss_between, reasons_for
from spielleiter.errors import PageError
from spielleiter.feeds.channel import Channel
from spielleiter.game import AnyGame, Team, Text
from spielleiter.records.history import History
from spielleiter.search import Budget
from spielleiter.web.analysis.engine_pool import be_nice
from spielleiter.web.replays.library import Entry

log = logging.getLogger("spielleiter.web")

SECONDS_BETWEEN_LOOKS = 1.0
"""Seconds between drawings of what the engine has found so far: drawing takes a while, too."""
_MAX_REPORTS = 40
_PATIENCE = 60.0
"""Seconds after the last look until a report counts as unwatched; a stream looks every 15."""
_QUICK = Budget(nodes=20_000)
"""For each position of a game that has just ended: a second or two for all of them, for its player waits."""
_SURE = Budget(nodes=400_000)
"""For a position that is offered as a puzzle."""
_MAX_LINES = 8
"""Where so many moves are as good there is no puzzle."""
_MAX_SHARE = 0.25
"""Maximum share of the legal moves that may be right: a random move should not be."""
_T = TypeVar("_T")


_TOO_MANY = Text("Gerade werden zu viele Spiele analysiert.", "Too many games are being analysed just now.")
_AGAIN = Text("Versuche es gleich noch einmal.", "Try again in a moment.")


@dataclass(frozen=True, slots=True)
class BetterMove:
    """A move of a game than which the engine is sure to know a better one."""

    ply: int
    """The number of moves played with it; the first is 1."""
    move: Any
    """The better one."""
    acceptable: tuple[Any, ...]
    """All that are hardly worse than the better one; empty if there are too many for a puzzle."""
    reasons: tuple[Text, ...]
    """Why, in the game's own terms."""


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

    async def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement | None:
        """The engine's opinion of a position, ``None`` if it had no time for one. Raises ``EngineMissing``."""
        return await self._run(lambda: self._analyst.judge(game, state, budget))

    async def costliest_move(self, history: History, team: Team) -> int | None:
        """The ply of the worst move of ``team``, at a quick look; ``None`` if none was a mistake."""
        analysis = GameAnalysis(history)
        while not analysis.is_complete:
            await self._run(lambda: analysis.judge_next(self._analyst, _QUICK))
        moves = [move for move in analysis.moves if move.team is team and move.loss >= MoveClass.MISTAKE.min_cost]
        return max(moves, key=lambda move: move.loss).ply if moves else None

    async def better_move(self, history: History, ply: int) -> BetterMove | None:
        """What should have been played instead of a move; ``None`` if the engine is not sure."""
        game, played = history.game, history.plies[ply - 1]
        lines = await self._run(lambda: self._analyst.best_lines(game, played.before, _SURE, _MAX_LINES))
        after = await self.judge(game, played.state, _SURE)
        if not lines or after is None:
            return None
        best = lines[0].win_probability
        found = tuple(line.moves[0] for line in lines if best - line.win_probability < MoveClass.INACCURACY.min_cost)
        if loss_between(best, after.chance(played.team)) < MoveClass.MISTAKE.min_cost or played.move in found:
            return None
        few = len(found) < len(lines) and len(found) <= _MAX_SHARE * len(played.before.legal_moves())
        reasons = reasons_for(game, played.before, played.move, lines[0].moves, after.line)
        return BetterMove(ply, found[0], found if few else (), reasons)

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
    channel: Channel = field(default_factory=Channel, repr=False)
    task: asyncio.Task[None] | None = field(default=None, repr=False)
    seen: float = field(default_factory=time.monotonic)

    @property
    def is_watched(self) -> bool:
        """Whether it had a viewer lately."""
        return time.monotonic() - self.seen < _PATIENCE

    @property
    def done(self) -> int:
        """The number of positions that were judged."""
        return len(self.analysis.judgements)

    @property
    def total(self) -> int:
        """The number of all positions."""
        return len(self.analysis.states)


class Reports:
    """The requested reports, computed one at a time; the oldest ones without viewers are dropped."""

    def __init__(self, analyst: AnalysisThread) -> None:
        self._analyst = analyst
        self._reports: OrderedDict[tuple[str, int], Report] = OrderedDict()
        self._computing = asyncio.Lock()

    def of(self, entry: Entry, *, retry: bool = False) -> Report:
        """The report of a game; the first request starts it, and so does a ``retry`` if it failed.

        Raises ``PageError`` if too many are being looked at.
        """
        key = (entry.key, len(entry.history.moves))  # A game that is still being played grows.
        report = self._reports.get(key)
        if report is None or (report.failed and retry):
            self._make_room()
            report = self._reports[key] = Report(GameAnalysis(entry.history))
        self._reports.move_to_end(key)
        self.look_at(report, entry.title)
        return report

    def look_at(self, report: Report, title: str) -> None:
        """Somebody looks at a report: it is computed, or goes on."""
        report.seen = time.monotonic()
        if not (report.is_over or report.failed) and (report.task is None or report.task.done()):
            report.task = asyncio.create_task(self._compute(report, title))

    def _make_room(self) -> None:
        if len(self._reports) < _MAX_REPORTS:
            return
        key = next((key for key, report in self._reports.items() if report.is_over or not report.is_watched), None)
        if key is None:
            raise PageError(503, _TOO_MANY, _AGAIN, retry_after=30)
        if (task := self._reports.pop(key).task) is not None:
            task.cancel()

    def close(self) -> None:
        """Compute no more."""
        for report in self._reports.values():
            if report.task is not None:
                report.task.cancel()
            report.channel.close()

    async def _compute(self, report: Report, title: str) -> None:
        try:
            async with self._computing:
                steps, shown = self._analyst.steps(report.analysis), 0.0
                while report.is_watched:
                    if not await self._analyst.judge_next(steps):
                        report.is_over = True
                        break
                    if time.monotonic() - shown > SECONDS_BETWEEN_LOOKS:
                        shown = time.monotonic()
                        report.channel.publish()
        except Exception:  # Whatever it was: the reader must see that it will not come, and we what it was.
            log.exception("the report of %s failed", title)
            report.failed = True
        report.channel.publish()
