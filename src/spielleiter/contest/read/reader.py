"""Looks at a season: everything that one ``SeasonReader`` reads is of the same moment.

Laws: no caller sees a row or SQL; of a game's two logs only that of the team that asks is ever read.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import bracket, read_seeds, season_state
from spielleiter.contest.run.standings import group_standings, rated_games
from spielleiter.contest.season.bracket import final_places
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import game_name, parse_game_name
from spielleiter.contest.season.snapshot import (
    CheckedProgram,
    DrawnLot,
    Encounter,
    Knockout,
    Matchday,
    SeasonGame,
    SeasonProgram,
    SeasonSnapshot,
    SeasonTeam,
)
from spielleiter.contest.store import (
    ActivationRow,
    AuditRow,
    EncounterRow,
    GameFilesRow,
    GameRow,
    LotRow,
    MatchdayRow,
    NewsRow,
    ProgramFileRow,
    ProgramRow,
    SeasonRow,
    TeamRow,
    now,
)
from spielleiter.contest.store.values import (
    audit_value,
    encounter_value,
    game_value,
    news_value,
    program_value,
    team_value,
)
from spielleiter.errors import RecordError
from spielleiter.game import Text
from spielleiter.programs.side_result import Fault
from spielleiter.rating.standings import Lot
from spielleiter.records.private_notes import split_log
from spielleiter.text import printable

_PLANNED = tuple(stage for stage in Stage if stage is not Stage.FRIENDLY)
_GAME_COLUMNS = [column for column in GameRow.__table__.c if column.name not in ("details", "start", "host")]


@dataclass(frozen=True, slots=True)
class TeamGame:
    """A game as one of its teams sees it, with what is known of its own program."""

    game: SeasonGame
    side: int
    details: Mapping[str, Any]

    @property
    def fault(self) -> Fault | None:
        """What the own program did wrong."""
        fault = self.game.faults[self.side]
        return None if fault is None else Fault(fault)

    @property
    def failure(self) -> Text | None:
        """Why the own program failed, if it did; older games say nothing about that."""
        failure = self.details.get("failure")
        return Text(**failure) if failure and failure["en"] else None

    @property
    def has_log(self) -> bool:
        """Whether it was played."""
        return self.game.decision is not Decision.WALKOVER

    @property
    def slowest(self) -> float | None:
        """The seconds of the own program's slowest move."""
        return max(self.details.get("move_times") or (), default=None)


@contextmanager
def reading(contest: Contest) -> Iterator[SeasonReader]:
    """A look at the season, in one transaction. Raises ``StoreError``."""
    with contest.store.reading() as session:
        contest.refresh(session)
        yield SeasonReader(session, contest.season)


def read_snapshot(contest: Contest) -> SeasonSnapshot:
    """The season as it is now. Raises ``StoreError``."""
    with reading(contest) as reader:
        return reader.snapshot()


class SeasonReader:
    """Reads one season in one transaction."""

    def __init__(self, session: Session, season: Season) -> None:
        self._session = session
        self._season = season

    def version(self) -> str:
        """A name for the present state of the season: another one as soon as a page could look otherwise."""
        newest = [
            select(func.max(table.id))
            for table in (GameRow, EncounterRow, AuditRow, LotRow, NewsRow, ProgramRow, ActivationRow)
        ]
        days = select(func.count(MatchdayRow.opened) + func.count(MatchdayRow.finished))
        friendly = select(func.count(EncounterRow.finished)).where(EncounterRow.stage == Stage.FRIENDLY)
        paused = select(SeasonRow.paused).where(SeasonRow.id == 1)
        row = self._session.execute(select(*(one.scalar_subquery() for one in (*newest, days, friendly, paused)))).one()
        return "-".join("" if value is None else str(int(value)) for value in row)

    def file(self) -> str:
        """The text of the season file."""
        return self._session.get_one(SeasonRow, 1).file

    # --- the snapshot -------------------------------------------------------------------------------------------------

    def snapshot(self) -> SeasonSnapshot:
        """The season as it stands in this transaction."""
        session, season = self._session, self._season
        teams = {team.id: team_value(team) for team in session.scalars(select(TeamRow).order_by(TeamRow.name))}
        order = {phase.stage: place for place, phase in enumerate(season.phases)}
        rows = [day for day in session.scalars(select(MatchdayRow)) if Stage(day.stage) in order]
        days = tuple(
            Matchday(day.id, Stage(day.stage), day.number, day.date, day.opened, day.finished)
            for day in sorted(rows, key=lambda day: (order[Stage(day.stage)], day.number))
        )
        encounters = self._encounters(teams, days)
        groups: dict[tuple[Stage, str], None] = dict.fromkeys(
            (encounter.stage, encounter.group)
            for encounter in sorted(encounters, key=lambda each: each.group)
            if encounter.stage not in (Stage.FINAL, Stage.FRIENDLY)
        )
        programs, active = self._programs(teams)
        return SeasonSnapshot(
            season=season,
            game=season.load_game(),
            moment=now(),
            teams=teams,
            days=days,
            encounters=encounters,
            standings={(stage, group): group_standings(session, season, stage, group) for stage, group in groups},
            knockout=self._knockout(),
            programs=programs,
            active=active,
            lots=tuple(
                DrawnLot(Stage(lot.stage), lot.group, Lot(frozenset(lot.teams), lot.seed), lot.at)
                for lot in session.scalars(select(LotRow).order_by(LotRow.id))
            ),
            audit=tuple(audit_value(entry) for entry in session.scalars(select(AuditRow).order_by(AuditRow.id))),
            news=tuple(news_value(news) for news in session.scalars(select(NewsRow).order_by(NewsRow.id.desc()))),
            rated=tuple(sorted(rated_games(session, _PLANNED), key=lambda game: (game.pair, game.one))),
            pending=tuple(
                map(
                    game_value,
                    session.scalars(
                        select(GameRow)
                        .where(GameRow.decision == Decision.PENDING, ~GameRow.annulled)
                        .order_by(GameRow.id)
                    ),
                )
            ),
            state=season_state(session, season),
        )

    def _encounters(self, teams: Mapping[int, SeasonTeam], days: tuple[Matchday, ...]) -> tuple[Encounter, ...]:
        place = {day.id: number for number, day in enumerate(days)}
        versions = dict(self._session.execute(select(ProgramRow.id, ProgramRow.number)).all())
        # Columns, not rows: a large season has thousands.
        columns = [getattr(EncounterRow, attribute.key) for attribute in EncounterRow.__mapper__.column_attrs]
        found = [encounter_value(row, teams, versions) for row in self._session.execute(select(*columns))]
        last = len(days)
        return tuple(sorted(found, key=lambda each: (place.get(each.day or 0, last), each.group, each.place, each.id)))

    def _programs(self, teams: Mapping[int, SeasonTeam]) -> tuple[dict[int, tuple[SeasonProgram, ...]], dict[int, int]]:
        """The programs of each team, and the number of that with which it plays, by its id."""
        activations = select(ActivationRow.team_id, ActivationRow.program_id, ActivationRow.at)
        activated: dict[int, list[datetime]] = {}
        newest: dict[int, int] = {}
        for team, program, at in self._session.execute(activations.order_by(ActivationRow.id)):
            activated.setdefault(program, []).append(at)
            newest[team] = program
        found: dict[int, list[SeasonProgram]] = {team: [] for team in teams}
        numbers: dict[int, int] = {}
        # The whole report has the logs of both games.
        judged = ProgramRow.report["judged"].as_boolean().label("judged")
        names = ("number", "name", "builtin", "digest", "size", "submitted", "who", "passed")
        columns = (ProgramRow.id, ProgramRow.team_id, judged, *(getattr(ProgramRow, name) for name in names))
        for row in self._session.execute(select(*columns).order_by(ProgramRow.number)):
            values = {name: getattr(row, name) for name in names}
            moments = tuple(activated.get(row.id, ()))
            found[row.team_id].append(SeasonProgram(**values, was_judged=row.judged is not False, activated=moments))
            numbers[row.id] = row.number
        active = {team: numbers[program] for team, program in newest.items()}
        return {team: tuple(programs) for team, programs in found.items()}, active

    def _knockout(self) -> Knockout:
        slots, winners = bracket(self._session, self._season)
        seeds = read_seeds(self._session, self._season) if slots else ()
        places = {team: place for place, team in enumerate(seeds, 1)}
        return Knockout(places, slots, winners, final_places(slots, winners))

    # --- games --------------------------------------------------------------------------------------------------------

    def games(self, encounters: Collection[int] | None = None) -> tuple[SeasonGame, ...]:
        """The games of these encounters, or of all, in the order of the encounters' ids."""
        wanted = (
            select(*_GAME_COLUMNS, (func.length(GameFilesRow.record) > 0).label("has_record"))
            .outerjoin(GameFilesRow, GameFilesRow.game_id == GameRow.id)
            .order_by(GameRow.encounter_id, GameRow.number, GameRow.attempt)
        )
        if encounters is not None:
            wanted = wanted.where(GameRow.encounter_id.in_(encounters))
        return tuple(game_value(row, has_record=bool(row.has_record)) for row in self._session.execute(wanted))

    def hosts(self, encounter: int) -> dict[int, str]:
        """The machines on which the games of an encounter were played, by their ids: for organisers."""
        wanted = select(GameRow.id, GameRow.host).where(GameRow.encounter_id == encounter)
        return dict(self._session.execute(wanted).all())

    def find_game(self, name: str) -> int | None:
        """The id of the finished game of that name, as M3-A2-4."""
        parts = parse_game_name(name)
        if parts is None:
            return None
        wanted = select(GameRow.id).join(EncounterRow, EncounterRow.id == GameRow.encounter_id)
        wanted = wanted.where(EncounterRow.key == parts.encounter, GameRow.number == parts.number)
        return self._session.scalar(wanted.where(GameRow.attempt == (parts.attempt or 1)))

    def encounter_of(self, game: int) -> int | None:
        """The id of the encounter of a game."""
        return self._session.scalar(select(GameRow.encounter_id).where(GameRow.id == game))

    def game_name(self, game: int) -> str | None:
        """The name of a game by its id, as M3-A2-4."""
        row = self._session.get(GameRow, game, options=[defer(GameRow.details)])
        return None if row is None else game_name(row.encounter.key, row.number, row.attempt)

    def records(self, games: Collection[int]) -> dict[int, bytes]:
        """The packed records of these games, by their ids: ``unpack`` them one by one."""
        wanted = select(GameFilesRow.game_id, GameFilesRow.record).where(GameFilesRow.game_id.in_(games))
        return {id_: record for id_, record in self._session.execute(wanted) if record}

    # --- for the members of a team ------------------------------------------------------------------------------------

    def team_games(self, team: int, encounter: int) -> list[TeamGame]:
        """The games of an encounter of the team, in their order; annulled ones too. Empty if it is not theirs."""
        wanted = self._own_games(team).where(GameRow.encounter_id == encounter)
        rows = self._session.scalars(wanted.order_by(GameRow.number, GameRow.attempt))
        return [_team_game(row, team) for row in rows]

    def newest_games(self, team: int, limit: int) -> list[tuple[TeamGame, SeasonTeam, bytes]]:
        """The newest games of the team that count and have a record, with the opponent and the packed record."""
        wanted = self._own_games(team).where(~GameRow.annulled, GameRow.decision != Decision.WALKOVER)
        rows = list(self._session.scalars(wanted.order_by(GameRow.id.desc()).limit(limit)))
        records = self.records([row.id for row in rows])
        found = [(_team_game(row, team), row) for row in rows if row.id in records]
        return [(game, team_value(row.encounter.teams[1 - game.side]), records[row.id]) for game, row in found]

    def log(self, team: int, game: int) -> tuple[TeamGame, str] | None:
        """A game with what the team's own program printed in it; ``None`` if the team did not play it."""
        found = self._own_log(team, game)
        if found is None:
            return None
        own, log = found
        return own, printable(split_log(log)[0].decode("utf-8", "replace"))

    def notes(self, team: int, game: int) -> bytes:
        """What the team's own player noted in a game, as lines of its record; empty if the team did not play it."""
        found = self._own_log(team, game)
        return b"" if found is None else split_log(found[1])[1]

    def _own_log(self, team: int, game: int) -> tuple[TeamGame, bytes] | None:
        row = self._session.scalar(self._own_games(team).where(GameRow.id == game))
        if row is None:
            return None
        own = _team_game(row, team)
        column = GameFilesRow.logs.columns(GameFilesRow)[own.side]
        packed = self._session.scalar(select(column).where(GameFilesRow.game_id == game)) or b""
        return own, zlib.decompress(packed) if packed else b""

    @staticmethod
    def _own_games(team: int) -> Any:
        return select(GameRow).join(GameRow.encounter).where(EncounterRow.is_of(team)).options(defer(GameRow.start))

    def checked_programs(self, team: int, number: int | None = None) -> tuple[CheckedProgram, ...]:
        """The programs of a team, or that of one number, with what their checks have found, the oldest first."""
        wanted = select(ProgramRow).where(ProgramRow.team_id == team)
        if number is not None:
            wanted = wanted.where(ProgramRow.number == number)
        return tuple(map(program_value, self._session.scalars(wanted.order_by(ProgramRow.number))))

    def program_file(self, program: SeasonProgram) -> bytes | None:
        """The ZIP of a program as it was stored; ``None`` if it is built in."""
        file = self._session.get(ProgramFileRow, program.digest)
        return None if file is None else file.data


def _team_game(row: GameRow, team: int) -> TeamGame:
    side = row.encounter.team_ids.index(team)
    return TeamGame(game_value(row), side, row.details_of(side))


def unpack(record: bytes) -> bytes:
    """A record as it was written. Raises ``RecordError`` if it is damaged."""
    try:
        return zlib.decompress(record)
    except zlib.error:
        raise unreadable_record() from None


def unreadable_record() -> RecordError:
    """The refusal for a record that the store does not return as it was."""
    return RecordError(
        "Die Datenbank der Saison hat die Aufzeichnung nicht.",
        "the store of the season does not return the record",
    )
