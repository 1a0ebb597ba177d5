"""What is written down of a game that has ended: for the right team, whichever side it played."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.read.reader import reading
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.results import missing_games, phase_of, record_game, settle, start_position
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store import EncounterRow, GameFilesRow, GameRow, now
from spielleiter.game import Team as Side
from spielleiter.game import Text
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame
from spielleiter.programs.side_result import Fault, SideResult
from tests.support.contest_results import write_game
from tests.support.contest_seasons import FINAL, opened, season_text


@pytest.fixture
def contest(tmp_path: Path, url: str) -> Iterator[Contest]:
    with opened(tmp_path, url, season_text("AB", championship="qualify = 2", rest=FINAL)) as opened_contest:
        yield opened_contest


def played(
    one: SideResult,
    two: SideResult,
    winner: Side | None,
    *,
    counts: bool = True,
    logs: tuple[bytes, bytes] = (b"", b""),
) -> FinishedGame:
    row = MatchGame(
        id="x",
        pair="x",
        round=0,
        sides=(one, two),
        winner=winner,
        counts=counts,
        reason=Text("so", "so"),
        start="",
        final="",
        plies=3,
        seconds=1.5,
        started="2027-02-01T18:00:00.000Z",
    )
    return FinishedGame(row, logs, b"the record")


ONE, TWO = SideResult(name="one", points=(2, 11)), SideResult(name="two", points=(0, 5))


def only(session: Session) -> EncounterRow:
    return session.scalars(select(EncounterRow)).one()


@pytest.mark.parametrize(("number", "first", "second"), [(1, 0, 1), (2, 1, 0)])
def test_the_first_team_is_one_in_odd_games(contest: Contest, number: int, first: int, second: int) -> None:
    with contest.store.transaction() as session:
        result = played(ONE, TWO, Side.ONE, logs=(b"log of one", b"log of two"))
        game = record_game(session, contest.season, only(session), number, result)
        assert game is not None
        files = session.get_one(GameFilesRow, game.id)
        # The figures of ONE and TWO, seen by the teams of the encounter.
        assert (game.points_first, game.points_second) == ((2, 0)[first], (2, 0)[second])
        assert (game.secondary_first, game.secondary_second) == ((11, 5)[first], (11, 5)[second])
        logs = [zlib.decompress(log) for log in (files.log_first, files.log_second)]
        assert logs == [(b"log of one", b"log of two")[first], (b"log of one", b"log of two")[second]]
        assert zlib.decompress(files.record) == b"the record"
        assert game.details["first"]["points"] == list((ONE, TWO)[first].points)
        encounter = only(session)
        assert (encounter.games, encounter.won_first, encounter.won_second) == (1, 1 - first, first)


def test_what_players_note_is_kept_apart_from_the_public_record(contest: Contest) -> None:
    lines = [b'{"event":"notes","ply":0,"team":"%s","output":"of %s"}\n' % (side, side) for side in (b"ONE", b"TWO")]
    with contest.store.transaction() as session:
        result = replace(played(ONE, TWO, Side.ONE, logs=(b"log of one", b"")), record=b"start\n" + b"".join(lines))
        game = record_game(session, contest.season, only(session), 2, result)
        assert game is not None
        game_id, encounter = game.id, only(session)
        files = session.get_one(GameFilesRow, game_id)
        assert zlib.decompress(files.record) == b"start\n"
        teams = encounter.team_ids
    with reading(contest) as reader:
        assert [reader.notes(team, game_id) for team in teams] == lines[::-1]  # TWO is the first team in even games.
        found = reader.log(teams[1], game_id)
        assert found is not None
        assert found[1] == "log of one"


def test_who_is_at_fault_gets_nothing_and_the_other_keeps_its_figures(contest: Contest) -> None:
    with contest.store.transaction() as session:
        offender = replace(ONE, points=(0, 0), fault=Fault.ILLEGAL)
        game = record_game(
            session, contest.season, only(session), 1, played(offender, replace(TWO, points=(2, 5)), Side.TWO)
        )
        assert game is not None
        assert (game.points_first, game.points_second) == (0, 2)
        assert (game.secondary_first, game.secondary_second) == (0, 5)
        assert (game.fault_first, game.fault_second) == ("illegal", None)


def test_if_both_failed_both_lose_and_it_is_not_a_draw(contest: Contest) -> None:
    with contest.store.transaction() as session:
        one, two = (replace(side, points=(0, 0), fault=Fault.NO_START) for side in (ONE, TWO))
        game = record_game(session, contest.season, only(session), 1, played(one, two, None, counts=False))
        assert game is not None
        assert (game.points_first, game.points_second, game.secondary_first, game.secondary_second) == (0, 0, 0, 0)
        assert only(session).drawn == 0


def test_a_draw_gives_one_point_each(contest: Contest) -> None:
    with contest.store.transaction() as session:
        game = record_game(session, contest.season, only(session), 2, played(ONE, TWO, None))
        assert game is not None
        assert (game.points_first, game.points_second) == (1, 1)
        assert only(session).drawn == 1


def test_a_game_is_kept_once(contest: Contest) -> None:
    with contest.store.transaction() as session:
        assert record_game(session, contest.season, only(session), 1, played(ONE, TWO, Side.ONE)) is not None
        assert record_game(session, contest.season, only(session), 1, played(ONE, TWO, Side.TWO)) is None
        assert only(session).games == 1
        assert (only(session).won_first, only(session).won_second) == (1, 0)


def test_an_annulled_game_does_not_count_and_is_played_again_as_the_next_attempt(contest: Contest) -> None:
    with contest.store.transaction() as session:
        for number in (1, 2):
            record_game(session, contest.season, only(session), number, played(ONE, TWO, Side.ONE))
        assert only(session).finished is not None
        session.scalars(select(GameRow).where(GameRow.number == 1)).one().annulled = True
        settle(session, contest.season, only(session))
        encounter = only(session)
        assert (encounter.finished, encounter.winner_id, encounter.games) == (None, None, 1)
        assert missing_games(session, contest.season, encounter) == (1,)
        again = record_game(session, contest.season, encounter, 1, played(ONE, TWO, Side.TWO))
        assert again is not None
        assert again.attempt == 2
        # 0:1 in the new attempt, and 0:1 in the second game, in which the second team was ONE.
        assert (encounter.won_first, encounter.won_second) == (0, 2)
        assert encounter.winner_id == encounter.second_id


def test_an_encounter_that_is_level_has_no_winner_and_needs_no_lot_in_a_group(contest: Contest) -> None:
    with contest.store.transaction() as session:
        for number in (1, 2):
            record_game(session, contest.season, only(session), number, played(ONE, TWO, Side.ONE))
        encounter = only(session)
        assert (encounter.won_first, encounter.won_second) == (1, 1)
        assert encounter.finished is not None
        assert (encounter.winner_id, encounter.lot_seed) == (None, None)


def test_a_lot_is_taken_back_when_a_game_of_it_is_annulled(contest: Contest) -> None:
    season = contest.season
    with contest.store.transaction() as session:
        group = only(session)
        final = EncounterRow(
            key="F1-1",
            matchday_id=group.matchday_id,
            stage=Stage.FINAL,
            group="",
            place=1,
            first_id=group.first_id,
            second_id=group.second_id,
        )
        session.add(final)
        session.flush()
        for number in range(1, 5):
            write_game(session, season, final, number, ((1, 1), (0, 0)))
        assert final.lot_seed == "7/encounter/F1-1"
        assert final.winner_id is not None
        session.scalars(select(GameRow).where(GameRow.number == 4)).one().annulled = True
        settle(session, season, final)
        assert (final.lot_seed, final.winner_id, final.finished) == (None, None, None)
        write_game(session, season, final, 4, ((0, 2), (0, 0)))
        assert (final.lot_seed, final.winner_id) == (None, final.second_id)


def test_starts_come_in_pairs_and_belong_to_the_encounter(contest: Contest) -> None:
    season = contest.season
    starts = [start_position(season, "M1-A1", number) for number in range(1, 7)]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 3
    assert start_position(season, "M1-A1", 1) == starts[0]
    assert start_position(season, "M1-A2", 1) != starts[0]


def test_friendly_games_follow_the_championship(contest: Contest) -> None:
    friendly = EncounterRow(key="X1", stage=Stage.FRIENDLY, group="", place=1, first_id=1, second_id=2, finished=now())
    assert phase_of(contest.season, friendly).stage is Stage.CHAMPIONSHIP
