"""What is said about moves in Blokus, against a second way of finding out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from spielleiter.games import load
from spielleiter.games.blokus import Color
from tests.support.blokus_naive import legal_placements
from tests.support.played import moves, needs_engine, positions

KEY = "blokus-2027"
SEEDS = range(4)


def _cells(state: Any, color: Color) -> set[tuple[int, int]]:
    return {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is color}


def _corners(state: Any, color: Color) -> int:
    """Free squares at corners of the colour, and at none of its edges."""
    own = _cells(state, color)
    free = {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is None}
    at_corner = {(x + dx, y + dy) for x, y in own for dx in (-1, 1) for dy in (-1, 1)}
    at_edge = {(x + dx, y + dy) for x, y in own for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return len((at_corner & free) - at_edge)


@pytest.mark.slow
@needs_engine
def test_every_sentence_about_pieces_fits_the_board() -> None:
    commentary, said = load(KEY).commentary, set()
    assert commentary is not None
    for before, move, after in moves(KEY, SEEDS):
        remark = commentary.remark(before, move, after)
        if remark is None:
            assert len(after.kinds_left(move.color)) > 0
            continue
        text, mover = remark.text.en, move.color
        if "passes although" in text:
            assert str(move).endswith("PASS")
            assert legal_placements(before)
        elif found := re.fullmatch(r"(.*) cannot place another piece and (?:is|are) out\.", text):
            out = {Color[name.upper()] for name in re.split(", | and ", found[1])}
            assert out == set(before.colors_in) - set(after.colors_in)
        elif found := re.fullmatch(r"(\w+) takes (\w+) corners from (\w+) at once\.", text):
            loser = Color[found[3].upper()]
            assert loser.team is not mover.team
            assert _corners(before, loser) - _corners(after, loser) >= 5
        elif "every pentomino" in text:
            assert all(kind.size < 5 for kind in after.kinds_left(mover))
        elif "extra points" in text:
            assert after.color_points(mover) - len(_cells(after, mover)) == int(re.findall(r"\d+", text)[0])
        else:
            assert re.search("rounds? ", text), text
        said.add(re.sub(r"Blue|Yellow|Red|Green|and|,| ", "", text))
    assert len(said) >= 5


@needs_engine
def test_a_colour_that_goes_out_while_the_game_goes_on_is_always_mentioned() -> None:
    commentary, found = load(KEY).commentary, 0
    assert commentary is not None
    for before, move, after in moves(KEY, SEEDS):
        out = [c for c in set(before.colors_in) - set(after.colors_in) if after.kinds_left(c)]
        if out and after.outcome is None and not str(move).endswith("PASS") and after.kinds_left(move.color):
            remark = commentary.remark(before, move, after)
            assert remark is not None
            assert "out." in remark.text.en
            found += 1
    assert found


@needs_engine
def test_a_move_is_named_so_that_it_can_be_read_aloud() -> None:
    state, commentary = positions(KEY, 0)[0], load(KEY).commentary
    assert commentary is not None
    name = commentary.move_name(state, state.legal_moves()[0])
    assert name is not None
    assert re.fullmatch(r"den Fünfer-[A-Z] bei \d+,\d+", name.de)
