"""Who plays whom: every format, with results made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import SettingsError
from spielleiter.matches.pairings import Arrangement, Format, Pairing

Judge = Callable[[Pairing], tuple[float, float]]


def stronger_wins(pairing: Pairing) -> tuple[float, float]:
    """The one who stands higher in the list wins."""
    return (1.0, 0.0) if pairing.one < pairing.two else (0.0, 1.0)


def run(plan: Arrangement, judge: Judge = stronger_wins) -> list[Pairing]:
    points: dict[str, tuple[float, float] | None] = {}
    played: list[Pairing] = []
    for pairing in plan.stream(points):
        if pairing is None:
            for done in played:
                points[done.id] = judge(done)
        else:
            played.append(pairing)
    return played


@pytest.mark.parametrize(
    ("form", "players", "encounters"),
    [
        ("duel", 2, 1),
        ("round-robin", 5, 10),
        ("gauntlet", 5, 4),
        ("knockout", 8, 7),
        ("knockout", 5, 4),
        ("swiss", 8, 12),
    ],
)
def test_every_format_plays_as_many_games_as_it_says(form: str, players: int, encounters: int) -> None:
    plan = Arrangement(Format(form), players, 3)
    games = run(plan)
    assert len(games) == plan.total() == encounters * 6


@given(st.sampled_from(list(Format)), st.integers(2, 9), st.integers(1, 3), st.integers(0, 99))
def test_games_come_in_pairs_with_the_same_start_and_ids_of_their_own(
    form: Format, players: int, pairs: int, salt: int
) -> None:
    players = 2 if form is Format.DUEL else players
    draws = [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)]
    games = run(Arrangement(form, players, pairs), lambda pairing: draws[crc32(f"{salt}{pairing.id}".encode()) % 3])
    assert len({game.id for game in games}) == len(games)
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first.pair == second.pair
        assert (first.one, first.two, first.start) == (second.two, second.one, second.start)
        assert first.one != first.two


def test_the_stream_is_the_same_each_time() -> None:
    plan = Arrangement(Format.SWISS, 7, 2)
    assert run(plan) == run(plan)


def test_a_round_robin_that_is_broken_off_is_balanced() -> None:
    games = [game for game in islice(Arrangement(Format.ROUND_ROBIN, 4, 50).stream({}), 24) if game]
    assert set(Counter(player for game in games for player in (game.one, game.two)).values()) == {12}


def test_without_a_number_of_games_a_duel_never_ends() -> None:
    assert len(list(islice(Arrangement(Format.DUEL, 2, None).stream({}), 1000))) == 1000


def test_in_a_knockout_the_best_two_meet_in_the_final() -> None:
    games = run(Arrangement(Format.KNOCKOUT, 8, 1))
    final = [game for game in games if game.round == 3]
    assert {final[0].one, final[0].two} == {0, 1}
    assert {(game.one, game.two) for game in games if game.round == 1 and game.one < game.two} == {
        (0, 7), (3, 4), (1, 6), (2, 5)
    }  # fmt: skip


def test_in_a_knockout_of_five_the_first_three_have_a_bye() -> None:
    first_round = [game for game in run(Arrangement(Format.KNOCKOUT, 5, 1)) if game.round == 1]
    assert {game.one for game in first_round} == {3, 4}


def test_a_level_encounter_of_a_knockout_is_played_on() -> None:
    def judge(pairing: Pairing) -> tuple[float, float]:
        if pairing.start < 2:
            return 0.5, 0.5
        return (0.0, 1.0) if pairing.one < pairing.two else (1.0, 0.0)

    games = run(Arrangement(Format.KNOCKOUT, 2, 1), judge)
    assert [game.start for game in games] == [0, 0, 1, 1, 2, 2]


def test_a_knockout_ends_also_if_everything_is_drawn() -> None:
    games = run(Arrangement(Format.KNOCKOUT, 4, 1), lambda _: (0.5, 0.5))
    assert {game.round for game in games} == {1, 2}
    final = {player for game in games if game.round == 2 for player in (game.one, game.two)}
    assert final == {0, 1}


def test_in_a_swiss_match_nobody_meets_twice() -> None:
    for players in (4, 5, 8, 9):
        games = run(Arrangement(Format.SWISS, players, 1))
        met = Counter(frozenset((game.one, game.two)) for game in games)
        assert set(met.values()) == {2}


def test_in_a_swiss_match_of_seven_nobody_rests_twice() -> None:
    games = run(Arrangement(Format.SWISS, 7, 1, rounds=4))
    rested: Counter[int] = Counter()
    for round_ in range(1, 5):
        playing = {player for game in games if game.round == round_ for player in (game.one, game.two)}
        rested.update(set(range(7)) - playing)
    assert set(rested.values()) == {1}


def test_swiss_pairs_those_with_equal_scores() -> None:
    games = run(Arrangement(Format.SWISS, 8, 1))
    second_round = {frozenset((game.one, game.two)) for game in games if game.round == 2}
    assert second_round == {frozenset(pair) for pair in ((0, 2), (4, 6), (1, 3), (5, 7))}


@pytest.mark.parametrize(
    ("form", "players", "pairs", "rounds", "said"),
    [
        ("duel", 3, 1, None, "two players"),
        ("round-robin", 1, 1, None, "at least two players"),
        ("swiss", 4, None, None, "needs a number of games"),
        ("duel", 2, 0, None, "at least two games"),
        ("duel", 2, 1, 3, "format swiss only"),
    ],
)
def test_impossible_arrangements_are_refused(
    form: str, players: int, pairs: int | None, rounds: int | None, said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        Arrangement(Format(form), players, pairs, rounds)


def test_the_challengers_of_a_gauntlet_meet_all_others_but_not_each_other() -> None:
    games = run(Arrangement(Format.GAUNTLET, 5, 1, challengers=2))
    assert {frozenset((game.one, game.two)) for game in games} == {
        frozenset((challenger, other)) for challenger in (0, 1) for other in (2, 3, 4)
    }
    assert len(games) == 12


@pytest.mark.parametrize(("form", "challengers"), [("gauntlet", 0), ("gauntlet", 4), ("round-robin", 1)])
def test_senseless_challengers_are_refused(form: str, challengers: int) -> None:
    with pytest.raises(SettingsError, match="--challengers"):
        Arrangement(Format(form), 4, 1, challengers=challengers)
