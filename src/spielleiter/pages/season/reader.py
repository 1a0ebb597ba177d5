"""Reads the snapshot of a season, and its games, out of the store."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.progress import bracket, read_seeds, season_state
from spielleiter.contest.run.standings import group_standings, rated_games
from spielleiter.contest.season.bracket import final_places
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.store import (
    ActivationRow,
    AuditRow,
    EncounterRow,
    GameFilesRow,
    GameRow,
    LotRow,
    MatchdayRow,
    NewsRow,
    ProgramRow,
    TeamRow,
    now,
)
from spielleiter.game import Text
from spielleiter.pages.season.snapshot import (
    COUNTING,
    PUBLIC_ACTIONS,
    DayView,
    EncounterView,
    GameView,
    Knockout,
    LotView,
    NewsView,
    ProgramView,
    Ruling,
    SeasonSnapshot,
    TeamView,
)
from spielleiter.rating.standings import Lot


def read_snapshot(session: Session, season: Season) -> SeasonSnapshot:
    """The season as it stands in this transaction."""
    teams = {
        team.id: TeamView(team.id, team.name, team.school, team.group, team.disqualified)
        for team in session.scalars(select(TeamRow).order_by(TeamRow.name))
    }
    order = {phase.stage: place for place, phase in enumerate(season.phases)}
    rows = [day for day in session.scalars(select(MatchdayRow)) if Stage(day.stage) in order]
    days = tuple(
        DayView(day.id, Stage(day.stage), day.number, day.date, day.opened, day.finished)
        for day in sorted(rows, key=lambda day: (order[Stage(day.stage)], day.number))
    )
    encounters = _encounters(session, teams, days)
    groups: dict[tuple[Stage, str], None] = dict.fromkeys(
        (encounter.stage, encounter.group)
        for encounter in sorted(encounters, key=lambda each: each.group)
        if encounter.stage not in (Stage.FINAL, Stage.FRIENDLY)
    )
    standings = {(stage, group): group_standings(session, season, stage, group) for stage, group in groups}
    return SeasonSnapshot(
        season=season,
        game=season.load_game(),
        moment=now(),
        teams=teams,
        days=days,
        encounters=encounters,
        standings=standings,
        knockout=_knockout(session, season),
        programs=_programs(session, teams),
        lots=tuple(
            LotView(Stage(lot.stage), lot.group, Lot(frozenset(lot.teams), lot.seed), lot.at)
            for lot in session.scalars(select(LotRow).order_by(LotRow.id))
        ),
        rulings=tuple(
            Ruling(entry.at, entry.action, entry.subject, entry.reason)
            for entry in session.scalars(
                select(AuditRow).where(AuditRow.action.in_(PUBLIC_ACTIONS)).order_by(AuditRow.id)
            )
        ),
        news=tuple(
            NewsView(news.id, news.at, Text(news.title_de, news.title_en), Text(news.text_de, news.text_en))
            for news in session.scalars(select(NewsRow).order_by(NewsRow.id.desc()))
        ),
        rated=tuple(sorted(rated_games(session, COUNTING), key=lambda game: (game.pair, game.one))),
        state=season_state(session, season),
    )


def _encounters(
    session: Session, teams: Mapping[int, TeamView], days: tuple[DayView, ...]
) -> tuple[EncounterView, ...]:
    place = {day.id: number for number, day in enumerate(days)}
    versions = dict(session.execute(select(ProgramRow.id, ProgramRow.number)).all())
    columns = EncounterRow.__table__.c
    found = [
        EncounterView(
            id=row.id,
            key=row.key,
            stage=Stage(row.stage),
            group=row.group_name,
            place=row.place,
            day=row.matchday_id,
            teams=(teams[row.first_id], teams[row.second_id]),
            programs=(versions.get(row.first_program_id), versions.get(row.second_program_id)),
            games=row.games,
            won=(row.won_first, row.won_second),
            drawn=row.drawn,
            secondary=(row.secondary_first, row.secondary_second),
            finished=row.finished,
            winner=None if row.winner_id is None else int(row.winner_id == row.second_id),
            lot_seed=row.lot_seed,
        )
        for row in session.execute(select(*columns))
    ]
    last = len(days)
    return tuple(sorted(found, key=lambda each: (place.get(each.day or 0, last), each.group, each.place, each.id)))


def read_games(session: Session, encounters: tuple[int, ...] | None = None) -> tuple[GameView, ...]:
    """The games of these encounters, or of all, in the order of the encounters' ids."""
    columns = GameRow.__table__.c
    wanted = (
        select(*(column for column in columns if column.name not in ("details", "start", "host")), GameFilesRow.game_id)
        .add_columns((func.length(GameFilesRow.record) > 0).label("has_record"))
        .outerjoin(GameFilesRow, GameFilesRow.game_id == GameRow.id)
        .order_by(GameRow.encounter_id, GameRow.number, GameRow.attempt)
    )
    if encounters is not None:
        wanted = wanted.where(GameRow.encounter_id.in_(encounters))
    return tuple(
        GameView(
            id=row.id,
            encounter=row.encounter_id,
            number=row.number,
            attempt=row.attempt,
            annulled=row.annulled,
            decision=row.decision,
            points=(row.points_first, row.points_second),
            secondary=(row.secondary_first, row.secondary_second),
            faults=(row.fault_first, row.fault_second),
            reason=Text(row.reason_de, row.reason_en),
            plies=row.plies,
            seconds=row.seconds,
            started=row.started,
            final=row.final,
            has_record=bool(row.has_record),
        )
        for row in session.execute(wanted)
    )


_PROGRAM_COLUMNS = ("number", "name", "builtin", "digest", "size", "submitted", "passed")


def _programs(session: Session, teams: Mapping[int, TeamView]) -> dict[int, tuple[ProgramView, ...]]:
    chosen: dict[int, list[datetime]] = {}
    for id_, at in session.execute(select(ActivationRow.program_id, ActivationRow.at).order_by(ActivationRow.id)):
        chosen.setdefault(id_, []).append(at)
    found: dict[int, list[ProgramView]] = {team: [] for team in teams}
    columns = (ProgramRow.id, ProgramRow.team_id, *(getattr(ProgramRow, name) for name in _PROGRAM_COLUMNS))
    for row in session.execute(select(*columns).order_by(ProgramRow.number)):
        values = {name: getattr(row, name) for name in _PROGRAM_COLUMNS}
        found[row.team_id].append(ProgramView(**values, activated=tuple(chosen.get(row.id, ()))))
    return {team: tuple(programs) for team, programs in found.items()}


def _knockout(session: Session, season: Season) -> Knockout:
    slots, winners = bracket(session, season)
    seeds = {team: place for place, team in enumerate(read_seeds(session, season), 1)} if slots else {}
    return Knockout(seeds, slots, winners, final_places(slots, winners))
