"""The standings: every tie-break worked out by hand, lots, and that the order of games does not matter."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import RatingError
from spielleiter.game import Criterion, Ranking, Text
from spielleiter.rating.standings import (
    HEADINGS,
    Lot,
    ScoredGame,
    Standings,
    StandingsRow,
    Totals,
    columns,
    count,
    encounter_points,
    explain,
    rank,
    standings_after,
)

WIN, DRAW, LOSS = (2, 0), (1, 1), (0, 2)
BY_WINS, BY_VICTORY_POINTS, BY_ENCOUNTERS = Ranking


def encounter(name: str, first: str, second: str, *games: tuple[tuple[int, int], tuple[int, int]]) -> list[ScoredGame]:
    """The games of an encounter, each as (victory points, secondary scores), seen by the first team.

    Every other game is written down with the second team in front, as it begins these.
    """
    written = []
    for number, (points, secondary) in enumerate(games):
        if number % 2:
            written.append(ScoredGame(name, (second, first), (points[1], points[0]), (secondary[1], secondary[0])))
        else:
            written.append(ScoredGame(name, (first, second), points, secondary))
    return written


def ranks(standings: Standings) -> list[tuple[int, str]]:
    return [(row.rank, row.team) for row in standings.rows]


def row(standings: Standings, team: str) -> StandingsRow:
    return next(found for found in standings.rows if found.team == team)


# --- the columns ------------------------------------------------------------------------------------------------------


def test_all_columns_of_one_encounter_by_hand() -> None:
    # Ada wins 3, draws 1, loses 2 of six games with 9, 8, 7, 6, 5, 4 fish; Bob has 1, 2, 3, 6, 9, 9.
    games = encounter(
        "1", "Ada", "Bob", (WIN, (9, 1)), (WIN, (8, 2)), (WIN, (7, 3)), (DRAW, (6, 6)), (LOSS, (5, 9)), (LOSS, (4, 9))
    )
    standings = standings_after(games, ["Bob", "Ada"], BY_VICTORY_POINTS)
    ada, bob = row(standings, "Ada").totals, row(standings, "Bob").totals
    # Ada: victory points 2 + 2 + 2 + 1 + 0 + 0 = 7; average (9 + 8 + 7 + 6 + 5 + 4) / 6 = 39/6; 3 > 2 games won.
    assert ada == Totals(encounters=1, won=3, drawn=1, lost=2, secondary=39, encounter_points=2)
    assert (ada.games, ada.victory_points, ada.average) == (6, 7, Fraction(39, 6))
    # Bob: victory points 0 + 0 + 0 + 1 + 2 + 2 = 5; average (1 + 2 + 3 + 6 + 9 + 9) / 6 = 30/6.
    assert bob == Totals(encounters=1, won=2, drawn=1, lost=3, secondary=30, encounter_points=0)
    assert (bob.victory_points, bob.average) == (5, 5)
    assert ranks(standings) == [(1, "Ada"), (2, "Bob")]


def test_every_column_has_a_heading() -> None:
    columns = {"rank", "team", "encounters", "won", "drawn", "lost", "victory_points", "average", "encounter_points"}
    assert set(HEADINGS) == columns
    for column in columns - {"rank", "team"}:
        assert hasattr(Totals(), column)


def test_an_encounter_is_won_by_more_games_won() -> None:
    assert encounter_points({"Ada": 1, "Bob": 0}) == {"Ada": 2, "Bob": 0}
    assert encounter_points({"Ada": 2, "Bob": 2}) == {"Ada": 1, "Bob": 1}
    assert encounter_points({"Ada": 0, "Bob": 6}) == {"Ada": 0, "Bob": 2}
    assert encounter_points({"Ada": 0, "Bob": 0}, drawn=1) == {"Ada": 1, "Bob": 1}


def test_nobody_gets_points_for_an_encounter_that_both_have_lost() -> None:
    assert encounter_points({"Ada": 0, "Bob": 0}) == {"Ada": 0, "Bob": 0}


def test_a_team_that_rests_or_has_not_played_is_in_the_table() -> None:
    standings = standings_after(encounter("1", "Ada", "Bob", (LOSS, (0, 3))), ["Ada", "Bob", "Cem"], BY_VICTORY_POINTS)
    # Cem has no game, Ada one lost with an average of 0: no criterion tells them apart.
    assert ranks(standings) == [(1, "Bob"), (2, "Ada"), (2, "Cem")]
    assert row(standings, "Cem").totals.average is None


def test_disqualified_games_count() -> None:
    # Bob is disqualified: his two games stay games, 0 points and 0 fish; Ada gets the victories and keeps her fish.
    games = encounter("1", "Ada", "Bob", (WIN, (5, 0)), (WIN, (7, 0)))
    standings = standings_after(games, ["Ada", "Bob"], BY_VICTORY_POINTS)
    assert row(standings, "Bob").totals == Totals(encounters=1, lost=2)
    assert row(standings, "Bob").totals.average == 0
    assert row(standings, "Ada").totals.average == 6


def test_a_game_that_both_lose_is_lost_by_both() -> None:
    standings = standings_after([ScoredGame("1", ("Ada", "Bob"), (0, 0))], ["Ada", "Bob"], BY_ENCOUNTERS)
    assert [found.totals for found in standings.rows] == [Totals(encounters=1, lost=1)] * 2
    # With one drawn game beside it the encounter is level: 1 encounter point each.
    games = [ScoredGame("1", ("Ada", "Bob"), (0, 0)), ScoredGame("1", ("Bob", "Ada"), DRAW)]
    standings = standings_after(games, ["Ada", "Bob"], BY_ENCOUNTERS)
    assert [found.totals for found in standings.rows] == [Totals(encounters=1, drawn=1, lost=1, encounter_points=1)] * 2


def test_an_unfinished_encounter_gives_no_encounter_points_yet() -> None:
    games = encounter("1", "Ada", "Bob", (WIN, (5, 4)), (WIN, (7, 1)))
    totals = count(games, ["Ada", "Bob"], unfinished=["1"])
    assert totals["Ada"] == Totals(won=2, secondary=12)
    assert count(games, ["Ada", "Bob"])["Ada"] == Totals(encounters=1, won=2, secondary=12, encounter_points=2)


# --- by wins ----------------------------------------------------------------------------------------------------------


def test_by_wins_a_win_is_worth_more_than_any_number_of_draws() -> None:
    # Ada: 1 win, 2 losses: 2 victory points. Bob: 3 draws and no win: 3 victory points, and the better average.
    games = encounter("1", "Ada", "Cem", (WIN, (1, 5)), (LOSS, (1, 5)), (LOSS, (1, 5)))
    games += encounter("2", "Bob", "Dora", (DRAW, (9, 9)), (DRAW, (9, 9)), (DRAW, (9, 9)))
    # Cem has 2 wins; Bob and Dora are level in everything.
    assert ranks(standings_after(games, ["Ada", "Bob", "Cem", "Dora"], BY_WINS)) == [
        (1, "Cem"),
        (2, "Ada"),
        (3, "Bob"),
        (3, "Dora"),
    ]
    standings = standings_after(games, ["Ada", "Bob", "Cem", "Dora"], BY_VICTORY_POINTS)
    assert ranks(standings) == [(1, "Cem"), (2, "Bob"), (2, "Dora"), (4, "Ada")]


def test_by_wins_equal_wins_are_decided_by_the_average_and_not_by_draws() -> None:
    # Both have 1 win, and Ada a draw beside it; the averages are (4 + 4) / 2 = 4 and (5 + 5) / 2 = 5.
    games = encounter("1", "Ada", "Cem", (WIN, (4, 0)), (DRAW, (4, 4)))
    games += encounter("2", "Bob", "Dora", (WIN, (5, 0)), (LOSS, (5, 6)))
    standings = standings_after(games, ["Ada", "Bob", "Cem", "Dora"], BY_WINS)
    # Dora has a win, too, and the average (0 + 6) / 2 = 3; Cem has none.
    assert ranks(standings) == [(1, "Bob"), (2, "Ada"), (3, "Dora"), (4, "Cem")]
    assert [found.decided_by for found in standings.rows] == [
        None,
        Criterion.AVERAGE,
        Criterion.AVERAGE,
        Criterion.WINS,
    ]
    assert explain(standings.rows[2], standings.rows[3], BY_WINS).de == "Dora steht vor Cem: Siege 1 gegen 0."


# --- by victory points ------------------------------------------------------------------------------------------------


def test_by_victory_points_more_victory_points_are_first() -> None:
    # Ada 2 + 1 = 3 victory points with an average of (0 + 0) / 2 = 0; Bob 0 + 1 = 1 with (9 + 9) / 2 = 9.
    standings = standings_after(
        encounter("1", "Ada", "Bob", (WIN, (0, 9)), (DRAW, (0, 9))), ["Ada", "Bob"], BY_VICTORY_POINTS
    )
    assert ranks(standings) == [(1, "Ada"), (2, "Bob")]
    assert row(standings, "Bob").decided_by is Criterion.VICTORY_POINTS
    assert (
        explain(standings.rows[0], standings.rows[1], BY_VICTORY_POINTS).de
        == "Ada steht vor Bob: Siegpunkte 3 gegen 1."
    )


def test_by_victory_points_equal_victory_points_are_decided_by_the_average() -> None:
    # Both have 2 victory points. Ada (6 + 7) / 2 = 13/2, Bob (8 + 4) / 2 = 6.
    standings = standings_after(
        encounter("1", "Ada", "Bob", (WIN, (6, 8)), (LOSS, (7, 4))), ["Ada", "Bob"], BY_VICTORY_POINTS
    )
    assert ranks(standings) == [(1, "Ada"), (2, "Bob")]
    assert row(standings, "Bob").decided_by is Criterion.AVERAGE
    text = explain(standings.rows[0], standings.rows[1], BY_VICTORY_POINTS)
    assert text.de == "Ada steht vor Bob: Durchschnitt der Nebenwertung 6,50 gegen 6,00."
    assert text.en == "Ada is before Bob: average of the secondary score 6.50 against 6.00."


def test_the_average_and_not_the_sum_decides() -> None:
    # Ada: 1 game won, 5 points: 5/1. Bob: 1 won and 1 lost, 4 + 5 = 9 points: 9/2 < 5. Both have 2 victory points.
    games = encounter("1", "Ada", "Cem", (WIN, (5, 0))) + encounter("2", "Bob", "Cem", (WIN, (4, 0)), (LOSS, (5, 0)))
    standings = standings_after(games, ["Ada", "Bob", "Cem"], BY_VICTORY_POINTS)
    # Cem: 2 victory points too, average 0 / 3.
    assert ranks(standings) == [(1, "Ada"), (2, "Bob"), (3, "Cem")]


def test_averages_are_compared_exactly() -> None:
    # 100000000000000001 / 3 and 100000000000000000 / 3 are the same floating point number, but not the same average.
    sums = 10**17 + 1, 10**17
    assert sums[0] / 3 == sums[1] / 3
    standings = rank(
        {"Ada": Totals(won=3, secondary=sums[1]), "Bob": Totals(won=3, secondary=sums[0])}, BY_VICTORY_POINTS
    )
    assert ranks(standings) == [(1, "Bob"), (2, "Ada")]
    # 1/3 of 6 games and of 3 games: 2/6 = 1/3 exactly, a tie that rounding could break.
    standings = rank({"Ada": Totals(won=3, lost=3, secondary=2), "Bob": Totals(won=3, secondary=1)}, BY_VICTORY_POINTS)
    assert ranks(standings) == [(1, "Ada"), (1, "Bob")]


def test_averages_that_look_equal_are_explained_with_more_digits() -> None:
    # 37/6 = 6.1666..., 6167/1000 = 6.167: they differ in the fourth place.
    better = StandingsRow(1, "Ada", Totals(lost=1000, secondary=6167), False, None)
    worse = StandingsRow(2, "Bob", Totals(lost=6, secondary=37), False, Criterion.AVERAGE)
    assert "6.1670 against 6.1667" in explain(better, worse, BY_VICTORY_POINTS).en


def test_by_victory_points_encounter_points_do_not_matter() -> None:
    # Ada wins two encounters 1:0 (4 encounter points, 4 victory points), Bob one 3:0 (2 and 6).
    games = [
        *encounter("1", "Ada", "Cem", (WIN, (1, 1))),
        *encounter("2", "Ada", "Dora", (WIN, (1, 1))),
        *encounter("3", "Bob", "Emil", (WIN, (1, 1)), (WIN, (1, 1)), (WIN, (1, 1))),
    ]
    teams = ["Ada", "Bob", "Cem", "Dora", "Emil"]
    assert ranks(standings_after(games, teams, BY_VICTORY_POINTS))[:2] == [(1, "Bob"), (2, "Ada")]
    assert ranks(standings_after(games, teams, BY_ENCOUNTERS))[:2] == [(1, "Ada"), (2, "Bob")]


# --- by encounters ----------------------------------------------------------------------------------------------------


def test_by_encounters_equal_encounter_points_are_decided_by_victory_points() -> None:
    # Ada wins 2:0, Bob wins 1:0 with a draw: 2 encounter points each; victory points 2 + 2 = 4 against 2 + 1 = 3.
    games = encounter("1", "Ada", "Cem", (WIN, (0, 9)), (WIN, (0, 9)))
    games += encounter("2", "Bob", "Dora", (WIN, (9, 0)), (DRAW, (9, 0)))
    standings = standings_after(games, ["Dora", "Cem", "Bob", "Ada"], BY_ENCOUNTERS)
    # Dora drew one game: 1 victory point before Cem's 0; the averages (Cem 9, Dora 0) play no part.
    assert ranks(standings) == [(1, "Ada"), (2, "Bob"), (3, "Dora"), (4, "Cem")]
    assert [found.decided_by for found in standings.rows] == [
        None,
        Criterion.VICTORY_POINTS,
        Criterion.ENCOUNTER_POINTS,
        Criterion.VICTORY_POINTS,
    ]


def test_by_encounters_the_average_does_not_matter() -> None:
    games = encounter("1", "Ada", "Bob", (DRAW, (9, 0)))
    standings = standings_after(games, ["Ada", "Bob"], BY_ENCOUNTERS)
    assert ranks(standings) == [(1, "Ada"), (1, "Bob")]
    assert explain(standings.rows[0], standings.rows[1], BY_ENCOUNTERS).en == "Ada and Bob are level."


# --- in words, and as columns -----------------------------------------------------------------------------------------


def test_every_ranking_says_its_criteria_with_the_games_own_word() -> None:
    ambers = Text("Bernsteine", "ambers")
    assert [ranking.describe(ambers).en for ranking in Ranking] == [
        "Ranked by wins, then average ambers.",
        "Ranked by victory points, then average ambers.",
        "Ranked by encounter points, then victory points.",
    ]
    assert BY_WINS.describe(ambers).de == "Reihenfolge: Siege, dann Bernsteine im Schnitt."
    assert BY_WINS.describe(None).en == "Ranked by wins."


def test_the_columns_begin_with_the_criteria_in_their_order() -> None:
    assert columns(BY_WINS, secondary=True) == ("won", "average", "encounters", "drawn", "lost")
    assert columns(BY_VICTORY_POINTS, secondary=True)[:2] == ("victory_points", "average")
    assert columns(BY_ENCOUNTERS, secondary=True)[:2] == ("encounter_points", "victory_points")
    assert columns(BY_WINS, secondary=False, brief=True) == ("won",)


# --- shared ranks and lots --------------------------------------------------------------------------------------------

# Ada 3 wins; Bob, Cem and Dora 2 each; Emil 1: ranks 1, 2, 2, 2, 5.
TIED = {
    "Emil": Totals(won=1),
    "dora": Totals(won=2),
    "Cem": Totals(won=2),
    "Bob": Totals(won=2),
    "Ada": Totals(won=3),
}


def test_equal_teams_share_the_best_of_their_places() -> None:
    standings = rank(TIED, BY_VICTORY_POINTS)
    assert ranks(standings) == [(1, "Ada"), (2, "Bob"), (2, "Cem"), (2, "dora"), (5, "Emil")]
    assert [found.shared for found in standings.rows] == [False, True, True, True, False]
    assert [found.decided_by for found in standings.rows] == [
        None,
        Criterion.VICTORY_POINTS,
        None,
        None,
        Criterion.VICTORY_POINTS,
    ]


@pytest.mark.parametrize(
    ("cuts", "decided"), [([1], ()), ([2], (2,)), ([3], (3,)), ([4], ()), ([5], ()), (range(1, 9), (2, 3)), ([], ())]
)
def test_a_lot_is_needed_where_a_cut_goes_through_a_shared_rank(cuts: list[int], decided: tuple[int, ...]) -> None:
    # The tied teams have the places 2, 3 and 4 among them: after place 1 and after place 4 the cut is clear.
    ties = rank(TIED, BY_VICTORY_POINTS).ties(cuts)
    assert [tie.cuts for tie in ties] == ([decided] if decided else [])
    for tie in ties:
        assert (tie.teams, tie.first, tie.last) == ({"Bob", "Cem", "dora"}, 2, 4)


def test_a_needed_lot_is_said_in_words() -> None:
    (tie,) = rank(TIED, BY_VICTORY_POINTS).ties([3])
    assert tie.text.de == "Gleichauf auf den Plätzen 2 bis 4: Bob, Cem, dora; Platz 3 entscheidet das Los."
    assert tie.text.en == "Level on places 2 to 4: Bob, Cem, dora; place 3 is decided by lot."


def test_a_lot_decides_and_is_marked() -> None:
    lot = Lot(frozenset({"Bob", "Cem", "dora"}), "2026-05-09")
    standings = rank(TIED, BY_VICTORY_POINTS, [lot])
    assert [team for _, team in ranks(standings)] == ["Ada", *lot.order, "Emil"]
    assert [found.rank for found in standings.rows] == [1, 2, 3, 4, 5]
    assert [found.decided_by for found in standings.rows][2:4] == [Criterion.LOT, Criterion.LOT]
    assert not any(found.shared for found in standings.rows)
    assert standings.ties(range(1, 9)) == ()
    assert standings.unused_lots == ()
    text = explain(standings.rows[1], standings.rows[2], BY_VICTORY_POINTS)
    assert text.de.endswith("alle Zahlen sind gleich.")


def test_the_lot_can_be_drawn_again() -> None:
    lot = Lot(frozenset({"Ada", "Bob"}), "42")
    # printf '42:Ada' | sha256sum gives cee8638c..., '42:Bob' gives e12eed4a...: the smaller one is first.
    assert hashlib.sha256(b"42:Ada").hexdigest().startswith("cee8638c")
    assert hashlib.sha256(b"42:Bob").hexdigest().startswith("e12eed4a")
    assert lot.order == ("Ada", "Bob")
    assert lot.text.de == "Los mit dem Startwert 42: Ada vor Bob."


def test_lots_are_fair() -> None:
    # Each of three teams comes first in a third of 3000 lots; chance moves that by 26 (one standard deviation).
    teams = frozenset({"Ada", "Bob", "Cem"})
    firsts = [Lot(teams, str(seed)).order[0] for seed in range(3000)]
    for team in teams:
        assert abs(firsts.count(team) - 1000) < 80


def test_a_lot_of_other_teams_decides_nothing_and_is_reported() -> None:
    # A result was corrected after the lot: Dora is no longer tied with Bob and Cem.
    stale = Lot(frozenset({"Bob", "Cem"}), "1")
    standings = rank(TIED, BY_VICTORY_POINTS, [stale])
    assert ranks(standings) == ranks(rank(TIED, BY_VICTORY_POINTS))
    assert standings.unused_lots == (stale,)


def test_two_lots_among_the_same_teams_are_refused() -> None:
    teams = frozenset({"Bob", "Cem", "dora"})
    with pytest.raises(RatingError, match="two lots with different seeds"):
        rank(TIED, BY_VICTORY_POINTS, [Lot(teams, "1"), Lot(teams, "2")])
    assert rank(TIED, BY_VICTORY_POINTS, [Lot(teams, "1"), Lot(teams, "1")]) == rank(
        TIED, BY_VICTORY_POINTS, [Lot(teams, "1")]
    )


# --- bad input --------------------------------------------------------------------------------------------------------


def test_senseless_games_are_refused() -> None:
    with pytest.raises(RatingError, match="cannot play against itself"):
        ScoredGame("1", ("Ada", "Ada"), WIN)
    with pytest.raises(RatingError, match=r"cannot give \(2, 1\)"):
        ScoredGame("1", ("Ada", "Bob"), (2, 1))
    with pytest.raises(RatingError, match="'Cem' is not a team of these standings"):
        count([ScoredGame("1", ("Ada", "Cem"), WIN)], ["Ada", "Bob"])
    with pytest.raises(RatingError, match="encounter '1' is between Ada and Bob, not 'Cem'"):
        count([ScoredGame("1", ("Ada", "Bob"), WIN), ScoredGame("1", ("Ada", "Cem"), WIN)], ["Ada", "Bob", "Cem"])
    with pytest.raises(RatingError, match="the same name"):
        count([], ["Ada", "Ada"])
    with pytest.raises(RatingError, match="at least two teams"):
        Lot(frozenset({"Ada"}), "1")
    with pytest.raises(RatingError, match="drawn, not counted"):
        Totals().value(Criterion.LOT)


def test_no_teams_make_an_empty_table() -> None:
    assert standings_after([], [], BY_VICTORY_POINTS).rows == ()
    assert standings_after([], [], BY_VICTORY_POINTS).ties([8]) == ()


# --- laws -------------------------------------------------------------------------------------------------------------

TEAMS = ("Ada", "Bob", "Cem", "Dora", "Emil")


@st.composite
def seasons(draw: st.DrawFn) -> list[ScoredGame]:
    """Some encounters of some games each, with small numbers, so that ties are common."""
    games = []
    for first, second in draw(st.sets(st.sampled_from([(a, b) for a in TEAMS for b in TEAMS if a < b]))):
        for _ in range(draw(st.integers(1, 4))):
            teams = draw(st.sampled_from([(first, second), (second, first)]))
            points = draw(st.sampled_from([WIN, DRAW, LOSS, (0, 0)]))
            secondary = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
            games.append(ScoredGame(f"{first}-{second}", teams, points, secondary))
    return games


rankings = st.sampled_from(list(Ranking))


@given(seasons(), rankings, st.randoms(use_true_random=False))
def test_the_table_is_a_function_of_the_games_and_not_of_their_order(
    games: list[ScoredGame], ranking: Ranking, rng: Random
) -> None:
    shuffled, teams = list(games), list(TEAMS)
    rng.shuffle(shuffled)
    rng.shuffle(teams)
    assert standings_after(shuffled, teams, ranking) == standings_after(games, TEAMS, ranking)


@given(seasons(), rankings)
def test_a_rank_is_one_more_than_the_number_of_better_teams(games: list[ScoredGame], ranking: Ranking) -> None:
    standings = standings_after(games, TEAMS, ranking)

    def worth(found: StandingsRow) -> list[Fraction]:
        return [found.totals.value(criterion) for criterion in ranking.criteria]

    assert sorted(found.team for found in standings.rows) == sorted(TEAMS)
    for found in standings.rows:
        assert found.rank == 1 + sum(worth(other) > worth(found) for other in standings.rows)
        assert found.shared == (sum(other.rank == found.rank for other in standings.rows) > 1)


@given(seasons())
def test_points_are_neither_made_nor_lost(games: list[ScoredGame]) -> None:
    totals = count(games, TEAMS)
    whole = sum(totals.values(), Totals())
    assert whole.games == 2 * len(games)
    assert whole.victory_points == sum(sum(game.victory_points) for game in games)
    assert whole.secondary == sum(sum(game.secondary) for game in games)
    encounters = {game.encounter for game in games}
    assert whole.encounters == 2 * len(encounters)
    # Two points for each encounter, but none where nobody got a single victory point.
    scored = {game.encounter for game in games if any(game.victory_points)}
    assert whole.encounter_points == 2 * len(scored)


@given(seasons(), rankings, st.text(max_size=5))
def test_lots_for_every_tie_leave_no_shared_rank(games: list[ScoredGame], ranking: Ranking, seed: str) -> None:
    totals = count(games, TEAMS)
    lots = [Lot(tie.teams, seed) for tie in rank(totals, ranking).ties(range(1, len(TEAMS)))]
    standings = rank(totals, ranking, lots)
    assert [found.rank for found in standings.rows] == list(range(1, len(TEAMS) + 1))
    assert standings.unused_lots == ()
    assert standings == rank(totals, ranking, list(reversed(lots)))


@given(seasons(), rankings)
def test_every_two_rows_are_explained(games: list[ScoredGame], ranking: Ranking) -> None:
    rows = standings_after(games, TEAMS, ranking).rows
    for number, better in enumerate(rows):
        for worse in rows[number + 1 :]:
            text = explain(better, worse, ranking)
            assert ("level" in text.en) == (better.rank == worse.rank)
