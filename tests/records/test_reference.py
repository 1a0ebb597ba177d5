"""Recorded games of the reference servers, replayed by our rules."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import perft
from spielleiter.records.reference import Comparison, read_recorded_games, replay

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_recorded_games_are_refereed_as_the_reference_server_did(path: Path) -> None:
    for recorded in read_recorded_games(path):
        result = replay(recorded, recorded.load_game())
        assert result.comparison is Comparison.SAME, f"{recorded.place}: {result}"
