"""The words of the reference server for Ostseeschach."""

from __future__ import annotations

from typing import Any

import pytest

from spielleiter.games.ostseeschach import Move
from spielleiter.games.ostseeschach.recordings import OstseeschachRecordings
from spielleiter.games.ostseeschach.rules import OSTSEESCHACH_2022
from tests.support.ostseeschach_positions import board_text, position

RECORDINGS = OstseeschachRecordings(OSTSEESCHACH_2022)


def piece(**changes: Any) -> dict[str, Any]:
    return {"x": 3, "y": 2, "type": "Moewe", "team": "ONE", "count": 1, **changes}


def test_a_start_is_read() -> None:
    pieces = [piece(), piece(x=7, y=0, type="Herzmuschel", team="TWO", count=2)]
    assert board_text(RECORDINGS.start({"start": {"pieces": pieces}})) == "h+7/8/8/8/2M5/8/8/8"


@pytest.mark.parametrize(
    "damage", [{"x": 8}, {"y": -1}, {"count": 3}, {"count": 0}, {"type": "Wal"}, {"team": "RED"}, {"x": "a"}]
)
def test_a_damaged_start_is_refused(damage: dict[str, Any]) -> None:
    with pytest.raises((KeyError, ValueError)):
        RECORDINGS.start({"start": {"pieces": [piece(**damage)]}})


def test_two_pieces_on_one_square_are_refused() -> None:
    with pytest.raises(ValueError, match="two pieces on one square"):
        RECORDINGS.start({"start": {"pieces": [piece(), piece(team="TWO")]}})


def test_moves_are_read_and_written() -> None:
    state = position("8/8/8/8/8/8/1h6/1H6")
    assert RECORDINGS.move(state, "0,1>1,2") == Move((0, 1), (1, 2))
    assert sorted(RECORDINGS.canonical_moves(state)) == ["0,1>1,0", "0,1>1,2"]
    for damaged in ("", "0,1", "0,1>1", "0,1>1,2>2,3", "a,1>1,2"):
        with pytest.raises(ValueError, match=r"unpack|int\(\)"):
            RECORDINGS.move(state, damaged)


def test_an_end_is_written_in_the_servers_words() -> None:
    end = RECORDINGS.end(position("8/8/2M5/8/8/8/r+7/8", "1-1", 60))
    assert end == {
        "round": 30,
        "ambers": {"ONE": 1, "TWO": 1},
        "lightDistances": {"ONE": [5], "TWO": []},
        "noMoves": False,
        "pieces": [
            {"x": 1, "y": 0, "type": "Robbe", "team": "TWO", "count": 2},
            {"x": 5, "y": 2, "type": "Moewe", "team": "ONE", "count": 1},
        ],
        "reason": "EQUAL_SCORE",
    }
    stuck = RECORDINGS.end(position("8/8/2M5/8/8/8/8/8", turn=45))
    assert (stuck["round"], stuck["noMoves"], stuck["reason"]) == (23, True, None)
