"""Proof of a season: every game is replayed from its record, and all that follows from games is computed again.

Nothing is believed but the season file and its default ranking, the records, the lots' seeds and the audit log:
schedules, results, sums, standings, who qualified and who won must follow from them.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import read_days, read_pending
from spielleiter.contest.run.results import (
    counted_games,
    encounter_length,
    missing_side,
    points_of,
    start_position,
    sums_of,
)
from spielleiter.contest.run.standings import group_standings, groups_of, lots
from spielleiter.contest.season import encounter as course
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.draw import PlannedEncounter, group_encounters
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.contest.season.names import day_key, game_name
from spielleiter.contest.season.next import Blocker, DayFacts, DrawEncounters, Facts, PlayGames, next_step
from spielleiter.contest.store import AuditRow, EncounterRow, GameFilesRow, GameRow, ProgramFileRow, TeamRow, now
from spielleiter.contest.store.damage import damaged, find_damage
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Cause, Text
from spielleiter.game import Team as Side
from spielleiter.programs.side_result import Fault
from spielleiter.rating.standings import ScoredGame, Standings, standings_after
from spielleiter.records.history import History
from spielleiter.records.reader import MAX_FILE_SIZE, parse_record
from spielleiter.records.verify import verify_record

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof of a season has found."""

    games: int
    """Replayed from their records."""
    encounters: int
    standings: int
    difference: Text | None
    """The first thing in the store that does not follow, or ``None``: the season is proved."""
    is_empty: bool = False
    """Whether there is no game at all."""

    @property
    def text(self) -> Text:
        """What was proved, or the difference."""
        if self.difference is not None:
            return self.difference
        if self.is_empty:
            return Text(
                "Noch kein Spiel ist gespielt, also gibt es nichts zu beweisen.",
                "no game has been played yet, so there is nothing to prove",
            )
        return Text(
            f"Saison bewiesen: {self.games} Spiele nachgespielt, {self.encounters} Begegnungen und {self.standings} "
            "Tabellen nachgerechnet.",
            f"Season proved: {self.games} games replayed, {self.encounters} encounters and {self.standings} "
            "standings computed again.",
        )


class _Difference(Exception):
    """Something in the store does not follow from the records."""

    def __init__(self, de: str, en: str) -> None:
        super().__init__(en)
        self.text = Text(de, en)


def prove(contest: Contest, progress: Progress = lambda done, total: None) -> Proof:
    """Prove everything that a season claims so far. Raises ``StoreError`` if its store is damaged."""
    if (where := find_damage(contest.store)) is not None:
        raise damaged(contest.store, where)
    with contest.store.reading() as session:
        checker = _Checker(session, contest.season)
        difference = None
        try:
            checker.check(progress)
        except _Difference as found:
            difference = found.text
        is_empty = session.scalars(select(GameRow.id).limit(1)).first() is None
        return Proof(checker.games, checker.encounters, checker.standings, difference, is_empty)


class _Checker:
    def __init__(self, session: Session, season: Season) -> None:
        self._session = session
        self._season = season
        self._game = season.load_game()
        self._names = dict(session.execute(select(TeamRow.id, TeamRow.name)).all())
        self._replaced = {team.name: team.draw_name for team in season.teams}
        self._played: dict[tuple[Stage, str], list[ScoredGame]] = {}
        self._unfinished: dict[tuple[Stage, str], set[str]] = {}
        self._missing: dict[int, int] = {}
        self._winners: dict[tuple[int, int], str] = {}
        self.games = self.encounters = self.standings = 0

    def check(self, progress: Progress) -> None:
        self._check_programs()
        total = self._session.scalar(select(func.count()).select_from(EncounterRow)) or 0
        for done, encounter in enumerate(self._session.scalars(select(EncounterRow).order_by(EncounterRow.id)), 1):
            self._check_encounter(encounter)
            self.encounters += 1
            progress(done, total)
        for phase in self._season.phases:
            self._check_schedule(phase)
            if phase.has_standings:
                self._check_standings(phase)

    def _check_programs(self) -> None:
        for file in self._session.scalars(select(ProgramFileRow).execution_options(yield_per=1)):
            if hashlib.sha256(file.data).hexdigest() != file.digest:
                raise _Difference(
                    f"Das Programm {file.digest[:12]} ist nicht das, was eingereicht wurde.",
                    f"the program {file.digest[:12]} is not what was submitted",
                )

    def _teams(self, encounter: EncounterRow) -> tuple[str, str]:
        first, second = encounter.team_ids
        return self._names[first], self._names[second]

    # --- games --------------------------------------------------------------------------------------------------------

    def _check_encounter(self, encounter: EncounterRow) -> None:
        games = counted_games(self._session, encounter)
        for game in games:
            self._check_game(encounter, game)
        points, length = points_of(games), encounter_length(self._season, encounter)
        is_over = not course.missing_games(points, length)
        expected = {**sums_of(games), "finished": is_over}
        stored = {name: getattr(encounter, name) for name in expected}
        stored["finished"] = encounter.finished is not None
        if stored != expected:
            raise _Difference(
                f"{encounter.key}: Die Summen sind {stored}, aus den Spielen folgt {expected}.",
                f"{encounter.key}: its sums are {stored}, from its games follow {expected}",
            )
        winner = None
        if is_over and not any(game.decision == Decision.PENDING for game in games):
            winner = course.leader(points.values())
            if course.needs_lot(points, length):
                winner = course.draw_winner(self._teams(encounter), encounter.lot_seed or "")[1]
        self._check_winner(encounter, winner)
        key = (Stage(encounter.stage), encounter.group)
        teams = self._teams(encounter)
        self._played.setdefault(key, []).extend(
            ScoredGame(encounter.key, teams, game.points, game.secondary) for game in games
        )
        if not is_over:
            self._unfinished.setdefault(key, set()).add(encounter.key)
            if encounter.matchday_id is not None:
                self._missing[encounter.matchday_id] = self._missing.get(encounter.matchday_id, 0) + 1

    def _check_winner(self, encounter: EncounterRow, winner: int | None) -> None:
        if encounter.winner_id != (None if winner is None else encounter.team_ids[winner]):
            raise _Difference(
                f"{encounter.key}: Aus den Spielen folgt ein anderer Sieger.",
                f"{encounter.key}: another winner follows from its games",
            )
        if winner is not None and encounter.stage == Stage.FINAL and encounter.matchday is not None:
            self._winners[encounter.matchday.number, encounter.place] = self._teams(encounter)[winner]

    def _check_game(self, encounter: EncounterRow, game: GameRow) -> None:
        name = game_name(encounter.key, game.number, game.attempt)
        if game.start != start_position(self._season, encounter.key, game.number):
            raise _Difference(
                f"{name}: Das Spiel begann nicht mit der Stellung, die dafür gelost wurde.",
                f"{name}: did not start from the position that was drawn for it",
            )
        match Decision(game.decision):
            case Decision.WALKOVER:
                self._check_walkover(encounter, game, name)
            case Decision.DISQUALIFIED:
                self._check_ruling(encounter, game, name)
            case Decision.PLAYED | Decision.PENDING:
                self._check_played(encounter, game, name)

    def _check_walkover(self, encounter: EncounterRow, game: GameRow, name: str) -> None:
        absent = [missing_side(self._season, encounter, side, at=game.started) is not None for side in (0, 1)]
        expected = (2 * (not absent[0]), 2 * (not absent[1]))
        if not any(absent) or game.points != expected:
            raise _Difference(
                f"{name}: Das Spiel zählt als nicht ausgetragen, aber es gibt keinen Grund dafür.",
                f"{name}: counts as not played, but there is no reason for that",
            )

    def _check_ruling(self, encounter: EncounterRow, game: GameRow, name: str) -> None:
        said = self._session.scalars(
            select(AuditRow.subject).where(AuditRow.action == AuditAction.DISQUALIFY, AuditRow.undone.is_(None))
        )
        teams = self._teams(encounter)
        subjects = {f"{team}: {what}" for team in teams for what in (encounter.key, name)}
        if subjects.isdisjoint(said):
            raise _Difference(
                f"{name}: Ein Team ist disqualifiziert, aber das Protokoll sagt nicht, warum.",
                f"{name}: a team was disqualified, but the audit log does not say why",
            )
        if (0, 0) not in zip(game.points, game.secondary, strict=True):
            raise _Difference(
                f"{name}: Ein Team ist disqualifiziert und hat trotzdem Punkte.",
                f"{name}: a team was disqualified, but has points",
            )

    def _check_played(self, encounter: EncounterRow, game: GameRow, name: str) -> None:
        files = self._session.get(GameFilesRow, game.id)
        sides = TEAMS if course.first_is_one(game.number) else TEAMS[::-1]
        stored = tuple(zip(game.points, game.secondary, strict=True))
        if files is None or not files.record:
            if {Fault.NO_START, Fault.ABSENT}.isdisjoint(game.faults):
                raise _Difference(f"{name}: Die Aufzeichnung fehlt.", f"{name}: there is no record of it")
            for fault, points in zip(game.faults, stored, strict=True):
                if fault is not None and points != (0, 0):
                    raise _Difference(
                        f"{name}: Ein Programm, das nicht gestartet ist, hat Punkte.",
                        f"{name}: a program that did not start has points",
                    )
            return
        record = _read(files, name)
        expected = _points(record)
        names = self._teams(encounter)
        if record.game_key != self._game.key or record.start != game.start:
            raise _Difference(
                f"{name}: Die Aufzeichnung gehört zu einem anderen Spiel.", f"{name}: its record is of another game"
            )
        # What was played on a reserve place was played under its name.
        played = tuple(record.names[side] for side in sides)
        if any(name not in (team, self._replaced.get(team)) for name, team in zip(played, names, strict=True)):
            raise _Difference(
                f"{name}: Die Aufzeichnung ist von {' und '.join(record.names)}.",
                f"{name}: its record is of {' and '.join(record.names)}",
            )
        if stored != tuple(expected[side] for side in sides):
            raise _Difference(
                f"{name}: Gespeichert ist {stored} (Siegpunkte, Nebenwertung), aus der Aufzeichnung folgt {expected}.",
                f"{name}: stored are {stored} (victory points, secondary score), but its record says {expected}",
            )
        self.games += 1
        self._session.expunge(files)

    # --- schedules and standings --------------------------------------------------------------------------------------

    def _check_schedule(self, phase: Phase) -> None:
        """Check that the pairings follow from the seed and, later, from the standings before."""
        rows = self._session.execute(
            select(EncounterRow.key, EncounterRow.first_id, EncounterRow.second_id).where(
                EncounterRow.stage == phase.stage
            )
        )
        stored = {key: (self._names[first], self._names[second]) for key, first, second in rows}
        if not stored:
            return
        expected = {planned.key: planned.teams for planned in self._planned(phase)}
        for key in sorted(stored.keys() | expected.keys()):
            if stored.get(key) != expected.get(key):
                found, follows = (" – ".join(teams.get(key, ())) for teams in (stored, expected))
                raise _Difference(
                    f"{key}: Angesetzt ist {found or 'nichts'}, aus der Auslosung folgt {follows or 'nichts'}.",
                    f"{key}: is {found or 'nobody'}, but {follows or 'nothing'} follows",
                )

    def _planned(self, phase: Phase) -> list[PlannedEncounter]:
        """The encounters of a phase as they had to be drawn."""
        if phase.stage in (Stage.TRIAL, Stage.CHAMPIONSHIP):
            return list(group_encounters(self._season, phase, self._season.groups_in(phase.stage)))
        order = [one.stage for one in self._season.phases]
        days = read_days(self._session)
        planned: list[PlannedEncounter] = []
        for day in days:
            # The days of the Champions League are drawn all at once, those of the final one by one.
            if day.stage is phase.stage and all(encounter.matchday != day.number for encounter in planned):
                place = order.index(day.stage), day.number
                planned += self._drawn_after([one for one in days if (order.index(one.stage), one.number) < place], day)
        return planned

    def _drawn_after(self, before: list[DayFacts], day: DayFacts) -> tuple[PlannedEncounter, ...]:
        """What had to be drawn after the days ``before``, from proved facts alone."""
        facts = Facts(
            # Trial days may be played again at any time: nothing depends on them.
            [
                replace(
                    one,
                    opened=True,
                    finished=one.stage is Stage.TRIAL or one.id not in self._missing,
                    missing=self._missing.get(one.id, 0),
                )
                for one in before
            ],
            lambda stage: {group: self._recomputed(stage, group) for group in groups_of(self._session, stage)},
            self._winners,
            pending=read_pending(self._session),
        )
        step = next_step(self._season, facts, now(), ahead=True)
        name = day_key(day.stage, day.number)
        match step.action:
            case DrawEncounters(_, encounters):
                return encounters
            case None if step.state.blocker is Blocker.RULING:
                games = ", ".join(step.state.games)
                raise _Difference(
                    f"{name}: Das wurde zu früh ausgelost, noch nicht entschieden ist: {games}",
                    f"{name}: was drawn too early, not decided yet is {games}",
                )
            case PlayGames():
                late = step.state.text(self._season)
                raise _Difference(
                    f"{name}: Das wurde zu früh ausgelost, noch nicht vorbei ist: {late.de}",
                    f"{name}: was drawn too early, {late.en} is not over",
                )
            case _:
                raise _Difference(
                    f"{name}: Es fehlt ein Los, das entscheidet, wer hier spielt.",
                    f"{name}: a lot is missing that decides who plays it",
                )

    def _recomputed(self, stage: Stage, group: str) -> Standings:
        teams = {name for game in self._played.get((stage, group), ()) for name in game.teams}
        rows = self._session.execute(
            select(EncounterRow.first_id, EncounterRow.second_id).where(
                EncounterRow.stage == stage, EncounterRow.group == group
            )
        )
        teams |= {self._names[id_] for pair in rows for id_ in pair}
        key = (stage, group)
        return standings_after(
            self._played.get(key, ()),
            sorted(teams),
            self._season.ranking,
            unfinished=self._unfinished.get(key, ()),
            lots=lots(self._session, stage, group),
        )

    def _check_standings(self, phase: Phase) -> None:
        for group in groups_of(self._session, phase.stage):
            shown = group_standings(self._session, self._season, phase.stage, group)
            if shown != self._recomputed(phase.stage, group):
                where = f"{phase.stage} {group}".strip()
                raise _Difference(
                    f"Die Tabelle von {where} ist nicht die, die aus den Spielen folgt.",
                    f"the standings of {where} are not those that follow from its games",
                )
            self.standings += 1


def _read(files: GameFilesRow, name: str) -> History:
    """The record, found sound. Raises ``_Difference``."""
    try:
        data = zlib.decompressobj().decompress(files.record, MAX_FILE_SIZE)
        record = parse_record(data, name)
        verified = verify_record(record)
    except zlib.error as problem:
        raise _unreadable(name, Text(str(problem), str(problem))) from None
    except RecordError as problem:
        raise _unreadable(name, problem.text) from None
    if not verified.is_sound:
        why = verified.findings[0].sentence
        raise _Difference(f"{name}: Die Aufzeichnung ist falsch: {why.de}", f"{name}: its record is wrong: {why.en}")
    if record.result is not None and record.result.adjudicated:
        raise _Difference(
            f"{name}: Das Spiel wurde vorzeitig gewertet; das gibt es in keinem Wettbewerb.",
            f"{name}: the game was adjudicated, which no contest allows",
        )
    return record


def _unreadable(name: str, why: Text) -> _Difference:
    return _Difference(
        f"{name}: Die Aufzeichnung ist nicht lesbar: {why.de}", f"{name}: its record cannot be read: {why.en}"
    )


def _points(record: History) -> tuple[tuple[int, int], tuple[int, int]]:
    """Victory points and secondary score of ONE and TWO, as the record proves them."""
    result = record.result
    assert result is not None
    if all(team.cause is not Cause.REGULAR for team in result.teams):
        return (0, 0), (0, 0)
    victory = {None: (1, 1), Side.ONE: (2, 0), Side.TWO: (0, 2)}[result.winner]
    one, two = (team.points[1] if len(team.points) > 1 else 0 for team in result.teams)
    return (victory[0], one), (victory[1], two)
