"""Where a season stands, in figures: looked up, without changing anything."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.progress import Situation, Waits, cuts, podium
from spielleiter.contest.season import Season, Stage
from spielleiter.contest.standings import groups_of, table
from spielleiter.contest.store import Encounter, Matchday, SeasonRow, Team, now


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
    situation: Situation
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
            select(Matchday.stage, func.count(), func.count(Matchday.finished)).group_by(Matchday.stage)
        )
    }
    encounters = {
        stage: (total, done, games)
        for stage, total, done, games in session.execute(
            select(Encounter.stage, func.count(), func.count(Encounter.finished), func.sum(Encounter.games)).group_by(
                Encounter.stage
            )
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
        teams=session.scalar(select(func.count()).select_from(Team)) or 0,
        podium=podium(session, season),
    )


def situation(session: Session, season: Season) -> Situation:
    """What the season does or waits for; what ``progress.advance`` would find, but nothing is done."""
    row = session.get(SeasonRow, 1)
    if row is not None and row.paused:
        return Situation(Waits.PAUSE)
    for place, phase in enumerate(season.phases):
        days = session.scalars(select(Matchday).where(Matchday.stage == phase.stage).order_by(Matchday.number)).all()
        if not days:
            before = season.phases[place - 1]
            for group in groups_of(session, before.stage) if season.lots_by_hand else ():
                if ties := table(session, season, before.stage, group).ties(cuts(season, before)):
                    return Situation(Waits.LOT, before.stage, group=group, tie=ties[0])
            return Situation(Waits.GAMES, phase.stage, 1)
        for day in days:
            if day.finished is not None:
                continue
            if day.opened is None and day.date is not None and day.date > now():
                return Situation(Waits.DATE, phase.stage, day.number, day.id, day.date)
            missing = select(func.count()).where(Encounter.matchday_id == day.id, Encounter.finished.is_(None))
            if session.scalar(missing):
                return Situation(Waits.GAMES, phase.stage, day.number, day.id)
        if phase.stage is Stage.FINAL and not podium(session, season):
            return Situation(Waits.GAMES, phase.stage, len(days) + 1)
    return Situation(Waits.NOTHING)
