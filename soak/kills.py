"""Organisers killed at random moments, one or one of two, on both stores."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from soak.scenario import Deadline, Findings
from soak.seasons import ASSERTED, DisturbedSeason, undisturbed
from spielleiter.contest.run.contest import Contest
from tests.support.contest_kills import check, run_with_kills
from tests.support.databases import running_postgres

KILLS = 12
"""In one season."""


def run(deadline: Deadline) -> Findings:
    findings, rng, seasons = Findings(ASSERTED), Random(1), 0
    kills: Counter[tuple[int, bool]] = Counter()  # By organisers, and whether the season lies in PostgreSQL.
    undisturbed()
    with running_postgres() as postgres:
        while not (deadline.is_past and seasons):
            seasons += 1
            organisers, on_postgres = _rarest(kills)
            with TemporaryDirectory() as name:
                url = postgres.store() if on_postgres else str(Path(name, "season.db"))
                season = DisturbedSeason(Path(name), url, findings)
                _, counts = run_with_kills(season.path, url, KILLS, rng, organisers=organisers)
                kills[organisers, on_postgres] += len(counts)
                findings.expect(counts == sorted(counts), f"fewer games after a kill: {counts}")
                with Contest.open(season.path, url) as contest:
                    check(contest, undisturbed())
                season.prove()
    by_two, on_postgres_ = kills[2, False] + kills[2, True], kills[1, True] + kills[2, True]
    findings.done = (
        f"{kills.total()} kills in {seasons} seasons of about 120 games;"
        f" {by_two} of one of two organisers, {on_postgres_} on PostgreSQL"
    )
    return findings


def _rarest(done: Counter[tuple[int, bool]]) -> tuple[int, bool]:
    """Organisers and store that are furthest behind their share: two organisers often end a season before its kills."""
    by_organisers = {count: done[count, False] + done[count, True] for count in (1, 2)}
    organisers = min(by_organisers, key=by_organisers.__getitem__)
    return organisers, 3 * done[organisers, True] < by_organisers[organisers]
