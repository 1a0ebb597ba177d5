"""What makes a position of Pinguine look good."""

from __future__ import annotations

from spielleiter.game import Team
from spielleiter.games.pinguine.evaluation import evaluate, promising_moves, spread
from spielleiter.games.pinguine.moves import NEIGHBOURS
from tests.support.pinguine_positions import position


def test_a_field_spreads_to_its_neighbours() -> None:
    assert all(spread(field) == neighbours for field, neighbours in NEIGHBOURS.items())
    both = list(NEIGHBOURS)[20:22]
    assert spread(both[0] | both[1]) == NEIGHBOURS[both[0]] | NEIGHBOURS[both[1]]


def value(board: str, fish: str = "20-20", turn: int = 30) -> float:
    return evaluate(position(board, fish, turn), Team.ONE)


def test_more_fish_look_better_the_later_the_more() -> None:
    board = "P1..PPP1/......../......../1ppp...p"
    assert value(board, "22-20") > value(board, "20-20") > value(board, "20-22")
    assert value(board, "23-20", 40) > value(board, "23-20", 20)


def test_fish_that_one_team_reaches_first_are_half_caught() -> None:
    assert value("P333PPP1/......../......../1ppp...p") > value("P111PPP1/......../......../1ppp...p")


def test_a_penguin_that_is_stuck_is_a_loss() -> None:
    free, stuck = "P1..P1P1/.....P../......../1ppp..1p", "P1..P.P1/.....P1./......../1ppp..1p"
    assert value(free) > value(stuck)


def test_large_catches_are_tried_first() -> None:
    state = position("P12341../......../PPP...../......../pppp1", "20-20", 30)
    assert [str(move) for move in promising_moves(state)][:3] == ["a1-d1", "a1-e1", "a1-c1"]
