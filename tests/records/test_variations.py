"""Variations: in a link, in a record, and judged by the rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import RecordError, Refused
from spielleiter.records.history import History
from spielleiter.records.reader import parse_record
from spielleiter.records.variations import (
    MAX_MOVES,
    Variation,
    check_variations,
    format_variations,
    parse_variations,
)
from spielleiter.records.verify import Flaw, verify_record
from spielleiter.records.writer import record_lines

GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(3))
RECORD = History(game_key=GAME.key, id="a", start=GAME.notation.format_state(START), names=("Ada", "Grace"))


def legal_line(key: str = "piranhas-2026", plies: int = 3) -> tuple[str, ...]:
    game = games.load(key)
    state, texts = game.new_state(Random(3)), []
    for _ in range(plies):
        move = state.legal_moves()[-1]
        texts.append(game.notation.format_move(state, move))
        state = state.play(move)
    return tuple(texts)


@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
def test_variations_of_every_game_survive_a_link(key: str) -> None:
    found = (Variation(0, legal_line(key)), Variation(0, legal_line(key, 1)))
    assert parse_variations(format_variations(found)) == found


def test_no_variations_are_an_empty_text() -> None:
    assert format_variations(()) == ""
    assert parse_variations("") == ()


@pytest.mark.parametrize("text", ["x", "1:", ":A1-A2", "1:A1-A2|", "1:A1-A2;;B1-B2", "-1:A1-A2"])
def test_half_a_link_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="link complete"):
        parse_variations(text)


def test_a_link_of_too_many_moves_is_refused() -> None:
    with pytest.raises(Refused, match=str(MAX_MOVES)):
        parse_variations(";".join(["0:A1-A2", *["A1-A2"] * MAX_MOVES]))


def test_a_move_that_the_rules_forbid_is_named_with_its_rule() -> None:
    line = legal_line()
    with pytest.raises(Refused, match=f"Variation 2, move 2, {line[0]}|Variation 2, move 2"):
        check_variations(GAME, (START,), (Variation(0, line), Variation(0, (line[0], line[0]))))


def test_a_variation_after_the_end_of_the_game_is_refused() -> None:
    with pytest.raises(Refused, match="begins after move 1"):
        check_variations(GAME, (START,), (Variation(1, legal_line()),))


def test_a_variation_on_a_finished_game_is_refused() -> None:
    state = START
    while moves := state.legal_moves():
        state = state.play_unchecked(moves[0])
    with pytest.raises(Refused, match="over"):
        check_variations(GAME, (state,), (Variation(0, ("A1-A2",)),))


def test_a_record_keeps_its_variations() -> None:
    record = replace(RECORD, variations=(Variation(0, legal_line()),))
    data = "".join(f"{line}\n" for line in record_lines(record)).encode()
    assert parse_record(data).variations == record.variations
    assert b"variations" not in "".join(record_lines(RECORD)).encode()


def test_variations_that_are_none_make_a_record_unreadable() -> None:
    data = "".join(f"{line}\n" for line in record_lines(replace(RECORD, variations=(Variation(0, ("A1-A2",)),))))
    with pytest.raises(RecordError, match="texts"):
        parse_record(data.replace('["A1-A2"]', "[1]").encode())


def test_a_proof_of_a_record_looks_at_its_variations() -> None:
    wrong = verify_record(replace(RECORD, variations=(Variation(0, ("J9-A0",)),)))
    assert Flaw.ILLEGAL_VARIATION in {finding.kind for finding in wrong.findings}
    right = verify_record(replace(RECORD, variations=(Variation(0, legal_line()),)))
    assert Flaw.ILLEGAL_VARIATION not in {finding.kind for finding in right.findings}
