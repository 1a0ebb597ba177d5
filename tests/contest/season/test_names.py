"""Names of encounters and games: made and read in one place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import GameName, day_key, encounter_key, game_name, parse_game_name

groups = st.text(st.characters(categories=["L", "N"]), max_size=20).filter(lambda group: not group or group.isalnum())
days = st.tuples(st.sampled_from([stage for stage in Stage if stage is not Stage.FRIENDLY]), groups, st.integers(1, 99))
places = st.integers(1, 300)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ((Stage.TRIAL, "B", 1, 3), "T1-B3"),
        ((Stage.CHAMPIONSHIP, "A", 3, 2), "M3-A2"),
        ((Stage.CHAMPIONS_LEAGUE, "", 12, 10), "C12-10"),
        ((Stage.FINAL, "", 1, 4), "F1-4"),
        ((Stage.FRIENDLY, "", None, 17), "X17"),
        ((Stage.CHAMPIONSHIP, "1", 3, 12), "M3-1.12"),
    ],
)
def test_an_encounter_is_named_by_phase_day_group_and_place(key: tuple[Stage, str, int | None, int], name: str) -> None:
    assert encounter_key(*key) == name


def test_a_day_is_named_by_phase_and_number() -> None:
    assert day_key(Stage.CHAMPIONSHIP, 3) == "M3"


def test_a_second_attempt_at_a_game_is_named_after_it() -> None:
    assert game_name("M3-A2", 4) == "M3-A2-4"
    assert game_name("M3-A2", 4, 2) == "M3-A2-4-2"


@given(days, places, days, places)
def test_two_encounters_never_have_the_same_name(
    day: tuple[Stage, str, int], place: int, other_day: tuple[Stage, str, int], other_place: int
) -> None:
    same = encounter_key(*day, place) == encounter_key(*other_day, other_place)
    assert same == ((day, place) == (other_day, other_place))


def test_place_12_of_group_1_is_not_place_2_of_group_11() -> None:
    assert encounter_key(Stage.TRIAL, "1", 1, 12) != encounter_key(Stage.TRIAL, "11", 1, 2)


@given(days, places, st.integers(1, 1000), st.integers(1, 20))
def test_the_name_of_a_game_is_read_back(day: tuple[Stage, str, int], place: int, number: int, attempt: int) -> None:
    key = encounter_key(*day, place)
    name = game_name(key, number, attempt)
    assert parse_game_name(name) == GameName(key, number, None if attempt == 1 else attempt)
    assert parse_game_name(key) is None


def test_friendly_games_and_small_letters_are_read_too() -> None:
    assert parse_game_name("X7-2") == GameName("X7", 2, None)
    assert parse_game_name("X7") is None
    assert parse_game_name("m3-a2-4-2") == GameName("m3-a2", 4, 2)


@pytest.mark.parametrize("text", ["", "nonsense", "M3", "M3-A2-", "M3-A2-x", "Q1-A1-1", "M3-A2-4-2-1", "M3-A2-4 "])
def test_anything_else_is_not_a_name_of_a_game(text: str) -> None:
    assert parse_game_name(text) is None
