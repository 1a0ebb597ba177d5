"""Fuzzing in small: every target over its seeds and an edit of each. The long form is ``make fuzz``."""

from __future__ import annotations

import pytest

from fuzz.__main__ import LineCounter, all_readers, seed_inputs
from fuzz.targets import READERS, SEEDS, TARGETS

REACHED = 0.7
"""The least share of the lines of a reader that the seeds reach without any fuzzing."""


def test_every_target_has_seeds_and_every_seed_a_target() -> None:
    assert {path.name for path in SEEDS.iterdir()} == set(TARGETS) == set(READERS)
    assert all(any((SEEDS / target).iterdir()) for target in TARGETS)


@pytest.mark.slow
def test_the_seeds_break_no_reader_and_reach_far_into_each() -> None:
    counter = LineCounter(all_readers(TARGETS))
    for target in TARGETS:
        for data in seed_inputs(target, edits=1):
            counter.run(target, data)
    shares = {reader: reached / there for reader, (reached, there) in counter.shares().items()}
    assert {reader: share for reader, share in shares.items() if share < REACHED} == {}
