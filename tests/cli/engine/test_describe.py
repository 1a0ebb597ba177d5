"""``spielleiter engine``: what is there, or why it is absent; and our own builds insist on the engine."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from typer.testing import CliRunner, Result

from spielleiter import games
from spielleiter.cli.app import app
from spielleiter.cli.terminal import console
from spielleiter.search import engine
from tests.support.played import needs_engine


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.skipif(os.environ.get("CI") != "true", reason="only our own builds insist on the engine")
def test_where_a_rust_compiler_is_our_own_builds_have_the_engine() -> None:
    if shutil.which("cargo") is None:
        pytest.skip("no Rust compiler here")
    assert engine.why_unavailable() is None, engine.why_unavailable()
    assert set() < set(engine.rule_sets()) <= set(games.all_games())


@needs_engine
def test_the_command_says_what_is_there() -> None:
    result = run("engine", "--no-speed")
    assert result.exit_code == 0
    assert f"spielleiter engine {engine.version()}" in result.stdout
    for key in engine.rule_sets():
        assert key in result.stdout.replace("\n", " ")


@pytest.mark.slow
@needs_engine
def test_the_self_test_measures_every_rule_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.cli.engine.describe._SECONDS", 0.001)
    result = run("engine", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["absent"] is None
    assert [row["key"] for row in found["speed"]] == list(engine.rule_sets())
    assert all(row["leaves"] > 1000 and row["games"] > 10 for row in found["speed"])
    assert "nodes/s" in run("engine").stdout


@needs_engine
def test_a_narrow_terminal_breaks_no_key_and_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = {"leaves": 1234.5e6, "games": 123_456, "nodes": 1_234_567, "depth": 12}
    monkeypatch.setattr("spielleiter.cli.engine.describe._measure", lambda key: {"key": key, **fast})
    monkeypatch.setattr(console, "_width", 60)
    for lang, numbers in (("en", "1234.5 123,456 1,234,567 12"), ("de", "1234,5 123.456 1.234.567 12")):
        rows = [line.split() for line in run("--lang", lang, "engine").stdout.splitlines()]
        assert [row for row in rows if row and row[0] in games.all_games()] == [
            [key, *numbers.split()] for key in engine.rule_sets()
        ]


def test_without_the_engine_the_command_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no module named _engine")
    result = run("--lang", "de", "engine")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "no module named _engine" in result.stderr.replace("\n", " ")
    assert "nicht gebaut" in result.stderr.replace("\n", " ")
    assert json.loads(run("engine", "--json").stdout)["version"] is None
