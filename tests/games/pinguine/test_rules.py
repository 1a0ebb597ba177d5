"""Pinguine, rule by rule; the R-numbers are those of games/pinguine/RULES.md."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS, Cause, Ranking, Square, Team, Text, random_game
from spielleiter.games import load
from spielleiter.games.pinguine import Move, PinguineEnd, PinguineViolation, State
from spielleiter.games.pinguine.moves import FIELDS, field_at, field_name, is_field, move_to
from spielleiter.games.pinguine.rules import PINGUINE_2023, PINGUINE_2023_OFFICIAL, new_state, why_impossible
from spielleiter.referee.verdict import by_fault
from tests.support import pinguine_naive as naive
from tests.support.night import examples
from tests.support.pinguine_positions import board_text, move, moves_of, play, position

# --- board and start --------------------------------------------------------------------------------------------------


def test_r1_a_field_has_fish_or_a_penguin_or_is_a_hole() -> None:
    assert len(FIELDS) == 64
    for state in random_game(new_state(PINGUINE_2023, Random(1)), Random(1)):
        boards = (*state.penguins, *state.floes)
        assert sum(board.bit_count() for board in boards) == sum(boards).bit_count()
        assert all(state.fish_at(square) == 0 for square in FIELDS if state.penguin_at(square) is not None)


def test_r2_rows_count_from_the_top_and_odd_ones_have_odd_x() -> None:
    assert [field_name(square) for square in ((0, 0), (14, 0), (1, 1), (15, 7))] == ["a1", "h1", "a2", "h8"]
    assert position("......../.PPPPppp/p").penguin_at((3, 1)) is Team.ONE
    assert position("......../.PPPPppp/p").penguin_at((0, 2)) is Team.TWO


def test_r4_exactly_64_pairs_of_numbers_are_fields() -> None:
    assert [(x, y) for y in range(-2, 11) for x in range(-3, 19) if is_field((x, y))] == list(FIELDS)


@given(seed=st.integers(0, 2**32))
def test_r5_r6_a_start_has_no_penguins_and_looks_the_same_after_half_a_turn(seed: int) -> None:
    state = new_state(PINGUINE_2023, Random(seed))
    assert (state.turn, state.to_move, state.penguins, state.fish) == (0, Team.ONE, (0, 0), (0, 0))
    for row in range(8):
        for index in range(8):
            assert state.fish_at(field_at(index, row)) == state.fish_at(field_at(7 - index, 7 - row))


def test_r6_starts_are_as_rich_as_those_of_the_season() -> None:
    starts = [new_state(PINGUINE_2023, Random(seed)) for seed in range(1500)]
    for row, fish in enumerate((13.8, 11.4, 9.8, 8.1)):  # means of 1,920 boards of the reference server
        mean = sum(state.fish_at(field_at(index, row)) for state in starts for index in range(8)) / len(starts)
        assert mean == pytest.approx(fish, abs=0.25)
    holes = sum(64 - state.ice.bit_count() for state in starts) / len(starts)
    assert holes == pytest.approx(2 * (0.64 + 0.69 + 0.75 + 0.81), abs=0.4)


class Extreme(Random):
    """Draws the highest number, after so many zeros."""

    def __init__(self, zeros: int) -> None:
        super().__init__(0)
        self._zeros = zeros

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self._zeros -= 1
        return 0 if self._zeros >= 0 else start - 1


@pytest.mark.parametrize("holes", range(6))
def test_r7_however_the_lots_fall_there_is_room_for_all_penguins(holes: int) -> None:
    assert new_state(PINGUINE_2023, Extreme(holes)).floes[0].bit_count() >= 18


# --- moves ------------------------------------------------------------------------------------------------------------


def test_r8_penguins_are_placed_on_floes_with_exactly_one_fish() -> None:
    state = position("1234..11/11111", "0-0", 0)
    assert moves_of(state) == {"a1", "g1", "h1", "a2", "b2", "c2", "d2", "e2"}
    after = play(state, "g1")
    assert board_text(after).startswith("1234..P1")
    assert (after.fish, after.to_move, after.turn) == ((1, 0), Team.TWO, 1)
    assert "g1" not in moves_of(after)


def test_r8_the_first_eight_moves_are_placements_and_no_other() -> None:
    states = list(random_game(new_state(PINGUINE_2023, Random(3)), Random(3)))
    for state in states[:-1]:
        assert all((found.start is None) == (state.turn < 8) for found in state.legal_moves())
    assert [board.bit_count() for board in states[8].penguins] == [4, 4]


DIRECTIONS = "a5 b5 c5 e5 f5 g5 h5 c4 c3 b2 b1 d4 e3 e2 f1 c6 c7 b8 d6 e7 e8"
FULL = ["1" * 8] * 8


def with_signs(signs: dict[str, str]) -> str:
    """A board full of single fish, but for these fields."""
    rows = [list(row) for row in FULL]
    for name, sign in signs.items():
        rows[int(name[1]) - 1]["abcdefgh".index(name[0])] = sign
    return "/".join("".join(row) for row in rows)


def test_r3_r9_a_penguin_slides_along_six_lines_to_the_edge() -> None:
    others = {"a1": "P", "h1": "P", "a8": "P", "h8": "p", "a2": "p", "h2": "p", "h7": "p"}
    state = position(with_signs({"d5": "P", **others}))
    assert {name for name in moves_of(state) if name.startswith("d5")} == {f"d5-{end}" for end in DIRECTIONS.split()}


def test_r9_holes_and_penguins_of_both_teams_block_the_way() -> None:
    in_the_way = {"f5": ".", "b5": "p", "e3": "P", "c7": "p", "c4": ".", "d6": "."}
    state = position(with_signs({"d5": "P", **in_the_way, "a1": "P", "h1": "P", "a8": "p", "h8": "p"}))
    assert {name for name in moves_of(state) if name.startswith("d5")} == {"d5-e5", "d5-c5", "d5-d4", "d5-c6"}


def test_r9_a_penguin_may_stop_on_the_way() -> None:
    state = position("P123.ppp/PPP....p")
    assert {name for name in moves_of(state) if name.startswith("a1")} == {"a1-b1", "a1-c1", "a1-d1"}


def test_r10_fish_are_caught_on_arrival_and_only_there() -> None:
    state = play(position("P123.ppp/PPP.11.p"), "a1-d1")
    assert board_text(state) == ".12P.ppp/PPP.11.p"
    assert state.fish == (4 + 3, 4)


def test_r11_a_game_has_no_more_moves_than_floes() -> None:
    for seed in range(20):
        start = new_state(PINGUINE_2023, Random(seed))
        *_, last = random_game(start, Random(seed))
        assert last.turn == start.ice.bit_count() - last.ice.bit_count() <= 64


def test_r12_the_turn_counts_moves_and_not_those_who_are_passed_over() -> None:
    for seed in range(5):
        states = list(random_game(new_state(PINGUINE_2023, Random(seed)), Random(seed)))
        assert [state.turn for state in states] == list(range(len(states)))


# --- who moves --------------------------------------------------------------------------------------------------------


def test_r13_a_stuck_team_is_passed_over_and_the_turn_counts_moves() -> None:
    state = position("PPPP..p1/......1./......pp/......p.", "4-4", 8)
    assert state.to_move is Team.TWO  # though the turn is even
    assert all(found.start is not None for found in state.legal_moves())
    after = play(state, "g1-h1")
    assert (after.turn, after.to_move) == (9, Team.TWO)
    assert after.fish == (4, 5)


def test_r13_a_team_that_can_move_moves_at_its_parity() -> None:
    board = "PPPP1.p1/......1./......pp/......p."
    assert position(board, "4-4", 8).to_move is Team.ONE
    assert position(board, "5-4", 9).to_move is Team.TWO


@given(seed=st.integers(0, 2**32))
def test_r13_a_stuck_team_stays_stuck(seed: int) -> None:
    stuck: set[Team] = set()
    for state in random_game(new_state(PINGUINE_2023, Random(seed)), Random(seed)):
        if state.turn >= 8:
            now = {team for team in TEAMS if not state.can_slide(team)}
            assert stuck <= now
            stuck = now


def test_r14_a_team_with_penguins_to_place_is_never_stuck() -> None:
    # No penguin on the board has a neighbour with fish, and still everybody can place one.
    state = position("P/......../......../1.1.1.1/......../p..1.1.1", "1-1", 2)
    assert not any(state.can_slide(team) for team in TEAMS)
    assert state.to_move is Team.ONE
    assert state.legal_moves()


# --- end --------------------------------------------------------------------------------------------------------------


def test_r15_the_game_ends_when_nobody_can_slide_also_in_the_middle_of_a_round() -> None:
    state = position("PPP.P1../......../pppp", "5-4", 9)
    assert state.to_move is Team.ONE  # TWO is stuck at its own parity
    last = play(state, "e1-f1")
    assert last.turn == 10
    assert last.legal_moves() == ()
    assert last.outcome is not None
    assert (last.outcome.winner, last.outcome.reason) == (Team.ONE, PinguineEnd.MORE_FISH)


@pytest.mark.parametrize(("fish", "winner"), [("5-4", Team.ONE), ("4-5", Team.TWO)])
def test_r16_more_fish_win(fish: str, winner: Team) -> None:
    state = position("PPPP..../......../pppp", fish, 9)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (winner, PinguineEnd.MORE_FISH)


def test_r16_equally_many_fish_are_a_draw() -> None:
    state = position("PPPP..../......../pppp", "5-5", 10)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (None, PinguineEnd.EQUAL_FISH)
    assert state.points(Team.ONE) == state.points(Team.TWO) == (1, 5)


def test_r17_points_are_victory_points_and_fish() -> None:
    assert position("PPPP1.../......../pppp", "6-4", 10).points(Team.ONE) == (0, 6)
    over = position("PPPP..../......../pppp", "6-4", 10)
    assert [over.points(team) for team in TEAMS] == [(2, 6), (0, 4)]


def test_r18_an_offender_has_nothing_and_the_other_two_victory_points_and_its_fish() -> None:
    result = by_fault(position("P123.ppp/PPP.11.p", "6-9", 12), {Team.ONE: Cause.RULE_VIOLATION}, Text("x", "y"))
    assert [team.points for team in result.teams] == [(0, 0), (2, 9)]
    assert result.winner is Team.TWO


def test_r19_the_document_ranks_by_wins_and_the_contest_by_victory_points() -> None:
    first, second = (load(f"pinguine-2023{official}").default_ranking for official in ("", "-official"))
    assert (first, second) == (Ranking.usual(official=False), Ranking.usual(official=True))
    assert first is not second


def test_both_rule_sets_decide_alike() -> None:
    for seed in range(20):
        first = list(random_game(new_state(PINGUINE_2023, Random(seed)), Random(seed)))
        second = list(random_game(new_state(PINGUINE_2023_OFFICIAL, Random(seed)), Random(seed)))
        assert [state.last_move for state in first] == [state.last_move for state in second]
        assert first[-1].outcome == second[-1].outcome
        assert first[-1] != second[-1]  # a state knows its rule set


# --- refused moves ----------------------------------------------------------------------------------------------------

V = PinguineViolation
SLIDING = "P123.ppp/PPP.11.p"  # row 1: x = 0, 2 .. 14; row 2: x = 1, 3 .. 15
PLACING = "P123..p1/11.11111/11111"

Coordinates = tuple[Square | None, Square]
REFUSED: list[tuple[str, Coordinates, PinguineViolation]] = [
    (SLIDING, (None, (2, 0)), V.MUST_SLIDE),
    (SLIDING, (None, (99, 0)), V.MUST_SLIDE),
    (SLIDING, ((-2, 0), (2, 0)), V.START_OFF_BOARD),
    (SLIDING, ((16, 0), (2, 0)), V.START_OFF_BOARD),
    (SLIDING, ((0, 8), (2, 0)), V.START_OFF_BOARD),
    (SLIDING, ((10**9, -(10**9)), (0, 0)), V.START_OFF_BOARD),
    (SLIDING, ((1, 0), (2, 0)), V.WRONG_PARITY),
    (SLIDING, ((0, 1), (2, 0)), V.WRONG_PARITY),
    (SLIDING, ((0, 0), (3, 0)), V.WRONG_PARITY),
    (SLIDING, ((2, 0), (4, 0)), V.NO_PENGUIN),
    (SLIDING, ((8, 0), (6, 0)), V.NO_PENGUIN),
    (SLIDING, ((14, 0), (13, 1)), V.NOT_YOUR_PENGUIN),
    (SLIDING, ((0, 0), (-2, 0)), V.TARGET_OFF_BOARD),
    (SLIDING, ((0, 0), (0, -2)), V.TARGET_OFF_BOARD),
    (SLIDING, ((0, 0), (4, 2)), V.NOT_STRAIGHT),
    (SLIDING, ((0, 0), (0, 0)), V.NOT_STRAIGHT),
    (SLIDING, ((0, 0), (0, 2)), V.NOT_STRAIGHT),
    (SLIDING, ((0, 0), (8, 0)), V.BLOCKED),
    (SLIDING, ((0, 0), (10, 0)), V.BLOCKED),
    (SLIDING, ((0, 0), (1, 1)), V.BLOCKED),
    (SLIDING, ((5, 1), (9, 1)), V.BLOCKED),
    (PLACING, ((0, 0), (2, 0)), V.MUST_PLACE),
    (PLACING, (None, (4, 0)), V.NOT_ONE_FISH),
    (PLACING, (None, (8, 0)), V.NOT_ONE_FISH),
    (PLACING, (None, (0, 0)), V.NOT_ONE_FISH),
    (PLACING, (None, (12, 0)), V.NOT_ONE_FISH),
    (PLACING, (None, (16, 0)), V.TARGET_OFF_BOARD),
    (PLACING, (None, (-1, -1)), V.TARGET_OFF_BOARD),
    (PLACING, (None, (3, 0)), V.WRONG_PARITY),
    (PLACING, (None, (2, 1)), V.WRONG_PARITY),
]


def a_position(board: str) -> State:
    return position(board) if board == SLIDING else position(board, "1-1", 2)


@pytest.mark.parametrize(("board", "squares", "broken"), REFUSED)
def test_an_illegal_move_breaks_exactly_this_rule(board: str, squares: Coordinates, broken: PinguineViolation) -> None:
    state = a_position(board)
    illegal = Move(*squares)
    assert state.violation(illegal) is broken
    with pytest.raises(IllegalMove, match=broken.text.en) as refused:
        state.play(illegal)
    assert refused.value.reason is broken
    assert broken.text.de != broken.text.en
    assert state == a_position(board)


def test_after_the_end_every_move_is_refused() -> None:
    state = position("PPPP..../......../pppp", "5-5", 10)
    assert state.violation(Move((0, 0), (2, 0))) is V.GAME_OVER
    assert state.violation(Move(None, (99, 0))) is V.GAME_OVER


def test_every_violation_has_its_test() -> None:
    assert {broken for *_, broken in REFUSED} | {V.GAME_OVER} == set(V)


# --- tables and the second implementation -----------------------------------------------------------------------------


def test_legal_moves_are_the_same_objects_everywhere() -> None:
    first, second = position("P12..ppp/PPP.11.p"), position("P12..ppp/PPP.111p")
    assert first.legal_moves()
    assert all(found is move(second, str(found)) for found in first.legal_moves())


def test_the_order_of_moves_is_by_field_then_direction_then_distance() -> None:
    state = position("11.11.../1P111ppp/.1.1p.../.......P/....P..P")
    listed = " ".join(str(found) for found in state.legal_moves() if found.start in ((3, 1), (8, 4)))
    assert listed == "b2-c2 b2-d2 b2-e2 b2-a2 b2-b1 b2-b3"
    placing = position("..1....1/11.1211./2.1.....", "0-0", 0)
    assert " ".join(map(str, placing.legal_moves())) == "c1 h1 a2 b2 d2 f2 g2 c3"


@st.composite
def any_positions(draw: st.DrawFn) -> State:
    """Positions with few floes and with many, also such as no game leads to."""
    contents = draw(st.lists(st.sampled_from((0, 0, 1, 1, 1, 2, 3, 4)), min_size=64, max_size=64))
    fields: dict[Square, int | Team] = dict(zip(FIELDS, contents, strict=True))
    for number, square in enumerate(draw(st.lists(st.sampled_from(FIELDS), unique=True, min_size=8, max_size=8))):
        fields[square] = TEAMS[number % 2]
    return State.of(PINGUINE_2023, draw(st.integers(8, 60)), fields, (20, 20))


def compare_with_naive(state: State) -> None:
    board = naive.board_of(state)
    found = {naive.step_of(legal.start, legal.target): legal for legal in state.legal_moves()}
    assert state.to_move.name == naive.side_to_move(board, state.turn)
    assert set(found) == naive.moves_of_team(board, state.to_move.name)
    for step, legal in found.items():
        after = state.play(legal)
        expected, caught = naive.play(board, state.to_move.name, step)
        assert naive.board_of(after) == expected
        gains = [after.fish[team] - state.fish[team] for team in TEAMS]
        assert gains == [caught if team is state.to_move else 0 for team in TEAMS]


@given(state=any_positions())
def test_tables_and_loops_find_the_same_moves_in_any_position(state: State) -> None:
    compare_with_naive(state)


@settings(max_examples=examples(4))
@given(seed=st.integers(0, 2**32))
def test_tables_and_loops_play_the_same_games(seed: int) -> None:
    for state in random_game(new_state(PINGUINE_2023, Random(seed)), Random(seed)):
        compare_with_naive(state)


@settings(max_examples=examples(8))
@given(state=any_positions())
def test_every_pair_of_fields_is_legal_exactly_when_it_breaks_no_rule(state: State) -> None:
    legal = set(state.legal_moves())
    for start in FIELDS:
        for target in FIELDS:
            assert (state.violation(move_to(start, target)) is None) == (move_to(start, target) in legal)


# --- positions that cannot be -----------------------------------------------------------------------------------------


def test_every_position_of_a_game_is_possible() -> None:
    for seed in range(30):
        for state in random_game(new_state(PINGUINE_2023, Random(seed)), Random(seed)):
            assert why_impossible(state) is None


@pytest.mark.parametrize(
    ("turn", "board", "fish", "reason"),
    [
        (8, "PPP.....1pppp", (4, 4), "after 8 moves ONE has 4 penguins, not 3 (R8)"),
        (8, "PPPPP...1pppp", (4, 4), "after 8 moves ONE has 4 penguins, not 5 (R8)"),
        (1, "p1111111", (0, 1), "after 1 moves ONE has 1 penguins, not 0 (R8)"),
        (6, "PPP.1...1ppp...2", (3, 3), None),
        (6, "PPP.2...1ppp...2", (3, 3), "too few floes with one fish for the 2 penguins"),
        (0, "12341111111", (0, 0), None),
        (0, "1234111111", (0, 0), "too few"),
        (8, "PPPPpppp" + "1" * 56, (4, 4), None),
        (9, "PPPPpppp" + "1" * 56, (5, 4), "after 9 moves at most 55 floes"),
        (8, "PPPPpppp", (5, 3), "8 to 8 fish"),
        (8, "PPPPpppp", (5, 4), "8 to 8 fish"),
        (10, "PPPPpppp", (4, 5), "10 to 16 fish"),
        (10, "PPPPpppp", (12, 4), None),
        (10, "PPPPpppp", (13, 4), "10 to 16 fish"),
        (20, "PPPPpppp", (30, 3), "at least one for each penguin"),
    ],
)
def test_a_position_that_no_game_leads_to_is_refused_with_the_rule(
    turn: int, board: str, fish: tuple[int, int], reason: str | None
) -> None:
    contents: dict[str, int | Team] = {
        "P": Team.ONE,
        "p": Team.TWO,
        ".": 0,
        **{str(fish): fish for fish in range(1, 5)},
    }
    fields = {square: contents[sign] for square, sign in zip(FIELDS, board, strict=False)}
    why = why_impossible(State.of(PINGUINE_2023, turn, fields, fish))
    if reason is None:
        assert why is None
    else:
        assert why is not None
        assert reason in why.en
        assert why.de != why.en
