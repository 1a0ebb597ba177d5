"""Fuzzing in small: every target over its seeds and some edits of them. The long form is ``make fuzz``."""

from __future__ import annotations

import pytest

from fuzz.__main__ import LineCounter, seed_inputs
from fuzz.targets import READERS, SEEDS, TARGETS

REACHED = {
    "records.reader": 0.6,
    "records.replay_xml": 0.6,
    "programs.archive": 0.6,
    "contest.season.file": 0.45,
    "server.properties": 0.75,
    "referee.lobby": 0.6,
}
"""The least share of its lines that the seeds reach without any fuzzing."""


def test_every_target_has_seeds_and_every_seed_a_target() -> None:
    assert {path.name for path in SEEDS.iterdir()} == set(TARGETS) == set(READERS)
    assert all(any((SEEDS / target).iterdir()) for target in TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_the_seeds_break_no_reader_and_reach_far_into_it(target: str) -> None:
    counter = LineCounter(READERS[target])
    for data in seed_inputs(target):
        counter.run(target, data)
    for reader, (reached, there) in counter.shares().items():
        assert reached >= REACHED.get(reader, 0.1) * there, f"{reader}: {reached} of {there} lines"
