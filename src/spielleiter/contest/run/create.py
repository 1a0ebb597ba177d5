"""Creates a season in its store, and takes over what may change in its file later."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from spielleiter import players
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.changes import differences
from spielleiter.contest.season.draw import PlannedEncounter, group_encounters
from spielleiter.contest.season.file import parse_season
from spielleiter.contest.season.model import Phase, Season, Stage, TeamEntry
from spielleiter.contest.store import (
    ActivationRow,
    EncounterRow,
    LotRow,
    MatchdayRow,
    ProgramRow,
    SeasonRow,
    TeamRow,
    now,
    write_audit,
)
from spielleiter.errors import ContestError, Refused, SettingsError
from spielleiter.game import Ranking
from spielleiter.programs.entrants import is_manual, new_reservation

RESERVATION = "reservation"
"""Key in the report of a team that joins manually: the code for all of its games."""
_MAX_NAME = 200
"""Characters of a program's name in the store."""


def create_season(session: Session, season: Season, text: str) -> None:
    """Write a new season into its store: teams, their built-in players, and all days that are known from the start."""
    ranking = season.load_game().default_ranking
    session.add(SeasonRow(id=1, name=season.name, game=season.game, file=text, default_ranking=ranking, created=now()))
    # The players of the file are active from the first day on, even if that was before the first run.
    moments = [moment for phase in season.phases for moment in (*phase.dates, phase.deadline) if moment is not None]
    beginning = min([now(), *moments])
    teams = [TeamRow(name=entry.name, school=entry.school, group=entry.group) for entry in season.teams]
    session.add_all(teams)
    session.flush()
    programs = [
        _builtin(team, 1, entry.player, "season.toml")
        for team, entry in zip(teams, season.teams, strict=True)
        if is_builtin(entry.player)
    ]
    session.add_all(programs)
    session.flush()
    session.add_all(
        ActivationRow(team_id=program.team_id, program_id=program.id, at=beginning, who="season.toml")
        for program in programs
    )
    for phase in season.phases:
        if phase.stage in (Stage.TRIAL, Stage.CHAMPIONSHIP):
            write_encounters(session, phase, group_encounters(season, phase, season.groups_in(phase.stage)))


def is_builtin(player: str) -> bool:
    """Whether the season file names a built-in player, perhaps with options, or ``manual``: there is no file."""
    return player.partition(":")[0] in players.BUILT_IN or is_manual(player)


def add_builtin(session: Session, team: TeamRow, name: str, who: str) -> ProgramRow:
    """A built-in player, or ``manual``, as the next program of a team; it needs no check. Raises ``SettingsError``."""
    program = _builtin(team, next_number(session, team), name, who)
    session.add(program)
    session.flush()
    return program


def _builtin(team: TeamRow, number: int, name: str, who: str) -> ProgramRow:
    if len(name) > _MAX_NAME:
        raise SettingsError(
            f"Der Spieler von {team.name!r} hat mehr als {_MAX_NAME} Zeichen: {name[:40]!r}...",
            f"the player of {team.name!r} has more than {_MAX_NAME} characters: {name[:40]!r}...",
        )
    try:
        if not is_manual(name):
            players.load(name)
    except Refused as problem:
        raise SettingsError(
            f"Der Spieler von {team.name!r}: {problem.text.de}", f"the player of {team.name!r}: {problem.text.en}"
        ) from None
    return ProgramRow(
        team_id=team.id,
        number=number,
        name=name,
        builtin=True,
        digest=hashlib.sha256(name.encode()).hexdigest(),
        size=0,
        submitted=now(),
        who=who,
        passed=True,
        report={RESERVATION: new_reservation()} if is_manual(name) else {},
    )


def next_number(session: Session, team: TeamRow) -> int:
    """The number of the next program of a team."""
    numbers = session.scalars(select(ProgramRow.number).where(ProgramRow.team_id == team.id))
    return max(numbers, default=0) + 1


def write_encounters(session: Session, phase: Phase, planned: tuple[PlannedEncounter, ...]) -> None:
    """Write encounters that were drawn into the store, with their days."""
    ids = {name: id_ for id_, name in session.execute(select(TeamRow.id, TeamRow.name))}
    days = {
        number: MatchdayRow(stage=phase.stage, number=number, date=phase.date(number))
        for number in sorted({encounter.matchday for encounter in planned})
    }
    session.add_all(days.values())
    session.flush()
    rows = [
        {
            "key": encounter.key,
            "matchday_id": days[encounter.matchday].id,
            "stage": phase.stage,
            "group": encounter.group,
            "place": encounter.place,
            "first_id": ids[encounter.teams[0]],
            "second_id": ids[encounter.teams[1]],
        }
        for encounter in planned
    ]
    session.execute(insert(EncounterRow), rows)  # All at once: a large season has hundreds.


def stored_season(row: SeasonRow, place: str) -> Season:
    """The season as its store knows it; ``place`` names it in messages."""
    return parse_season(row.file, place, default_ranking=Ranking(row.default_ranking))


def take_changes(
    session: Session, season: Season, text: str, row: SeasonRow, path: Path, who: str, reason: str = ""
) -> None:
    """Take over what may change in mid-season. Raises ``ContestError`` for everything else.

    That is: dates of days not yet opened, sandbox, memory, quotas, schools, the players of teams without an active
    program, teams on reserve places, and new teams before their first phase begins.
    """
    was = stored_season(row, f"{path} as the season began")
    active = set(session.scalars(select(TeamRow.name).join(ActivationRow, ActivationRow.team_id == TeamRow.id)))
    begun = {
        Stage(stage) for stage in session.scalars(select(MatchdayRow.stage).where(MatchdayRow.opened.is_not(None)))
    }
    if different := differences(was, season, with_program=active, begun=begun):
        first, more = different[0], len(different) - 1
        raise ContestError(
            f"{path}: Die Saison hat begonnen, und {first.de}{f' (und {more} weitere)' if more else ''}: Mach das"
            " rückgängig; ändern darfst du nur Termine, Abgabeschluss, Sandbox, Speicher, Kontingente, Schulen,"
            " Reserveplätze und Spieler von Teams ohne aktives Programm, und Teams ergänzen, bevor ihre erste Phase"
            " beginnt (eine neue Saison braucht eine neue Datenbank).",
            f"{path}: the season has begun, and {first.en}{f' (and {more} more)' if more else ''}: take that back; only"
            " dates, deadlines, sandbox, memory, quotas, schools, reserve places and the players of teams without an"
            " active program may change, and teams may join before their first phase begins (a new season needs a new"
            " store)",
        )
    before = {entry.draw_name: entry for entry in was.teams}
    for entry in season.teams:
        old = before.get(entry.draw_name)
        team = _take_team(session, entry, old)
        if entry.player != (old.player if old else "") and is_builtin(entry.player):
            program = add_builtin(session, team, entry.player, who)
            session.add(ActivationRow(team_id=team.id, program_id=program.id, at=now(), who=who))
    _draw_again(session, was, season)
    for phase in season.phases:
        days = session.scalars(select(MatchdayRow).where(MatchdayRow.stage == phase.stage).order_by(MatchdayRow.number))
        for day in days:
            if day.opened is None:
                day.date = phase.date(day.number)
    row.file = text
    write_audit(session, who, AuditAction.SEASON_FILE, path.name, reason)


def _take_team(session: Session, entry: TeamEntry, old: TeamEntry | None) -> TeamRow:
    """The row of a team that was there, takes a reserve place, or is new. Raises ``ContestError``."""
    if old is None:
        team = TeamRow(name=entry.name, school=entry.school, group=entry.group)
        session.add(team)
        session.flush()
        return team
    team = session.scalars(select(TeamRow).where(TeamRow.name == old.name)).one()
    if entry.name != old.name:
        if any(old.name in teams for teams in session.scalars(select(LotRow.teams))):
            raise ContestError(
                f"{old.name!r} hat schon an einem Los teilgenommen: Der Platz lässt sich nicht mehr vergeben.",
                f"{old.name!r} has taken part in a lot already: the place cannot be given away any more",
            )
        if team.disqualified is not None:
            raise ContestError(
                f"{old.name!r} ist disqualifiziert: Mach das zuerst rückgängig.",
                f"{old.name!r} is disqualified: undo that first",
            )
    team.name, team.school = entry.name, entry.school
    return team


def _draw_again(session: Session, was: Season, season: Season) -> None:
    """The schedules of groups to which a team has come; ``differences`` has seen that they have not begun."""
    for phase in season.phases:
        stage = phase.stage
        if stage not in (Stage.TRIAL, Stage.CHAMPIONSHIP) or was.draw_groups(stage) == season.draw_groups(stage):
            continue
        days = select(MatchdayRow.id).where(MatchdayRow.stage == stage)
        session.execute(delete(EncounterRow).where(EncounterRow.matchday_id.in_(days)))
        session.execute(delete(MatchdayRow).where(MatchdayRow.stage == stage))
        session.flush()
        write_encounters(session, phase, group_encounters(season, phase, season.groups_in(stage)))
