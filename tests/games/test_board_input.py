"""What every game promises to people's hands: all legal moves can be made, and everything has words."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.game import AnyGame, Look
from spielleiter.games import all_games

GAMES = [game for game in all_games().values() if not game.official]


def positions(game: AnyGame, number: int = 12) -> list:
    rng, state, found = Random(5), game.new_state(Random(4)), []
    while state.outcome is None and len(found) < number:
        found.append(state)
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_hands_can_make_exactly_the_legal_moves(game: AnyGame) -> None:
    board_input = game.board_input
    assert board_input is not None
    for state in positions(game):
        if hasattr(board_input, "steps"):
            found = {step.move for step in board_input.steps(state)}
        else:
            places = board_input.places(state)
            found = {board_input.lay(state, name, lie, at) for (name, lie), ats in places.items() for at in ats}
            found |= {move for move in [board_input.passing(state)] if move is not None}
        assert found == set(state.legal_moves())


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_square_lies_in_the_picture_and_has_a_name_of_its_own_and_words(game: AnyGame) -> None:
    board_input, state = game.board_input, game.new_state(Random(1))
    assert board_input is not None
    squares = [square for row in board_input.rows for square in row]
    for look in (Look(), Look(flipped=True)):
        width, height = board_input.extent(look)
        corners = [board_input.corner(square, look) for square in squares]
        assert all(0 <= x <= width - 1 and 0 <= y <= height - 1 for x, y in corners)
        assert len(set(corners)) == len(squares)
        assert f'viewBox="0 0 {width:g} {height:g}"' in game.draw(state, look)
    assert len({board_input.square_name(square) for square in squares}) == len(squares)
    assert all(board_input.contents(state, square).de for square in squares)
    # Row by row from the top, left to right: what a reader of the screen hears is what an eye sees.
    assert [board_input.corner(square, Look()) for square in squares] == sorted(
        (board_input.corner(square, Look()) for square in squares), key=lambda corner: (corner[1], corner[0])
    )


@pytest.mark.parametrize("game", [game for game in GAMES if hasattr(game.board_input, "steps")], ids=str)
def test_what_is_no_step_is_refused_with_words(game: AnyGame) -> None:
    board_input = game.board_input
    for state in positions(game, 3):
        legal = {(step.start, step.target) for step in board_input.steps(state)}
        squares = [square for row in board_input.rows for square in row]
        for start in squares[::3]:
            for target in squares[::2]:
                if (start, target) not in legal:
                    assert board_input.refusal(state, start, target).de not in ("", "Das ist erlaubt.")


@pytest.mark.parametrize("game", [game for game in GAMES if hasattr(game.board_input, "lay")], ids=str)
def test_turning_four_times_and_flipping_twice_leaves_a_tile_as_it_was(game: AnyGame) -> None:
    board_input, state = game.board_input, positions(game)[-1]
    for tile in board_input.tiles(state):
        for index, lie in enumerate(tile.orientations):
            at = index
            for _ in range(4):
                at = tile.orientations[at].turned
            assert at == index
            assert tile.orientations[lie.flipped].flipped == index


def test_the_line_explains_the_distance_in_piranhas() -> None:
    game = all_games()["piranhas-2019"]
    state = game.new_state(Random(0))
    step = next(step for step in game.board_input.steps(state) if step.start == (0, 4))
    assert len(step.counted) == max(abs(step.target[0] - 0), abs(step.target[1] - 4))
    assert str(len(step.counted)) in step.why.de
    assert "nicht 3" in game.board_input.refusal(state, (0, 4), (3, 4)).de
    assert "schräg" in game.board_input.refusal(state, (0, 4), (1, 6)).de
