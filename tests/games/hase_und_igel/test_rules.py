"""Hase und Igel, rule by rule; the R-numbers are those of games/hase_und_igel/RULES.md."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter.errors import IllegalMove
from spielleiter.game import Team, random_game
from spielleiter.games.hase_und_igel import Card, HaseUndIgelEnd, HaseUndIgelViolation, State
from spielleiter.games.hase_und_igel.moves import EAT_SALAD, Advance, garbage_move
from spielleiter.games.hase_und_igel.recordings import write_action
from spielleiter.games.hase_und_igel.rules import (
    HASE_UND_IGEL_2025,
    HASE_UND_IGEL_2025_OFFICIAL,
    RULE_SETS,
    Rules,
    cost,
    new_state,
    reach,
)
from spielleiter.games.hase_und_igel.track import LAYOUT, LENGTH, Field, draw_track, track_of
from tests.support import hase_und_igel_naive as naive
from tests.support.hase_und_igel_positions import TRACK, hare, move, moves_of, play, position
from tests.support.night import examples

# --- track and start --------------------------------------------------------------------------------------------------


def test_r1_the_track_has_65_fields_from_start_to_goal() -> None:
    track = draw_track(Random(1))
    assert len(track.fields) == LENGTH == 65
    assert (track.fields[0], track.fields[64]) == (Field.START, Field.GOAL)


@given(seed=st.integers(0, 2**32))
def test_r2_salads_hedgehogs_and_the_last_fields_are_fixed(seed: int) -> None:
    letters = draw_track(Random(seed)).letters
    assert [at for at, letter in enumerate(letters) if letter == "S"] == [10, 22, 42, 57]
    assert [at for at, letter in enumerate(letters) if letter == "I"] == [11, 15, 19, 24, 30, 37, 43, 50, 56]
    assert letters[58:] == "HC1CHCG"


def test_r3_every_order_of_a_group_is_equally_likely() -> None:
    rng, draws = Random(3), 6000
    found = Counter(draw_track(rng).letters[16:19] for _ in range(draws))
    assert len(found) == 6
    assert all(abs(count - draws / 6) < 130 for count in found.values())  # more than four standard deviations


def test_r3_the_groups_keep_their_fields() -> None:
    letters = draw_track(Random(5)).letters
    for places, group in LAYOUT:
        assert sorted(letters[place] for place in places) == sorted(group)
    assert sorted(place for places, _ in LAYOUT for place in places) == list(range(65))


def test_r4_both_start_on_0_with_68_carrots_and_5_salads_and_one_begins() -> None:
    start = new_state(HASE_UND_IGEL_2025, Random(1))
    assert (start.turn, start.to_move) == (0, Team.ONE)
    assert hare(start, 0) == hare(start, 1) == (0, 68, 5, "")


# --- moves ------------------------------------------------------------------------------------------------------------


def test_r5_a_salad_is_eaten_first_for_10_carrots_ahead_and_30_behind() -> None:
    ahead, behind = position("10:30:5:-:-", "3:30:5:-:-"), position("10:30:5:-:-")
    assert ahead.legal_moves() == behind.legal_moves() == (EAT_SALAD,)
    assert hare(play(ahead, "salad")) == (10, 40, 4, "")
    assert hare(play(behind, "salad")) == (10, 60, 4, "")


def test_r5_a_hare_that_has_eaten_leaves() -> None:
    assert "salad" not in moves_of(position("10:30:4:-:e"))
    assert "+2" in moves_of(position("10:30:4:-:e"))


@pytest.mark.parametrize(("distance", "carrots"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (11, 66), (44, 990)])
def test_r6_running_costs_the_sum_of_its_steps(distance: int, carrots: int) -> None:
    assert cost(distance) == carrots == sum(range(distance + 1))
    assert reach(carrots) == distance
    assert reach(carrots - 1) == distance - 1


def test_r6_what_may_be_entered() -> None:
    # Behind 20: C S 2 I C C; the other hare is on 23, and there is no card for the hare field 28.
    assert moves_of(position("20:30:3:-:-", "23:50:3:-:-")) == {
        *("+1", "+2", "+5", "+6", "back", "carrots +10", "carrots -10")
    }
    assert "+2" not in moves_of(position("20:30:0:-:-"))
    assert "+7 E" not in moves_of(position("9:28:3:-:-"))  # 28 carrots bring it to the market, but not into it


@pytest.mark.parametrize(("carrots", "salads", "may"), [(3, 0, True), (13, 0, True), (14, 0, False), (13, 1, False)])
def test_r6_the_goal_needs_few_carrots_and_no_salad(carrots: int, salads: int, may: bool) -> None:
    assert ("+2" in moves_of(position(f"62:{carrots}:{salads}:-:-", "50:5:0:-:-"))) is may


def test_r6_the_goal_has_room_for_both() -> None:
    assert "+1" in moves_of(position("64:5:0:-:-", "63:2:0:-:-", turn=21))


def test_r7_exactly_one_card_is_bought_on_a_market() -> None:
    state = position("3:30:5:E:-")
    assert {text for text in moves_of(state) if text.startswith("+4")} == {"+4 E", "+4 S", "+4 F", "+4 H"}
    assert hare(play(state, "+4 E")) == (7, 10, 5, "EE")


def test_r8_a_card_is_played_on_a_hare_field_and_is_gone() -> None:
    state = position("3:30:5:EES:-")
    assert hare(play(state, "+1 E")) == (4, 59, 4, "ES")
    assert not any(text.startswith("+1") for text in moves_of(position("3:30:5:-:-")))


def test_r8_a_card_that_leads_to_a_hare_field_is_followed_by_another() -> None:
    state = position("3:30:5:HE:-", "32:30:5:-:-")
    assert {text for text in moves_of(state) if text.startswith("+1")} == {"+1 E", "+1 HE"}
    assert hare(play(state, "+1 HE")) == (33, 39, 4, "")


def test_r8_a_card_that_leads_to_a_market_is_followed_by_a_purchase() -> None:
    state = position("3:30:5:H:-", "15:30:5:-:-")
    assert {text for text in moves_of(state) if text.startswith("+1")} == {"+1 HE", "+1 HS", "+1 HF", "+1 HH"}
    assert hare(play(state, "+1 HH")) == (16, 19, 5, "H")


def test_r8_cards_alternate_as_long_as_they_last() -> None:
    # 34 and 32 are hare fields around 33, on a track where they are.
    track = TRACK[:31] + "CHCHC2" + TRACK[37:]
    state = position("28:60:5:HFHFE:-", "33:30:5:-:-", track=track)
    assert hare(play(state, "+4 HFHFE")) == (32, 80, 4, "")


def test_r9_the_card_eats_a_salad_by_the_position_at_that_moment() -> None:
    assert hare(play(position("3:30:5:E:-", "2:30:5:-:-"), "+1 E")) == (4, 39, 4, "")
    assert hare(play(position("3:30:5:E:-", "12:30:5:-:-"), "+1 E")) == (4, 59, 4, "")
    # It is not the action of R5: on a salad field the hare has to eat all the same.
    assert not play(position("3:30:5:E:-"), "+1 E").hares[0].has_eaten


def test_r10_carrots_are_swapped() -> None:
    state = play(position("3:30:5:S:-", "12:7:4:-:-"), "+1 S")
    assert (hare(state, 0), hare(state, 1)) == ((4, 7, 5, ""), (12, 29, 4, ""))


@pytest.mark.parametrize(
    ("one", "two", "may"),
    [
        ("3:30:5:S:-", "56:7:4:-:-", True),
        ("3:30:5:S:-", "57:7:4:-:e", False),
        ("57:30:4:S:e", "12:7:4:-:-", False),
        ("3:30:5:S:-", "12:7:4:-:s", False),
        ("3:30:5:S:s", "12:7:4:-:-", False),
    ],
)
def test_r10_not_beyond_the_last_salad_nor_after_a_swap(one: str, two: str, may: bool) -> None:
    assert ("+1 S" in moves_of(position(one, two))) is may


def test_r11_hurrying_leads_just_in_front_of_the_other_hare() -> None:
    assert hare(play(position("3:30:5:H:-", "11:30:5:-:-"), "+1 H")) == (12, 29, 5, "")
    assert "+1 H" not in moves_of(position("3:30:5:H:-", "2:30:5:-:-"))
    assert "+1 H" not in moves_of(position("3:30:5:H:-", "14:30:5:-:-"))  # a hedgehog
    assert "+1 H" in moves_of(position("3:9:0:H:-", "63:30:5:-:-"))  # the goal


def test_r12_the_card_falls_back_to_just_behind_the_other_hare() -> None:
    assert hare(play(position("26:30:5:F:-", "13:30:5:-:-"), "+1 F")) == (12, 29, 5, "")
    assert "+1 F" not in moves_of(position("26:30:5:F:-", "29:30:5:-:-"))
    assert "+1 F" not in moves_of(position("26:30:5:F:-", "12:30:5:-:-"))  # a hedgehog
    assert "+1 F" not in moves_of(position("3:30:5:F:-", "1:30:5:-:-"))  # the start


def test_r13_falling_back_pays_10_carrots_a_field() -> None:
    assert hare(play(position("28:30:5:-:-"), "back")) == (24, 70, 5, "")
    assert "back" not in moves_of(position("28:30:5:-:-", "24:30:5:-:-"))
    assert "back" not in moves_of(position("11:30:5:-:-"))


def test_r14_carrots_are_taken_and_given_back_on_a_carrot_field() -> None:
    assert hare(play(position("1:30:5:-:-"), "carrots +10")) == (1, 40, 5, "")
    assert hare(play(position("1:30:5:-:-"), "carrots -10")) == (1, 20, 5, "")
    assert "carrots -10" not in moves_of(position("1:9:5:-:-"))
    assert not {text for text in moves_of(position("8:30:5:-:-")) if "carrots" in text}


def test_r15_the_last_action_is_the_move_or_the_card_with_which_it_ended() -> None:
    state = position("3:60:5:ES:-", "12:7:4:-:-")
    assert play(state, "+1 S").hares[0].last_action is Card.SWAP_CARROTS
    assert play(state, "+4 E").hares[0].last_action == Advance(4, (Card.EAT_SALAD,))
    assert play(state, "+5").hares[0].last_action == Advance(5)
    # A skipped turn does not change it (R19).
    skipped = play(position("3:60:5:-:-", "11:0:4:-:s"), "carrots +10")
    assert (skipped.turn, skipped.hares[1].last_action) == (22, Card.SWAP_CARROTS)


def test_r16_nobody_may_pass() -> None:
    state = position("12:30:5:-:-", "14:30:5:-:-")
    before = naive.board_of(state)["hares"]
    assert all(naive.board_of(state.play(found))["hares"] != before for found in state.legal_moves())
    assert state.violation(Advance(0)) is HaseUndIgelViolation.NO_DISTANCE


# --- turns ------------------------------------------------------------------------------------------------------------


def test_r17_turns_count_and_one_moves_when_they_are_even() -> None:
    state = play(position("1:30:5:-:-", "12:30:5:-:-"), "carrots +10")
    assert (state.turn, state.to_move, state.round) == (21, Team.TWO, 11)


@pytest.mark.parametrize(("two", "carrots"), [("8:30:5:-:-", 40), ("9:30:5:-:-", 30), ("17:30:5:-:-", 30)])
def test_r18_position_1_pays_10_to_the_hare_ahead(two: str, carrots: int) -> None:
    one = "20:30:5:-:-" if two.startswith("17") else "1:30:5:-:-"  # 8 and 17 are POSITION_1; on 17 TWO is behind
    assert play(position(one, two), "carrots -10").hares[1].carrots == carrots


@pytest.mark.parametrize(("two", "carrots"), [("9:30:5:-:-", 60), ("8:30:5:-:-", 30)])
def test_r18_position_2_pays_30_to_the_hare_that_is_not_ahead(two: str, carrots: int) -> None:
    assert play(position("12:30:5:-:-", two), "carrots -10").hares[1].carrots == carrots


def test_r19_a_hare_without_a_move_is_skipped() -> None:
    # TWO has no carrots on a hedgehog with none behind.
    state = play(position("12:30:5:-:-", "11:0:5:-:-"), "carrots +10")
    assert (state.turn, state.to_move) == (22, Team.ONE)
    assert hare(state, 1) == (11, 0, 5, "")


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_r20_if_neither_can_move_the_game_ends_and_the_one_in_front_wins(rules: Rules) -> None:
    state = play(position("3:1:5:E:-", "11:0:5:-:-", rules=rules), "+1 E")
    stuck = position("4:0:5:-:-", "11:0:5:-:-", rules=rules)
    assert state.outcome is None
    assert stuck.turn == 60
    assert stuck.outcome is not None
    assert (stuck.outcome.winner, stuck.outcome.reason) == (Team.TWO, HaseUndIgelEnd.AHEAD)


# --- end --------------------------------------------------------------------------------------------------------------


def test_r21_two_answers_ones_goal_and_then_it_is_over() -> None:
    state = play(position("62:5:0:-:-", "61:6:0:-:-"), "+2")
    assert state.outcome is None
    assert play(state, "carrots +10").outcome is not None
    assert play(position("60:5:0:-:-", "62:5:0:-:-", turn=21), "+2").outcome is not None


def test_r21_over_after_30_rounds() -> None:
    state = play(position("1:30:5:-:-", "12:30:5:-:-", turn=59), "carrots +10")
    assert state.turn == 60
    assert state.legal_moves() == ()
    assert state.violation(EAT_SALAD) is HaseUndIgelViolation.GAME_OVER


@pytest.mark.parametrize(
    ("one", "two", "winner", "reason"),
    [
        ("64:5:0:-:-", "63:5:0:-:-", Team.ONE, HaseUndIgelEnd.GOAL),
        ("64:5:0:-:-", "64:4:0:-:-", Team.TWO, HaseUndIgelEnd.FEWER_CARROTS),
        ("64:5:0:-:-", "64:5:0:-:-", None, HaseUndIgelEnd.TIE),
    ],
)
def test_r22_who_wins(one: str, two: str, winner: Team | None, reason: HaseUndIgelEnd) -> None:
    outcome = position(one, two).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (winner, reason)


def test_r22_further_ahead_after_30_rounds() -> None:
    outcome = position("12:90:5:-:-", "13:30:5:-:-", turn=60).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Team.TWO, HaseUndIgelEnd.AHEAD)


def test_r23_points_are_victory_points_field_and_carrots() -> None:
    state = position("64:5:0:-:-", "63:7:0:-:-")
    assert (state.points(Team.ONE), state.points(Team.TWO)) == ((2, 64, 5), (0, 63, 7))


@pytest.mark.parametrize(("rules", "carrots"), [(HASE_UND_IGEL_2025, 30), (HASE_UND_IGEL_2025_OFFICIAL, 60)])
def test_r24_only_the_server_pays_a_position_field_after_the_last_move(rules: Rules, carrots: int) -> None:
    state = play(position("9:30:5:-:-", "12:30:5:-:-", turn=59, rules=rules), "carrots +10")
    assert state.outcome is not None
    assert state.hares[0].carrots == carrots


@pytest.mark.parametrize("distance", [0, -1, -3])
def test_r27_a_hare_runs_forward_though_the_server_let_it_stay(distance: int) -> None:
    assert position("9:30:5:-:-").violation(Advance(distance)) is HaseUndIgelViolation.NO_DISTANCE


# --- violations -------------------------------------------------------------------------------------------------------

V = HaseUndIgelViolation
REFUSED = [
    ("64:5:0:-:-", "63:5:0:-:-", "back", V.GAME_OVER),
    ("10:30:5:-:-", "9:30:5:-:-", "+2", V.MUST_EAT_SALAD),
    ("10:30:5:-:-", "9:30:5:-:-", "carrots +10", V.MUST_EAT_SALAD),
    ("3:60:5:F:-", "9:60:5:-:-", "+0", V.NO_DISTANCE),
    ("3:60:5:F:-", "9:60:5:-:-", "-2", V.NO_DISTANCE),
    ("3:60:5:F:-", "9:60:5:-:-", "+11", V.TOO_FEW_CARROTS),
    ("3:60:5:F:-", "9:60:5:-:-", "+70", V.TOO_FEW_CARROTS),
    ("63:9:0:F:-", "9:60:5:-:-", "+2", V.NO_SUCH_FIELD),
    ("3:30:5:F:-", "1:30:5:-:-", "+1 F", V.ONTO_START),
    ("3:60:5:F:-", "9:60:5:-:-", "+6", V.OCCUPIED),
    ("8:60:0:F:-", "9:60:5:-:-", "+2", V.NO_SALAD_LEFT),
    ("3:19:5:F:-", "9:60:5:-:-", "+4 E", V.TOO_POOR_FOR_MARKET),
    ("3:60:5:-:-", "9:60:5:-:-", "+1 E", V.HARE_WITHOUT_CARD),
    ("62:14:0:-:-", "9:60:5:-:-", "+2", V.GOAL_CLOSED),
    ("62:10:1:-:-", "9:60:5:-:-", "+2", V.GOAL_CLOSED),
    ("3:60:5:F:-", "9:60:5:-:-", "+8", V.ONTO_HEDGEHOG),
    ("3:60:5:F:-", "9:60:5:-:-", "+4", V.ONE_CARD_ON_MARKET),
    ("3:60:5:F:-", "9:60:5:-:-", "+4 EE", V.ONE_CARD_ON_MARKET),
    ("3:60:5:F:-", "9:60:5:-:-", "+5 F", V.CARD_NOT_PLAYABLE),
    ("3:60:5:EF:-", "9:60:5:-:-", "+1 EF", V.CARD_NOT_PLAYABLE),
    ("3:60:5:F:-", "9:60:5:-:-", "+1 S", V.CARD_NOT_OWNED),
    ("3:60:0:E:-", "9:60:5:-:-", "+1 E", V.CARD_NEEDS_SALAD),
    ("3:60:5:S:-", "58:60:5:-:-", "+1 S", V.SWAP_TOO_LATE),
    ("3:60:5:S:-", "9:60:5:-:s", "+1 S", V.SWAPPED_JUST_NOW),
    ("3:60:5:H:-", "2:60:5:-:-", "+1 H", V.ALREADY_AHEAD),
    ("3:60:5:F:-", "9:60:5:-:-", "+1 F", V.NOT_AHEAD),
    ("3:60:5:F:-", "9:60:5:-:-", "+1", V.CARD_MUST_FOLLOW),
    ("3:60:5:HE:-", "32:60:5:-:-", "+1 H", V.CARD_MUST_FOLLOW),
    ("3:60:5:H:-", "32:60:5:-:-", "+1 H", V.HARE_WITHOUT_CARD),
    ("3:60:5:H:-", "14:60:5:-:-", "+1 H", V.ONTO_HEDGEHOG),
    ("3:60:5:F:-", "9:60:5:-:-", "salad", V.NO_SALAD_HERE),
    ("10:60:4:F:e", "9:60:5:-:-", "salad", V.NO_SALAD_HERE),
    ("3:60:5:F:-", "9:60:5:-:-", "back", V.NO_HEDGEHOG_BEHIND),
    ("12:60:5:F:-", "11:60:5:-:-", "back", V.HEDGEHOG_OCCUPIED),
    ("8:60:5:F:-", "9:60:5:-:-", "carrots +10", V.NOT_ON_CARROTS),
    ("3:60:5:F:-", "9:60:5:-:-", "carrots +20", V.WRONG_AMOUNT),
    ("3:60:5:F:-", "9:60:5:-:-", "carrots 0", V.WRONG_AMOUNT),
    ("3:9:5:F:-", "9:60:5:-:-", "carrots -10", V.TOO_FEW_TO_GIVE),
]


@pytest.mark.parametrize(("one", "two", "text", "reason"), REFUSED)
def test_a_refused_move_names_the_rule(one: str, two: str, text: str, reason: HaseUndIgelViolation) -> None:
    state = position(one, two)
    with pytest.raises(IllegalMove) as refused:
        state.play(move(text))
    assert refused.value.reason is reason


def test_every_violation_has_an_example() -> None:
    assert {reason for *_, reason in REFUSED} == set(HaseUndIgelViolation)


# --- against a second implementation ----------------------------------------------------------------------------------


def compare(state: State, rng: Random) -> None:
    """Play a random game by both."""
    board = naive.board_of(state)
    while True:
        assert board == naive.board_of(state)
        assert naive.is_over(board) == (state.outcome is not None)
        assert naive.legal_moves(board) == set(map(write_action, state.legal_moves()))
        if state.outcome is not None:
            return
        chosen = rng.choice(state.legal_moves())
        board, state = naive.play(board, write_action(chosen)), state.play(chosen)


@settings(max_examples=examples(6))
@given(seed=st.integers(0, 2**32))
def test_random_games_are_those_of_the_naive_rules(seed: int) -> None:
    compare(new_state(HASE_UND_IGEL_2025, Random(seed)), Random(seed))


CARDS = st.text(alphabet="ESFH", max_size=5).map(lambda letters: letters or "-")
HARES = st.builds(
    lambda at, carrots, salads, cards, last: f"{at}:{carrots}:{salads}:{cards}:{last}",
    st.integers(1, 63),
    st.integers(0, 120),
    st.integers(1, 5),
    CARDS,
    st.sampled_from("--es"),
)


@settings(max_examples=examples(60))
@given(one=HARES, two=HARES, turn=st.integers(1, 59), seed=st.integers(0, 1000))
def test_positions_with_many_cards_have_the_moves_of_the_naive_rules(one: str, two: str, turn: int, seed: int) -> None:
    if one.split(":")[0] == two.split(":")[0]:
        return
    state = position(one, two, turn, track=draw_track(Random(seed)).letters)
    if state.outcome is None:
        moves = state.legal_moves()
        assert naive.legal_moves(naive.board_of(state)) == set(map(write_action, moves))
        rng = Random(seed)
        for found in (garbage_move(rng) for _ in range(30)):
            assert (state.violation(found) is None) == (found in moves)


def test_equal_positions_are_those_in_which_the_same_can_happen() -> None:
    assert position("3:60:5:EF:-") == position("3:60:5:FE:-")
    assert position("3:60:5:EF:-") != position("3:60:5:EE:-")
    assert position("3:60:5:-:s") != position("3:60:5:-:-")
    assert track_of(TRACK) is track_of(TRACK)


def test_every_game_ends_within_60_turns() -> None:
    for seed in range(20):
        *_, end = random_game(new_state(HASE_UND_IGEL_2025, Random(seed)), Random(seed))
        assert end.turn <= 60
