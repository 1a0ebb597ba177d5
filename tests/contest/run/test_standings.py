"""The tables of the store: each tie-break worked out by hand, and that they are those of the games, in any order."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import advance, bracket, draw_lot, open_day, read_seeds
from spielleiter.contest.run.results import record_walkovers
from spielleiter.contest.run.standings import group_standings, groups_of, lots, rated_games, rating, totals
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker
from spielleiter.contest.store import EncounterRow, GameRow, LotRow, MatchdayRow, TeamRow, now
from spielleiter.game import Criterion
from spielleiter.rating.standings import Lot, ScoredGame, Standings, Totals, count, explain, rank
from tests.support.contest_results import Result, between, write, write_game
from tests.support.contest_seasons import FINAL, LEAGUE, opened, season_text

pytestmark = pytest.mark.slow

WIN, DRAW, LOSS, NOTHING = (2, 0), (1, 1), (0, 2), (0, 0)
CHAMPIONSHIP = Stage.CHAMPIONSHIP
FOUR = ("Ada", "Bob", "Cem", "Dora")


def ranks(found: Standings) -> list[tuple[int, str]]:
    return [(row.rank, row.team) for row in found.rows]


def decided(found: Standings) -> list[Criterion | None]:
    return [row.decided_by for row in found.rows]


@pytest.fixture
def by_victory_points(tmp_path: Path, url: str) -> Iterator[Contest]:
    """Four teams, two games an encounter, two go on to a final."""
    text = season_text(FOUR, season='standings = "victory points"', championship="qualify = 2", rest=FINAL)
    with opened(tmp_path, url, text) as contest:
        yield contest


@pytest.fixture
def by_encounters(tmp_path: Path, url: str) -> Iterator[Contest]:
    text = season_text(FOUR, season='standings = "encounters"', championship="qualify = 2", rest=FINAL)
    with opened(tmp_path, url, text) as contest:
        yield contest


# --- by victory points ------------------------------------------------------------------------------------------------


def test_by_victory_points_these_come_first_and_then_the_exact_average(by_victory_points: Contest) -> None:
    season = by_victory_points.season
    with by_victory_points.store.transaction() as session:
        write(session, season, "Ada", "Bob", (WIN, (10, 7)), (LOSS, (6, 9)))
        write(session, season, "Cem", "Dora", (WIN, (8, 3)), (DRAW, (8, 8)))
        found = group_standings(session, season, CHAMPIONSHIP, "A")
    # Cem 2 + 1 = 3 victory points. Ada and Bob 2 + 0 = 2 each: Ada (10 + 6) / 2 = 8, Bob (7 + 9) / 2 = 8 too: level.
    # Dora 0 + 1 = 1.
    assert ranks(found) == [(1, "Cem"), (2, "Ada"), (2, "Bob"), (4, "Dora")]
    assert [row.totals.victory_points for row in found.rows] == [3, 2, 2, 1]
    assert [row.totals.average for row in found.rows] == [8, 8, 8, Fraction(11, 2)]
    assert decided(found) == [None, Criterion.VICTORY_POINTS, None, Criterion.VICTORY_POINTS]


def test_averages_that_differ_in_the_fifth_digit_decide(tmp_path: Path, url: str) -> None:
    text = season_text(FOUR).replace("games = 2", "games = 6")
    with opened(tmp_path, url, text) as contest, contest.store.transaction() as session:
        season = contest.season
        # Everybody has 60 points in every game, but Ada once 59 against Cem, and Bob once 59 against Dora.
        half: list[Result] = [(WIN, (60, 60)), (LOSS, (60, 60))]
        write(session, season, "Ada", "Bob", *half * 3)
        write(session, season, "Ada", "Cem", *half * 2, (WIN, (59, 60)), (LOSS, (60, 60)))
        write(session, season, "Ada", "Dora", *half * 3)
        write(session, season, "Bob", "Cem", *half * 3)
        write(session, season, "Bob", "Dora", *half * 2, (WIN, (59, 60)))  # The sixth game is still played.
        found = group_standings(session, season, CHAMPIONSHIP, "A")
    # Ada: 18 games, 9 won: 18 victory points; 17 * 60 + 59 = 1079, 1079 / 18 = 60 - 1/18 = 59.9444...
    # Bob: 17 games, 9 won: 18 victory points; 16 * 60 + 59 = 1019, 1019 / 17 = 60 - 1/17 = 59.9411...
    assert ranks(found)[:2] == [(1, "Ada"), (2, "Bob")]
    assert [row.totals.victory_points for row in found.rows[:2]] == [18, 18]
    assert [row.totals.average for row in found.rows[:2]] == [Fraction(1079, 18), Fraction(1019, 17)]
    assert found.rows[1].decided_by is Criterion.AVERAGE
    assert "59.944 against 59.941" in explain(found.rows[0], found.rows[1], season.ranking).en


def test_all_columns_by_hand(by_victory_points: Contest) -> None:
    season = by_victory_points.season
    with by_victory_points.store.transaction() as session:
        write(session, season, "Ada", "Bob", (WIN, (10, 7)), (LOSS, (6, 9)))
        write(session, season, "Ada", "Cem", (DRAW, (5, 5)), (WIN, (12, 0)))
        write(session, season, "Ada", "Dora", (LOSS, (1, 2)))
        ada = totals(session, CHAMPIONSHIP, "A")["Ada"]
    # Two encounters are finished: 1:1 with Bob gives 1 encounter point, 1:0 with Cem 2; the one with Dora nothing yet.
    # Games: 2 won, 1 drawn, 2 lost; 10 + 6 + 5 + 12 + 1 = 34.
    assert ada == Totals(encounters=2, won=2, drawn=1, lost=2, secondary=34, encounter_points=3)
    # 2 * 2 + 1 = 5 victory points, 34 / 5 = 6.8.
    assert (ada.victory_points, ada.average) == (5, Fraction(34, 5))


# --- by encounters ----------------------------------------------------------------------------------------------------


def test_by_encounters_encounter_points_come_first_and_then_victory_points(by_encounters: Contest) -> None:
    season = by_encounters.season
    with by_encounters.store.transaction() as session:
        write(session, season, "Ada", "Bob", (WIN, (0, 9)), (DRAW, (0, 9)))
        write(session, season, "Cem", "Dora", (WIN, (0, 9)), (WIN, (0, 9)))
        write(session, season, "Bob", "Dora", (WIN, (1, 1)), (LOSS, (1, 1)))
        found = group_standings(session, season, CHAMPIONSHIP, "A")
    # Encounter points: Ada 2, Cem 2, Bob 0 + 1 = 1, Dora 0 + 1 = 1.
    # Victory points: Cem 2 + 2 = 4 before Ada 2 + 1 = 3; Bob 0 + 1 + 2 + 0 = 3 before Dora 0 + 0 + 0 + 2 = 2.
    # The average plays no part: Dora's (9 + 9 + 1 + 1) / 4 = 5 is the best.
    assert ranks(found) == [(1, "Cem"), (2, "Ada"), (3, "Bob"), (4, "Dora")]
    assert [row.totals.encounter_points for row in found.rows] == [2, 2, 1, 1]
    assert [row.totals.victory_points for row in found.rows] == [4, 3, 3, 2]
    assert decided(found) == [
        None,
        Criterion.VICTORY_POINTS,
        Criterion.ENCOUNTER_POINTS,
        Criterion.VICTORY_POINTS,
    ]


def test_an_unfinished_encounter_gives_victory_points_but_no_encounter_points(by_encounters: Contest) -> None:
    with by_encounters.store.transaction() as session:
        write(session, by_encounters.season, "Ada", "Bob", (WIN, (3, 0)))
        assert totals(session, CHAMPIONSHIP, "A")["Ada"] == Totals(won=1, secondary=3)


# --- games that both lose, walkovers ----------------------------------------------------------------------------------


def test_games_that_both_lose_are_lost_by_both(by_encounters: Contest) -> None:
    with by_encounters.store.transaction() as session:
        one = write(session, by_encounters.season, "Ada", "Bob", (NOTHING, (0, 0)), (NOTHING, (0, 0)))
        write(session, by_encounters.season, "Cem", "Dora", (NOTHING, (0, 0)), (DRAW, (4, 4)))
        found = totals(session, CHAMPIONSHIP, "A")
        assert (one.finished is not None, one.winner_id) == (True, None)
    # Nobody got a single victory point between Ada and Bob: 0:0 encounter points. Cem and Dora drew one: 1:1.
    assert found["Ada"] == found["Bob"] == Totals(encounters=1, lost=2)
    assert found["Cem"] == found["Dora"] == Totals(encounters=1, drawn=1, lost=1, secondary=4, encounter_points=1)


def without_program(contest: Contest, *absent: str) -> None:
    """Open all days as if these teams had no program."""
    with contest.store.transaction() as session:
        for day in session.scalars(select(MatchdayRow).where(MatchdayRow.stage == CHAMPIONSHIP)):
            open_day(session, contest.season, day)
        for team in session.scalars(select(TeamRow).where(TeamRow.name.in_(absent))):
            for side in ("first", "second"):
                where = getattr(EncounterRow, f"{side}_id") == team.id
                session.execute(update(EncounterRow).where(where).values({f"{side}_program_id": None}))


def test_a_walkover_gives_all_games_to_the_team_that_is_there(by_victory_points: Contest) -> None:
    without_program(by_victory_points, "Bob")
    with by_victory_points.store.transaction() as session:
        encounter = between(session, "Ada", "Bob")
        assert record_walkovers(session, by_victory_points.season, encounter)
        games = session.scalars(select(GameRow).order_by(GameRow.number)).all()
        found = totals(session, CHAMPIONSHIP, "A")
        start = by_victory_points.season.load_game().notation.parse_state(games[0].start)
    # Two games, 2 victory points each, and the secondary figure with which the game starts; Bob gets nothing.
    assert [game.decision for game in games] == [Decision.WALKOVER] * 2
    assert games[0].start == games[1].start
    assert games[0].reason_en == "Bob has no active program"
    begins = start.points(start.to_move)[1]
    assert begins > 0
    assert found["Ada"] == Totals(encounters=1, won=2, secondary=2 * begins, encounter_points=2)
    assert found["Bob"] == Totals(encounters=1, lost=2)


def test_if_both_are_absent_both_lose(by_victory_points: Contest) -> None:
    without_program(by_victory_points, "Ada", "Bob")
    with by_victory_points.store.transaction() as session:
        assert record_walkovers(session, by_victory_points.season, between(session, "Ada", "Bob"))
        assert not record_walkovers(session, by_victory_points.season, between(session, "Cem", "Dora"))
        found = totals(session, CHAMPIONSHIP, "A")
        reasons = set(session.scalars(select(GameRow.reason_en)))
    assert found["Ada"] == found["Bob"] == Totals(encounters=1, lost=2)
    assert {part for reason in reasons for part in reason.split("; ")} == {
        "Ada has no active program",
        "Bob has no active program",
    }


def test_a_disqualified_team_loses_what_is_not_played_yet(by_victory_points: Contest) -> None:
    without_program(by_victory_points)
    with by_victory_points.store.transaction() as session:
        encounter = write(session, by_victory_points.season, "Ada", "Bob", (LOSS, (3, 5)))
        session.scalars(select(TeamRow).where(TeamRow.name == "Bob")).one().disqualified = now()
        assert record_walkovers(session, by_victory_points.season, encounter)
        found = totals(session, CHAMPIONSHIP, "A")
        second = session.scalars(select(GameRow).where(GameRow.number == 2)).one()
    # The first game was played and stays; of the second Bob gets nothing.
    assert (found["Bob"].won, found["Bob"].lost, found["Bob"].secondary) == (1, 1, 5)
    assert (found["Ada"].won, found["Ada"].lost) == (1, 1)
    assert (second.decision, second.reason_en) == (Decision.WALKOVER, "Bob is disqualified")


# --- shared ranks and lots --------------------------------------------------------------------------------------------


def all_level(contest: Contest) -> None:
    """Everybody draws everything: all four teams are equal in all figures."""
    with contest.store.transaction() as session:
        for encounter in session.scalars(select(EncounterRow).where(EncounterRow.stage == CHAMPIONSHIP)).all():
            for number in (1, 2):
                write_game(session, contest.season, encounter, number, (DRAW, (3, 3)))


def test_equal_teams_share_a_rank_and_a_lot_is_drawn_only_where_a_place_decides(by_victory_points: Contest) -> None:
    season = by_victory_points.season
    all_level(by_victory_points)
    with by_victory_points.store.transaction() as session:
        before = group_standings(session, season, CHAMPIONSHIP, "A")
        # 3 encounters of 2 drawn games: 6 victory points, 18 / 6 = 3 for everybody.
        assert ranks(before) == [(1, "Ada"), (1, "Bob"), (1, "Cem"), (1, "Dora")]
        assert all(row.shared for row in before.rows)
        # Places 1 and 2 are the seeds of the final: all four are in one tie, and one lot decides all of it.
        assert season.cuts(season.phases[0]) == (1, 2)
        assert advance(session, season).stage is Stage.FINAL
        (lot,) = lots(session, CHAMPIONSHIP, "A")
        after = group_standings(session, season, CHAMPIONSHIP, "A")
        assert read_seeds(session, season) == list(lot.order[:2])
        (final,), _ = bracket(session, season)
    # The seed is that of the season, the phase, the group and the place, and anybody can draw it again.
    assert lot == Lot(frozenset(FOUR), "7/lot/championship/A/1")
    assert [row.team for row in after.rows] == list(lot.order)
    assert decided(after) == [None, Criterion.LOT, Criterion.LOT, Criterion.LOT]
    assert final.teams == lot.order[:2]


def test_no_lot_where_no_place_decides(by_victory_points: Contest) -> None:
    season = by_victory_points.season
    with by_victory_points.store.transaction() as session:
        for one, two in [("Ada", "Bob"), ("Ada", "Cem"), ("Ada", "Dora"), ("Bob", "Cem"), ("Bob", "Dora")]:
            write(session, season, one, two, (WIN, (3, 3)), (WIN, (3, 3)))
        write(session, season, "Cem", "Dora", (DRAW, (3, 3)), (DRAW, (3, 3)))
        # Ada 12, Bob 8 victory points; Cem and Dora share the third rank, which is no seed.
        assert ranks(group_standings(session, season, CHAMPIONSHIP, "A")) == [
            (1, "Ada"),
            (2, "Bob"),
            (3, "Cem"),
            (3, "Dora"),
        ]
        advance(session, season)
        assert lots(session, CHAMPIONSHIP, "A") == ()
        assert read_seeds(session, season) == ["Ada", "Bob"]


def test_only_the_places_of_the_bracket_need_lots(tmp_path: Path, url: str) -> None:
    # Three would qualify, but a knock-out has two: the place behind the second is no seed.
    text = season_text(FOUR, championship="qualify = 3", rest=FINAL)
    with opened(tmp_path, url, text) as contest:
        assert contest.season.cuts(contest.season.phases[0]) == (1, 2)


def test_a_lot_by_hand_is_waited_for(tmp_path: Path, url: str) -> None:
    text = season_text(FOUR, season='lots = "by hand"', championship="qualify = 2", rest=FINAL)
    with opened(tmp_path, url, text) as contest:
        all_level(contest)
        with contest.store.transaction() as session:
            state = advance(session, contest.season)
            assert (state.blocker, state.stage, state.group) == (Blocker.LOT, CHAMPIONSHIP, "A")
            assert state.tie is not None
            assert state.tie.teams == set(FOUR)
            assert session.scalars(select(LotRow)).all() == []
            assert advance(session, contest.season).blocker is Blocker.LOT
            draw_lot(session, CHAMPIONSHIP, "A", state.tie, "from the hat", "organiser")
            assert advance(session, contest.season).blocker is Blocker.GAMES
            assert read_seeds(session, contest.season) == list(Lot(frozenset(FOUR), "from the hat").order[:2])


def test_the_league_takes_the_best_of_each_group(tmp_path: Path, url: str) -> None:
    text = season_text({"X": "ABC", "y": "DEF"}, championship="qualify = 2", rest=LEAGUE)
    with opened(tmp_path, url, text) as contest, contest.store.transaction() as session:
        season = contest.season
        # The first of the alphabet wins everything in X, the last one in y.
        for encounter in session.scalars(select(EncounterRow).where(EncounterRow.stage == CHAMPIONSHIP)).all():
            first_wins = (encounter.first.name < encounter.second.name) == (encounter.group == "X")
            for number in (1, 2):
                write_game(session, season, encounter, number, (WIN if first_wins else LOSS, (1, 1)))
        assert groups_of(session, CHAMPIONSHIP) == ["X", "y"]
        advance(session, season)
        assert groups_of(session, Stage.CHAMPIONS_LEAGUE) == [""]
        assert set(totals(session, Stage.CHAMPIONS_LEAGUE, "")) == {"A", "B", "F", "E"}
        # Each phase counts on its own: nobody takes points along.
        assert set(totals(session, Stage.CHAMPIONS_LEAGUE, "").values()) == {Totals()}


# --- the rating beside it ---------------------------------------------------------------------------------------------


def test_the_rating_takes_only_games_that_were_played(by_victory_points: Contest) -> None:
    season = by_victory_points.season
    with by_victory_points.store.transaction() as session:
        assert rating(session, (CHAMPIONSHIP,)) is None
        encounter = write(session, season, "Ada", "Bob", (WIN, (1, 0)), (DRAW, (1, 1)))
        write_game(session, season, between(session, "Ada", "Cem"), 1, (WIN, (0, 0)), decision=Decision.WALKOVER)
        write(session, season, "Bob", "Cem", (NOTHING, (0, 0)))
        write_game(session, season, between(session, "Cem", "Dora"), 1, (WIN, (0, 0)), annulled=True)
        games = rated_games(session, (CHAMPIONSHIP,))
        first = encounter.first.name
        found = rating(session, (CHAMPIONSHIP,), "A")
    # The first team is ONE in the first game and TWO in the second; Ada has won the first.
    other = "Bob" if first == "Ada" else "Ada"
    assert [(game.one, game.two) for game in games] == [(first, other), (other, first)]
    assert games[0].winner is not None
    assert games[0].victory_points(games[0].winner) == 2
    assert games[1].winner is None
    assert found is not None


# --- a function of the games ------------------------------------------------------------------------------------------

FIVE = ("Ada", "Bob", "Cem", "Dora", "Emil")


@pytest.fixture
def five(tmp_path: Path, url: str) -> Iterator[Contest]:
    with opened(tmp_path, url, season_text(FIVE).replace("games = 2", "games = 4")) as contest:
        yield contest


games_of_one = st.lists(
    st.tuples(st.sampled_from([WIN, DRAW, LOSS, NOTHING]), st.tuples(st.integers(0, 2), st.integers(0, 2))),
    max_size=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=20)
@given(st.lists(games_of_one, min_size=10, max_size=10), st.randoms(use_true_random=False), st.booleans())
def test_the_table_is_a_function_of_the_games_and_not_of_their_order(
    five: Contest, encounters: list[list[Result]], rng: Random, annulled: bool
) -> None:
    with five.store.transaction() as session:
        rows = session.scalars(select(EncounterRow).order_by(EncounterRow.key)).all()
        names = dict(session.execute(select(TeamRow.id, TeamRow.name)).all())
        written = [
            (encounter, number, result)
            for encounter, results in zip(rows, encounters, strict=True)
            for number, result in enumerate(results, 1)
        ]
        rng.shuffle(written)
        counted = []
        for encounter, number, result in written:
            if annulled and number == 2:
                write_game(session, five.season, encounter, number, (WIN, (9, 9)), annulled=True)
            write_game(session, five.season, encounter, number, result)
            teams = (names[encounter.first_id], names[encounter.second_id])
            counted.append(ScoredGame(encounter.key, teams, *result))
        rng.shuffle(counted)
        unfinished = [encounter.key for encounter, games in zip(rows, encounters, strict=True) if len(games) < 4]
        expected = count(counted, FIVE, unfinished)
        assert totals(session, CHAMPIONSHIP, "A") == expected
        assert group_standings(session, five.season, CHAMPIONSHIP, "A") == rank(expected, five.season.ranking)
        session.rollback()  # The next example begins from nothing, too.
