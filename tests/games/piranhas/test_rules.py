"""Piranhas, rule by rule; the R-numbers are those of games/piranhas/RULES.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS, Team, random_game
from spielleiter.games.piranhas import Direction, Move, PiranhasEnd, PiranhasViolation, State
from spielleiter.games.piranhas.rules import is_united, swarms
from tests.support import piranhas_naive as naive
from tests.support.night import by_day, examples

START = "piranhas-2019 1BBBBBBBB1/R8R/R8R/R8R/R2K5R/R8R/R4K3R/R8R/R8R/1BBBBBBBB1 0"
KEYS = ("piranhas-2019", "piranhas-2019-official", "piranhas-2026", "piranhas-2026-official")


def position(text: str) -> State:
    _, state = games.parse_position(text)
    assert isinstance(state, State)
    return state


def square(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("A"), int(name[1])


def play(state: State, *moves: str) -> State:
    notation = games.load(state.rules.key).notation
    for move in moves:
        state = state.play(notation.parse_move(state, move))
    return state


LONE = "piranhas-2019 B9/10/10/10/%s/10/10/10/10/R8B 0"  # a row to fill in

# --- the start ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_r1_the_fish_start_on_the_edges_without_the_corners(key: str) -> None:
    state = games.load(key).new_state(Random(1))
    for x in range(10):
        for y in range(10):
            bit = 1 << 10 * y + x
            assert bool(state.one & bit) == (x in (0, 9) and 1 <= y <= 8)
            assert bool(state.two & bit) == (y in (0, 9) and 1 <= x <= 8)


def krakens(state: State) -> list[tuple[int, int]]:
    return [(x, y) for x in range(10) for y in range(10) if state.krakens >> 10 * y + x & 1]


def test_r2_krakens_share_no_row_column_or_diagonal_and_lie_inside() -> None:
    rng, game = Random(2), games.load("piranhas-2019")
    for _ in range(500):
        (a, b), (c, d) = krakens(game.new_state(rng))
        assert {a, b, c, d} <= set(range(2, 8))
        assert a != c
        assert b != d
        assert abs(a - c) != abs(b - d)


def test_r2_the_krakens_are_drawn_as_the_server_draws_them() -> None:
    # First uniform over 36, second uniform over those left: so each unordered pair has this exact probability.
    inner = [(x, y) for x in range(2, 8) for y in range(2, 8)]

    def partners(p: tuple[int, int]) -> list[tuple[int, int]]:
        return [q for q in inner if q[0] != p[0] and q[1] != p[1] and abs(q[0] - p[0]) != abs(q[1] - p[1])]

    expected: dict[tuple[int, int], float] = defaultdict(float)
    for p in inner:
        for q in partners(p):
            share = 1 / 36 / len(partners(p))
            expected[p] += share
            expected[q] += share
    rng, game, games_drawn = Random(3), games.load("piranhas-2019"), 20_000
    found = Counter(kraken for _ in range(games_drawn) for kraken in krakens(game.new_state(rng)))
    chi_squared = sum((found[p] - games_drawn * expected[p]) ** 2 / (games_drawn * expected[p]) for p in inner)
    assert chi_squared < 70  # 35 degrees of freedom: exceeded by chance in 0.04 % of seeds


def test_r3_sizes_are_drawn_4_3_2_and_mirrored_on_the_diagonal() -> None:
    rng, game = Random(4), games.load("piranhas-2026")
    sizes: Counter[int] = Counter()
    for _ in range(500):
        state = game.new_state(rng)
        for i in range(1, 9):
            for edge in (0, 9):
                of_two, of_one = 1 << 10 * edge + i, 1 << 10 * i + edge
                assert state.weight(of_two) == state.weight(of_one)
                sizes[state.weight(of_two)] += 1
    assert sum(sizes.values()) == 8000
    for weight, share in ((1, 4 / 9), (2, 3 / 9), (3, 2 / 9)):
        assert sizes[weight] / 8000 == pytest.approx(share, abs=0.02)


def test_r3_in_2019_every_fish_weighs_one() -> None:
    state = games.load("piranhas-2019").new_state(Random(5))
    assert state.weight(state.one) == 16


# --- moves ----------------------------------------------------------------------------------------------


def test_r4_the_sides_alternate_and_one_begins() -> None:
    state = position(START)
    assert state.to_move is Team.ONE
    assert play(state, "A4-C4").to_move is Team.TWO


@pytest.mark.parametrize(("move", "eaten"), [("A4-C4", 0), ("A1-A9", 0), ("A2xC0", 1)])
def test_r5_the_examples_of_the_document_are_legal(move: str, eaten: int) -> None:
    after = play(position(START), move)
    x, y = square(move[3:])
    assert after.one >> 10 * y + x & 1
    assert after.two.bit_count() == 16 - eaten


def test_r5_the_distance_counts_the_whole_line_in_both_directions_but_no_krakens() -> None:
    state = position("piranhas-2019 B9/10/10/10/R1KR2BB2/10/10/10/10/R9 0")
    assert state.target(Move(3, 5, Direction.RIGHT)) == (7, 5)
    assert state.target(Move(3, 5, Direction.LEFT)) is None
    assert state.target(Move(3, 5, Direction.UP)) == (3, 6)


def test_r6_own_fish_and_krakens_are_passed() -> None:
    after = play(position("piranhas-2019 B9/10/10/10/RRK6R/10/10/10/10/9B 0"), "A5-D5")
    assert after.one >> 53 & 1


@pytest.mark.parametrize(
    ("text", "move", "violation"),
    [
        (START, Move(10, 4, Direction.LEFT), PiranhasViolation.OFF_BOARD),
        (START, Move(0, -1, Direction.UP), PiranhasViolation.OFF_BOARD),
        (START, Move(5, 5, Direction.UP), PiranhasViolation.NO_FISH),
        (START, Move(3, 5, Direction.UP), PiranhasViolation.NO_FISH),  # a kraken is no fish
        (START, Move(1, 0, Direction.UP), PiranhasViolation.NOT_YOUR_FISH),
        (START, Move(0, 4, Direction.LEFT), PiranhasViolation.TARGET_OFF_BOARD),
        (START.replace("R2K5R", "R1K6R"), Move(0, 5, Direction.RIGHT), PiranhasViolation.KRAKEN_ON_TARGET),
        (LONE % "RB7R", Move(0, 5, Direction.RIGHT), PiranhasViolation.OPPONENT_IN_THE_WAY),
        (LONE % "R2R6", Move(3, 5, Direction.LEFT), None),
        (LONE % "R1R6B", Move(0, 5, Direction.RIGHT), None),
        (LONE % "R1R7", Move(0, 5, Direction.RIGHT), PiranhasViolation.OWN_FISH_ON_TARGET),
        ("piranhas-2019 10/10/10/10/RR8/10/10/10/10/B8B 2", Move(0, 5, Direction.RIGHT), PiranhasViolation.GAME_OVER),
    ],
)  # fmt: skip
def test_r6_each_broken_rule_is_named(text: str, move: Move, violation: PiranhasViolation | None) -> None:
    state = position(text)
    assert state.violation(move) is violation
    if violation is not None:
        with pytest.raises(IllegalMove) as refused:
            state.play(move)
        assert refused.value.reason is violation
        assert refused.value.move == move


def test_r6_the_example_of_the_document_fails_if_a_kraken_is_on_c4() -> None:
    state = position(START.replace("R8R/R4K3R", "R1K6R/R4K3R").replace("R2K5R", "R8R"))
    assert state.violation(Move(0, 4, Direction.RIGHT)) is PiranhasViolation.KRAKEN_ON_TARGET


def test_r7_an_eaten_fish_leaves_with_its_weight_and_the_eater_keeps_its_own() -> None:
    state = position("piranhas-2026 9l/10/10/10/M1l7/10/10/10/10/S8s 0 -")
    after = play(state, "A5xC5")
    assert after.two.bit_count() == 2
    assert after.weight(after.two) == 4
    assert after.weight(1 << 52) == 2
    assert after.weight(after.one) == state.weight(state.one)


@pytest.mark.slow
@pytest.mark.parametrize("key", by_day(KEYS, [key for key in KEYS if not games.load(key).official]))
@settings(max_examples=examples(10))
@given(seed=st.integers(0, 2**32))
def test_moves_and_swarms_equal_those_found_with_lists_and_loops(key: str, seed: int) -> None:
    rng = Random(seed)
    for state in random_game(games.load(key).new_state(rng), rng):
        found = {(move.x, move.y, move.direction.name) for move in state.legal_moves()}
        assert found == (naive.legal_moves(state) if state.outcome is None else set())
        for team in TEAMS:
            fish = state.fish(team)
            assert sorted((swarm.bit_count() for swarm in swarms(fish)), reverse=True) == naive.swarm_sizes(state, team)
            assert is_united(fish) == (len(naive.swarm_sizes(state, team)) == 1)


# --- ends -----------------------------------------------------------------------------------------------

APART = "R8B/10/10/10/10/10/10/10/10/B8R"  # two fish each, nobody united
ONE_UNITED = "RR7B/10/10/10/10/10/10/10/10/B9"
BOTH_EQUAL = "RR8/10/10/10/10/10/10/10/10/BB8"
BOTH_ONE_LARGER = "RRR7/10/10/10/10/10/10/10/10/BB8"
ALL_KEYS_2019 = ("piranhas-2019", "piranhas-2019-official")


def outcome(text: str) -> tuple[Team | None, PiranhasEnd] | None:
    found = position(text).outcome
    return found and (found.winner, found.reason)  # type: ignore[return-value]


def weighted(text: str) -> str:
    return text.replace("R", "S").replace("B", "s")


def test_r8_diagonal_neighbours_hang_together_and_edges_do_not_wrap() -> None:
    assert is_united(1 << 0 | 1 << 11)
    assert not is_united(1 << 9 | 1 << 10)
    assert is_united(1 << 55)


def test_r10_a_union_counts_only_at_the_end_of_a_round() -> None:
    assert outcome(f"piranhas-2019 {ONE_UNITED} 11") is None
    assert outcome(f"piranhas-2019 {ONE_UNITED} 12") == (Team.ONE, PiranhasEnd.UNITED)


def test_r10_the_game_ends_after_thirty_rounds() -> None:
    assert outcome(f"piranhas-2019 {APART} 58") is None
    assert outcome(f"piranhas-2019 {APART} 60") == (None, PiranhasEnd.EQUAL_SWARMS)


@pytest.mark.parametrize("key", ALL_KEYS_2019)
@pytest.mark.parametrize("turn", [10, 11])
def test_r11_a_side_without_a_legal_move_has_lost_also_in_mid_round(key: str, turn: int) -> None:
    # One fish in the corner, shut in by opponents on all three lines; a second one far away, shut in the same way.
    if turn % 2:
        text = f"{key} BR6RB/RR6RR/10/10/10/10/10/10/10/10 {turn}"
        assert outcome(text) == (Team.ONE, PiranhasEnd.NO_MOVE)
    else:
        text = f"{key} RB6BR/BB6BB/10/10/10/10/10/10/10/10 {turn}"
        assert outcome(text) == (Team.TWO, PiranhasEnd.NO_MOVE)


def test_r12_who_alone_is_united_wins_against_a_larger_swarm() -> None:
    text = "RR3BBB2/9B/10/10/10/10/10/10/10/B9 20"
    assert outcome(f"piranhas-2019 {text}") == (Team.ONE, PiranhasEnd.UNITED)
    assert outcome(f"piranhas-2026 {weighted(text)} -") == (Team.ONE, PiranhasEnd.UNITED)


def test_r12_both_united_the_larger_swarm_wins() -> None:
    assert outcome(f"piranhas-2019 {BOTH_ONE_LARGER} 20") == (Team.ONE, PiranhasEnd.LARGER_SWARM)
    assert outcome(f"piranhas-2019 {BOTH_EQUAL} 20") == (None, PiranhasEnd.EQUAL_SWARMS)


def test_r12_swarms_are_compared_by_weight_where_fish_have_one() -> None:
    assert outcome("piranhas-2026 SSS7/10/10/10/10/10/10/10/10/ml8 20 -") == (Team.TWO, PiranhasEnd.LARGER_SWARM)


def test_r13_the_server_of_2019_plays_on_when_both_are_united_and_equal() -> None:
    assert outcome(f"piranhas-2019-official {BOTH_EQUAL} 20") is None
    assert outcome(f"piranhas-2019-official {BOTH_EQUAL} 60") == (None, PiranhasEnd.EQUAL_SWARMS)
    assert outcome(f"piranhas-2019-official {BOTH_ONE_LARGER} 20") == (Team.ONE, PiranhasEnd.LARGER_SWARM)


def test_r14_the_server_of_2026_lets_the_heavier_swarm_win_whoever_is_united() -> None:
    text = weighted("RR3BBB2/9B/10/10/10/10/10/10/10/B9 20")
    assert outcome(f"piranhas-2026-official {text} ONE") == (Team.TWO, PiranhasEnd.LARGER_SWARM)


@pytest.mark.parametrize("first", TEAMS)
def test_r14_equal_weight_goes_to_who_was_united_first(first: Team) -> None:
    text = weighted(BOTH_EQUAL)
    assert outcome(f"piranhas-2026-official {text} 20 {first.name}") == (first, PiranhasEnd.FIRST_UNITED)
    assert outcome(f"piranhas-2026 {text} 20 {first.name}") == (None, PiranhasEnd.EQUAL_SWARMS)


def test_r14_the_first_union_is_noted_after_each_move_and_stays() -> None:
    state = position("piranhas-2026 9s/10/10/10/S3S4s/10/10/10/10/10 0 -")
    apart = state.play(Move(0, 5, Direction.DOWN_RIGHT))
    assert apart.first_union is None
    state = position("piranhas-2026 9s/10/10/10/S1S6s/10/10/10/10/10 0 -")
    united = state.play(Move(0, 5, Direction.DOWN_RIGHT))
    assert united.first_union is Team.ONE
    assert all(united.play(move).first_union is Team.ONE for move in united.legal_moves())


def test_r14_without_a_move_the_heavier_swarm_wins_if_somebody_is_united() -> None:
    # TWO cannot move in mid-round, but ONE is united: then the weights decide.
    shut_in = "sL8/LL8/10/10/10/10/10/10/10/10"
    assert outcome(f"piranhas-2026-official {shut_in} 11 ONE") == (Team.ONE, PiranhasEnd.LARGER_SWARM)
    assert outcome(f"piranhas-2026 {shut_in} 11 ONE") == (Team.ONE, PiranhasEnd.NO_MOVE)


@pytest.mark.parametrize(
    ("key", "score"), [("piranhas-2026", 3), ("piranhas-2026-official", 6)]
)  # three fish weigh as much as two: the swarm with more fish is the largest
def test_r15_the_score_is_fish_by_document_and_weight_as_refereed(key: str, score: int) -> None:
    state = position(f"{key} LL3MMM2/10/10/10/10/10/10/10/10/s8l 60 -")
    assert state.points(Team.ONE) == (2, score)


def test_r15_a_draw_gives_one_point_each() -> None:
    state = position(f"piranhas-2019 {APART} 60")
    assert [state.points(team) for team in TEAMS] == [(1, 1), (1, 1)]


def test_people_see_the_weight_that_decides_and_the_number_of_fish() -> None:
    game = games.load("piranhas-2026")
    state = game.notation.parse_state("piranhas-2026 10/6sm2/1SM4s2/3L6/2K7/5s4/6SSm1/3l2K3/4s5/10 20 -")
    assert game.live_scores is not None
    assert [value for _, value in game.live_scores(state, Team.ONE)] == [6, 3]
    assert [value for _, value in game.live_scores(state, Team.TWO)] == [4, 3]
    assert games.load("piranhas-2019").live_scores is None
