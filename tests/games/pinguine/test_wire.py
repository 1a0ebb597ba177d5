"""Pinguine on the wire of 2023, and in the words of the reference server's recordings."""

from __future__ import annotations

import re
from random import Random

import pytest

from spielleiter.errors import MessageError
from spielleiter.game import random_game
from spielleiter.games.pinguine import Move
from spielleiter.games.pinguine.recordings import PinguineRecordings
from spielleiter.games.pinguine.rules import PINGUINE_2023, new_state
from spielleiter.games.pinguine.wire import PinguineCodec
from spielleiter.wire.framing import parse_element
from spielleiter.wire.writer import markup

CODEC, RECORDINGS = PinguineCodec(PINGUINE_2023), PinguineRecordings(PINGUINE_2023)
WRITE = CODEC.state_writer(("", ""))


def test_every_state_and_move_of_a_game_comes_back_from_the_wire() -> None:
    for state in random_game(new_state(PINGUINE_2023, Random(2)), Random(2)):
        xml = WRITE(state, ())
        read = CODEC.read_state(parse_element(xml))
        assert read == state
        assert read.last_move == state.last_move
        assert markup(parse_element(xml), 3) == xml
        for legal in state.legal_moves():
            assert CODEC.read_move(parse_element(CODEC.write_move(legal))) == legal


@pytest.mark.parametrize(
    ("inside", "move"),
    [
        ('<to x="4" y="2"/>', Move(None, (4, 2))),
        ('<from x="4" y="2"/><to x="8" y="2"/>', Move((4, 2), (8, 2))),
        ('<to x="3" y="2"/>', Move(None, (3, 2))),
        ('<to y="-1" x="99"/>', Move(None, (99, -1))),
    ],
)
def test_a_well_formed_move_is_read_whatever_the_rules_say_of_it(inside: str, move: Move) -> None:
    for kind in ("move", "sc.plugin2023.Move"):
        assert CODEC.read_move(parse_element(f'<data class="{kind}">{inside}</data>')) == move


@pytest.mark.parametrize(
    "xml",
    [
        '<data class="move"/>',
        '<data class="move"><from x="4" y="2"/></data>',
        '<data class="move"><to y="2"/></data>',
        '<data class="move"><to x="a" y="2"/></data>',
        '<data class="move"><from/><to x="4" y="2"/></data>',
        '<data class="setmove"><to x="4" y="2"/></data>',
        '<data><to x="4" y="2"/></data>',
    ],
)
def test_a_malformed_move_is_refused_in_both_languages(xml: str) -> None:
    with pytest.raises(MessageError) as refused:
        CODEC.read_move(parse_element(xml))
    assert refused.value.text.de != refused.value.text.en


@pytest.mark.parametrize(
    ("pattern", "instead", "message"),
    [
        (r"<field>\d</field>", "", "needs 8 rows"),
        (r"<field>\d</field>", "<field>5</field>", "must be one of"),
        (r"<field>\d</field>", "<field>RED</field>", "must be one of"),
        (r"<field>1</field>", "<field>ONE</field>", r"ONE has 0 penguins, not 1 \(R8\)"),
        (r"<int>0</int>", "", "needs two numbers"),
        (r"<int>0</int>", "<int>3</int>", r"0 to 0 fish .*\(R10\)"),
        (r'turn="0"', 'turn="8"', r"ONE has 4 penguins, not 0 \(R8\)"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_the_reason(pattern: str, instead: str, message: str) -> None:
    xml = WRITE(new_state(PINGUINE_2023, Random(4)), ())
    with pytest.raises(MessageError, match=message) as refused:
        CODEC.read_state(parse_element(re.sub(pattern, instead, xml, count=1)))
    assert refused.value.text.de != refused.value.text.en


def test_recorded_moves_are_read_and_written_in_doubled_coordinates() -> None:
    state = new_state(PINGUINE_2023, Random(2))
    assert RECORDINGS.move(state, "5,3") == Move(None, (5, 3))
    assert RECORDINGS.move(state, "5,3>9,3") == Move((5, 3), (9, 3))
    for reached in random_game(state, Random(2)):
        texts = RECORDINGS.canonical_moves(reached)
        assert tuple(RECORDINGS.move(reached, text) for text in texts) == reached.legal_moves()


@pytest.mark.parametrize("board", [[[1] * 8] * 7, [[1] * 7] * 8, [[5] * 8] * 8, [["ONE"] * 8] * 8, [[2] * 8] * 8])
def test_a_recorded_start_that_cannot_be_is_refused(board: list[list[object]]) -> None:
    with pytest.raises(ValueError, match=r"not a start position|too few floes"):
        RECORDINGS.start({"start": {"board": board}})
