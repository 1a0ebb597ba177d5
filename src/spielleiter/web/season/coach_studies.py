"""The coach at work for teams or people: one study at a time, in the background, at the lowest priority."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from spielleiter.coach.own_games import OwnGames
from spielleiter.coach.report import CoachReport
from spielleiter.coach.study import Study
from spielleiter.feeds.channel import Channel
from spielleiter.web.analysis.engine_pool import be_nice
from spielleiter.web.analysis.reports import SECONDS_BETWEEN_LOOKS

log = logging.getLogger("spielleiter.web")

_SECONDS = 60.0
"""The engine's time for the games of a team, as in the terminal."""
_MAX_STUDIES = 50
"""Maximum number of studies that are kept."""


@dataclass(slots=True, eq=False)
class CoachStudy:
    """What the coach knows about the games of a team, as far as it has come."""

    own: OwnGames
    study: Study
    done: int = 0
    total: int = 1
    is_over: bool = False
    has_failed: bool = False
    channel: Channel = field(default_factory=Channel, repr=False)

    def report(self) -> CoachReport:
        """What is known so far."""
        return CoachReport.of(self.own, self.study)


class CoachStudies:
    """The newest study of each team."""

    def __init__(self, spawn: Callable[[Coroutine[Any, Any, None]], object], seconds: float = _SECONDS) -> None:
        """``spawn`` lets a study run in the background; each gets so many seconds of the engine."""
        self._spawn = spawn
        self._seconds = seconds
        self._studies: dict[int, tuple[tuple[str, ...], CoachStudy]] = {}
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="coach", initializer=be_nice)
        self._one_at_a_time = asyncio.Lock()

    def close(self) -> None:
        """Study no more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def of_team(self, team_id: int, own: OwnGames) -> CoachStudy:
        """The study of these games; a new one if the team has played since, or if it failed."""
        places = tuple(game.history.place for game in own.games)
        known, study = self._studies.get(team_id, ((), None))
        if study is None or known != places or study.has_failed:
            study = CoachStudy(own, Study(own, self._seconds))
            self._studies.pop(team_id, None)
            self._studies[team_id] = (places, study)
            while len(self._studies) > _MAX_STUDIES:
                del self._studies[next(iter(self._studies))]
            self._spawn(self._run(study))
        return study

    async def _run(self, study: CoachStudy) -> None:
        loop, shown = asyncio.get_running_loop(), 0.0
        try:
            async with self._one_at_a_time:
                steps = study.study.steps()
                while (step := await loop.run_in_executor(self._executor, _next, steps)) is not None:
                    study.done, study.total = step
                    if time.monotonic() - shown > SECONDS_BETWEEN_LOOKS:
                        shown = time.monotonic()
                        study.channel.publish()
            study.is_over = True
        except Exception:  # Whatever it was: the team must see that it will not come, and we what it was.
            log.exception("the coach failed at the games of %s", study.own.player)
            study.has_failed = True
        study.channel.publish()


def _next(steps: Iterator[tuple[int, int]]) -> tuple[int, int] | None:
    return next(steps, None)
