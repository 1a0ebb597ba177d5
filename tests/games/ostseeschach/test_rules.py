"""Ostseeschach, rule by rule; the R-numbers are those of games/ostseeschach/RULES.md."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS, Team, random_game
from spielleiter.games.ostseeschach import Move, OstseeschachEnd, OstseeschachViolation, Piece, PieceKind, State
from spielleiter.games.ostseeschach.moves import SQUARES, square_name
from spielleiter.games.ostseeschach.rules import OSTSEESCHACH_2022, RULE_SETS, new_state
from tests.support import ostseeschach_naive as naive
from tests.support.night import examples
from tests.support.ostseeschach_positions import board_text, move, moves_of, play, position

# --- board and start --------------------------------------------------------------------------------------------------


def test_r1_lines_have_numbers_and_files_have_letters() -> None:
    assert [square_name(square) for square in ((0, 0), (0, 7), (7, 0), (7, 7))] == ["a1", "h1", "a8", "h8"]
    assert position("8/8/8/8/8/8/8/2R5").piece_at((0, 2)) == Piece(Team.ONE, PieceKind.ROBBE)


def test_r2_one_plays_from_line_1_upwards_and_two_from_line_8_downwards() -> None:
    assert moves_of(position("3h4/8/8/8/8/8/8/3H4")) == {"d1-c2", "d1-e2"}
    assert moves_of(position("3h4/8/8/8/8/8/8/3H4", turn=21)) == {"d8-c7", "d8-e7"}


def test_r3_each_team_has_two_of_each_kind() -> None:
    counts = Counter(piece for _, piece in new_state(OSTSEESCHACH_2022, Random(1)).pieces())
    assert counts == {Piece(team, kind): 2 for team in TEAMS for kind in PieceKind}


@given(seed=st.integers(0, 2**32))
def test_r4_the_start_looks_the_same_after_half_a_turn(seed: int) -> None:
    state = new_state(OSTSEESCHACH_2022, Random(seed))
    assert state.turn == 0
    for (x, y), piece in state.pieces():
        assert x == (0 if piece.team is Team.ONE else 7)
        assert state.piece_at((7 - x, 7 - y)) == Piece(piece.team.opponent, piece.kind)


def test_r4_every_order_of_the_start_is_equally_likely() -> None:
    rng, draws, orders = Random(7), 10_000, 2520  # 8! / 2!^4 orders
    starts = (new_state(OSTSEESCHACH_2022, rng) for _ in range(draws))
    found = Counter((start.herzmuscheln, start.moewen, start.seesterne) for start in starts)
    chi_square = sum(count**2 for count in found.values()) * orders / draws - draws
    # 2519 degrees of freedom, standard deviation 71: within four of them.
    assert abs(chi_square - (orders - 1)) < 284


def test_r5_one_begins_and_the_teams_alternate() -> None:
    start = new_state(OSTSEESCHACH_2022, Random(4))
    for ply, state in enumerate(random_game(start, Random(4))):
        assert state.turn == ply
        assert state.to_move is TEAMS[ply % 2]
        assert state.round == ply // 2 + 1


def test_r5_nobody_may_pass() -> None:
    state = position("8/8/8/8/8/8/8/3M4")
    assert state.violation(Move((0, 3), (0, 3))) is OstseeschachViolation.MOEWE_STEP


# --- steps ------------------------------------------------------------------------------------------------------------

STEPS = {
    "H": "c5 e5",  # R6
    "h": "c3 e3",
    "M": "d5 c4 e4 d3",  # R7
    "m": "d5 c4 e4 d3",
    "S": "d5 c5 e5 c3 e3",  # R8
    "s": "d3 c3 e3 c5 e5",
    "R": "b3 b5 c2 c6 e2 e6 f3 f5",  # R9
    "r": "b3 b5 c2 c6 e2 e6 f3 f5",
}


@pytest.mark.parametrize("height", ["", "+"])
@pytest.mark.parametrize("letter", STEPS)
def test_r6_to_r9_a_piece_and_a_tower_reach_exactly_these_squares_from_d4(letter: str, height: str) -> None:
    state = position(f"8/8/8/8/3{letter}{height}4/8/8/8", turn=20 if letter.isupper() else 21)
    assert moves_of(state) == {f"d4-{target}" for target in STEPS[letter].split()}


def test_r9_a_robbe_jumps_over_everything() -> None:
    state = position("8/8/8/8/8/MSH5/mhs5/RMS5")
    assert {name for name in moves_of(state) if name.startswith("a1")} == {"a1-c2"}
    assert board_text(play(state, "a1xc2")).split("/")[6] == "mhR+5"


def test_r10_pieces_stay_on_the_board_and_off_their_own() -> None:
    assert moves_of(position("8/8/8/8/8/8/M7/M7")) == {"a1-b1", "a2-a3", "a2-b2"}


def test_r10_an_opponents_piece_or_tower_is_a_target() -> None:
    assert "a1-a2" in moves_of(position("8/8/8/8/8/8/m7/M7"))
    assert "a1-a2" in moves_of(position("8/8/8/8/8/8/m+7/M7"))


# --- towers and ambers ------------------------------------------------------------------------------------------------


def test_r11_a_captured_piece_lies_under_the_mover() -> None:
    state = play(position("8/8/8/3r4/3M4/8/8/8"), "d4xd5")
    assert state.piece_at((4, 3)) == Piece(Team.ONE, PieceKind.MOEWE, 2)
    assert list(state.pieces()) == [((4, 3), Piece(Team.ONE, PieceKind.MOEWE, 2))]
    assert state.ambers(Team.ONE) == 0


def test_r11_a_tower_moves_as_a_whole() -> None:
    assert board_text(play(position("8/8/8/8/3M+4/8/8/7r"), "d4-d5")) == "8/8/8/3M+4/8/8/8/7r"


@pytest.mark.parametrize(("mover", "target"), [("M", "s+"), ("M+", "s"), ("M+", "s+"), ("R", "r+"), ("R+", "r")])
def test_r12_a_third_or_fourth_piece_makes_an_amber(mover: str, target: str) -> None:
    if mover[0] == "M":
        state = play(position(f"8/8/8/3{target}4/3{mover}4/8/8/8"), "d4xd5")
    else:
        state = play(position(f"8/8/4{target}3/8/3{mover}4/8/8/8"), "d4xe6")
    assert (state.ambers_one, state.ambers_two) == (1, 0)
    assert list(state.pieces()) == []  # R15


@pytest.mark.parametrize("letter", "HMS")
def test_r13_a_light_piece_on_the_opponents_start_line_wins_an_amber_and_leaves(letter: str) -> None:
    target = "c8" if letter == "H" else "b8"
    up = play(position(f"8/1{letter}6/8/8/8/8/8/8"), f"b7-{target}")
    assert (up.ambers_one, up.ambers_two, list(up.pieces())) == (1, 0, [])
    down = play(position(f"8/8/8/8/8/8/1{letter.lower()}6/8", turn=21), f"b2-{target[0]}1")
    assert (down.ambers_one, down.ambers_two, list(down.pieces())) == (0, 1, [])


def test_r13_a_tower_with_a_light_piece_on_top_wins_one_amber() -> None:
    assert play(position("8/1M+6/8/8/8/8/8/8"), "b7-b8").ambers_one == 1


def test_r13_capturing_on_the_last_line_wins_one_amber_and_clears_the_square() -> None:
    state = play(position("1r6/1M6/8/8/8/8/8/8"), "b7xb8")
    assert (state.ambers_one, list(state.pieces())) == (1, [])


def test_r13_a_robbe_on_the_last_line_just_stands_there() -> None:
    state = play(position("8/8/1R6/8/8/8/8/7r"), "b6-c8")
    assert board_text(state) == "2R5/8/8/8/8/8/8/7r"
    assert state.ambers_one == 0


def test_r13_the_own_start_line_gives_nothing() -> None:
    assert play(position("8/8/8/8/8/8/1M6/8"), "b2-b1").ambers_one == 0


def test_r14_both_in_one_move_win_two_ambers() -> None:
    for board in ("1r+6/1M6/8/8/8/8/8/8", "1r6/1M+6/8/8/8/8/8/8", "1r+6/1M+6/8/8/8/8/8/8"):
        state = play(position(board), "b7xb8")
        assert (state.ambers_one, list(state.pieces())) == (2, [])


def test_r15_nothing_else_leaves_the_board_with_an_amber() -> None:
    state = play(position("m7/1Mr+5/8/8/8/8/8/7M"), "b7xc7")
    assert board_text(state) == "m7/8/8/8/8/8/8/7M"


def test_r16_ambers_are_not_capped_and_belong_to_the_mover() -> None:
    state = play(position("1r+6/1M6/8/8/8/8/8/8", "1-1"), "b7xb8")
    assert (state.ambers(Team.ONE), state.ambers(Team.TWO)) == (3, 1)
    assert state.points(Team.ONE)[1] == 3


# --- ends -------------------------------------------------------------------------------------------------------------


def test_r17_two_ambers_end_the_game_only_after_the_round() -> None:
    state = play(position("6r1/1M6/8/8/8/8/6r1/M7", "1-0"), "b7-b8")
    assert state.ambers_one == 2
    assert state.outcome is None
    state = play(state, "g2-f4")
    assert state.outcome is not None
    assert state.outcome.winner is Team.ONE
    assert state.outcome.reason is OstseeschachEnd.AMBERS_MORE
    assert state.legal_moves() == ()


def test_r17_two_may_answer_the_second_amber() -> None:
    state = play(position("6r1/1M6/8/8/8/8/6m1/M7", "1-1"), "b7-b8", "g2-g1")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (None, OstseeschachEnd.AMBERS_EQUAL)


def test_r17_one_amber_each_goes_on() -> None:
    assert position("8/8/8/8/8/8/8/M6r", "1-1").outcome is None


def test_r18_the_game_ends_after_thirty_rounds() -> None:
    state = position("7m/8/8/8/8/8/8/M7", turn=58)
    assert play(state, "a1-a2").outcome is None
    last = play(state, "a1-a2", "h8-g8")
    assert last.turn == 60
    assert last.outcome is not None
    assert (last.outcome.winner, last.outcome.reason) == (Team.ONE, OstseeschachEnd.ROUNDS_FARTHER)
    assert last.legal_moves() == ()


@pytest.mark.parametrize("turn", [20, 21])
def test_r19_a_side_that_cannot_move_has_lost_at_once_whatever_the_ambers(turn: int) -> None:
    state = position("8/8/8/8/3M4/8/8/8" if turn == 21 else "8/8/8/8/3m4/8/8/8", "1-1", turn)
    loser = TEAMS[turn % 2]
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (loser.opponent, OstseeschachEnd.NO_MOVE)
    assert (state.points(loser)[0], state.points(loser.opponent)[0]) == (0, 2)


def test_r19_in_mid_round_even_two_ambers_do_not_help_a_side_without_a_move() -> None:
    state = play(position("8/1M6/8/8/8/8/8/M7", "1-1"), "b7-b8")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Team.ONE, OstseeschachEnd.NO_MOVE)


def test_r19_the_end_of_the_last_round_comes_first() -> None:
    state = position("8/8/8/8/3m4/8/8/8", "2-1")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Team.ONE, OstseeschachEnd.AMBERS_MORE)


def test_r20_more_ambers_win_whatever_the_distances() -> None:
    state = position("8/8/8/8/8/8/m7/M7", "1-0", 60)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Team.ONE, OstseeschachEnd.ROUNDS_MORE)
    assert position("8/M7/8/8/8/8/8/8", "0-1", 60).outcome.winner is Team.TWO  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("board", "winner"),
    [
        ("8/M7/8/8/8/m7/8/8", Team.ONE),  # 6 against 5
        ("8/8/M7/8/8/8/m7/8", Team.TWO),  # 5 against 6
        ("8/8/M6S/8/8/m6s/8/8", None),  # 5, 5 against 5, 5
        ("8/8/M6S/8/7m/m7/8/8", Team.ONE),  # 5, 5 against 5, 4
        ("8/7s/M7/8/8/m7/8/S7", Team.TWO),  # 5, 0 against 5, 1
        ("8/8/M7/7m/8/m7/8/8", None),  # 5 against 5, 3: the shorter list ends
        ("8/8/M7/8/8/m+7/8/RR6", None),  # a tower counts once and by its top, a Robbe never
    ],
)
def test_r21_and_r22_the_light_pieces_are_compared_pair_by_pair(board: str, winner: Team | None) -> None:
    state = position(board, "1-1", 60)
    reason = OstseeschachEnd.ROUNDS_EQUAL if winner is None else OstseeschachEnd.ROUNDS_FARTHER
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (winner, reason)


def test_r21_distances_count_from_the_own_start_line_and_the_farthest_comes_first() -> None:
    state = position("1h6/S7/8/2m+5/8/8/3s4/H2M+4")
    assert state.light_distances(Team.ONE) == (6, 0, 0)
    assert state.light_distances(Team.TWO) == (6, 3, 0)


def test_r21_also_decides_when_both_have_two_ambers() -> None:
    state = position("8/8/8/M7/8/8/8/7r", "2-2")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (None, OstseeschachEnd.AMBERS_EQUAL)
    state = position("8/8/8/M7/7m/8/8/8", "2-2")  # 4 against 4 ...
    assert state.outcome is not None
    assert state.outcome.winner is None
    state = position("8/8/M7/8/7m/8/8/8", "2-2")  # ... 5 against 4
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Team.ONE, OstseeschachEnd.AMBERS_FARTHER)


def test_r23_points_are_victory_points_ambers_and_the_foremost_light_piece() -> None:
    running = position("1h6/S7/8/2m+5/8/8/3s4/H2M+4", "1-0")
    assert (running.points(Team.ONE), running.points(Team.TWO)) == ((0, 1, 6), (0, 0, 6))
    over = position("1h6/S7/8/2m5/8/8/8/H2M4", "1-0", 60)
    assert (over.points(Team.ONE), over.points(Team.TWO)) == ((2, 1, 6), (0, 0, 3))
    draw = position("8/8/8/8/8/8/8/8", "0-0", 60)
    assert draw.points(Team.ONE) == (1, 0, 0)
    parts = games.load("ostseeschach-2022").scores
    assert [(part.name, part.aggregation, part.ranking) for part in parts] == [
        ("Siegpunkte", "SUM", True),
        ("Bernsteine", "AVERAGE", True),
        ("Leichtfiguren Vorne", "AVERAGE", False),
    ]


def test_r24_a_team_without_light_pieces_gets_a_result() -> None:
    state = position("8/8/8/M7/8/8/8/7r", "0-1", 60)
    assert state.outcome is not None
    assert state.outcome.winner is Team.TWO
    assert state.points(Team.TWO) == (2, 1, 0)


def test_both_rule_sets_decide_alike() -> None:
    document, official = (games.load(rules.key) for rules in RULE_SETS)
    assert (document.official, official.official) == (False, True)
    for seed in range(20):
        first = list(random_game(document.new_state(Random(seed)), Random(seed)))
        second = list(random_game(official.new_state(Random(seed)), Random(seed)))
        assert [state.last_move for state in first] == [state.last_move for state in second]
        assert first[-1].outcome == second[-1].outcome
        assert first[-1] != second[-1]  # a state knows its rule set


def test_every_way_to_end_occurs_and_says_so_in_both_languages() -> None:
    ends = [
        position("8/8/8/M7/8/8/8/7r", "2-0"),
        position("8/8/M7/8/7m/8/8/8", "2-2"),
        position("8/8/8/M6r/8/8/8/R7", "2-2"),
        position("8/8/8/M7/8/8/8/7r", "1-0", 60),
        position("8/8/8/M7/8/7m/8/8", "0-0", 60),
        position("8/8/8/8/8/8/8/8", "0-0", 60),
        position("8/8/8/8/8/8/8/8"),
    ]
    reasons = [state.outcome.reason for state in ends if state.outcome is not None]
    assert set(reasons) == set(OstseeschachEnd)
    assert all(reason.text.de and reason.text.en for reason in reasons)


# --- refused moves ----------------------------------------------------------------------------------------------------

V = OstseeschachViolation
CROWD = "8/8/8/3m4/2HMSR2/8/8/8"  # c4 d4 e4 f4, and an opponent on d5

REFUSED = [
    (((8, 0), (7, 0)), V.OFF_BOARD),
    (((-1, 3), (0, 3)), V.OFF_BOARD),
    (((3, 8), (3, 7)), V.OFF_BOARD),
    (((10**9, -(10**9)), (0, 0)), V.OFF_BOARD),
    (((0, 0), (1, 0)), V.NO_PIECE),
    (((0, 0), (-1, 0)), V.NO_PIECE),
    (((4, 3), (3, 3)), V.NOT_YOUR_PIECE),
    (((3, 3), (3, 8)), V.TARGET_OFF_BOARD),
    (((3, 5), (2, -1)), V.TARGET_OFF_BOARD),
    (((3, 2), (4, 2)), V.HERZMUSCHEL_STEP),
    (((3, 2), (2, 1)), V.HERZMUSCHEL_STEP),
    (((3, 3), (4, 4)), V.MOEWE_STEP),
    (((3, 3), (5, 3)), V.MOEWE_STEP),
    (((3, 4), (2, 4)), V.SEESTERN_STEP),
    (((3, 4), (3, 3)), V.SEESTERN_STEP),
    (((3, 5), (4, 5)), V.ROBBE_STEP),
    (((3, 5), (3, 5)), V.ROBBE_STEP),
    (((3, 3), (3, 2)), V.OWN_PIECE_ON_TARGET),
]


@pytest.mark.parametrize(("squares", "broken"), REFUSED)
def test_an_illegal_move_breaks_exactly_this_rule(
    squares: tuple[tuple[int, int], tuple[int, int]], broken: OstseeschachViolation
) -> None:
    state = position(CROWD)
    illegal = Move(*squares)
    assert state.violation(illegal) is broken
    with pytest.raises(IllegalMove, match=broken.text.en) as refused:
        state.play(illegal)
    assert refused.value.reason is broken
    assert state == position(CROWD)


def test_after_the_end_every_move_is_refused() -> None:
    state = position(CROWD, turn=60)
    assert state.violation(Move((3, 3), (4, 3))) is V.GAME_OVER
    assert state.violation(Move((-5, 3), (4, 99))) is V.GAME_OVER


def test_every_violation_has_its_test() -> None:
    assert {broken for _, broken in REFUSED} | {V.GAME_OVER} == set(V)


# --- tables and the second implementation -----------------------------------------------------------------------------


def test_legal_moves_are_the_same_objects_everywhere() -> None:
    first, second = position(CROWD), position("7m/8/8/3m4/2HMSR2/8/8/8")
    assert first.legal_moves()
    assert all(a is b for a, b in zip(first.legal_moves(), second.legal_moves(), strict=True))
    assert move(first, "d4xd5") is move(second, "d4-d5")


def test_the_order_of_moves_is_by_kind_then_square_then_forward_first() -> None:
    listed = [str(found) for found in position("8/8/8/8/8/R7/HH6/M1S5").legal_moves()]
    assert " ".join(listed) == "a2-b3 b2-c3 a1-b1 c1-c2 c1-d2 a3-b5 a3-c4 a3-c2 a3-b1"


@st.composite
def any_positions(draw: st.DrawFn) -> State:
    """Positions such as no game leads to, with many pieces and towers."""
    squares = draw(st.lists(st.sampled_from(SQUARES), unique=True, max_size=40))
    pieces = [
        (square, Piece(draw(st.sampled_from(TEAMS)), draw(st.sampled_from(PieceKind)), draw(st.integers(1, 2))))
        for square in squares
    ]
    return State.of(OSTSEESCHACH_2022, draw(st.integers(0, 59)), pieces)


def compare_with_naive(state: State) -> None:
    board = naive.board_of(state)
    found = {(*legal.start, *legal.target): legal for legal in state.legal_moves()}
    assert set(found) == naive.legal_moves(board, state.to_move.name)
    for numbers, legal in found.items():
        after = state.play(legal)
        expected, ambers = naive.play(board, numbers)
        assert naive.board_of(after) == expected
        won = (ambers, 0) if state.to_move is Team.ONE else (0, ambers)
        assert (after.ambers_one - state.ambers_one, after.ambers_two - state.ambers_two) == won
        assert (after.one | after.two) == after.herzmuscheln | after.moewen | after.seesterne | after.robben
        assert after.towers & ~(after.one | after.two) == 0


@given(state=any_positions())
def test_lists_and_loops_find_the_same_moves_in_any_position(state: State) -> None:
    compare_with_naive(state)


@settings(max_examples=examples(6))
@given(seed=st.integers(0, 2**32))
def test_lists_and_loops_play_the_same_games(seed: int) -> None:
    for state in random_game(new_state(OSTSEESCHACH_2022, Random(seed)), Random(seed)):
        if state.legal_moves():
            compare_with_naive(state)


@given(state=any_positions())
def test_every_pair_of_squares_is_legal_exactly_when_it_breaks_no_rule(state: State) -> None:
    legal = set(state.legal_moves())
    for start in SQUARES:
        for target in SQUARES:
            assert (state.violation(Move(start, target)) is None) == (Move(start, target) in legal)
