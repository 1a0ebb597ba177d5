"""Recorded games of the reference servers, replayed by our rules."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spielleiter.errors import RecordError
from spielleiter.game import perft
from spielleiter.records.reference import Comparison, RecordedGame, read_perft_cases, read_recorded_games, replay
from tests.support.night import NIGHT, sample

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))
PERFT_FILES = sorted((GOLDEN / "perft").glob("*.json"))
MOST_LEAVES = 120_000 if NIGHT else 30_000  # deeper counts are compared by: spielleiter perft --check


@cache
def games_of(path: Path) -> Sequence[RecordedGame]:
    """All recorded games of a file; by day fifty of them."""
    return sample(list(read_recorded_games(path)), 50)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_recorded_games_are_refereed_as_the_reference_server_did(path: Path) -> None:
    for recorded in games_of(path):
        result = replay(recorded, recorded.load_game())
        assert result.comparison is Comparison.SAME, f"{recorded.place}: {result}"


# How the rule documents end the same games otherwise, each kind explained by the RULES.md of the game. The numbers
# belong to the half of the recordings that is kept in tests/data.
BY_DOCUMENT: dict[str, dict[Comparison, int]] = {
    # R15: a colour has laid its last piece, and the document ends the game with that round.
    "blokus-2021.jsonl.gz": {Comparison.ENDS_EARLIER: 8},
    "blokus-2027.jsonl.gz": {Comparison.ENDS_EARLIER: 18},
    # R24: the server pays a position field once more after the last move.
    "hase-und-igel-2025.jsonl.gz": {Comparison.OTHER_SCORE: 26},
    "ostseeschach-2022.jsonl.gz": {},
    "pinguine-2023.jsonl.gz": {},
    # R13: both united with equal swarms is a draw at once.
    "piranhas-2019.jsonl.gz": {Comparison.ENDS_EARLIER: 7},
    # R12 against R14: who alone is united wins, and there is no first union; R15: the figure counts fish, not weight.
    "piranhas-2026.jsonl.gz": {Comparison.OTHER_SCORE: 461, Comparison.OTHER_WINNER: 37},
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_by_the_documents_legal_moves_are_the_same_and_ends_differ_only_as_explained(path: Path) -> None:
    kinds: Counter[Comparison] = Counter()
    for recorded in games_of(path):
        result = replay(recorded, recorded.load_game(by_document=True))
        assert result.comparison is not Comparison.DIFFERENT_RULES, f"{recorded.place}: {result}"
        kinds[result.comparison] += 1
    del kinds[Comparison.SAME]
    assert kinds.keys() <= BY_DOCUMENT[path.name].keys()
    assert kinds == BY_DOCUMENT[path.name] or not NIGHT


@pytest.mark.parametrize("path", PERFT_FILES, ids=lambda path: path.name)
def test_perft_counts_equal_those_of_the_reference(path: Path) -> None:
    cases = read_perft_cases(path)
    assert cases
    for case in cases:
        for depth, expected in enumerate(case.counts, 1):
            if expected <= MOST_LEAVES:
                assert perft(case.state, depth, case.game.counted_moves) == expected, f"{case.name}, depth {depth}"


# --- a wrong recording is told apart from a right one ---------------------------------------------------


def a_recorded_game() -> dict[str, Any]:
    return dict(next(read_recorded_games(GOLDEN / "piranhas-2019.jsonl.gz")).data)


def change_winner(game: dict[str, Any]) -> None:
    game["end"]["winner"] = {"ONE": "TWO", "TWO": None, None: "ONE"}[game["end"]["winner"]]


def change_legal_hash(game: dict[str, Any]) -> None:
    game["legal"][5][1] = "0" * 16


def change_score(game: dict[str, Any]) -> None:
    game["end"]["scores"]["ONE"][1] += 1


def change_board(game: dict[str, Any]) -> None:
    game["end"]["board"].reverse()


def play_an_illegal_move(game: dict[str, Any]) -> None:
    game["moves"][3] = "4,4,UP"


def stop_early(game: dict[str, Any]) -> None:
    game["moves"], game["legal"] = game["moves"][:4], game["legal"][:4]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (change_winner, Comparison.OTHER_WINNER),
        (change_legal_hash, Comparison.DIFFERENT_RULES),
        (change_score, Comparison.OTHER_SCORE),
        (change_board, Comparison.DIFFERENT_RULES),
        (play_an_illegal_move, Comparison.DIFFERENT_RULES),
        (stop_early, Comparison.DIFFERENT_RULES),
    ],
)
def test_every_kind_of_difference_is_found(change: Callable[[dict[str, Any]], None], found: Comparison) -> None:
    game = a_recorded_game()
    change(game)
    recorded = RecordedGame(Path("changed"), 1, game)
    result = replay(recorded, recorded.load_game())
    assert result.comparison is found
    assert result.position.startswith("piranhas-2019-official ")


# --- bad files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"not json\n", "x:1: damaged or cut off"),
        (b'{"game": "piranhas-2019-official"', "x:1: damaged or cut off"),
        (b"[" * 100_000, "x:1: damaged or cut off"),
        (b"[1, 2]\n", "expected a JSON object"),
        (b"\x1f\x8b\x08\x00garbage", "cannot be read after line 0"),
        (gzip.compress(b'{"game": 1}\n' * 1000, mtime=0)[:-9], "cannot be read after line"),
    ],
    ids=["empty", "no JSON", "cut off", "nested", "a list", "no gzip", "gzip cut off"],
)
def test_a_damaged_file_is_refused_with_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=message):
        list(read_recorded_games(path))


@pytest.mark.parametrize("data", [{}, {"game": 3}, {"game": "halma-1999"}])
def test_a_record_of_an_unknown_rule_set_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="x:7"):
        RecordedGame(Path("x"), 7, data).load_game()


@pytest.mark.parametrize("part", ["start", "moves", "legal", "end"])
def test_a_record_with_a_missing_part_is_refused(part: str) -> None:
    game = a_recorded_game()
    del game[part]
    recorded = RecordedGame(Path("x"), 1, game)
    with pytest.raises(RecordError, match="x:1: not a recorded game"):
        replay(recorded, recorded.load_game())


def test_a_file_that_is_not_a_perft_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "piranhas-2019.json"
    path.write_text(json.dumps([{"start": {}}]))
    with pytest.raises(RecordError, match="not a file of perft positions"):
        read_perft_cases(path)
