"""Patches: what leads from one version of a part of a page to the next."""

from __future__ import annotations

import zlib
from json import dumps
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.pages import boards
from spielleiter.web.patches import apply_patch, make_patch

PIECES = st.sampled_from(["a", "b>", ">", "\n", "😀>", "<path that is long>", "<g>", "<g data-at='1'>"])
TEXTS = st.lists(PIECES, max_size=30).map("".join)


@given(TEXTS, TEXTS)
def test_a_patch_leads_from_any_text_to_any_other(before: str, after: str) -> None:
    patch = make_patch(before, after)
    assert patch is None or apply_patch(before, patch) == after


def test_the_same_text_needs_no_change() -> None:
    assert make_patch("<p>one</p>", "<p>one</p>") == []


def test_what_only_moves_is_not_sent_again() -> None:
    fish = "<g data-at='{}'><path d='a long line'><circle r='an eye'></g>"
    before = fish.format(1) + "".join(f"<i>{number}</i>" for number in range(9))
    after = before.removeprefix(fish.format(1)) + fish.format(2)
    patch = make_patch(before, after)
    assert patch is not None
    assert "a long line" not in dumps(patch)
    assert apply_patch(before, patch) == after


def test_what_has_nothing_in_common_is_sent_whole() -> None:
    assert make_patch("<p>one</p>", "<ol><li>two</li></ol>") is None
    assert make_patch("<a>" * 5000, "<b>" * 5000) is None


@pytest.mark.parametrize(("key", "limit"), [("piranhas-2026", 400), ("ostseeschach-2022", 500), ("blokus-2027", 1400)])
def test_a_move_on_the_board_weighs_little(key: str, limit: int) -> None:
    game, rng = games.load(key), Random(4)
    state = game.new_state(Random(3))
    before = str(boards.board(game, state))
    for _ in range(25):
        if state.outcome is not None:
            break
        state = state.play(rng.choice(state.legal_moves()))
        after = str(boards.board(game, state))
        patch = make_patch(before, after)
        assert patch is not None
        assert apply_patch(before, patch) == after
        assert len(zlib.compress(dumps(patch).encode(), 9)) < limit
        before = after
