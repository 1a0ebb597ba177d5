"""Ostseeschach as numbers: both teams play from row 0 to row 7, and one network plays both."""

from __future__ import annotations

from random import Random

from spielleiter import games
from spielleiter.game import Team, random_game
from spielleiter.games.ostseeschach import Move, Piece, State
from spielleiter.games.ostseeschach.encoding import STEPS
from spielleiter.games.ostseeschach.moves import STEPS as STEPS_OF_KINDS

GAME = games.load("ostseeschach-2022")
ENCODING = GAME.encoding
TEXTS = [plane.text for plane in ENCODING.planes]


def plane(state: State, team: Team, text: str) -> list[bytes]:
    """The rows of the plane called ``text``."""
    seen = ENCODING.plane_bytes(state, team)[TEXTS.index(text) * 64 :]
    return [seen[row * 8 : row * 8 + 8] for row in range(8)]


def exchanged(state: State) -> State:
    """The same position with the teams exchanged, in the next turn."""
    pieces = [
        ((7 - x, 7 - y), Piece(piece.team.opponent, piece.kind, piece.height)) for (x, y), piece in state.pieces()
    ]
    return State.of(state.rules, state.turn + 1, pieces, (state.ambers_two, state.ambers_one))


def test_both_teams_see_the_same_start_but_for_who_moves_second() -> None:
    start = GAME.new_state(Random(4))
    one, two = (ENCODING.plane_bytes(start, team) for team in Team)
    assert [text for i, text in enumerate(TEXTS) if one[i * 64 : i * 64 + 64] != two[i * 64 : i * 64 + 64]] == [
        "all ones: this team moves second in a round"
    ]
    assert sum(sum(plane(start, Team.TWO, text)[0]) for text in TEXTS if text.startswith("own pieces")) == 8


def test_kinds_towers_and_ambers_are_shown() -> None:
    state = GAME.notation.parse_state("ostseeschach-2022 8/8/8/8/8/2m+5/8/1R6 0-1 13")
    assert plane(state, Team.ONE, "own pieces: seal")[0][1] == 1
    assert plane(state, Team.ONE, "the opponent's pieces: gull")[2][2] == 1
    assert plane(state, Team.TWO, "own pieces: gull")[5][5] == plane(state, Team.TWO, "towers of two pieces")[5][5] == 1
    assert plane(state, Team.ONE, "the opponent's ambers, on every square")[7] == b"\1" * 8
    assert plane(state, Team.ONE, "own ambers, on every square")[7] == bytes(8)
    assert plane(state, Team.ONE, "the turn, on every square")[0][0] == 13


def test_the_steps_are_those_of_all_kinds() -> None:
    assert len(set(STEPS)) == len(STEPS)
    assert set(STEPS) == {step for steps in STEPS_OF_KINDS for step in steps}


def test_a_number_is_step_row_and_column() -> None:
    one = GAME.new_state(Random(1))
    move = Move((0, 3), (1, 3))  # one straight forward, which is step 1
    assert ENCODING.action(one, move) == 67
    assert ENCODING.move(one, 67) == move
    two = one.play(one.legal_moves()[0])
    assert ENCODING.move(two, 67) == Move((7, 4), (6, 4))


def test_exchanged_teams_see_the_same_board_and_have_the_same_moves() -> None:
    for state in list(random_game(GAME.new_state(Random(5)), Random(5)))[:30:2]:
        other = exchanged(state)
        seen, seen_by_other = (ENCODING.plane_bytes(s, s.to_move) for s in (state, other))
        assert seen[:-128] == seen_by_other[:-128]  # all but whose turn in the round it is, and the turn
        numbers, others = ({ENCODING.action(s, move) for move in s.legal_moves()} for s in (state, other))
        assert numbers == others
