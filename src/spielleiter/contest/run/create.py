"""Opens the season of a file: founds it in an empty store, or finds it there and sees that it is the same one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Self

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from spielleiter import players
from spielleiter.contest.season.file import differences, parse_season, read_text
from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.contest.season.schedule import Day, round_robin
from spielleiter.contest.store import (
    ActivationRow,
    AuditRow,
    EncounterRow,
    MatchdayRow,
    ProgramRow,
    SeasonRow,
    Store,
    TeamRow,
    now,
)
from spielleiter.errors import ContestError, SettingsError, SpielleiterError

STORE_VARIABLE = "SPIELLEITER_STORE"
_LONGEST_NAME = 200
"""Of a program, as the store keeps it."""


def os_user() -> str:
    """Who sits at this machine, for the audit log."""
    try:
        return getuser()
    except (KeyError, OSError):
        return "unknown"


@dataclass(frozen=True, slots=True)
class Contest:
    """An open season: its values, its store, and the folder against which paths in the file are meant."""

    season: Season
    store: Store
    folder: Path

    @classmethod
    def open(cls, path: Path, url: str | None = None, *, who: str | None = None) -> Self:
        """The season of a file, founded if its store is empty.

        The store is ``url``, or what the variable SPIELLEITER_STORE says, or a file beside the season's.
        Raises ``SettingsError``, ``StoreError`` or ``ContestError``.
        """
        text = read_text(path)
        season = parse_season(text, str(path))
        store = Store.open(url or os.environ.get(STORE_VARIABLE) or str(path.with_suffix(".db")))
        try:
            with store.transaction() as session:
                row = session.get(SeasonRow, 1)
                if row is None:
                    found(session, season, text)
                elif row.file != text:
                    _take_changes(session, season, text, row, path, who or os_user())
        except BaseException:
            store.close()
            raise
        return cls(season, store, path.absolute().parent)

    @classmethod
    def open_store(cls, url: str) -> Self:
        """The season of a store alone, as of a backup. Raises ``StoreError`` or ``ContestError``."""
        if "://" not in url and not os.path.exists(url):
            raise ContestError(f"{url}: there is no such store")
        store = Store.open(url)
        try:
            with store.reading() as session:
                row = session.get(SeasonRow, 1)
            if row is None:
                raise ContestError(f"{store.place}: there is no season in this store yet")
            return cls(parse_season(row.file, f"{store.place}: season"), store, Path.cwd())
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def found(session: Session, season: Season, text: str) -> None:
    """Write down a new season: teams, their built-in players, and all days that are known from the start."""
    session.add(SeasonRow(id=1, name=season.name, game=season.game, file=text, created=now()))
    # The players of the file are there from the first day on, also if that has come before anybody ran the season.
    moments = [moment for phase in season.phases for moment in (*phase.dates, phase.deadline) if moment is not None]
    beginning = min([now(), *moments])
    teams = [TeamRow(name=entry.name, school=entry.school, group=entry.group) for entry in season.teams]
    session.add_all(teams)
    session.flush()
    programs = [
        _builtin(team, 1, entry.player, "season.toml")
        for team, entry in zip(teams, season.teams, strict=True)
        if entry.player.partition(":")[0] in players.BUILT_IN
    ]
    session.add_all(programs)
    session.flush()
    session.add_all(
        ActivationRow(team_id=program.team_id, program_id=program.id, at=beginning, who="season.toml")
        for program in programs
    )
    for phase in season.phases:
        if phase.stage in (Stage.TRIAL, Stage.CHAMPIONSHIP):
            draw_groups(session, season, phase, season.groups)


def add_builtin(session: Session, team: TeamRow, name: str, who: str) -> ProgramRow:
    """A built-in player as the next program of a team; it needs no check. Raises ``SettingsError``."""
    program = _builtin(team, next_number(session, team), name, who)
    session.add(program)
    session.flush()
    return program


def _builtin(team: TeamRow, number: int, name: str, who: str) -> ProgramRow:
    if len(name) > _LONGEST_NAME:
        raise SettingsError(f"the player of {team.name!r} has more than {_LONGEST_NAME} characters: {name[:40]!r}...")
    try:
        players.load(name)
    except SpielleiterError as problem:
        raise SettingsError(f"the player of {team.name!r}: {problem}") from None
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
        report={},
    )


def next_number(session: Session, team: TeamRow) -> int:
    """The number of the next program of a team."""
    numbers = session.scalars(select(ProgramRow.number).where(ProgramRow.team_id == team.id))
    return max(numbers, default=0) + 1


def draw_groups(session: Session, season: Season, phase: Phase, groups: Mapping[str, Sequence[str]]) -> None:
    """Write down all days and encounters of a phase that is played in groups."""
    ids = {name: id_ for id_, name in session.execute(select(TeamRow.id, TeamRow.name))}
    matchdays: dict[int, MatchdayRow] = {}
    drawn: list[tuple[str, Day]] = []
    for group, teams in groups.items():
        # Not the order of the file: who stands first there should not always begin.
        places = sorted(teams)
        season.chance(phase.stage, group).shuffle(places)
        days = round_robin(places)
        if phase.stage is Stage.TRIAL:
            days = days[: phase.matchdays]
        drawn += [(group, day) for day in days]
    for number in sorted({day.number for _, day in drawn}):
        date = phase.dates[number - 1] if phase.dates else None
        matchdays[number] = MatchdayRow(stage=phase.stage, number=number, date=date)
    session.add_all(matchdays.values())
    session.flush()
    encounters = [
        {
            "key": f"{phase.stage.letter}{day.number}-{group}{place}",
            "matchday_id": matchdays[day.number].id,
            "stage": phase.stage,
            "group": group,
            "place": place,
            "first_id": ids[first],
            "second_id": ids[second],
        }
        for group, day in drawn
        for place, (first, second) in enumerate(day.pairs, 1)
    ]
    session.execute(insert(EncounterRow), encounters)  # All at once: a large season has hundreds.


def _take_changes(session: Session, season: Season, text: str, row: SeasonRow, path: Path, who: str) -> None:
    """Take over what may change in mid-season: dates of days not yet opened, and how programs are locked up."""
    was = parse_season(row.file, f"{path} as the season began")
    if different := differences(was, season):
        more = f" (and {len(different) - 1} more)" if len(different) > 1 else ""
        raise ContestError(
            f"{path}: the season has begun, and {different[0]}{more}: take that back; only dates, deadlines, sandbox,"
            " memory and schools may change (a new season needs a new store)"
        )
    for entry in season.teams:
        team = session.scalars(select(TeamRow).where(TeamRow.name == entry.name)).one()
        team.school = entry.school
    for phase in season.phases:
        days = session.scalars(select(MatchdayRow).where(MatchdayRow.stage == phase.stage).order_by(MatchdayRow.number))
        for day in days:
            date = phase.dates[day.number - 1] if phase.dates else None
            if day.opened is None:
                day.date = date
    row.file = text
    session.add(AuditRow(at=now(), who=who, action="season file", subject=path.name[:200], reason="dates or settings"))
