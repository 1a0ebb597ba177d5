"""A player's own options: set on the command line, of the right kind, and never silently ignored."""

from __future__ import annotations

import sys

import pytest

from spielleiter.client import option
from spielleiter.client.options import check_options
from spielleiter.errors import SettingsError


@pytest.fixture(autouse=True)
def command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "argv", ["kalle.py", "--host", "h", "--set", "weight=2.5", "--set=depth=3", "--set", "odd=x"]
    )


def test_an_option_is_what_the_command_line_says_or_its_default() -> None:
    assert (option("weight", 1.0), option("depth", 2), option("other", 7)) == (2.5, 3, 7)


def test_a_value_that_is_not_such_a_number_ends_the_player_with_a_message() -> None:
    with pytest.raises(SystemExit, match="--set odd: expected a number, not 'x'"):
        option("odd", 1.0)
    with pytest.raises(SystemExit, match=r"--set weight: expected a whole number, not '2\.5'"):
        option("weight", 1)


def test_a_name_that_the_player_does_not_have_is_refused() -> None:
    option("mobility", 1.0)
    check_options(["--set", "mobility=3"])
    with pytest.raises(SettingsError, match=r"--set mobilty: the player has no such option: did you mean mobility\?"):
        check_options(["--set", "mobilty=3"])
