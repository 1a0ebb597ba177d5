"""A built-in player as a program."""

from __future__ import annotations

import pytest

from spielleiter import players
from spielleiter.players import __main__ as program


def test_help_names_every_player(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["players", "--help"])
    program.main()
    text = capsys.readouterr().out
    assert text.startswith("usage: ")
    assert all(f"  {name} " in text for name in players.BUILT_IN)


def test_help_behind_a_name_is_that_of_the_kit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["players", "random", "--help"])
    with pytest.raises(SystemExit) as exited:
        program.main()
    assert exited.value.code == 0
    assert "--reservation" in capsys.readouterr().out


def test_an_unknown_name_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["players", "grandmaster"])
    with pytest.raises(SystemExit) as exited:
        program.main()
    assert exited.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
