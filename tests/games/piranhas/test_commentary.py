"""What is said about moves in Piranhas, against a second way of finding out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from spielleiter.games import load
from spielleiter.games.piranhas.recordings import field_names
from tests.support.piranhas_naive import swarm_sizes
from tests.support.played import moves, needs_engine

NAMES = ("Red", "Blue")
SEEDS = range(12)


def _united(state: Any, team: int) -> bool:
    return len(swarm_sizes(state, team)) <= 1


def _eaten(before: Any, after: Any, team: int) -> str | None:
    """The square on which the other team lost a fish."""
    was, is_ = field_names(before), field_names(after)
    own, other = (("ONE", "RED"), ("TWO", "BLUE"))[:: -1 if team else 1]
    for y in range(10):
        for x in range(10):
            if was[y][x].startswith(other) and is_[y][x].startswith(own):
                return f"{'ABCDEFGHIJ'[x]}{y}"
    return None


def _expected(before: Any, after: Any) -> str | None:
    """The begin of the sentence that fits, from lists and loops."""
    team = before.turn % 2
    me, other = NAMES[team], NAMES[1 - team]
    if not _united(before, team) and _united(after, team):
        if after.outcome is None:
            return f"{me} has united all fish" if team == 0 else "Both shoals are united"
        if after.outcome.winner == team:
            return rf"{me} (brings the last fish home|unites all fish): a shoal!"
    if _united(before, 1 - team) != _united(after, 1 - team):
        return f"{me} bites through" if _united(before, 1 - team) else f"Of all fish {me} eats .* {other}"
    if (square := _eaten(before, after, team)) is not None:
        return f"{me} eats a .*fish on {square}"
    was, is_ = swarm_sizes(before, team), swarm_sizes(after, team)
    if sum(is_) - is_[0] == 1 < sum(was) - was[0]:
        return f"{me} is one fish away"
    return None


@pytest.mark.slow
@needs_engine
@pytest.mark.parametrize("key", ["piranhas-2026", "piranhas-2019-official"])
def test_every_sentence_about_fish_fits_the_board_and_none_is_missing(key: str) -> None:
    commentary, said = load(key).commentary, set()
    assert commentary is not None
    for before, move, after in moves(key, SEEDS):
        remark, expected = commentary.remark(before, move, after), _expected(before, after)
        if expected is not None:
            assert remark is not None
            assert re.match(expected, remark.text.en), (remark.text.en, expected)
            said.add(re.sub(r"Red|Blue|\b[A-J][0-9]\b|small|medium|large", "*", remark.text.de))
        elif remark is not None:
            assert re.search("rounds? |larger shoal", remark.text.en), remark
    assert len(said) >= 4


@needs_engine
def test_the_countdown_counts_the_rounds_that_are_left() -> None:
    key, left = "piranhas-2026", {"ten": 10, "five": 5, "three": 3, "two": 2}
    commentary, heard = load(key).commentary, 0
    assert commentary is not None
    for before, move, after in moves(key, SEEDS):
        remark = commentary.remark(before, move, after)
        if remark is not None and (found := re.fullmatch(r"At most (\w+) rounds to go\.", remark.text.en)):
            assert 31 - after.round == left[found[1]]
            heard += 1
    assert heard


@pytest.mark.slow
@needs_engine
def test_the_larger_swarm_is_announced_only_late_and_where_it_is_so() -> None:
    key = "piranhas-2019"
    commentary = load(key).commentary
    assert commentary is not None
    for before, move, after in moves(key, SEEDS):
        remark, team = commentary.remark(before, move, after), before.turn % 2
        if remark is not None and "larger shoal" in remark.text.en:
            assert before.turn >= 39
            assert swarm_sizes(after, team)[0] > swarm_sizes(after, 1 - team)[0]
