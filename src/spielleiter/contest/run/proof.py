"""Proof of a season: every game is replayed from its record, and all that follows from games is worked out again.

Nothing is believed but the season file, the records, the lots' seeds and the audit log: schedules, results, sums,
tables, who qualified and who won must follow from them.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.create import Contest
from spielleiter.contest.run.progress import cuts, seeds
from spielleiter.contest.run.results import counting, distance, missing_side, start_position
from spielleiter.contest.run.standings import group_standings, groups_of, lots
from spielleiter.contest.season import encounter as course
from spielleiter.contest.season.bracket import slots
from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.contest.season.schedule import round_robin
from spielleiter.contest.store import (
    AuditRow,
    EncounterRow,
    GameFilesRow,
    GameRow,
    MatchdayRow,
    ProgramFileRow,
    TeamRow,
    Verdict,
)
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Cause
from spielleiter.game import Team as Side
from spielleiter.matches.results import Fault
from spielleiter.rating.standings import ScoredGame, Standings, standings_after
from spielleiter.records.reading import LARGEST_FILE, parse_record
from spielleiter.records.record import GameRecord
from spielleiter.records.verify import verify_record

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof of a season has found."""

    games: int
    """Replayed from their records."""
    encounters: int
    tables: int
    difference: str | None
    """The first thing that is not as it follows, or ``None``: the season is proved."""


class _Difference(Exception):
    """Something is not as it follows."""


def prove(contest: Contest, progress: Progress = lambda done, total: None) -> Proof:
    """Prove everything that a season claims so far."""
    with contest.store.reading() as session:
        checker = _Checker(session, contest.season)
        try:
            checker.check(progress)
        except _Difference as difference:
            return Proof(checker.games, checker.encounters, checker.tables, str(difference))
        return Proof(checker.games, checker.encounters, checker.tables, None)


class _Checker:
    def __init__(self, session: Session, season: Season) -> None:
        self._session = session
        self._season = season
        self._game = season.load_game()
        self._names = dict(session.execute(select(TeamRow.id, TeamRow.name)).all())
        self._played: dict[tuple[Stage, str], list[ScoredGame]] = {}
        self._unfinished: dict[tuple[Stage, str], set[str]] = {}
        self.games = self.encounters = self.tables = 0

    def check(self, progress: Progress) -> None:
        self._check_programs()
        total = self._session.scalar(select(func.count()).select_from(EncounterRow)) or 0
        for done, encounter in enumerate(self._session.scalars(select(EncounterRow).order_by(EncounterRow.id)), 1):
            self._check_encounter(encounter)
            self.encounters += 1
            progress(done, total)
        for place, phase in enumerate(self._season.phases):
            self._check_schedule(phase, self._season.phases[place - 1] if place else None)
            if phase.has_table:
                self._check_tables(phase)

    def _check_programs(self) -> None:
        for file in self._session.scalars(select(ProgramFileRow).execution_options(yield_per=1)):
            if hashlib.sha256(file.data).hexdigest() != file.digest:
                raise _Difference(f"the program {file.digest[:12]} is not what was submitted")

    # --- games --------------------------------------------------------------------------------------------------------

    def _check_encounter(self, encounter: EncounterRow) -> None:
        games = counting(self._session, encounter)
        for game in games:
            self._check_game(encounter, game)
        reached = course.score(
            {game.number: (game.points_first, game.points_second) for game in games}, distance(self._season, encounter)
        )
        expected = (
            len(games),
            *reached.won,
            reached.drawn,
            sum(game.secondary_first for game in games),
            sum(game.secondary_second for game in games),
            reached.finished,
        )
        kept = (
            encounter.games,
            encounter.won_first,
            encounter.won_second,
            encounter.drawn,
            encounter.secondary_first,
            encounter.secondary_second,
            encounter.finished is not None,
        )
        if kept != expected:
            raise _Difference(f"{encounter.key}: its sums are {kept}, from its games follow {expected}")
        self._check_winner(encounter, reached)
        key = (Stage(encounter.stage), encounter.group)
        teams = self._names[encounter.first_id], self._names[encounter.second_id]
        self._played.setdefault(key, []).extend(
            ScoredGame(
                encounter.key,
                teams,
                (game.points_first, game.points_second),
                (game.secondary_first, game.secondary_second),
            )
            for game in games
        )
        if not reached.finished:
            self._unfinished.setdefault(key, set()).add(encounter.key)

    def _check_winner(self, encounter: EncounterRow, reached: course.Score) -> None:
        ids = (encounter.first_id, encounter.second_id)
        winner = None
        if reached.finished and reached.leader is not None:
            winner = ids[reached.leader]
        elif reached.needs_lot:
            names = self._names[ids[0]], self._names[ids[1]]
            winner = ids[course.draw_winner(names, encounter.lot_seed or "")[1]]
        if encounter.winner_id != winner:
            raise _Difference(f"{encounter.key}: another winner follows from its games")

    def _check_game(self, encounter: EncounterRow, game: GameRow) -> None:
        name = f"{encounter.key}-{game.number}"
        if game.start != start_position(self._season, encounter.key, game.number):
            raise _Difference(f"{name}: did not start from the position that was drawn for it")
        match Verdict(game.verdict):
            case Verdict.WALKOVER:
                self._check_walkover(encounter, game, name)
            case Verdict.DISQUALIFIED:
                self._check_ruling(encounter, game, name)
            case Verdict.PLAYED:
                self._check_played(encounter, game, name)

    def _check_walkover(self, encounter: EncounterRow, game: GameRow, name: str) -> None:
        absent = [
            missing_side(self._season, encounter, first=first, at=game.started) is not None for first in (True, False)
        ]
        expected = (2 * (not absent[0]), 2 * (not absent[1]))
        if not any(absent) or (game.points_first, game.points_second) != expected:
            raise _Difference(f"{name}: counts as not played, but there is no reason for that")

    def _check_ruling(self, encounter: EncounterRow, game: GameRow, name: str) -> None:
        said = self._session.scalars(select(AuditRow.subject).where(AuditRow.action == "disqualify"))
        teams = self._names[encounter.first_id], self._names[encounter.second_id]
        subjects = {f"{team}: {what}".upper() for team in teams for what in (encounter.key, name)}
        if not any(subject.upper() in subjects for subject in said):
            raise _Difference(f"{name}: a team was disqualified, but nobody wrote down why")
        points = (game.points_first, game.secondary_first), (game.points_second, game.secondary_second)
        if (0, 0) not in points:
            raise _Difference(f"{name}: a team was disqualified, but has points")

    def _check_played(self, encounter: EncounterRow, game: GameRow, name: str) -> None:
        files = self._session.get(GameFilesRow, game.id)
        sides = TEAMS if course.first_is_one(game.number) else TEAMS[::-1]
        kept = ((game.points_first, game.secondary_first), (game.points_second, game.secondary_second))
        if files is None or not files.record:
            faults = (game.fault_first, game.fault_second)
            if Fault.NO_START not in faults:
                raise _Difference(f"{name}: there is no record of it")
            for fault, points in zip(faults, kept, strict=True):
                if fault is not None and points != (0, 0):
                    raise _Difference(f"{name}: a program that did not start has points")
            return
        record = _read(files, name)
        expected = _points(record)
        names = self._names[encounter.first_id], self._names[encounter.second_id]
        if record.game != self._game.key or record.start != game.start:
            raise _Difference(f"{name}: its record is of another game")
        if tuple(record.names[side] for side in sides) != names:
            raise _Difference(f"{name}: its record is of {' and '.join(record.names)}")
        if kept != tuple(expected[side] for side in sides):
            raise _Difference(f"{name}: kept are {kept} (points, secondary figure), but its record says {expected}")
        self.games += 1
        self._session.expunge(files)

    # --- schedules and tables -----------------------------------------------------------------------------------------

    def _check_schedule(self, phase: Phase, before: Phase | None) -> None:
        """Who meets whom follows from the seed and, later, from the tables before."""
        drawn = self._session.scalars(select(MatchdayRow.id).where(MatchdayRow.stage == phase.stage).limit(1)).first()
        if drawn is None:
            return
        rows = self._session.execute(
            select(EncounterRow.key, EncounterRow.first_id, EncounterRow.second_id).where(
                EncounterRow.stage == phase.stage
            )
        )
        kept = {key: (self._names[first], self._names[second]) for key, first, second in rows}
        expected = dict(self._final(phase) if phase.stage is Stage.FINAL else self._groups(phase, before))
        for key in sorted(kept.keys() | expected.keys()):
            if kept.get(key) != expected.get(key):
                told = " – ".join(kept.get(key, ("nobody",)))
                raise _Difference(f"{key}: is {told}, but {' – '.join(expected.get(key, ('nothing',)))} follows")

    def _groups(self, phase: Phase, before: Phase | None) -> Iterator[tuple[str, tuple[str, str]]]:
        groups = dict(self._season.groups)
        if phase.stage is Stage.CHAMPIONS_LEAGUE:
            assert before is not None
            groups = {"": tuple(team for group in groups for team in self._qualified(before, group))}
        for group, teams in groups.items():
            places = sorted(teams)
            self._season.chance(phase.stage, group).shuffle(places)
            for day in round_robin(places):
                if phase.stage is not Stage.TRIAL or day.number <= phase.matchdays:
                    for place, pair in enumerate(day.pairs, 1):
                        yield f"{phase.stage.letter}{day.number}-{group}{place}", pair

    def _qualified(self, phase: Phase, group: str) -> list[str]:
        ranked = self._recomputed(phase, group)
        if ranked.ties(cuts(self._season, phase)):
            raise _Difference(f"{phase.stage} {group}: a lot is missing that decides who goes on")
        return [row.team for row in ranked.rows[: phase.qualify]]

    def _final(self, phase: Phase) -> Iterator[tuple[str, tuple[str, str]]]:
        winners = {
            (number, place): name
            for number, place, name in self._session.execute(
                select(MatchdayRow.number, EncounterRow.place, TeamRow.name)
                .join(EncounterRow, EncounterRow.matchday_id == MatchdayRow.id)
                .join(TeamRow, TeamRow.id == EncounterRow.winner_id)
                .where(MatchdayRow.stage == Stage.FINAL)
            )
        }
        days = set(self._session.scalars(select(MatchdayRow.number).where(MatchdayRow.stage == Stage.FINAL)))
        for slot in slots(seeds(self._session, self._season), winners):
            if slot.day in days:
                yield f"{phase.stage.letter}{slot.day}-{slot.place}", slot.teams

    def _recomputed(self, phase: Phase, group: str) -> Standings:
        teams = {name for game in self._played.get((phase.stage, group), ()) for name in game.teams}
        rows = self._session.execute(
            select(EncounterRow.first_id, EncounterRow.second_id).where(
                EncounterRow.stage == phase.stage, EncounterRow.group == group
            )
        )
        teams |= {self._names[id_] for pair in rows for id_ in pair}
        key = (phase.stage, group)
        return standings_after(
            self._played.get(key, ()),
            sorted(teams),
            self._season.order,
            unfinished=self._unfinished.get(key, ()),
            lots=lots(self._session, phase.stage, group),
        )

    def _check_tables(self, phase: Phase) -> None:
        for group in groups_of(self._session, phase.stage):
            shown = group_standings(self._session, self._season, phase.stage, group)
            if shown != self._recomputed(phase, group):
                raise _Difference(
                    f"the table of {phase.stage} {group} is not the one that follows from its games".strip()
                )
            self.tables += 1


def _read(files: GameFilesRow, name: str) -> GameRecord:
    """The record, found sound. Raises ``_Difference``."""
    try:
        data = zlib.decompressobj().decompress(files.record, LARGEST_FILE)
        record = parse_record(data, name)
        verified = verify_record(record)
    except (zlib.error, RecordError) as problem:
        raise _Difference(f"{name}: its record cannot be read: {problem}") from None
    if not verified.is_sound:
        raise _Difference(f"{name}: its record is wrong: {verified.findings[0].sentence.en}")
    return record


def _points(record: GameRecord) -> tuple[tuple[int, int], tuple[int, int]]:
    """Victory points and secondary figure of ONE and TWO, as the record proves them."""
    result = record.result
    assert result is not None
    if all(team.cause is not Cause.REGULAR for team in result.teams):
        return (0, 0), (0, 0)
    victory = {None: (1, 1), Side.ONE: (2, 0), Side.TWO: (0, 2)}[result.winner]
    one, two = (team.points[1] if len(team.points) > 1 else 0 for team in result.teams)
    return (victory[0], one), (victory[1], two)
