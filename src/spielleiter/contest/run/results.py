"""Records finished games: each in one transaction with the sums and the end of its encounter."""

from __future__ import annotations

import zlib
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.season import encounter as course
from spielleiter.contest.season.encounter import EncounterLength, Score
from spielleiter.contest.season.model import Absence, Phase, Season, Stage
from spielleiter.contest.store import Decision, EncounterRow, GameFilesRow, GameRow, TeamRow, now
from spielleiter.game import TEAMS, Text
from spielleiter.matches.openings import Openings
from spielleiter.matches.results import SideResult
from spielleiter.matches.tasks import FinishedGame
from spielleiter.text import printable


def phase_of(season: Season, encounter: EncounterRow) -> Phase:
    """The phase by whose parameters an encounter is played; friendly games follow the championship's."""
    stage = Stage(encounter.stage)
    found = season.phase(Stage.CHAMPIONSHIP if stage is Stage.FRIENDLY else stage)
    assert found is not None
    return found


def encounter_length(season: Season, encounter: EncounterRow) -> EncounterLength:
    """How many games an encounter has."""
    phase = phase_of(season, encounter)
    return EncounterLength(phase.games, phase.cap if encounter.stage == Stage.FINAL else None)


def counted_games(session: Session, encounter: EncounterRow) -> list[GameRow]:
    """The games of an encounter that were not annulled, in their order."""
    return list(
        session.scalars(
            select(GameRow).where(GameRow.encounter_id == encounter.id, ~GameRow.annulled).order_by(GameRow.number)
        )
    )


def score(session: Session, season: Season, encounter: EncounterRow) -> Score:
    """Where an encounter stands."""
    points = {game.number: (game.points_first, game.points_second) for game in counted_games(session, encounter)}
    return course.score(points, encounter_length(season, encounter))


def start_position(season: Season, key: str, number: int) -> str:
    """The start of a game of the encounter ``key``: the same for both games of a pair."""
    seed = season.rng_for("starts", key).getrandbits(48)
    return Openings(seed=seed).position(season.load_game(), course.start_of(number))


def attempt(session: Session, encounter: EncounterRow, number: int) -> int:
    """Which attempt at a game is the next one, from 1."""
    tried = session.scalars(
        select(GameRow.attempt).where(GameRow.encounter_id == encounter.id, GameRow.number == number)
    )
    return max(tried, default=0) + 1


def record_game(
    session: Session, season: Season, encounter: EncounterRow, number: int, played: FinishedGame
) -> GameRow | None:
    """Record a game that has ended; ``None`` if somebody else has done so already."""
    if any(game.number == number for game in counted_games(session, encounter)):
        return None
    row = played.row
    first, second = (0, 1) if course.first_is_one(number) else (1, 0)
    points = row.victory_points if row.counts else (0, 0)
    secondary = [_secondary(side) if row.counts else 0 for side in row.sides]
    faults = [None if side.fault is None else side.fault.value for side in row.sides]
    game = GameRow(
        encounter_id=encounter.id,
        number=number,
        attempt=attempt(session, encounter, number),
        decision=Decision.PLAYED,
        points_first=points[first],
        points_second=points[second],
        secondary_first=secondary[first],
        secondary_second=secondary[second],
        fault_first=faults[first],
        fault_second=faults[second],
        reason_de=printable(row.reason.de),
        reason_en=printable(row.reason.en),
        plies=row.plies,
        seconds=row.seconds,
        started=datetime.fromisoformat(row.started),
        start=row.start,
        final=row.final,
        host=row.host,
        details={"first": _details(row.sides[first]), "second": _details(row.sides[second])},
    )
    session.add(game)
    session.flush()
    logs = [zlib.compress(log) if log else b"" for log in played.logs]
    record = zlib.compress(played.record, 9) if played.record else b""
    session.add(GameFilesRow(game_id=game.id, record=record, log_first=logs[first], log_second=logs[second]))
    settle(session, season, encounter)
    return game


def _secondary(side: SideResult) -> int:
    return side.points[1] if len(side.points) > 1 else 0


def _details(side: SideResult) -> dict[str, Any]:
    return {
        "points": list(side.points),
        "move_times": list(side.move_times),
        "exit_code": side.exit_code,
        "lingered": side.lingered,
        "peak_memory": side.peak_memory,
        "processor_time": side.processor_time,
        "ponder_time": side.ponder_time,
        "sandbox": side.sandbox,
        "failure": asdict(side.failure),
        "last_words": printable(side.last_words),
    }


def missing_side(season: Season, encounter: EncounterRow, *, first: bool, at: datetime | None = None) -> Text | None:
    """Why a team cannot play this encounter at all, or ``None`` if it can (if need be by the random player).

    ``at`` is the moment in question; default: now.
    """
    team: TeamRow = encounter.first if first else encounter.second
    program = encounter.first_program_id if first else encounter.second_program_id
    if team.disqualified is not None and (at is None or team.disqualified <= at):
        return Text(f"{team.name} ist disqualifiziert", f"{team.name} is disqualified")
    if program is None and phase_of(season, encounter).without_program is Absence.LOST:
        return Text(f"{team.name} hat kein aktives Programm", f"{team.name} has no active program")
    return None


def record_walkovers(session: Session, season: Season, encounter: EncounterRow) -> bool:
    """Record all missing games of an encounter that one or both teams cannot play: whether there were any.

    The present team gets what a referee would give it if the other one left before the first move.
    """
    absent = (missing_side(season, encounter, first=True), missing_side(season, encounter, first=False))
    reasons = [reason for reason in absent if reason is not None]
    if not reasons:
        return False
    reason = Text("; ".join(text.de for text in reasons), "; ".join(text.en for text in reasons))
    notation = season.load_game().notation
    while missing := score(session, season, encounter).missing:
        for number in missing:
            start = start_position(season, encounter.key, number)
            sides = TEAMS if course.first_is_one(number) else TEAMS[::-1]
            secondary = [notation.parse_state(start).points(side)[1:2] for side in sides]
            present = [why is None for why in absent]
            session.add(
                GameRow(
                    encounter_id=encounter.id,
                    number=number,
                    attempt=attempt(session, encounter, number),
                    decision=Decision.WALKOVER,
                    points_first=2 * present[0],
                    points_second=2 * present[1],
                    secondary_first=sum(secondary[0]) if present[0] else 0,
                    secondary_second=sum(secondary[1]) if present[1] else 0,
                    reason_de=reason.de,
                    reason_en=reason.en,
                    plies=0,
                    seconds=0.0,
                    started=now(),
                    start=start,
                    final=start,
                    host="",
                    details={},
                )
            )
        session.flush()
    settle(session, season, encounter)
    return True


def settle(session: Session, season: Season, encounter: EncounterRow) -> Score:
    """Bring an encounter's sums, its end and its winner in line with its games."""
    games = counted_games(session, encounter)
    reached = score(session, season, encounter)
    encounter.games = len(games)
    encounter.won_first, encounter.won_second = reached.won
    encounter.drawn = reached.drawn
    encounter.secondary_first = sum(game.secondary_first for game in games)
    encounter.secondary_second = sum(game.secondary_second for game in games)
    encounter.winner_id = encounter.lot_seed = None
    if not reached.finished:
        encounter.finished = None
        return reached
    encounter.finished = encounter.finished or now()
    ids = (encounter.first_id, encounter.second_id)
    if reached.leader is not None:
        encounter.winner_id = ids[reached.leader]
    elif reached.needs_lot:
        encounter.lot_seed = season.lot_seed("encounter", encounter.key)
        _, winner = course.draw_winner((encounter.first.name, encounter.second.name), encounter.lot_seed)
        encounter.winner_id = ids[winner]
    session.flush()
    return reached
