"""Blokus, rule by rule; the R-numbers are those of games/blokus/RULES.md."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS, Team, perft, random_game
from spielleiter.games.blokus import BlokusEnd, BlokusViolation, Color, Pass, Place, Rotation, Shape, State
from spielleiter.games.blokus.rules import ALL_IN, FULL_HAND
from spielleiter.games.blokus.shapes import COLORS, PENTOMINOES
from tests.support.blokus_positions import (
    DOMINO,
    KEYS,
    MONO,
    NOTHING,
    RULES,
    hand_of,
    in_corners,
    late,
    move,
    play,
    start,
    with_board,
)

SOME = hand_of(Shape.DOMINO, Shape.TRIO_I)  # two pieces: laying one of them leaves one
WITHOUT_X = ("blokus-2021", "blokus-2021-official")


def violation(state: State, text: str) -> BlokusViolation | None:
    return state.violation(move(state, text))


# --- the start ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_r1_r2_r5_the_board_is_empty_and_blue_begins(key: str) -> None:
    state = start(key)
    assert state.occupied == 0
    assert (state.turn, state.round, state.color, state.to_move) == (0, 1, Color.BLUE, Team.ONE)
    assert state.hands == (FULL_HAND,) * 4
    assert all(len(state.kinds_left(color)) == 21 for color in COLORS)
    assert state.colors_in == COLORS


def test_r1_x_grows_to_the_right_and_y_downwards() -> None:
    state = play(start(), "B PENTO_V RIGHT 0,0")
    covered = {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is Color.BLUE}
    assert covered == {(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)}
    assert str(state).splitlines()[2] == "  0*B*B*B" + " ·" * 17 + " 0"


def test_r2_r5_colors_move_in_turn() -> None:
    state = start()
    seen = []
    for text in ("B PENTO_V RIGHT 0,0", "Y PENTO_V MIRROR 17,0", "R PENTO_V LEFT 17,17", "G PENTO_V 0,17", "B PASS"):
        seen.append((state.color.name, state.to_move.name, state.turn, state.round))
        state = play(state, text)
    assert seen == [
        ("BLUE", "ONE", 0, 1),
        ("YELLOW", "TWO", 1, 1),
        ("RED", "ONE", 2, 1),
        ("GREEN", "TWO", 3, 1),
        ("BLUE", "ONE", 4, 2),
    ]


@pytest.mark.parametrize("key", KEYS)
def test_r6_the_shapes_of_the_start_are_drawn_evenly(key: str) -> None:
    rng = Random(7)
    drawn = Counter(games.load(key).new_state(rng).start for _ in range(6000))
    allowed = [kind for kind in PENTOMINOES if key not in WITHOUT_X or kind is not Shape.PENTO_X]
    assert set(drawn) == set(allowed)
    expected = 6000 / len(allowed)
    surprise = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert surprise < 31  # chi-square, 11 degrees of freedom: 1 in 1000


def test_r6_the_first_piece_has_the_given_shape() -> None:
    assert violation(start(), "B PENTO_L 0,0") is BlokusViolation.NOT_START_SHAPE
    assert violation(start(), "B MONO 0,0") is BlokusViolation.NOT_START_SHAPE
    assert {found.kind for found in start().placements()} == {Shape.PENTO_V}


@pytest.mark.parametrize(
    ("key", "kind", "counts"),
    [
        ("blokus-2021", Shape.PENTO_V, (12, 108, 648)),
        ("blokus-2021", Shape.PENTO_L, (24, 432, 5184)),
        ("blokus-2021", Shape.PENTO_R, (8, 48, 192)),
        ("blokus-2027", Shape.PENTO_V, (272, 68944)),
        ("blokus-2027", Shape.PENTO_X, (68, 4284)),
    ],
)
def test_r7_as_many_starts_as_the_reference_counts(key: str, kind: Shape, counts: tuple[int, ...]) -> None:
    for depth, count in enumerate(counts, 1):
        assert perft(start(key, kind), depth, State.placements) == count


def test_r7_the_first_piece_of_2021_covers_a_corner() -> None:
    assert violation(start("blokus-2021"), "B PENTO_V 1,0") is BlokusViolation.NOT_IN_CORNER
    assert violation(start("blokus-2021"), "B PENTO_V 0,0") is None
    assert violation(start("blokus-2021"), "B PENTO_V FLIP 0,0") is BlokusViolation.NOT_IN_CORNER  # beside the corner


def test_r7_the_first_piece_of_2027_covers_a_square_of_the_border() -> None:
    assert violation(start("blokus-2027"), "B PENTO_V 5,0") is None
    assert violation(start("blokus-2027"), "B PENTO_V 17,8") is None
    assert violation(start("blokus-2027"), "B PENTO_V 5,1") is BlokusViolation.NOT_ON_BORDER


@pytest.mark.parametrize("place", ["MIRROR 17,0", "LEFT 17,17", "0,17"])
def test_r7_the_second_player_may_take_any_free_corner_the_one_opposite_too(place: str) -> None:
    state = play(start(), "B PENTO_V RIGHT 0,0")
    assert violation(state, f"Y PENTO_V {place}") is None


def test_r7_with_the_cross_no_color_can_begin_in_a_corner_and_nobody_wins() -> None:
    state = start("blokus-2021", Shape.PENTO_X)
    assert state.colors_in == ()
    assert state.legal_moves() == ()
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (None, BlokusEnd.NO_MOVES)
    assert [state.points(team) for team in TEAMS] == [(1, 0), (1, 0)]


# --- where a piece may lie ------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["-1,0", "0,-1", "18,0", "0,18", "20,20", "9999,0", "0,-9999"])
def test_r8_a_piece_lies_wholly_on_the_board(place: str) -> None:
    assert violation(start(), f"B PENTO_V {place}") is BlokusViolation.OFF_BOARD


def test_r8_a_number_far_off_the_board_is_refused_in_no_time() -> None:
    far = Place(Color.BLUE, Shape.PENTO_V, Rotation.NONE, False, 10**30, 10**30)
    assert start().violation(far) is BlokusViolation.OFF_BOARD


@pytest.mark.parametrize("text", ["Y PENTO_V RIGHT 0,0", "Y PENTO_V MIRROR 0,0"])
def test_r8_no_piece_covers_another(text: str) -> None:
    state = play(start(), "B PENTO_V RIGHT 0,0")
    assert violation(state, text) is BlokusViolation.OVERLAP


@pytest.mark.parametrize("place", ["3,0", "1,1", "0,3", "2,1"])
def test_r9_own_pieces_never_share_an_edge(place: str) -> None:
    assert violation(in_corners(), f"B MONO {place}") is BlokusViolation.TOUCHES_EDGE


def test_r9_an_own_corner_does_not_excuse_an_own_edge() -> None:
    state = in_corners()
    assert violation(state, "B DOMINO 3,1") is None
    assert violation(state, "B DOMINO 2,1") is BlokusViolation.TOUCHES_EDGE


@pytest.mark.parametrize("place", ["2,2", "10,10", "4,0", "0,4", "19,10"])
def test_r10_an_own_corner_must_be_touched(place: str) -> None:
    assert violation(in_corners(), f"B MONO {place}") is BlokusViolation.NO_CORNER


def test_r10_the_free_corners_are_found() -> None:
    places = {(found.x, found.y) for found in in_corners().placements() if found.kind is Shape.MONO}
    assert places == {(3, 1), (1, 3)}


def test_r11_other_colors_may_be_touched_in_any_way() -> None:
    state = with_board(in_corners(), Color.YELLOW, (4, 1), (3, 0), (3, 2))
    assert violation(state, "B MONO 3,1") is None


def test_r11_a_foreign_corner_does_not_count_as_an_own_one() -> None:
    state = with_board(in_corners(), Color.YELLOW, (10, 10))
    assert violation(state, "B MONO 11,11") is BlokusViolation.NO_CORNER


def test_r9_the_two_sides_of_the_board_are_not_neighbours() -> None:
    # One row ends where the next begins: squares 19,4 and 0,5 must neither touch by edge nor by corner.
    state = with_board(in_corners(), Color.BLUE, (19, 4))
    assert violation(state, "B MONO 0,5") is BlokusViolation.NO_CORNER
    assert violation(state, "B MONO 0,6") is BlokusViolation.NO_CORNER
    assert violation(state, "B MONO 0,4") is BlokusViolation.NO_CORNER
    assert {(found.x, found.y) for found in state.placements() if found.kind is Shape.MONO} == {(18, 3), (18, 5)}


def test_r3_each_piece_is_laid_once() -> None:
    state = play(in_corners(), "B MONO 3,1", "Y PASS", "R PASS", "G PASS")
    assert violation(state, "B MONO 1,3") is BlokusViolation.ALREADY_LAID
    assert violation(state, "B PENTO_V 4,2") is BlokusViolation.ALREADY_LAID
    assert violation(state, "B DOMINO 4,2") is None
    assert Shape.MONO not in {found.kind for found in state.placements()}


def test_r5_only_the_color_whose_turn_it_is_moves() -> None:
    assert violation(in_corners(), "R MONO 16,16") is BlokusViolation.WRONG_COLOR  # blue's own team, but not its turn
    assert violation(in_corners(), "Y MONO 16,1") is BlokusViolation.WRONG_COLOR
    assert violation(in_corners(), "G PASS") is BlokusViolation.WRONG_COLOR


def test_a_finished_game_takes_no_move() -> None:
    state = late(99, (SOME, SOME, SOME, SOME))
    over = play(state, "G PASS")
    for text in ("B PASS", "B DOMINO 3,1", "Y PASS"):
        assert violation(over, text) is BlokusViolation.GAME_OVER


def test_an_illegal_move_raises_its_reason_and_changes_nothing() -> None:
    state = in_corners()
    with pytest.raises(IllegalMove) as refused:
        play(state, "B MONO 10,10")
    assert refused.value.reason is BlokusViolation.NO_CORNER
    assert str(refused.value) == "B MONO 10,10: the piece touches no corner of its own colour"
    assert state == in_corners()


# --- passing and going out ------------------------------------------------------------------------------


def test_r12_a_color_cannot_pass_before_its_first_piece() -> None:
    assert violation(start(), "B PASS") is BlokusViolation.PASS_FIRST
    state = play(start(), "B PENTO_V RIGHT 0,0")
    assert violation(state, "Y PASS") is BlokusViolation.PASS_FIRST
    assert not any(isinstance(found, Pass) for found in state.legal_moves())


def test_r12_afterwards_it_may_pass_and_stays_in() -> None:
    state = in_corners()
    assert state.legal_moves()[-1] == Pass(Color.BLUE)
    assert state.placements() == state.legal_moves()[:-1]
    after = play(state, "B PASS")
    assert (after.turn, after.colors_in, after.boards) == (5, COLORS, state.boards)
    assert play(after, "Y PASS", "R PASS", "G PASS").color is Color.BLUE


def test_r13_a_color_without_a_move_goes_out_when_its_turn_comes() -> None:
    state = late(20, (SOME, NOTHING, SOME, SOME), "blokus-2021-official")
    assert Color.YELLOW in state.colors_in
    state = play(state, "B PASS")
    assert (state.turn, state.color) == (22, Color.RED)
    assert state.colors_in == (Color.BLUE, Color.RED, Color.GREEN)
    assert play(state, "R PASS", "G PASS", "B PASS").turn == 26  # and it is skipped from then on


def test_r13_a_color_that_is_shut_in_goes_out_though_it_has_pieces() -> None:
    state = late(20, (SOME, MONO, SOME, SOME))
    # Yellow has only the squares 16,1 and 18,3 at its corners; red takes both.
    shut = with_board(state, Color.RED, (16, 1), (18, 3))
    assert play(state, "B PASS").color is Color.YELLOW
    assert play(shut, "B PASS").colors_in == (Color.BLUE, Color.RED, Color.GREEN)


def test_r13_the_same_side_may_move_twice_in_a_row() -> None:
    state = play(late(20, (SOME, NOTHING, SOME, SOME), "blokus-2021-official"), "B PASS")
    assert state.to_move is Team.ONE


def test_r13_r14_when_the_last_color_goes_out_the_turn_stays_there() -> None:
    state = play(late(21, (NOTHING, MONO, NOTHING, NOTHING), "blokus-2021-official"), "Y MONO 16,1")
    assert (state.turn, state.colors_in) == (25, ())
    assert state.outcome is not None
    assert state.outcome.reason is BlokusEnd.NO_MOVES


@pytest.mark.parametrize("key", KEYS)
def test_r13_in_random_games_only_colors_that_are_out_are_skipped_and_whoever_moves_can(key: str) -> None:
    for seed in range(3):
        before = None
        for state in random_game(games.load(key).new_state(Random(seed)), Random(seed)):
            if before is not None:
                assert state.still_in & ~before.still_in == 0
                for turn in range(before.turn + 1, state.turn):
                    assert not state.still_in >> turn % 4 & 1
            if state.outcome is None:
                assert state.color in state.colors_in
                assert state.placements()
            before = state


# --- the end --------------------------------------------------------------------------------------------


LAST_PIECES = ("B MONO 3,1", "Y MONO 16,1", "R MONO 16,18", "G MONO 3,18")


@pytest.mark.parametrize("year", [2021, 2027])
@pytest.mark.parametrize("finishing", COLORS, ids=lambda color: color.name)
@pytest.mark.parametrize("out", [None, *COLORS], ids=lambda color: color.name if color is not None else "none")
def test_r15_the_round_in_which_a_color_finishes_is_played_to_its_end(
    year: int, finishing: Color, out: Color | None
) -> None:
    if finishing is out:
        return
    blue, yellow, red, green = (MONO if color is finishing else SOME for color in COLORS)
    still_in = ALL_IN if out is None else ALL_IN ^ 1 << out
    state = late(20 + finishing, (blue, yellow, red, green), f"blokus-{year}", still_in)
    state = play(state, LAST_PIECES[finishing])
    for color in COLORS[finishing + 1 :]:
        if color is not out:
            assert state.outcome is None
            assert state.color is color
            state = play(state, f"{color.letter} PASS")
    assert state.round == 7
    assert state.outcome is not None
    assert state.outcome.reason is BlokusEnd.FINISHED


def test_r15_two_colors_may_finish_in_the_same_round() -> None:
    state = play(late(20, (MONO, SOME, MONO, MONO)), "B MONO 3,1", "Y PASS", "R MONO 16,18")
    assert state.outcome is None
    state = play(state, "G MONO 3,18")
    assert state.outcome is not None
    assert [state.color_points(color) for color in COLORS] == [26, 5, 26, 26]


@pytest.mark.parametrize("year", [2021, 2027])
def test_r15_the_servers_play_on_when_a_color_has_finished(year: int) -> None:
    state = late(20, (MONO, SOME, SOME, SOME), f"blokus-{year}-official")
    state = play(state, "B MONO 3,1", "Y PASS", "R PASS", "G PASS")
    assert state.outcome is None
    assert (state.turn, state.color) == (25, Color.YELLOW)


@pytest.mark.parametrize(("key", "last_turn"), [(key, 95 if key == "blokus-2027-official" else 99) for key in KEYS])
def test_r16_the_game_ends_after_its_last_round(key: str, last_turn: int) -> None:
    state = play(late(last_turn - 1, (SOME, SOME, SOME, SOME), key), "R PASS")
    assert state.outcome is None
    state = play(state, "G PASS")
    assert state.turn == last_turn + 1
    assert state.outcome is not None
    assert state.outcome.reason is BlokusEnd.ROUNDS
    assert state.legal_moves() == ()


def test_r13_colors_are_skipped_after_the_last_round_too() -> None:
    key = "blokus-2021-official"
    already_out = play(late(99, (SOME, SOME, SOME, SOME), key, still_in=0b1110), "G PASS")
    going_out = play(late(99, (NOTHING, SOME, SOME, SOME), key), "G PASS")
    for state in (already_out, going_out):
        assert (state.turn, state.still_in) == (101, 0b1110)
        assert state.outcome is not None
        assert state.outcome.reason is BlokusEnd.ROUNDS


# --- the points -----------------------------------------------------------------------------------------


def test_r17_a_laid_pentomino_is_worth_five_points() -> None:
    state = in_corners()
    assert [state.color_points(color) for color in COLORS] == [5, 5, 5, 5]
    assert [state.points(team) for team in TEAMS] == [(0, 10), (0, 10)]  # nobody has won yet
    assert play(state, "B PASS").team_points(Team.ONE) == 10


def test_r18_all_pieces_laid_give_fifteen_points_more() -> None:
    state = play(late(20, (DOMINO, SOME, SOME, SOME)), "B DOMINO 3,1")
    assert state.color_points(Color.BLUE) == 5 + 2 + 15


def test_r19_the_monomino_as_the_last_piece_gives_another_five() -> None:
    state = play(late(20, (MONO, SOME, SOME, SOME)), "B MONO 3,1")
    assert state.color_points(Color.BLUE) == 5 + 1 + 20
    assert state.mono == 1 << Color.BLUE


def test_r19_the_monomino_before_the_last_piece_does_not() -> None:
    state = late(20, (MONO | DOMINO, SOME, SOME, SOME))
    state = play(state, "B MONO 3,1", "Y PASS", "R PASS", "G PASS")
    assert state.color_points(Color.BLUE) == 5 + 1
    state = play(state, "B DOMINO 1,3")
    assert state.color_points(Color.BLUE) == 5 + 1 + 2 + 15
    assert state.mono == 0


@pytest.mark.parametrize(
    ("hands", "winner", "points"),
    [
        ((SOME, SOME, SOME, SOME), None, [(1, 10), (1, 10)]),
        ((SOME, SOME, NOTHING, SOME), Team.ONE, [(2, 25), (0, 10)]),
        ((SOME, NOTHING, SOME, NOTHING), Team.TWO, [(0, 10), (2, 40)]),
    ],
)
def test_r20_r21_the_side_with_more_points_wins(
    hands: tuple[int, int, int, int], winner: Team | None, points: list[tuple[int, int]]
) -> None:
    state = late(100, hands, "blokus-2021-official")
    assert state.outcome is not None
    assert state.outcome.winner is winner
    assert [state.points(team) for team in TEAMS] == points


def test_r21_the_scores_carry_the_names_of_the_wire() -> None:
    assert [part.name for part in games.load("blokus-2021").scores] == ["Gewinner", "∅ Punkte"]
    assert [part.name for part in games.load("blokus-2027").scores] == ["Siegpunkte", "Punkte"]
    for key in KEYS:
        game = games.load(key)
        assert [part.aggregation for part in game.scores] == ["SUM", "AVERAGE"]
        assert game.wire_name == f"swc_{game.year}_blokus"
        assert game.official == key.endswith("-official")


# --- values ---------------------------------------------------------------------------------------------


def test_positions_reached_by_different_ways_are_equal() -> None:
    one = play(in_corners(), "B MONO 3,1", "Y PASS", "R PASS", "G PASS", "B DOMINO 1,3")
    other = play(in_corners(), "B DOMINO 1,3", "Y PASS", "R PASS", "G PASS", "B MONO 3,1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.last_move != other.last_move


def test_positions_of_different_rule_sets_are_not_equal() -> None:
    assert len({start(key) for key in KEYS}) == len(KEYS)


def test_a_position_survives_pickling() -> None:
    state = in_corners()
    state.legal_moves()
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert again.legal_moves() == state.legal_moves()


def test_generating_moves_creates_none() -> None:
    first, second = in_corners(), in_corners()
    assert first is not second
    for one, other in zip(first.legal_moves(), second.legal_moves(), strict=True):
        assert one is other


def test_the_rule_sets_differ_only_as_the_table_says() -> None:
    ends = {
        key: (rules.start_on_border, len(rules.start_kinds), rules.ends_when_finished, rules.rounds)
        for key, rules in RULES.items()
    }
    assert ends == {
        "blokus-2021": (False, 11, True, 25),
        "blokus-2021-official": (False, 11, False, 25),
        "blokus-2027": (True, 12, True, 25),
        "blokus-2027-official": (True, 12, False, 24),
    }
    assert in_corners().still_in == ALL_IN
