"""Records finished games: each in one transaction with the sums and the end of its encounter.

A game that was lost on time while the machine was busy is recorded and annulled at once, so that it is played
again. The last attempt counts; if that was lost in the same way, it is pending, and nothing that depends on it is drawn
until an organiser has decided: a season never ends because of a busy night, and no busy night decides a final.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.season import encounter as course
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.encounter import Decision, EncounterLength, Points
from spielleiter.contest.season.model import Absence, Phase, Season, Stage
from spielleiter.contest.season.names import game_name
from spielleiter.contest.store import EncounterRow, GameFilesRow, GameRow, now, write_audit
from spielleiter.contest.store.schema import SIDES
from spielleiter.game import TEAMS, Text
from spielleiter.matches.openings import Openings
from spielleiter.matches.results import MAX_ATTEMPTS
from spielleiter.matches.tasks import FinishedGame
from spielleiter.programs.side_result import SideResult
from spielleiter.records.private_notes import join_log, split_notes
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


def missing_games(session: Session, season: Season, encounter: EncounterRow) -> tuple[int, ...]:
    """The numbers of the games of an encounter that are to be played now."""
    return course.missing_games(points_of(counted_games(session, encounter)), encounter_length(season, encounter))


def points_of(games: Iterable[GameRow]) -> dict[int, Points]:
    """The victory points of the games by their numbers."""
    return {game.number: game.points for game in games}


def sums_of(games: Sequence[GameRow]) -> dict[str, Any]:
    """What an encounter keeps of the games that count."""
    points = [game.points for game in games]
    secondary = tuple(sum(game.secondary[side] for game in games) for side in (0, 1))
    return {
        "games": len(games),
        "won": course.games_won(points),
        "drawn": points.count((1, 1)),
        "secondary": secondary,
    }


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
    """Record a game that has ended, annulled if it is to be played again; ``None`` if another process has done so."""
    if any(game.number == number for game in counted_games(session, encounter)):
        return None
    row = played.row
    order = (0, 1) if course.first_is_one(number) else (1, 0)
    points = row.victory_points if row.counts else (0, 0)
    secondary = [_secondary(side) if row.counts else 0 for side in row.sides]
    faults = [None if side.fault is None else side.fault.value for side in row.sides]
    tried = attempt(session, encounter, number)
    again = any(row.untimely) and tried < MAX_ATTEMPTS
    phase = season.phase(Stage(encounter.stage))
    pending = any(row.untimely) and not again and phase is not None and phase.counts
    game = GameRow(
        encounter_id=encounter.id,
        number=number,
        attempt=tried,
        annulled=again,
        decision=Decision.PENDING if pending else Decision.PLAYED,
        points=[points[side] for side in order],
        secondary=[secondary[side] for side in order],
        faults=[faults[side] for side in order],
        reason_de=printable(row.reason.de),
        reason_en=printable(row.reason.en),
        plies=row.plies,
        seconds=row.seconds,
        started=datetime.fromisoformat(row.started),
        start=row.start,
        final=row.final,
        host=row.host,
        pressure=row.pressure,
        details={name: _details(row.sides[side]) for name, side in zip(SIDES, order, strict=True)},
    )
    session.add(game)
    session.flush()
    # Records are public: what a player noted is kept with what its program printed, for its own team.
    public, notes = split_notes(played.record)
    kept = [join_log(log, own) for log, own in zip(played.logs, notes, strict=True)]
    logs = [zlib.compress(log) if log else b"" for log in kept]
    record = zlib.compress(public, 9) if public else b""
    session.add(GameFilesRow(game_id=game.id, record=record, logs=[logs[side] for side in order]))
    if again:
        write_audit(session, "spielleiter", AuditAction.REPLAY, game_name(encounter.key, number, tried), row.reason.en)
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


def missing_side(season: Season, encounter: EncounterRow, side: int, at: datetime | None = None) -> Text | None:
    """Why a team cannot play this encounter at all, or ``None`` if it can (if need be by the random player).

    ``at`` is the moment in question; default: now.
    """
    team, program = encounter.teams[side], encounter.program_ids[side]
    if team.disqualified is not None and (at is None or team.disqualified <= at):
        return Text(f"{team.name} ist disqualifiziert", f"{team.name} is disqualified")
    if program is None and phase_of(season, encounter).without_program is Absence.LOST:
        return Text(f"{team.name} hat kein aktives Programm", f"{team.name} has no active program")
    return None


def record_walkovers(session: Session, season: Season, encounter: EncounterRow) -> bool:
    """Record all missing games of an encounter that one or both teams cannot play: whether there were any.

    The present team gets what a referee would give it if the other one left before the first move.
    """
    absent = [missing_side(season, encounter, side) for side in (0, 1)]
    reasons = [reason for reason in absent if reason is not None]
    if not reasons:
        return False
    reason = Text("; ".join(text.de for text in reasons), "; ".join(text.en for text in reasons))
    notation = season.load_game().notation
    # Whatever our clock says: it is after the disqualification, as proof and undoing need it.
    started = max([now(), *(team.disqualified for team in encounter.teams if team.disqualified is not None)])
    while missing := missing_games(session, season, encounter):
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
                    points=[2 * is_there for is_there in present],
                    secondary=[sum(score) * is_there for score, is_there in zip(secondary, present, strict=True)],
                    reason_de=reason.de,
                    reason_en=reason.en,
                    plies=0,
                    seconds=0.0,
                    started=started,
                    start=start,
                    final=start,
                    host="",
                    details={},
                )
            )
        session.flush()
    settle(session, season, encounter)
    return True


def settle(session: Session, season: Season, encounter: EncounterRow) -> None:
    """Bring an encounter's sums, its end and its winner in line with its games."""
    games, length = counted_games(session, encounter), encounter_length(season, encounter)
    for name, value in sums_of(games).items():
        setattr(encounter, name, value)
    encounter.winner_id = encounter.lot_seed = None
    points = points_of(games)
    if course.missing_games(points, length):
        encounter.finished = None
        return
    encounter.finished = encounter.finished or now()
    # Who has won an encounter with a pending game is for an organiser to say.
    if not any(game.decision == Decision.PENDING for game in games):
        winner = course.leader(points.values())
        if course.needs_lot(points, length):
            encounter.lot_seed = season.lot_seed("encounter", encounter.key)
            _, winner = course.draw_winner((encounter.first.name, encounter.second.name), encounter.lot_seed)
        encounter.winner_id = None if winner is None else encounter.team_ids[winner]
    session.flush()
