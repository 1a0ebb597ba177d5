"""What the games of a test show: read from its folder, or made of the match that is being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spielleiter.game import Text
from spielleiter.lab.queue import shown_plan
from spielleiter.matches.match import SprtCourse
from spielleiter.matches.plan import RESULTS, MatchPlan
from spielleiter.matches.results import MatchGame, last_attempts, read_rows
from spielleiter.matches.summary import Summary, summarise


@dataclass(frozen=True, slots=True)
class Findings:
    """What the games of a test show so far."""

    plan: MatchPlan
    rows: tuple[MatchGame, ...]
    summary: Summary
    llr: tuple[tuple[int, float], ...]
    """The LLR after so many pairs; empty without an SPRT."""
    notices: tuple[Text, ...] = ()


def read_findings(folder: Path) -> Findings:
    """What the games in the folder of a match show. Raises ``SettingsError`` or ``RecordError``."""
    plan, path = shown_plan(folder), folder / RESULTS
    every = [row for row, _ in read_rows(path)] if path.exists() else []
    rows = last_attempts(every)
    return make_findings(plan, rows, None if plan.sprt is None else SprtCourse.of(plan, rows), len(every) - len(rows))


def make_findings(
    plan: MatchPlan,
    rows: Sequence[MatchGame],
    course: SprtCourse | None,
    replaced: int,
    notices: tuple[Text, ...] = (),
) -> Findings:
    """What these ``rows`` show; ``replaced`` further attempts were played again."""
    summary = summarise(plan, rows, None if course is None else course.state, replaced)
    return Findings(plan, tuple(rows), summary, () if course is None else tuple(course.steps), notices)
