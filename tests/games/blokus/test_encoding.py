"""Blokus as numbers: every colour sees itself as the first, and one network plays all four."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from spielleiter import games
from spielleiter.game import Team, random_game
from spielleiter.games.blokus import Color, Pass, Place, Rotation, Shape, State

GAME = games.load("blokus-2027-official")
ENCODING = GAME.encoding
TEXTS = [plane.text for plane in ENCODING.planes]


def plane(state: State, team: Team, text: str) -> list[bytes]:
    """The rows of the plane called ``text``."""
    seen = ENCODING.plane_bytes(state, team)[TEXTS.index(text) * 400 :]
    return [seen[row * 20 : row * 20 + 20] for row in range(20)]


def is_on(state: State, team: Team, text: str) -> bool:
    seen = b"".join(plane(state, team, text))
    assert seen in (bytes(400), b"\1" * 400)
    return bool(seen[0])


def handed_on(state: State) -> State:
    """The same position with every colour's things in the hands of the next one, a turn later."""
    boards, hands = ((four[3], *four[:3]) for four in (state.boards, state.hands))
    still_in, mono = ((four << 1 | four >> 3) & 15 for four in (state.still_in, state.mono))
    return replace(state, boards=boards, hands=hands, turn=state.turn + 1, still_in=still_in, mono=mono, last_move=None)


def test_a_square_is_row_y_and_column_x() -> None:
    start = GAME.new_state(Random(1))
    move = next(move for move in start.placements() if move.x == 7)
    after = start.play(move)
    assert after.to_move is Team.TWO
    # Blue has moved: the next colour of its team is red, and blue comes last before it again.
    blue = plane(after, Team.ONE, "squares of the own other colour")
    assert {(x, y) for y in range(20) for x in range(20) if blue[y][x]} == set(move.cells)
    assert plane(after, Team.TWO, "squares of the last colour") == blue


def test_hands_are_shown_for_the_right_color() -> None:
    start = GAME.new_state(Random(1))
    after = start.play(start.legal_moves()[0])
    laid = after.start.name
    for whose in ("the own next colour", "the colour after it", "the own other colour", "the last colour"):
        assert is_on(after, Team.TWO, f"all ones: {whose} still has {laid}") == (whose != "the last colour")
        assert is_on(after, Team.TWO, f"all ones: {whose} still has MONO")
        assert is_on(after, Team.TWO, f"all ones: {whose} is still in")
        assert not is_on(after, Team.TWO, f"all ones: {whose} has laid the monomino last")


def test_who_is_out_and_who_laid_the_monomino_last_is_shown() -> None:
    state = replace(GAME.new_state(Random(1)), turn=40, still_in=0b1101, mono=0b0010, hands=(1, 0, 1, 1))
    assert not is_on(state, Team.ONE, "all ones: the colour after it is still in")
    assert is_on(state, Team.ONE, "all ones: the colour after it has laid the monomino last")
    assert is_on(state, Team.TWO, "all ones: the own next colour has laid the monomino last")


def test_the_first_shape_the_place_in_the_round_and_the_turn_are_shown() -> None:
    state = replace(State.begin(GAME.new_state(Random(1)).rules, Shape.PENTO_V), turn=6)
    shape = plane(state, Team.ONE, "the shape of the first pieces, drawn in the upper left corner")
    assert [row[:4] for row in shape[:4]] == [b"\1\0\0\0", b"\1\0\0\0", b"\1\1\1\0", b"\0\0\0\0"]
    # Turn 6 is red's, the third colour; the opponent's next one is green, the fourth.
    places = {
        team: [n for n in (1, 2, 3, 4) if is_on(state, team, f"all ones: the own next colour is number {n} in a round")]
        for team in Team
    }
    assert places == {Team.ONE: [3], Team.TWO: [4]}
    assert plane(state, Team.ONE, "the turn, on every square")[19][19] == 6


def test_a_number_is_orientation_row_and_column_for_the_color_to_move() -> None:
    start = GAME.new_state(Random(1))
    assert ENCODING.move(start, 21) == Place(Color.BLUE, Shape.MONO, Rotation.NONE, False, 1, 1)
    assert ENCODING.move(start, 400) == Place(Color.BLUE, Shape.DOMINO, Rotation.NONE, False, 0, 0)
    assert ENCODING.move(replace(start, turn=2), 36400) == Pass(Color.RED)
    # Two names of the same squares have one number.
    turned = Place(Color.BLUE, Shape.DOMINO, Rotation.MIRROR, True, 0, 0)
    assert ENCODING.action(start, turned) == 400


def test_every_color_sees_the_same_board_and_has_the_same_moves() -> None:
    end = slice(0, -5 * 400)  # all but the place in the round, and the turn
    for state in list(random_game(GAME.new_state(Random(5)), Random(5)))[:24:5]:
        numbers = {ENCODING.action(state, move) for move in state.legal_moves()}
        other = state
        for _ in range(3):
            other = handed_on(other)
            assert ENCODING.plane_bytes(other, other.to_move)[end] == ENCODING.plane_bytes(state, state.to_move)[end]
            assert {ENCODING.action(other, move) for move in other.legal_moves()} == numbers
