"""The examples that ``help`` shows of the kit and of a state of the current season."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from spielleiter import games

SEASON = games.load(games.CURRENT_SEASON)
MODULES = ("spielleiter.client.options", "spielleiter.client.player_runner", f"{games.package_of(SEASON)}.rules")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_docstring_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["player"])
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    failed, tried = doctest.testmod(import_module(name), optionflags=flags)
    assert tried
    assert not failed
