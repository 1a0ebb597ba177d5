"""The rows of the store as values: nothing above ``contest`` sees a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import AuditEntry, CheckedProgram, Encounter, News, SeasonGame, SeasonTeam
from spielleiter.contest.store.schema import AuditRow, EncounterRow, GameRow, NewsRow, ProgramRow, TeamRow
from spielleiter.game import Text


def team_value(row: TeamRow) -> SeasonTeam:
    """A team."""
    return SeasonTeam(row.id, row.name, row.school, row.group, row.disqualified)


def program_value(row: ProgramRow) -> CheckedProgram:
    """A program; when it was activated is not known here."""
    names = ("number", "name", "builtin", "digest", "size", "submitted", "who", "passed", "was_judged", "report")
    return CheckedProgram(**{name: getattr(row, name) for name in names})


def audit_value(row: AuditRow) -> AuditEntry:
    """An entry of the audit log."""
    is_undoable = row.undo is not None and row.undone is None
    return AuditEntry(
        row.id, row.at, row.who, AuditAction(row.action), row.subject, row.reason, is_undoable, row.undone
    )


def news_value(row: NewsRow) -> News:
    """A message of the organisers."""
    return News(row.id, row.at, row.who, Text(row.title_de, row.title_en), Text(row.text_de, row.text_en))


def encounter_value(row: Any, teams: Mapping[int, SeasonTeam], programs: Mapping[int, int]) -> Encounter:
    """An encounter, or its columns, as a value; ``programs`` are the numbers of programs by their ids."""
    first, second = EncounterRow.team_ids.of(row)
    versions = [None if id_ is None else programs.get(id_) for id_ in EncounterRow.program_ids.of(row)]
    return Encounter(
        id=row.id,
        key=row.key,
        stage=Stage(row.stage),
        group=row.group,
        place=row.place,
        day=row.matchday_id,
        teams=(teams[first], teams[second]),
        programs=(versions[0], versions[1]),
        games=row.games,
        won=EncounterRow.won.of(row),
        drawn=row.drawn,
        secondary=EncounterRow.secondary.of(row),
        finished=row.finished,
        winner=None if row.winner_id is None else int(row.winner_id == second),
        lot_seed=row.lot_seed,
    )


def game_value(row: Any, *, has_record: bool = False) -> SeasonGame:
    """A game, or its columns, as a value."""
    return SeasonGame(
        id=row.id,
        encounter=row.encounter_id,
        number=row.number,
        attempt=row.attempt,
        annulled=row.annulled,
        decision=Decision(row.decision),
        points=GameRow.points.of(row),
        secondary=GameRow.secondary.of(row),
        faults=GameRow.faults.of(row),
        reason=Text(row.reason_de, row.reason_en),
        plies=row.plies,
        seconds=row.seconds,
        started=row.started,
        final=row.final,
        pressure=row.pressure,
        has_record=has_record,
    )
