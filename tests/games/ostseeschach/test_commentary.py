"""What is said about moves in Ostseeschach, against a second way of finding out."""

from __future__ import annotations

import re
from typing import Any

from spielleiter.games import load
from tests.support.ostseeschach_naive import board_of, may_step, play
from tests.support.played import moves, needs_engine

KEY = "ostseeschach-2022"


def _expected(before: Any, move: Any, after: Any) -> str | None:
    """The begin of the sentence that fits, from dictionaries and loops."""
    board, team = board_of(before), before.to_move.name
    (x, y), (to_x, to_y) = move.start, move.target
    kind, me = board[x, y][1], "Red" if team == "ONE" else "Blue"
    last_line = 7 if team == "ONE" else 0
    _, ambers = play(board, (x, y, to_x, to_y))
    had = before.ambers(before.to_move)
    if ambers and had < 2 <= had + ambers and team == "ONE" and after.outcome is None:
        return f"{me} takes the second amber"
    if ambers == 2:
        return "Two pieces of amber"
    if ambers:
        return "The .* is home" if to_x == last_line and kind != "ROBBE" else "The tower"
    if (to_x, to_y) in board:
        return f"{me} takes a "
    left = {place: piece for place, piece in board.items() if place != (x, y)}
    goals = [file for file in range(8) if left.get((last_line, file), ("",))[0] != team]
    if kind != "ROBBE" and any(may_step(team, kind, last_line - to_x, file - to_y) for file in goals):
        return "The .* is one step away"
    return None


@needs_engine
def test_every_sentence_about_pieces_fits_the_board_and_none_is_missing() -> None:
    commentary, said = load(KEY).commentary, set()
    assert commentary is not None
    for before, move, after in moves(KEY, range(12)):
        remark, expected = commentary.remark(before, move, after), _expected(before, move, after)
        if expected is not None:
            assert remark is not None
            assert re.match(expected, remark.text.en), (remark.text.en, expected)
            said.add(expected.replace("Blue", "Red"))
        else:
            assert remark is None or re.search("rounds? ", remark.text.en), remark
    assert {"The tower", "Red takes a ", "The .* is one step away", "Red takes the second amber"} <= said
