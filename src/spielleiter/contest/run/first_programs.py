"""The first programs of the teams, as the season file names them: submitted and activated when the season is run.

A season does not begin while one of them cannot play: its team would lose every game, and nobody would know why.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import activate, submit
from spielleiter.contest.store import ActivationRow, ProgramRow, TeamRow
from spielleiter.errors import ContestError, Refused
from spielleiter.game import Text
from spielleiter.matches.executor import Executor

_WHO = "season.toml"


async def submit_first_programs(
    contest: Contest, executor: Executor, progress: Callable[[Text], None] = lambda text: None
) -> None:
    """Check and activate the programs that the season file names, for teams that have no active one yet.

    Raises ``ContestError`` for the first one that cannot play: which team, why, and what to do.
    """
    for team, player in teams_to_equip(contest):
        progress(Text(f"{team}: {player} wird geprüft …", f"{team}: checking {player} ..."))
        try:
            program = await submit(contest, team, player, who=_WHO, executor=executor)
        except Refused as problem:
            raise _cannot_play(team, player, problem.text) from None
        if not program.passed:
            raise _cannot_play(team, player, _first_problem(program))
        activate(contest, team, program.number, who=_WHO)


def teams_to_equip(contest: Contest) -> list[tuple[str, str]]:
    """The teams without an active program for which the season file names one, and its name there."""
    with contest.store.reading() as session:
        equipped = set(session.scalars(select(TeamRow.name).join(ActivationRow, ActivationRow.team_id == TeamRow.id)))
    return [(team.name, team.player) for team in contest.season.teams if team.player and team.name not in equipped]


def _cannot_play(team: str, player: str, why: Text) -> ContestError:
    return ContestError(
        f"Das Programm {player!r} von {team!r} aus der Saisondatei kann nicht spielen: {why.de.rstrip('.')}. Berichtige"
        f' es oder seinen Namen in der Saisondatei, oder reiche ein anderes ein: spielleiter contest submit "{team}"'
        " DATEI --activate",
        f"the program {player!r} of {team!r} in the season file cannot play: {why.en.rstrip('.')}. Correct it, or its"
        f' name in the season file, or submit another one: spielleiter contest submit "{team}" FILE --activate',
    )


def _first_problem(program: ProgramRow) -> Text:
    """What the check of a program has found first."""
    for finding in program.report["findings"]:
        if finding["known"] and not finding["good"]:
            title, detail = finding["title"], finding["detail"]
            return Text(f"{title['de']}: {detail['de']}", f"{title['en']}: {detail['en']}")
    return Text("Es hat seine Prüfung nicht bestanden", "it has failed its check")
