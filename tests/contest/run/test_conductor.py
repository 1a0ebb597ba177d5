"""A season is played: days open one after the other, starts come in pairs, and absent teams lose or are replaced."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.create import add_builtin
from spielleiter.contest.run.progress import advance, podium
from spielleiter.contest.run.standings import group_standings
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, Until
from spielleiter.contest.store import ActivationRow, EncounterRow, GameRow, MatchdayRow, SeasonRow, TeamRow, now
from spielleiter.game import Team as Side
from spielleiter.matches.in_process import play_in_process
from spielleiter.records.reader import read_record
from tests.support.contest_seasons import FINAL, LEAGUE, opened, outcome, play, season_text
from tests.support.contest_small_season import play as play_locally
from tests.support.no_sockets import forbid_sockets

pytestmark = pytest.mark.slow

FOUR = ("Ada", "Bob", "Cem", "Dora")


# --- games ------------------------------------------------------------------------------------------------------------


def test_the_first_move_alternates_and_both_get_the_same_starts(tmp_path: Path, url: str) -> None:
    text = season_text("AB").replace("games = 2", "games = 6")
    with opened(tmp_path, url, text) as contest:
        tasks = []
        with Conductor(contest) as conductor:
            while (task := conductor.next_game()) is not None:
                tasks.append(task)
            for task in tasks:
                conductor.record(task, play_in_process(task))
        with contest.store.reading() as session:
            encounter = session.scalars(select(EncounterRow)).one()
            teams = [encounter.first.name, encounter.second.name]
            games = session.scalars(select(GameRow).order_by(GameRow.number)).all()
    assert [[entrant.name for entrant in task.entrants] for task in tasks] == [teams, teams[::-1]] * 3
    starts = [game.start for game in games]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 3
    assert [task.start for task in tasks] == starts
    # In even games the second team is ONE; the sums are those of the teams and not of the sides.
    assert encounter.won_first == sum(game.points_first == 2 for game in games)
    assert encounter.games == 6


def test_a_season_in_this_process_opens_no_game_master_and_no_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, str(tmp_path / "s.db"), season_text("AB")) as contest:
        forbid_sockets(monkeypatch)
        play_locally(contest)
        with contest.store.reading() as session:
            assert session.scalar(select(func.count()).select_from(GameRow))


def test_points_go_to_the_team_and_not_to_the_side(tmp_path: Path) -> None:
    # One player against itself: whoever is ONE wins every time, or TWO does.
    with opened(tmp_path, str(tmp_path / "s.db"), season_text("AB", player=lambda _: "random:seed=3")) as contest:
        play(contest)
        with contest.store.reading() as session:
            first, second = session.scalars(select(GameRow).order_by(GameRow.number)).all()
    assert first.points_first + first.points_second == 2
    assert (second.points_first, second.points_second) == (first.points_second, first.points_first)
    assert (second.secondary_first, second.secondary_second) == (first.secondary_second, first.secondary_first)


def test_a_game_that_is_recorded_already_is_not_recorded_twice(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, url, season_text("AB")) as contest:
        heard: list[int] = []
        with Conductor(contest, on_game=lambda _, game: heard.append(game.number)) as conductor:
            task = conductor.next_game()
            assert task is not None
            played = play_in_process(task)
            given = dict(conductor._given)
            conductor.record(task, played)
            conductor._given.update(given)
            conductor.record(task, played)
        assert heard == [1]
        with contest.store.reading() as session:
            assert session.scalar(select(func.count()).select_from(GameRow)) == 1


def test_a_stopped_conductor_keeps_what_is_played_and_gives_no_more(tmp_path: Path) -> None:
    with opened(tmp_path, str(tmp_path / "s.db"), season_text(FOUR)) as contest:
        with Conductor(contest) as conductor:
            task = conductor.next_game()
            assert task is not None
            conductor.stop()
            assert conductor.next_game() is None
            assert conductor.exhausted
            conductor.record(task, play_in_process(task))
        undisturbed = play(contest)
        assert undisturbed is not None
        with contest.store.reading() as session:
            assert session.scalar(select(func.count()).select_from(GameRow)) == 12


# --- days -------------------------------------------------------------------------------------------------------------


def opened_days(contest: object) -> list[tuple[str, int]]:
    with contest.store.reading() as session:  # type: ignore[attr-defined]
        rows = session.execute(
            select(MatchdayRow.stage, MatchdayRow.number)
            .where(MatchdayRow.opened.is_not(None))
            .order_by(MatchdayRow.id)
        )
        return [(stage, number) for stage, number in rows]


def test_a_run_until_a_day_opens_no_later_one(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, url, season_text(FOUR, championship="qualify = 2", rest=FINAL)) as contest:
        play(contest, until=Until(Stage.CHAMPIONSHIP, 1))
        assert opened_days(contest) == [("championship", 1)]
        play(contest, until=Until(Stage.CHAMPIONSHIP))
        assert opened_days(contest) == [("championship", day) for day in (1, 2, 3)]
        with contest.store.reading() as session:
            # The next phase is not drawn either, so that rulings are still possible.
            assert session.scalars(select(MatchdayRow).where(MatchdayRow.stage == Stage.FINAL)).all() == []
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.NOTHING


@pytest.mark.parametrize("ahead", [timedelta(), timedelta(hours=5)], ids=["in time", "by a clock that is ahead"])
def test_a_program_activated_between_days_plays_from_the_next_day_on(
    tmp_path: Path, url: str, ahead: timedelta
) -> None:
    with opened(tmp_path, url, season_text(FOUR)) as contest:
        play(contest, until=Until(Stage.CHAMPIONSHIP, 1))
        with contest.store.transaction() as session:
            ada = session.scalars(select(TeamRow).where(TeamRow.name == "Ada")).one()
            program = add_builtin(session, ada, "greedy", "test")
            session.add(ActivationRow(team_id=ada.id, program_id=program.id, at=now() + ahead, who="test"))
        play(contest, until=Until(Stage.CHAMPIONSHIP, 2))
        with contest.store.reading() as session:
            used = {}
            for encounter in session.scalars(select(EncounterRow)):
                for team, own in (
                    (encounter.first, encounter.first_program),
                    (encounter.second, encounter.second_program),
                ):
                    if team.name == "Ada" and own is not None and encounter.matchday is not None:
                        used[encounter.matchday.number] = own.name
    assert used == {1: "random:seed=1", 2: "greedy"}


def test_a_day_waits_for_its_date_unless_it_is_played_ahead(tmp_path: Path, url: str) -> None:
    soon = datetime.now(UTC) + timedelta(days=3)
    text = season_text("AB", championship=f"dates = [{soon.isoformat(timespec='seconds')}]")
    with opened(tmp_path, url, text) as contest:
        state = play(contest)
        assert state is not None
        assert (state.blocker, state.matchday) == (Blocker.DATE, 1)
        assert opened_days(contest) == []
        state = play(contest, ahead=True)
        assert state is not None
        assert state.blocker is Blocker.NOTHING


def test_advance_does_everything_once(tmp_path: Path, url: str) -> None:
    text = season_text({"A": "abc", "B": "def"}, championship="qualify = 2", rest=LEAGUE + FINAL)
    with opened(tmp_path, url, text) as contest:
        play(contest)
        before = outcome(contest)
        with contest.store.transaction() as session:
            for _ in range(3):
                assert advance(session, contest.season).blocker is Blocker.NOTHING
        assert outcome(contest) == before
        # 2 * 3 + 6 encounters in the groups; semi-finals, third place and final.
        assert len(before["encounters"]) == 6 + 6 + 4
        assert len(before["podium"]) == 4


def test_a_paused_season_stops_and_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path, str(tmp_path / "s.db"), season_text("AB")) as contest:
        with contest.store.transaction() as session:
            session.get_one(SeasonRow, 1).paused = True
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.PAUSE
        with contest.store.transaction() as session:
            session.get_one(SeasonRow, 1).paused = False
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.NOTHING


# --- teams without a program ------------------------------------------------------------------------------------------


def test_without_a_program_the_games_are_lost(tmp_path: Path, url: str) -> None:
    text = season_text("ABC", player=lambda number: "" if number == 2 else f"random:seed={number}")
    with opened(tmp_path, url, text) as contest:
        play(contest)
        with contest.store.reading() as session:
            rows = {
                row.team: row.totals for row in group_standings(session, contest.season, Stage.CHAMPIONSHIP, "A").rows
            }
            walkovers = session.scalars(select(GameRow).where(GameRow.decision == Decision.WALKOVER)).all()
    assert (rows["B"].won, rows["B"].lost, rows["B"].secondary) == (0, 4, 0)
    assert len(walkovers) == 4
    assert {game.reason_en for game in walkovers} == {"B has no active program"}


def test_without_a_program_the_random_player_plays_where_the_season_says_so(tmp_path: Path) -> None:
    text = season_text(
        "AB", championship='without_program = "random"', player=lambda number: "" if number == 2 else "random:seed=1"
    )
    with opened(tmp_path, str(tmp_path / "s.db"), text) as contest:
        play(contest)
        with contest.store.reading() as session:
            assert set(session.scalars(select(GameRow.decision))) == {Decision.PLAYED}


def test_a_season_without_any_program_ends_by_lots(tmp_path: Path, url: str) -> None:
    text = season_text(FOUR, rest=FINAL, player=lambda _: "")
    with opened(tmp_path, url, text) as contest:
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.NOTHING
        with contest.store.reading() as session:
            final = session.scalars(select(EncounterRow).where(EncounterRow.key == "F2-2")).one()
            assert len(podium(session, contest.season)) == 4
    # Up to the cap of four games nobody has won one: the lot has decided, and its seed is kept.
    assert (final.games, final.won_first, final.won_second) == (4, 0, 0)
    assert final.lot_seed == "7/encounter/F2-2"
    assert final.winner_id is not None


def test_an_encounter_of_the_final_between_equals_goes_to_the_cap_and_a_lot(tmp_path: Path) -> None:
    text = season_text("AB", championship="qualify = 2", rest=FINAL, player=lambda _: "random:seed=3")
    with opened(tmp_path, str(tmp_path / "s.db"), text) as contest:
        play(contest)
        with contest.store.reading() as session:
            final = session.scalars(select(EncounterRow).where(EncounterRow.stage == Stage.FINAL)).one()
    assert (final.games, final.won_first, final.won_second) == (4, 2, 2)
    assert final.lot_seed is not None


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_the_record_of_a_game_replays_to_its_result(tmp_path: Path, url: str) -> None:
    import zlib

    from spielleiter.contest.store import GameFilesRow

    with opened(tmp_path, url, season_text("AB")) as contest:
        play(contest)
        with contest.store.reading() as session:
            games = session.scalars(select(GameRow).order_by(GameRow.number)).all()
            files = {row.game_id: row for row in session.scalars(select(GameFilesRow))}
            first = games[0].encounter.first.name
    for game in games:
        path = tmp_path / f"{game.number}.jsonl"
        path.write_bytes(zlib.decompress(files[game.id].record))
        record = read_record(path)
        assert record.start == game.start
        assert record.names.index(first) == (Side.ONE if game.number % 2 else Side.TWO)
        assert game.plies == len(record.moves)


@pytest.mark.parametrize("count", [3, 5])
def test_in_an_odd_group_every_team_plays_every_other(tmp_path: Path, count: int) -> None:
    with opened(tmp_path, str(tmp_path / "s.db"), season_text("ABCDE"[:count])) as contest:
        play(contest)
        with contest.store.reading() as session:
            rows = group_standings(session, contest.season, Stage.CHAMPIONSHIP, "A").rows
    assert {row.totals.encounters for row in rows} == {count - 1}
    assert {row.totals.games for row in rows} == {2 * (count - 1)}
