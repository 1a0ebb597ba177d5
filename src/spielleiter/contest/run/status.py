"""Where a season stands, in figures: looked up, without changing anything."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.progress import Blocker, SeasonState, cuts, podium
from spielleiter.contest.run.standings import group_standings, groups_of
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.store import EncounterRow, MatchdayRow, SeasonRow, TeamRow, now


@dataclass(frozen=True, slots=True)
class PhaseStatus:
    """How far a phase is."""

    stage: Stage
    drawn: bool
    matchdays: int
    finished_matchdays: int
    encounters: int
    finished_encounters: int
    games: int


@dataclass(frozen=True, slots=True)
class SeasonStatus:
    """How far a season is."""

    name: str
    game: str
    situation: SeasonState
    phases: tuple[PhaseStatus, ...]
    friendly_games: int
    teams: int
    podium: tuple[str, ...]
    """First to fourth, when the season is over."""


def status(session: Session, season: Season) -> SeasonStatus:
    """Where the season stands."""
    days = {
        stage: (total, done)
        for stage, total, done in session.execute(
            select(MatchdayRow.stage, func.count(), func.count(MatchdayRow.finished)).group_by(MatchdayRow.stage)
        )
    }
    encounters = {
        stage: (total, done, games)
        for stage, total, done, games in session.execute(
            select(
                EncounterRow.stage, func.count(), func.count(EncounterRow.finished), func.sum(EncounterRow.games)
            ).group_by(EncounterRow.stage)
        )
    }
    phases = tuple(
        PhaseStatus(
            phase.stage,
            phase.stage in days,
            *days.get(phase.stage, (0, 0)),
            *encounters.get(phase.stage, (0, 0, 0)),
        )
        for phase in season.phases
    )
    return SeasonStatus(
        name=season.name,
        game=season.game,
        situation=situation(session, season),
        phases=phases,
        friendly_games=encounters.get(Stage.FRIENDLY, (0, 0, 0))[2],
        teams=session.scalar(select(func.count()).select_from(TeamRow)) or 0,
        podium=podium(session, season),
    )


def situation(session: Session, season: Season) -> SeasonState:
    """What the season does or waits for; what ``progress.advance`` would find, but nothing is done."""
    row = session.get(SeasonRow, 1)
    if row is not None and row.paused:
        return SeasonState(Blocker.PAUSE)
    for place, phase in enumerate(season.phases):
        days = session.scalars(
            select(MatchdayRow).where(MatchdayRow.stage == phase.stage).order_by(MatchdayRow.number)
        ).all()
        if not days:
            before = season.phases[place - 1]
            for group in groups_of(session, before.stage) if season.lots_by_hand else ():
                if ties := group_standings(session, season, before.stage, group).ties(cuts(season, before)):
                    return SeasonState(Blocker.LOT, before.stage, group=group, tie=ties[0])
            return SeasonState(Blocker.GAMES, phase.stage, 1)
        for day in days:
            if day.finished is not None:
                continue
            if day.opened is None and day.date is not None and day.date > now():
                return SeasonState(Blocker.DATE, phase.stage, day.number, day.id, day.date)
            missing = select(func.count()).where(EncounterRow.matchday_id == day.id, EncounterRow.finished.is_(None))
            if session.scalar(missing):
                return SeasonState(Blocker.GAMES, phase.stage, day.number, day.id)
        if phase.stage is Stage.FINAL and not podium(session, season):
            return SeasonState(Blocker.GAMES, phase.stage, len(days) + 1)
    return SeasonState(Blocker.NOTHING)
