"""The check of the contest: what whole games in the sandbox tell about a program.

``spielleiter check`` looks at more, but starts the program as its author would; this one is for strangers' programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spielleiter.game import Cause, Limits, Team
from spielleiter.matches.arena import Played
from spielleiter.matches.results import BY_CAUSE, Fault
from spielleiter.programs.check import findings
from spielleiter.programs.check.findings import Finding, Verdict
from spielleiter.programs.check.start_script import lint_start_script
from spielleiter.programs.check.trial import TrialPlan, TrialReport

_CAUSES = {fault: cause for cause, fault in BY_CAUSE.items()}


def judge_games(script: Path | None, played: Sequence[tuple[Team, Played]], limits: Limits) -> tuple[Finding, ...]:
    """What is good and what is not about the program that played these games on these sides."""
    reports = [_report(team, game) for team, game in played]
    found = [] if script is None else [findings.start_file(lint_start_script(script, executable_matters=False))]
    found += [
        findings.arguments(reports),
        findings.both_sides(reports),
        findings.in_time(reports, limits),
        findings.ends(reports, 1),
        findings.log(reports),
        findings.memory(reports),
    ]
    return tuple(found)


def played_well(found: Sequence[Finding]) -> bool:
    """Whether the program may play: it came to its games and finished them without a fault; the rest is advice."""
    return all(finding.verdict is Verdict.GOOD for finding in found if finding.key in ("arguments", "sides"))


def _report(team: Team, played: Played) -> TrialReport:
    side, log = played.row.sides[team], played.logs[team]
    cause = Cause.REGULAR if side.fault is None else _CAUSES.get(side.fault, Cause.LEFT)
    return TrialReport(
        TrialPlan(team=team),
        joined=side.fault is not Fault.NO_START,
        times=list(side.move_times),
        cause=cause,
        reason=played.row.reason.en,
        position="" if side.fault is None else played.row.final,
        exit_code=None if side.lingered else side.exit_code,
        output=len(log),
        said=side.last_words or log[-2000:].decode("utf-8", "replace"),
        peak_memory=side.peak_memory,
    )
