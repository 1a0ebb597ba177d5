"""Reports in the background: computed for those who look, and for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra 'web' is not installed")

from spielleiter.errors import PageError
from spielleiter.game import TEAMS, Team
from spielleiter.records.history import History
from spielleiter.records.reader import parse_record
from spielleiter.web.analysis import reports as module
from spielleiter.web.analysis.reports import AnalysisThread, Reports
from spielleiter.web.replays.library import Entry
from tests.support.feeds import record_lines
from tests.support.played import needs_engine
from tests.support.waiting import until
from tests.support.web_games import almost_won

HISTORY = parse_record("\n".join(record_lines()[:4]).encode())


class Engine:
    """Takes a step whenever a test lets it."""

    def __init__(self, steps: int = 1000) -> None:
        self.taken, self._left = 0, steps
        self.go = asyncio.Event()

    def steps(self, _: Any) -> Iterator[tuple[int, int]]:
        return iter(())

    async def judge_next(self, _: Any) -> bool:
        await self.go.wait()
        await asyncio.sleep(0)
        self.taken += 1
        return self.taken < self._left


def entry(number: int) -> Entry:
    return Entry(str(number), f"game {number}", HISTORY)


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 120))


def test_a_report_at_which_nobody_looks_pauses_and_goes_on_when_somebody_does() -> None:
    async def work() -> None:
        engine: Any = Engine(steps=50)
        reports = Reports(engine)
        for number in range(10):
            reports.of(entry(number)).seen -= module._PATIENCE
        engine.go.set()
        await until(lambda: all(report.task and report.task.done() for report in reports._reports.values()))
        assert engine.taken == 0
        report = reports.of(entry(3))
        await until(lambda: report.is_over)
        assert engine.taken == 50
        reports.close()

    run(work)


def test_new_reports_push_out_none_at_which_somebody_looks() -> None:
    async def work() -> None:
        reports = Reports(Engine())  # type: ignore[arg-type]
        first = reports.of(entry(0))
        for number in range(1, module._MAX_REPORTS):
            reports.of(entry(number))
        with pytest.raises(PageError, match="Too many games"):
            reports.of(entry(1000))
        assert reports.of(entry(0)) is first
        reports.of(entry(5)).seen -= module._PATIENCE
        reports.of(entry(1000))
        assert len(reports._reports) == module._MAX_REPORTS
        assert reports.of(entry(0)) is first
        reports.close()

    run(work)


@needs_engine
def test_the_move_that_gives_a_won_game_away_is_the_costliest() -> None:
    game, state, _ = almost_won("piranhas-2026")
    replies = [(move, state.play(move)) for move in state.legal_moves()]
    move, after = next((move, after) for move, after in replies if can_lose(after))
    history = History(game_key=game.key, id="", start=game.notation.format_state(state), names=("", ""))
    history.play([game.notation.format_move(state, move)])
    history.play([game.notation.format_move(after, next(m for m in after.legal_moves() if loses(after.play(m))))])

    async def work() -> None:
        engine = AnalysisThread()
        assert [await engine.costliest_move(history, team) for team in TEAMS] == [1, None]
        better = await engine.better_move(history, 1)
        assert better is not None
        assert better.move != move
        assert better.reasons
        assert move not in better.acceptable
        engine.close()

    run(work)


def loses(state: Any) -> bool:
    return state.outcome is not None and state.outcome.winner is Team.TWO


def can_lose(state: Any) -> bool:
    return any(loses(state.play(move)) for move in state.legal_moves())
