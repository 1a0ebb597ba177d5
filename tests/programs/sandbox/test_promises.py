"""The table of what each level promises: complete, never better further down, and each promise held by an attack."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise

import pytest

from spielleiter.programs.sandbox import Level
from spielleiter.programs.sandbox.promises import Attack, Promise, promises
from tests.support.hostile import HELD

_ORDER = list(Promise)


@pytest.mark.parametrize("cgroup", [True, False], ids=["cgroup", "watched"])
def test_every_level_says_something_about_every_attack_and_none_more_than_a_better_one(cgroup: bool) -> None:
    tables = [promises(level, cgroup=cgroup) for level in Level]
    for better, worse in pairwise(tables):
        assert set(better) == set(worse) == set(Attack)
        assert all(_ORDER.index(better[attack]) <= _ORDER.index(worse[attack]) for attack in Attack)


def test_a_control_group_takes_no_promise_away() -> None:
    for level in Level:
        with_group, without = promises(level, cgroup=True), promises(level, cgroup=False)
        assert all(_ORDER.index(with_group[attack]) <= _ORDER.index(without[attack]) for attack in Attack)


def test_every_promise_is_held_by_a_test_that_is_the_attack() -> None:
    for name in ("test_hostile_programs", "test_below_bubblewrap", "test_memory_attacks"):
        import_module(f"tests.programs.sandbox.{name}")
    import_module("tests.matches.test_arena")
    for attack in Attack:
        promising = {level for level in Level if promises(level, cgroup=True)[attack] is not Promise.OPEN}
        assert HELD[attack] == promising, attack
