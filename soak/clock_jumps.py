"""An organiser whose wall clock jumps by hours, forwards and backwards, all the time."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from soak.scenario import Deadline, Findings
from soak.seasons import ASSERTED, DisturbedSeason, undisturbed
from spielleiter.contest.run.contest import Contest
from tests.support.clocks import WallClock, wrong_clock
from tests.support.contest_kills import check
from tests.support.contest_seasons import play

_HOURS = 12
_CALM = 5
"""Readings between two jumps, on average."""


class _JumpingClock(WallClock):
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.jumps = 0

    def now(self, zone: tzinfo | None = None) -> datetime:
        if self._rng.randrange(_CALM) == 0:
            self.error = timedelta(hours=self._rng.uniform(-_HOURS, _HOURS))
            self.jumps += 1
        return super().now(zone)


def run(deadline: Deadline) -> Findings:
    findings, rng, seasons, jumps = Findings(ASSERTED), Random(1), 0, 0
    undisturbed()
    while not (deadline.is_past and seasons):
        seasons += 1
        with TemporaryDirectory() as name, wrong_clock(_JumpingClock(rng)) as clock:
            url = str(Path(name, "season.db"))
            season = DisturbedSeason(Path(name), url, findings)
            with Contest.open(season.path, url) as contest:
                play(contest)
                check(contest, undisturbed())
            season.prove()
            jumps += clock.jumps
    findings.done = f"{jumps} jumps of up to {_HOURS} hours in {seasons} seasons of about 120 games"
    return findings
