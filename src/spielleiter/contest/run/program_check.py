"""The contest's check of a program: what its first games in the sandbox say about it.

``spielleiter check`` tries more; here a program plays as it will play in the season, and nothing else is asked of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.game import AnyGame, Cause, Limits, Team
from spielleiter.matches.results import Fault
from spielleiter.matches.tasks import FinishedGame
from spielleiter.programs.check import Finding, Mark, findings
from spielleiter.programs.check.trial import TrialPlan, TrialReport
from spielleiter.programs.entrants import Entrant
from spielleiter.programs.start_script import lint_start_script


def judge_games(
    entrant: Entrant, played: Sequence[tuple[Team, FinishedGame]], game: AnyGame, limits: Limits
) -> tuple[Finding, ...]:
    """What is good and what is not about the program that played these games on these sides."""
    reports = [_report(team, finished) for team, finished in played]
    script = entrant.start_script
    found = [] if script is None else [findings.start_file(lint_start_script(script))]
    found += [
        findings.arguments(reports),
        findings.both_sides(reports, game),
        findings.in_time(reports, limits),
        findings.ends(reports, 1),
        findings.log(reports),
        findings.memory(reports),
    ]
    return tuple(found)


def may_play(found: Sequence[Finding]) -> bool:
    """Whether the program joined its games and finished them without a fault; everything else is advice."""
    return all(finding.mark is Mark.GOOD for finding in found if finding.key in ("arguments", "sides"))


def _report(team: Team, game: FinishedGame) -> TrialReport:
    side, log = game.row.sides[team], game.logs[team]
    return TrialReport(
        TrialPlan(name=team.name.lower(), team=team),
        joined=side.fault is not Fault.NO_START,
        times=list(side.move_times),
        cause=Cause.REGULAR if side.fault is None else side.fault.cause,
        reason=game.row.reason,
        position="" if side.fault is None else game.row.final,
        exit_code=None if side.lingered else side.exit_code,
        output=len(log),
        log=log,
        failure=side.failure,
        peak_memory=side.peak_memory,
    )
