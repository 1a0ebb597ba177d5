"""Start positions from a seed and from a file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.matches.openings import Openings, Order, read_positions

KEYS = ("piranhas-2026", "ostseeschach-2022", "blokus-2027")


@pytest.mark.parametrize("key", KEYS)
def test_the_same_seed_gives_the_same_starts(key: str) -> None:
    game = games.load(key)
    first = [Openings(seed=5).position(game, number) for number in range(4)]
    assert first == [Openings(seed=5).position(game, number) for number in range(4)]
    if key != "blokus-2027":  # There are only a dozen starts in Blokus.
        assert len({*first, *(Openings(seed=6).position(game, number) for number in range(4))}) == 8


@pytest.mark.parametrize("key", KEYS)
def test_an_opening_plays_random_legal_moves_first(key: str) -> None:
    game = games.load(key)
    positions = [Openings(random_moves=6).position(game, number) for number in range(6)]
    assert len(set(positions)) == 6
    assert {game.notation.parse_state(position).turn >= 6 for position in positions} == {True}


def test_a_file_of_positions_is_used_round_and_round(tmp_path: Path) -> None:
    game = games.load("piranhas-2026")
    lines = [game.notation.format_state(game.new_state(Random(seed))) for seed in range(3)]
    path = tmp_path / "book.txt"
    path.write_text("# openings\n\n" + "\n".join(lines) + "\n")
    starts = Openings(positions=read_positions(path, game))
    assert [starts.position(game, number) for number in range(5)] == [*lines, *lines[:2]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no positions"),
        ("# nothing\n", "no positions"),
        ("blokus-2027 ...", "line 1: expected a position of piranhas-2026"),
        ("piranhas-2026 nonsense", "line 1: "),
    ],
)
def test_a_bad_file_is_one_clear_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(text)
    with pytest.raises(SettingsError, match=said):
        read_positions(path, games.load("piranhas-2026"))


def test_a_finished_game_is_not_a_start(tmp_path: Path) -> None:
    game = games.load("piranhas-2026")
    state = game.new_state(Random(0))
    while moves := state.legal_moves():
        state = state.play(moves[0])
    path = tmp_path / "book.txt"
    path.write_text(game.notation.format_state(state))
    with pytest.raises(SettingsError, match="the game is over there"):
        read_positions(path, game)


def test_a_missing_file_and_one_that_is_not_text_are_reported(tmp_path: Path) -> None:
    game = games.load("piranhas-2026")
    with pytest.raises(SettingsError, match="cannot be read"):
        read_positions(tmp_path / "nothing", game)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="not UTF-8"):
        read_positions(tmp_path / "binary", game)


def test_an_opening_that_always_ends_the_game_is_refused() -> None:
    with pytest.raises(SettingsError, match="choose fewer"):
        Openings(random_moves=60).position(games.load("piranhas-2026"), 0)


def test_a_random_order_has_every_position_once_and_follows_from_its_seed() -> None:
    positions = tuple(f"position {number}" for number in range(20))
    assert Order.FILE.arrange(positions, 1) == positions
    shuffled = Order.RANDOM.arrange(positions, 1)
    assert shuffled == Order.RANDOM.arrange(positions, 1) != positions
    assert sorted(shuffled) == sorted(positions)
    assert shuffled != Order.RANDOM.arrange(positions, 2)
