"""Lets a season go on: reads the facts from the store, asks what is next, does it, and asks again.

``advance`` is safe to call at any time and by several organisers at once: each action is performed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.create import write_encounters
from spielleiter.contest.run.standings import all_standings
from spielleiter.contest.season.bracket import Slot, final_places, slots
from spielleiter.contest.season.draw import seeds
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import game_name
from spielleiter.contest.season.next import (
    CloseDay,
    DayFacts,
    DrawEncounters,
    DrawLot,
    Facts,
    OpenDay,
    PlayGames,
    SeasonState,
    Until,
    next_step,
)
from spielleiter.contest.store import ActivationRow, EncounterRow, GameRow, LotRow, MatchdayRow, SeasonRow, TeamRow, now
from spielleiter.rating.standings import Standings, Tie

# --- the facts --------------------------------------------------------------------------------------------------------


def read_facts(session: Session, season: Season) -> Facts:
    """What has happened in the season, as ``next_step`` needs it."""

    def standings(stage: Stage) -> Mapping[str, Standings]:
        return all_standings(session, season, stage)

    row = session.get(SeasonRow, 1)
    return Facts(
        days=read_days(session),
        standings=standings,
        winners=_winners(session),
        paused=row is not None and row.paused,
        pending=read_pending(session),
    )


def read_days(session: Session) -> tuple[DayFacts, ...]:
    """The matchdays that are drawn; those of one phase in their order."""
    missing = func.sum(case((EncounterRow.finished.is_(None), 1), else_=0))
    rows = session.execute(
        select(MatchdayRow, missing)
        .join(EncounterRow, EncounterRow.matchday_id == MatchdayRow.id)
        .group_by(MatchdayRow.id)
        .order_by(MatchdayRow.number)
    )
    return tuple(
        DayFacts(
            id=day.id,
            stage=Stage(day.stage),
            number=day.number,
            date=day.date,
            opened=day.opened is not None,
            finished=day.finished is not None,
            missing=left,
        )
        for day, left in rows
    )


def read_pending(session: Session) -> dict[Stage, tuple[str, ...]]:
    """The names of the games on which an organiser has to decide, by phase."""
    rows = session.execute(
        select(EncounterRow.stage, EncounterRow.key, GameRow.number, GameRow.attempt)
        .join(GameRow, GameRow.encounter_id == EncounterRow.id)
        .where(GameRow.decision == Decision.PENDING, ~GameRow.annulled)
        .order_by(GameRow.id)
    )
    found: dict[Stage, tuple[str, ...]] = {}
    for stage, key, number, attempt in rows:
        found[Stage(stage)] = (*found.get(Stage(stage), ()), game_name(key, number, attempt))
    return found


def season_state(session: Session, season: Season) -> SeasonState:
    """What the season does or waits for."""
    return next_step(season, read_facts(session, season), now()).state


# --- going on ---------------------------------------------------------------------------------------------------------


def advance(session: Session, season: Season, *, ahead: bool = False, until: Until | None = None) -> SeasonState:
    """Do everything that is due, until games must be played or the season has to wait; see ``next_step``."""
    while True:
        step = next_step(season, read_facts(session, season), now(), ahead=ahead, until=until)
        match step.action:
            case None | PlayGames():
                return step.state
            case CloseDay(matchday_id):
                session.get_one(MatchdayRow, matchday_id).finished = now()
            case OpenDay(matchday_id):
                open_day(session, season, session.get_one(MatchdayRow, matchday_id))
            case DrawLot(stage, group, tie):
                draw_lot(session, stage, group, tie, season.lot_seed("lot", stage, group, tie.first), "season.toml")
            case DrawEncounters(phase, encounters):
                write_encounters(session, phase, encounters)
            case _:
                assert_never(step.action)
        session.flush()


def open_day(session: Session, season: Season, day: MatchdayRow) -> None:
    """Fix the programs with which a day is played: those that were active at its date and before the deadline."""
    phase = season.phase(Stage(day.stage))
    assert phase is not None
    day.opened = now()
    # Not by our clock: a program that is active now may have been activated by one that was ahead of it.
    ends = min((moment for moment in (day.date, phase.deadline) if moment is not None), default=None)
    active = active_programs(session, ends)
    for encounter in session.scalars(select(EncounterRow).where(EncounterRow.matchday_id == day.id)):
        encounter.program_ids = [active.get(team) for team in encounter.team_ids]


def active_programs(session: Session, at: datetime | None) -> dict[int, int]:
    """The program of each team that was active at a moment, or is now, by the ids of both."""
    newest = select(func.max(ActivationRow.id)).group_by(ActivationRow.team_id)
    if at is not None:
        newest = newest.where(ActivationRow.at <= at)
    rows = session.execute(select(ActivationRow.team_id, ActivationRow.program_id).where(ActivationRow.id.in_(newest)))
    return dict(rows.all())


def draw_lot(session: Session, stage: Stage, group: str, tie: Tie, seed: str, who: str) -> LotRow:
    """Record a lot among tied teams."""
    drawn = LotRow(stage=stage, group=group, teams=sorted(tie.teams), seed=seed, at=now(), who=who)
    session.add(drawn)
    session.flush()
    return drawn


# --- the knock-out ----------------------------------------------------------------------------------------------------


def bracket(session: Session, season: Season) -> tuple[tuple[Slot, ...], dict[tuple[int, int], str]]:
    """All known encounters of the knock-out, and the winners of those that are finished; empty before it is drawn."""
    drawn = session.scalars(select(MatchdayRow.id).where(MatchdayRow.stage == Stage.FINAL).limit(1)).first()
    if drawn is None:
        return (), {}
    winners = _winners(session)
    return slots(read_seeds(session, season), winners), winners


def read_seeds(session: Session, season: Season) -> list[str]:
    """The teams of the knock-out, the best first, by the standings as they are now."""
    final = season.phase(Stage.FINAL)
    assert final is not None
    before = season.phases[season.phases.index(final) - 1]
    return seeds(season, all_standings(session, season, before.stage))


def podium(session: Session, season: Season) -> tuple[str, ...]:
    """First to fourth of the season's final; empty until it is over."""
    return final_places(*bracket(session, season))


def _winners(session: Session) -> dict[tuple[int, int], str]:
    rows = session.execute(
        select(MatchdayRow.number, EncounterRow.place, TeamRow.name)
        .join(EncounterRow, EncounterRow.matchday_id == MatchdayRow.id)
        .join(TeamRow, TeamRow.id == EncounterRow.winner_id)
        .where(MatchdayRow.stage == Stage.FINAL, EncounterRow.finished.is_not(None))
    )
    return {(number, place): name for number, place, name in rows}
