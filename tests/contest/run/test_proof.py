from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from spielleiter.contest.run.proof import prove
from spielleiter.contest.store import EncounterRow, GameFilesRow, GameRow, LotRow, ProgramFileRow, TeamRow
from spielleiter.game import Team, Text
from spielleiter.records.history import RecordedResult
from spielleiter.records.reader import parse_record
from spielleiter.records.verify import verify_record
from spielleiter.records.writer import record_lines
from spielleiter.referee.verdict import by_adjudication
from tests.support.contest_small_season import found, play, season_text
from tests.support.german import english_words

pytestmark = pytest.mark.slow


def test_a_season_is_proved_at_every_stage(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        assert prove(contest).difference is None
        play(contest)
        proof = prove(contest)
        assert proof.difference is None
        assert (proof.encounters, proof.standings) == (10, 1)
        assert proof.games >= 20


def _first(session: Session, number: int = 1) -> GameRow:
    wanted = select(GameRow).join(EncounterRow).where(EncounterRow.key == "M1-A1", GameRow.number == number)
    return session.scalars(wanted).one()


def _points(session: Session) -> None:
    game = _first(session)
    game.points_first, game.points_second = game.points_second, game.points_first
    if game.points_first == game.points_second:
        game.points_first, game.points_second = 2, 0


def _secondary(session: Session) -> None:
    _first(session).secondary_second += 1


def _sums(session: Session) -> None:
    session.scalars(select(EncounterRow).where(EncounterRow.key == "M1-A1")).one().won_first += 1


def _record(session: Session) -> None:
    files = session.get_one(GameFilesRow, _first(session).id)
    lines = zlib.decompress(files.record).splitlines(keepends=True)
    files.record = zlib.compress(b"".join([lines[0], *lines[2:]]))


def _adjudicated(session: Session) -> None:
    """The last move is gone, and the record is sound all the same: it says that the game was ended early."""
    files = session.get_one(GameFilesRow, _first(session).id)
    record = parse_record(zlib.decompress(files.record), "record")
    *_, state, _ = record.states
    winner = Team.ONE if record.result is None or record.result.winner is None else record.result.winner
    early = by_adjudication(state, winner, Text("vorzeitig", "early"))
    final = record.game.notation.format_state(state)
    result = RecordedResult(early.teams, winner, early.reason, adjudicated=True, final=final)
    cut = replace(record, moves=record.moves[:-1], result=result)
    assert verify_record(cut).is_sound
    files.record = zlib.compress("".join(f"{line}\n" for line in record_lines(cut)).encode())


def _other_record(session: Session) -> None:
    one, two = _first(session), _first(session, 2)
    session.get_one(GameFilesRow, one.id).record = session.get_one(GameFilesRow, two.id).record


def _no_record(session: Session) -> None:
    session.execute(delete(GameFilesRow).where(GameFilesRow.game_id == _first(session).id))


def _garbage(session: Session) -> None:
    session.get_one(GameFilesRow, _first(session).id).record = b"garbage"


def _bomb(session: Session) -> None:
    session.get_one(GameFilesRow, _first(session).id).record = zlib.compress(b" " * 200_000_000, 1)


def _start(session: Session) -> None:
    _first(session).start = (
        session.scalars(select(GameRow.start).where(GameRow.start != _first(session).start)).first() or ""
    )


def _winner(session: Session) -> None:
    one = session.scalars(select(EncounterRow).where(EncounterRow.winner_id.is_not(None)).limit(1)).one()
    one.winner_id = one.second_id if one.winner_id == one.first_id else one.first_id


def _schedule(session: Session) -> None:
    one = session.scalars(select(EncounterRow).where(EncounterRow.stage == "final").limit(1)).one()
    session.execute(
        delete(GameFilesRow).where(GameFilesRow.game_id.in_(select(GameRow.id).where(GameRow.encounter_id == one.id)))
    )
    session.execute(delete(GameRow).where(GameRow.encounter_id == one.id))
    session.execute(delete(EncounterRow).where(EncounterRow.id == one.id))


def _walkover(session: Session) -> None:
    _first(session).decision = "walkover"


def _ruling(session: Session) -> None:
    game = _first(session)
    game.decision = "disqualified"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_points, "M1-A1-1: stored are"),
        (_secondary, "M1-A1-1: stored are"),
        (_sums, "M1-A1: its sums are"),
        (_record, "M1-A1-1: its record"),
        (_adjudicated, "M1-A1-1: the game was adjudicated, which no contest allows"),
        (_other_record, "M1-A1-1: its record is of"),
        (_no_record, "M1-A1-1: there is no record"),
        (_garbage, "M1-A1-1: its record cannot be read"),
        (_bomb, "M1-A1-1: its record cannot be read"),
        (_start, "M1-A1-1: did not start from the position"),
        (_winner, "another winner follows"),
        (_schedule, "F1-1: is nobody"),
        (_walkover, "M1-A1-1: counts as not played"),
        (_ruling, "M1-A1-1: a team was disqualified, but the audit log does not say why"),
    ],
)
def test_whatever_is_tampered_with_is_found(tmp_path: Path, change: Callable[[Session], None], message: str) -> None:
    with found(tmp_path) as contest:
        play(contest)
        with contest.store.transaction() as session:
            change(session)
        difference = prove(contest).difference
        assert difference is not None
        assert message in difference.en
        assert not english_words(difference.de)


def test_a_changed_seed_of_a_lot_is_found(tmp_path: Path) -> None:
    # Nobody has a program: all are level, and a lot decides the seeds of the final.
    with found(tmp_path, season_text(players=dict.fromkeys(("Ada", "Bit & Byte"), ""))) as contest:
        play(contest)
        with contest.store.transaction() as session:
            assert session.scalars(select(LotRow)).all(), "the test needs a lot"
            session.execute(update(LotRow).values(seed="0"))
        assert prove(contest).difference is not None


def test_a_changed_program_is_found(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        with contest.store.transaction() as session:
            session.add(ProgramFileRow(digest="ab" * 32, data=b"something else"))
        assert "is not what was submitted" in str(prove(contest).difference)


def test_a_renamed_team_is_found(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest)
        with contest.store.transaction() as session:
            session.execute(update(TeamRow).where(TeamRow.name == "Ada").values(name="Bob"))
        assert prove(contest).difference is not None


def test_late_moves_within_this_process_are_proved_too(tmp_path: Path) -> None:
    with found(tmp_path, season_text(players={"Ada": "solid:nodes=20000"}, season="time = 0.01")) as contest:
        play(contest)
        with contest.store.reading() as session:
            faults = set(session.scalars(select(GameRow.fault_first))) | set(
                session.scalars(select(GameRow.fault_second))
            )
        assert faults & {"late", "silent"}
        assert prove(contest).difference is None
