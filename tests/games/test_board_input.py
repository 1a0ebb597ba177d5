"""What every game promises to a page: all legal moves can be made, and everything has words."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from spielleiter.game import AnyGame, Look, PieceMoves, TilePlacement
from spielleiter.game.drawing import square_key
from spielleiter.games import all_games

GAMES = [game for game in all_games().values() if not game.official]


def positions(game: AnyGame, number: int = 12) -> list[Any]:
    rng, state = Random(5), game.new_state(Random(4))
    found: list[Any] = []
    while state.outcome is None and len(found) < number:
        found.append(state)
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_page_can_make_exactly_the_legal_moves(game: AnyGame) -> None:
    for state in positions(game):
        assert _possible_moves(game, state) == set(state.legal_moves())


def _possible_moves(game: AnyGame, state: Any) -> set[Any]:
    match game.board_input:
        case PieceMoves() as pieces:
            return {step.move for step in pieces.steps(state)}
        case TilePlacement() as tiles:
            found = {
                tiles.place(state, name, orientation, at)
                for (name, orientation), squares in tiles.placements(state).items()
                for at in squares
            }
            return found | {move for move in [tiles.pass_move(state)] if move is not None}
    raise AssertionError(f"{game.key} has no input")


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


@pytest.mark.parametrize("game", [game for game in GAMES if isinstance(game.board_input, PieceMoves)], ids=str)
def test_what_is_no_step_is_refused_with_words(game: AnyGame) -> None:
    board_input = game.board_input
    assert isinstance(board_input, PieceMoves)
    for state in positions(game, 3):
        legal = {(step.start, step.target) for step in board_input.steps(state)}
        squares = [square for row in board_input.rows for square in row]
        for start in squares[::3]:
            for target in squares[::2]:
                if (start, target) not in legal:
                    assert board_input.refusal(state, start, target).de not in ("", "Das ist erlaubt.")


@pytest.mark.parametrize("game", [game for game in GAMES if isinstance(game.board_input, TilePlacement)], ids=str)
def test_turning_four_times_and_flipping_twice_leaves_a_tile_as_it_was(game: AnyGame) -> None:
    board_input, state = game.board_input, positions(game)[-1]
    assert isinstance(board_input, TilePlacement)
    for tile in board_input.tiles(state):
        for index, orientation in enumerate(tile.orientations):
            at = index
            for _ in range(4):
                at = tile.orientations[at].turned
            assert at == index
            assert tile.orientations[orientation.flipped].flipped == index


def test_the_line_explains_the_distance_in_piranhas() -> None:
    game = all_games()["piranhas-2019"]
    board_input, state = game.board_input, game.new_state(Random(0))
    assert isinstance(board_input, PieceMoves)
    step = next(step for step in board_input.steps(state) if step.start == (0, 4))
    assert len(step.counted) == max(abs(step.target[0] - 0), abs(step.target[1] - 4))
    assert str(len(step.counted)) in step.why.de
    assert "nicht 3" in board_input.refusal(state, (0, 4), (3, 4)).de
    assert "schräg" in board_input.refusal(state, (0, 4), (1, 6)).de


@pytest.mark.parametrize("game", all_games().values(), ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_the_mark_of_the_last_move_lies_on_the_squares_of_that_move(game: AnyGame, seed: int) -> None:
    board_input, rng = game.board_input, Random(seed)
    assert board_input is not None
    state = game.new_state(rng)
    while state.outcome is None:
        move = rng.choice(state.legal_moves())
        squares = board_input.move_squares(state, move)
        state = state.play_unchecked(move)
        look = Look(flipped=bool(state.turn & 1), result=False)
        picture = game.draw(state, look)
        assert f' data-turn="{state.turn}" data-last="{" ".join(map(square_key, squares))}"' in picture
        if isinstance(board_input, PieceMoves):
            marks = _marked(picture)
            assert marks == [board_input.corner(square, look) for square in squares]


def _marked(picture: str) -> list[Any]:
    """The corners of the squares in the colour of the last move."""
    number = "([0-9.]+)"
    found = re.findall(rf'<rect x="{number}" y="{number}"[^>]*fill="var\(--sl-last,', picture)
    return [pytest.approx((float(x), float(y))) for x, y in found]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_piece_of_the_picture_can_be_found_by_its_square(game: AnyGame) -> None:
    board_input = game.board_input
    for state in positions(game)[1:]:
        found = set(re.findall(r' data-at="([0-9]+,[0-9]+)"', game.draw(state, Look())))
        assert board_input is not None
        if isinstance(board_input, PieceMoves):
            squares = [square for row in board_input.rows for square in row]
            assert found == {square_key(at) for at in squares if board_input.contents(state, at).en != "empty"}
        else:  # Of tiles only the last one moves.
            assert len(found) == 1
