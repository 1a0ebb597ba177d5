"""What every game promises to a page: all legal moves can be made, and everything has words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from spielleiter.errors import Refused
from spielleiter.game import AnyGame, Look, PieceMoves, Square, TilePlacement
from spielleiter.game.board_input import NO_MOVE
from spielleiter.game.drawing import Point, square_key
from spielleiter.games import all_games
from spielleiter.pages.board_input import find_move, input_data, move_tree
from tests.support.night import by_day
from tests.support.rule_sets import each_game

GAMES = [game for game in all_games().values() if not game.official]


def positions(game: AnyGame, number: int = 12) -> list[Any]:
    rng, state = Random(5), game.new_state(Random(4))
    found: list[Any] = []
    while state.outcome is None and len(found) < number:
        found.append(state)
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return found


def squares_of(game: AnyGame) -> list[Square]:
    assert game.board_input is not None
    return [square for row in game.board_input.rows for square in row]


def box(outline: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_page_can_make_exactly_the_legal_moves(game: AnyGame) -> None:
    for state in positions(game, 4):
        play = input_data(game, state, "de", flipped=False, mine=True, ply=0)
        sequences = list(walk(play["tree"]))
        assert len(sequences) == len(state.legal_moves())
        made = {find_move(game, state, {"picks": " ".join(picks)}) for picks in sequences[::7]}
        assert made <= set(state.legal_moves())
        assert len(made) == len(sequences[::7])
        with pytest.raises(Refused):
            find_move(game, state, {"picks": " ".join((*sequences[0], "sofa"))})


def walk(tree: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The sequences of picks in a tree, as a script reads it."""
    for pick, behind in ((pick, []) for pick in tree) if isinstance(tree, list) else tree.items():
        if not pick or not behind:
            yield (*before, pick) if pick else before
        else:
            yield from walk(behind, (*before, pick))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_square_lies_in_the_picture_and_has_a_name_of_its_own_and_words(game: AnyGame) -> None:
    board_input, state, squares = game.board_input, game.new_state(Random(1)), squares_of(game)
    assert board_input is not None
    for look in (Look(), Look(flipped=True)):
        width, height = board_input.extent(look)
        boxes = [box(board_input.outline(square, look)) for square in squares]
        assert all(0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height for x0, y0, x1, y1 in boxes)
        assert len(set(boxes)) == len(squares)
        assert f'viewBox="0 0 {width:g} {height:g}"' in game.draw(state, look)
    assert len({board_input.square_name(square) for square in squares}) == len(squares)
    assert all(board_input.contents(state, square).de for square in squares)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_cells_are_listed_row_by_row_as_an_eye_sees_them(game: AnyGame) -> None:
    assert game.board_input is not None
    tops = []
    for row in game.board_input.rows:
        boxes = [box(game.board_input.outline(square, Look())) for square in row]
        assert [left for left, *_ in boxes] == sorted(left for left, *_ in boxes)
        tops.append(boxes[0][1])
    assert tops == sorted(tops)


@pytest.mark.parametrize("game", [game for game in GAMES if isinstance(game.board_input, TilePlacement)], ids=str)
def test_moves_with_the_same_words_differ_in_their_detail(game: AnyGame) -> None:
    assert game.board_input is not None
    for state in positions(game, 6)[::2]:
        moves = state.legal_moves()
        said = {(game.move_text(state, move), game.board_input.move_detail(state, move)) for move in moves}
        assert len(said) == len(moves)


@pytest.mark.parametrize("game", [game for game in GAMES if isinstance(game.board_input, PieceMoves)], ids=str)
def test_squares_that_make_no_move_are_refused_with_a_reason(game: AnyGame) -> None:
    board_input = game.board_input
    assert board_input is not None
    for state in positions(game, 3):
        legal = {board_input.picks(state, move) for move in state.legal_moves()}
        squares = squares_of(game)
        for start in squares[::3]:
            for target in squares[::2]:
                if (start, target) not in legal:
                    assert board_input.refusal(state, (start, target)).de not in ("", NO_MOVE.de)


def test_a_move_that_could_go_on_is_in_the_tree_beside_what_follows() -> None:
    moves = [("hare",), ("hare", "card"), ("hare", "salad", "2"), ("hare", "salad", "3"), ("3,4",)]
    tree = move_tree(moves)
    assert tree == {"hare": {"": [], "card": [], "salad": ["2", "3"]}, "3,4": []}
    assert list(walk(tree)) == moves


@pytest.mark.parametrize("picks", ["", "0,4", "x" * 500, "0,4 " * 40, "0,4 \0", "9999,1 1,1", "sofa 0,1", "²"])
def test_picks_that_make_no_move_are_refused_with_words(picks: str) -> None:
    game = all_games()["piranhas-2019"]
    with pytest.raises(Refused) as refused:
        find_move(game, game.new_state(Random(0)), {"picks": picks})
    assert refused.value.text.de


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
    move = next(move for move in state.legal_moves() if board_input.picks(state, move)[0] == (0, 4))
    target, note = board_input.picks(state, move)[1], board_input.note(state, move)
    assert note is not None
    assert isinstance(target, tuple)
    assert len(note.counted) == max(abs(target[0] - 0), abs(target[1] - 4))
    assert str(len(note.counted)) in note.text.de
    assert "nicht 3" in board_input.refusal(state, ((0, 4), (3, 4))).de
    assert "schräg" in board_input.refusal(state, ((0, 4), (1, 6))).de


@each_game
@pytest.mark.parametrize("seed", by_day(range(6), (0, 1)))
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
            assert marks == [box(board_input.outline(square, look))[:2] for square in squares]


def _marked(picture: str) -> list[Any]:
    """The corners of the squares in the colour of the last move; of other shapes those of the box around them."""
    number = "([0-9.]+)"
    found = re.findall(rf'<rect x="{number}" y="{number}"[^>]*fill="var\(--sl-last,', picture)
    for polygon in re.findall(r'<path d="M([^"Z]*)Z"[^>]*fill="var\(--sl-last,', picture):
        left, top, *_ = box([(float(x), float(y)) for x, y in (point.split() for point in polygon.split("L"))])
        found.append((left, top))
    return [pytest.approx((float(x), float(y)), abs=0.001) for x, y in found]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_piece_of_the_picture_can_be_found_by_its_square(game: AnyGame) -> None:
    board_input = game.board_input
    for state in positions(game)[1:]:
        found = set(re.findall(r' data-at="([0-9]+,[0-9]+)"', game.draw(state, Look())))
        assert board_input is not None
        if isinstance(board_input, PieceMoves):
            nothing = ("empty", "hole")
            assert found == {
                square_key(at) for at in squares_of(game) if board_input.contents(state, at).en not in nothing
            }
        else:  # Of tiles only the last one moves.
            assert len(found) == 1
