"""Recorded games of the reference servers, replayed by our rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.records.reference import Comparison, read_recorded_games, replay

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_recorded_games_are_refereed_as_the_reference_server_did(path: Path) -> None:
    for recorded in read_recorded_games(path):
        result = replay(recorded, recorded.load_game())
        assert result.comparison is Comparison.SAME, f"{recorded.place}: {result}"
