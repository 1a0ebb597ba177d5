"""How far a season is, in numbers: read-only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.progress import podium, season_state
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.next import SeasonState
from spielleiter.contest.store import EncounterRow, MatchdayRow, TeamRow
from spielleiter.game import Text


@dataclass(frozen=True, slots=True)
class PhaseStatus:
    """How far a phase is."""

    stage: Stage
    name: Text
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
    state: SeasonState
    text: Text
    """The state in one sentence."""
    phases: tuple[PhaseStatus, ...]
    friendly_games: int
    teams: int
    podium: tuple[str, ...]
    """First to fourth, when the season is over."""


def status(session: Session, season: Season) -> SeasonStatus:
    """How far the season is, and what it does or waits for."""
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
            season.stage_name(phase.stage),
            phase.stage in days,
            *days.get(phase.stage, (0, 0)),
            *encounters.get(phase.stage, (0, 0, 0)),
        )
        for phase in season.phases
    )
    state = season_state(session, season)
    return SeasonStatus(
        name=season.name,
        game=season.game,
        state=state,
        text=state.text(season),
        phases=phases,
        friendly_games=encounters.get(Stage.FRIENDLY, (0, 0, 0))[2],
        teams=session.scalar(select(func.count()).select_from(TeamRow)) or 0,
        podium=podium(session, season),
    )
