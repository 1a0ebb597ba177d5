"""Results of games by hand, written into a store as played games are."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.run.results import attempt, settle
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.store import EncounterRow, GameRow, TeamRow, now

Result = tuple[tuple[int, int], tuple[int, int]]
"""Victory points and secondary figures of one game."""


def between(session: Session, one: str, two: str, stage: Stage = Stage.CHAMPIONSHIP) -> EncounterRow:
    """The encounter of two teams in a phase."""
    names = dict(session.execute(select(TeamRow.id, TeamRow.name)).all())
    for encounter in session.scalars(select(EncounterRow).where(EncounterRow.stage == stage)):
        if {names[encounter.first_id], names[encounter.second_id]} == {one, two}:
            return encounter
    raise KeyError((one, two))


def write_game(
    session: Session,
    season: Season,
    encounter: EncounterRow,
    number: int,
    result: Result,
    *,
    annulled: bool = False,
    decision: Decision = Decision.PLAYED,
) -> None:
    """One game of an encounter, seen by the encounter's first team."""
    (points_first, points_second), (secondary_first, secondary_second) = result
    session.add(
        GameRow(
            encounter_id=encounter.id,
            number=number,
            attempt=attempt(session, encounter, number),
            annulled=annulled,
            decision=decision,
            points_first=points_first,
            points_second=points_second,
            secondary_first=secondary_first,
            secondary_second=secondary_second,
            reason_de="",
            reason_en="",
            plies=0,
            seconds=0.0,
            started=now(),
            start="",
            final="",
            host="",
            details={},
        )
    )
    session.flush()
    settle(session, season, encounter)


def write(session: Session, season: Season, one: str, two: str, *results: Result, **options: Stage) -> EncounterRow:
    """All games of the encounter of two teams, as ``one`` sees them."""
    encounter = between(session, one, two, **options)
    turned = encounter.first.name != one
    for number, (points, secondary) in enumerate(results, 1):
        seen = (points[::-1], secondary[::-1]) if turned else (points, secondary)
        write_game(session, season, encounter, number, seen)
    return encounter
