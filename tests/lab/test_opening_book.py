"""Opening books: the same everywhere, balanced, and no position twice by symmetry."""

from __future__ import annotations

import re
from random import Random

import pytest

from spielleiter import games
from spielleiter.analysis import Analyst
from spielleiter.errors import SettingsError
from spielleiter.lab.opening_book import BookSettings, canonical_image, make_book
from spielleiter.search import Budget
from tests.support.played import needs_engine

PIRANHAS = games.load("piranhas-2026")


def _plain(number: int, **settings: int) -> list[str]:
    book = make_book(PIRANHAS, BookSettings(number=number, balance=None, **settings))
    return [position for position, _ in book]


def test_a_seed_gives_the_same_book_and_another_seed_another_one() -> None:
    assert _plain(5, seed=1) == _plain(5, seed=1)
    assert not set(_plain(5, seed=1)) & set(_plain(5, seed=2))


def test_turned_and_mirrored_positions_are_the_same_and_others_are_not() -> None:
    state = PIRANHAS.new_state(Random(3))
    key, board, *rest = PIRANHAS.notation.format_state(state).split()
    rows = [_squares(row) for row in board.split("/")]
    quarter = [list(row) for row in zip(*rows[::-1], strict=True)]
    images = [rows, [row[::-1] for row in rows], rows[::-1], quarter, quarter[::-1]]
    states = [PIRANHAS.notation.parse_state(" ".join([key, _board(image), *rest])) for image in images]
    assert len({PIRANHAS.notation.format_state(each) for each in states}) == len(images)
    assert len({canonical_image(PIRANHAS, each) for each in states}) == 1
    assert canonical_image(PIRANHAS, PIRANHAS.new_state(Random(4))) != canonical_image(PIRANHAS, state)


def _squares(row: str) -> list[str]:
    return [square for letter in row for square in ("." * int(letter) if letter.isdecimal() else letter)]


def _board(rows: list[list[str]]) -> str:
    return "/".join(re.sub(r"\.+", lambda free: str(len(free[0])), "".join(row)) for row in rows)


@needs_engine
def test_every_position_of_a_balanced_book_is_balanced_and_none_is_over() -> None:
    settings = BookSettings(number=4, moves=4, balance=0.05, nodes=300)
    book = list(make_book(PIRANHAS, settings))
    assert len({canonical_image(PIRANHAS, PIRANHAS.notation.parse_state(position)) for position, _ in book}) == 4
    for position, chance in book:
        assert PIRANHAS.notation.parse_state(position).outcome is None
        assert chance == pytest.approx(0.5, abs=0.05)
        again = Analyst().judge(PIRANHAS, PIRANHAS.notation.parse_state(position), Budget(nodes=300))
        assert again is not None
        assert again.win_probability == pytest.approx(0.5, abs=0.1)


@needs_engine
def test_a_position_of_which_the_engine_knows_nothing_is_not_balanced() -> None:
    with pytest.raises(SettingsError, match="found only 0 of 1 positions"):
        _ = list(make_book(PIRANHAS, BookSettings(number=1, moves=2, balance=0.1, nodes=1)))


def test_what_cannot_be_found_is_refused_with_what_to_change() -> None:
    with pytest.raises(SettingsError, match=r"found only 0 of 1 positions: allow more moves \(--moves\)"):
        _ = list(make_book(games.load("ostseeschach-2022"), BookSettings(number=1, moves=200, balance=None)))
    with pytest.raises(SettingsError, match=r"more than 0 and at most 0\.5, not 0"):
        BookSettings(balance=0)
