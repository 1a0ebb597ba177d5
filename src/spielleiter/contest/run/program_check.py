"""The contest's check of a program: what its first games in the sandbox say about it.

``spielleiter check`` tries more; here a program plays as it will play in the season, and nothing else is asked of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.game import AnyGame, Limits, Team
from spielleiter.matches.tasks import FinishedGame
from spielleiter.programs.check import Finding, Mark, findings
from spielleiter.programs.check.trial import Trial, TrialPlan, why_not_judged
from spielleiter.programs.entrants import Entrant


def judge_games(
    entrant: Entrant, played: Sequence[tuple[Team, FinishedGame]], game: AnyGame, limits: Limits
) -> tuple[Finding, ...]:
    """What is good and what is not about the program that played these games on these sides."""
    reports = [trial_of(team, finished) for team, finished in played]
    problems = entrant.start_problems
    found = [] if problems is None else [findings.start_file(problems)]
    if (python := findings.python(entrant.python_choice)) is not None:
        found.append(python)
    found += [
        findings.arguments(reports),
        findings.both_sides(reports, game),
        findings.in_time(reports, limits),
        findings.ends(reports, 1),
        findings.log(reports),
        findings.memory(reports),
    ]
    return tuple(found)


def may_play(found: Sequence[Finding]) -> Mark:
    """Whether the program joined its games and finished them without a fault; everything else is advice."""
    marks = {finding.mark for finding in found if finding.key in ("arguments", "sides")}
    return Mark.BAD if Mark.BAD in marks else Mark.UNKNOWN if Mark.UNKNOWN in marks else Mark.GOOD


def trial_of(team: Team, game: FinishedGame) -> Trial:
    """What such a game says about the program on this side."""
    row = game.row
    own, other = row.sides[team], row.sides[team.opponent]
    return Trial(
        plan=TrialPlan(name=team.name.lower(), team=team),
        side=own,
        reason=row.reason,
        position=row.final,
        not_judged=why_not_judged(own, other.fault, row.reason, row.pressure),
        log=game.logs[team],
    )
