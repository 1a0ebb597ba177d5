"""The first programs of the teams, as the season file names them: submitted and activated when the season is run.

A season does not begin while one of them cannot play: its team would lose every game without knowing why. An
organiser may leave the team out; that stands in the audit log, and holds until the team has another program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import activate, find_team, submit
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.snapshot import CheckedProgram
from spielleiter.contest.store import ActivationRow, AuditRow, TeamRow, write_audit
from spielleiter.errors import ContestError, Refused
from spielleiter.game import Text
from spielleiter.matches.executor import Executor

_WHO = "season.toml"


@dataclass(frozen=True, slots=True)
class UnplayableProgram:
    """A program of the season file that cannot play."""

    team: str
    player: str
    """Its name in the file."""
    why: Text
    log: str = ""
    """What it printed in its check, if there was one."""


async def submit_first_programs(
    contest: Contest, executor: Executor, progress: Callable[[Text], None] = lambda text: None
) -> tuple[UnplayableProgram, ...]:
    """Check and activate the programs that the season file names, for teams that have no active one yet.

    Those that cannot play are returned; ``refusal`` is the error about them.
    """
    unplayable = []
    for team, player in teams_to_equip(contest):
        progress(Text(f"{team}: {player} wird geprüft …", f"{team}: checking {player} ..."))
        try:
            program = await submit(contest, team, player, who=_WHO, executor=executor)
        except Refused as problem:
            unplayable.append(UnplayableProgram(team, player, problem.text))
            continue
        if program.passed:
            activate(contest, team, program.number, who=_WHO)
        else:
            unplayable.append(UnplayableProgram(team, player, _first_problem(program), _log(program)))
    return tuple(unplayable)


def teams_to_equip(contest: Contest) -> list[tuple[str, str]]:
    """The teams without an active program for which the season file names one, and its name there; none left out."""
    with contest.store.reading() as session:
        done = _equipped(session) | _left_out(session)
    return [(team.name, team.player) for team in contest.season.teams if team.player and team.name not in done]


def leave_out(contest: Contest, teams: Iterable[str], *, who: str) -> None:
    """Let the season begin without programs of these teams; their games are decided as the season file says.

    Raises ``ContestError`` for an unknown team, and for one that has an active program.
    """
    with contest.store.transaction() as session:
        equipped, left_out = _equipped(session), _left_out(session)
        for name in teams:
            team = find_team(session, name).name
            if team in equipped:
                raise ContestError(
                    f"{team!r} hat ein aktives Programm und spielt mit; wer ausscheiden soll, wird disqualifiziert.",
                    f"{team!r} has an active program and plays; a team that has to go is disqualified",
                )
            if team not in left_out:
                write_audit(session, who, AuditAction.LEAVE_OUT, team)
                left_out.add(team)


def _equipped(session: Session) -> set[str]:
    return set(session.scalars(select(TeamRow.name).join(ActivationRow, ActivationRow.team_id == TeamRow.id)))


def _left_out(session: Session) -> set[str]:
    return set(session.scalars(select(AuditRow.subject).where(AuditRow.action == AuditAction.LEAVE_OUT)))


def refusal(unplayable: Sequence[UnplayableProgram]) -> ContestError:
    """Why the season does not begin: which programs cannot play, and what to do."""
    de = " ".join(
        f"Das Programm {each.player!r} von {each.team!r} aus der Saisondatei kann nicht spielen:"
        f" {each.why.de.rstrip('.')}."
        for each in unplayable
    )
    en = " ".join(
        f"The program {each.player!r} of {each.team!r} in the season file cannot play: {each.why.en.rstrip('.')}."
        for each in unplayable
    )
    return ContestError(
        f"{de} Berichtige das Programm oder die Saisondatei, aktiviere ein anderes, oder spiele ohne das Team.",
        f"{en} Correct the program or the season file, activate another program, or go on without the team.",
    )


def what_to_do(unplayable: Sequence[UnplayableProgram]) -> Text:
    """How the season can begin nevertheless, in commands."""
    without = " ".join(f'--without "{each.team}"' for each in unplayable)
    submit_another = f'spielleiter contest submit "{unplayable[0].team}"'
    return Text(
        "So beginnt die Saison nicht. Berichtige das Programm oder die Saisondatei, reiche ein anderes ein"
        f" ({submit_another} DATEI --activate), oder spiele ohne: spielleiter contest run {without}",
        "The season does not begin like this. Correct the program or the season file, submit another one"
        f" ({submit_another} FILE --activate), or go on without: spielleiter contest run {without}",
    )


def _first_problem(program: CheckedProgram) -> Text:
    """The error of a program that failed its check; without one, what was found first."""
    if not program.was_judged:
        return Text(
            "Seine Prüfung kam ohne seine Schuld zu keinem Ergebnis; starte die Saison noch einmal",
            "its check came to no verdict, through no fault of its own; run the season again",
        )
    found = program.report["findings"]
    crosses = [finding for finding in found if finding["known"] and not (finding["good"] or finding.get("note"))]
    for cross in crosses:
        if cross["failure"]["en"]:
            return Text(**cross["failure"])
    for cross in crosses:
        title, detail = cross["title"], cross["detail"]
        return Text(f"{title['de']}: {detail['de']}", f"{title['en']}: {detail['en']}")
    return Text("Es hat seine Prüfung nicht bestanden", "it has failed its check")


def _log(program: CheckedProgram) -> str:
    return "\n".join(f"--- {game['side']} ---\n{game['log']}" for game in program.report["games"])
