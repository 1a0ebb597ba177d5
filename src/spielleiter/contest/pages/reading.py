"""Reads the chronicle of a season, and its games, out of the store."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.bracket import final_places
from spielleiter.contest.pages.chronicle import (
    COUNTING,
    PUBLIC_ACTIONS,
    Chronicle,
    DayTold,
    EncounterTold,
    GameTold,
    Knockout,
    LotTold,
    NewsTold,
    ProgramTold,
    Ruling,
    TeamTold,
)
from spielleiter.contest.progress import bracket
from spielleiter.contest.season import Season, Stage
from spielleiter.contest.standings import rated_games, table
from spielleiter.contest.status import situation
from spielleiter.contest.store import (
    Activation,
    AuditEntry,
    Encounter,
    Game,
    GameFiles,
    LotDrawn,
    Matchday,
    News,
    Program,
    Team,
    now,
)
from spielleiter.game import Text
from spielleiter.rating.table import Lot


def read_chronicle(session: Session, season: Season) -> Chronicle:
    """The season as it stands in this transaction."""
    teams = {
        team.id: TeamTold(team.id, team.name, team.school, team.group, team.disqualified)
        for team in session.scalars(select(Team).order_by(Team.name))
    }
    order = {phase.stage: place for place, phase in enumerate(season.phases)}
    rows = [day for day in session.scalars(select(Matchday)) if Stage(day.stage) in order]
    days = tuple(
        DayTold(day.id, Stage(day.stage), day.number, day.date, day.opened, day.finished)
        for day in sorted(rows, key=lambda day: (order[Stage(day.stage)], day.number))
    )
    encounters = _encounters(session, teams, days)
    groups: dict[tuple[Stage, str], None] = dict.fromkeys(
        (encounter.stage, encounter.group)
        for encounter in sorted(encounters, key=lambda each: each.group)
        if encounter.stage not in (Stage.FINAL, Stage.FRIENDLY)
    )
    tables = {(stage, group): table(session, season, stage, group) for stage, group in groups}
    return Chronicle(
        season=season,
        game=season.load_game(),
        moment=now(),
        teams=teams,
        days=days,
        encounters=encounters,
        tables=tables,
        knockout=_knockout(session, season),
        programs=_programs(session, teams),
        lots=tuple(
            LotTold(Stage(lot.stage), lot.group, Lot(frozenset(lot.teams), lot.seed), lot.at)
            for lot in session.scalars(select(LotDrawn).order_by(LotDrawn.id))
        ),
        rulings=tuple(
            Ruling(entry.at, entry.action, entry.subject, entry.reason)
            for entry in session.scalars(
                select(AuditEntry).where(AuditEntry.action.in_(PUBLIC_ACTIONS)).order_by(AuditEntry.id)
            )
        ),
        news=tuple(
            NewsTold(news.at, Text(news.text_de, news.text_en))
            for news in session.scalars(select(News).order_by(News.id.desc()))
        ),
        rated=tuple(sorted(rated_games(session, COUNTING), key=lambda game: (game.pair, game.one))),
        situation=situation(session, season),
    )


def _encounters(
    session: Session, teams: Mapping[int, TeamTold], days: tuple[DayTold, ...]
) -> tuple[EncounterTold, ...]:
    place = {day.id: number for number, day in enumerate(days)}
    versions = dict(session.execute(select(Program.id, Program.number)).all())
    columns = Encounter.__table__.c
    found = [
        EncounterTold(
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


def read_games(session: Session, encounters: tuple[int, ...] | None = None) -> tuple[GameTold, ...]:
    """The games of these encounters, or of all, in the order of the encounters' ids."""
    columns = Game.__table__.c
    wanted = (
        select(*(column for column in columns if column.name not in ("details", "start", "host")), GameFiles.game_id)
        .add_columns((func.length(GameFiles.record) > 0).label("has_record"))
        .outerjoin(GameFiles, GameFiles.game_id == Game.id)
        .order_by(Game.encounter_id, Game.number, Game.attempt)
    )
    if encounters is not None:
        wanted = wanted.where(Game.encounter_id.in_(encounters))
    return tuple(
        GameTold(
            id=row.id,
            encounter=row.encounter_id,
            number=row.number,
            attempt=row.attempt,
            annulled=row.annulled,
            verdict=row.verdict,
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


_OF_A_PROGRAM = ("number", "name", "builtin", "digest", "size", "submitted", "passed")


def _programs(session: Session, teams: Mapping[int, TeamTold]) -> dict[int, tuple[ProgramTold, ...]]:
    chosen: dict[int, list[datetime]] = {}
    for id_, at in session.execute(select(Activation.program_id, Activation.at).order_by(Activation.id)):
        chosen.setdefault(id_, []).append(at)
    found: dict[int, list[ProgramTold]] = {team: [] for team in teams}
    columns = (Program.id, Program.team_id, *(getattr(Program, name) for name in _OF_A_PROGRAM))
    for row in session.execute(select(*columns).order_by(Program.number)):
        told = {name: getattr(row, name) for name in _OF_A_PROGRAM}
        found[row.team_id].append(ProgramTold(**told, activated=tuple(chosen.get(row.id, ()))))
    return {team: tuple(programs) for team, programs in found.items()}


def _knockout(session: Session, season: Season) -> Knockout:
    slots, winners = bracket(session, season)
    first = [slot for slot in slots if slot.day == 1]
    size = season.bracket_size
    # Seeds meet so that their sum is one more than their number; the better one of each pair stands first.
    order = {8: (1, 4, 2, 3), 4: (1, 2), 2: (1,)}.get(size, ())
    seeds: dict[str, int] = {}
    for slot, seed in zip(first, order, strict=False):
        seeds[slot.teams[0]], seeds[slot.teams[1]] = seed, size + 1 - seed
    return Knockout(seeds, slots, winners, final_places(slots, winners))
