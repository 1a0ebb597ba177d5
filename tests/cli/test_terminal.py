"""Nothing that a program or a stranger wrote steers the terminal of whoever looks at it; and any terminal will do."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import IO

import pytest
from rich.table import Table
from rich.text import Text as RichText
from typer.testing import CliRunner

from spielleiter.cli.app import app, main
from spielleiter.cli.positions import read_position
from spielleiter.cli.terminal import LogFormatter, complete_player, console
from spielleiter.errors import SpielleiterError
from tests.support.contest_small_season import season_text
from tests.support.players import GAME, program, short_start

HOSTILE = "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x9b31mOWNED\0\x7f\u202e"
"""Sets the title and the clipboard, clears the screen, turns red by a C1 code, and turns the direction of writing."""
STEERING = frozenset("\0\x1b\x07\x9b\x7f\u202e")
MARKUP = "[/] [link=http://evil]OWNED[/link]"
"""For the library that prints, an error and a link."""
PROGRAM = f"""
import sys
sys.stdout.buffer.write({HOSTILE.encode()!r}); sys.stdout.flush()
sys.stderr.buffer.write({HOSTILE.encode()!r}); sys.stderr.flush()
raise SystemExit(3)
"""


def printed(*words: str | Path) -> str:
    result = CliRunner().invoke(app, ["--lang", "en", *map(str, words)], env={"NO_COLOR": "1", "COLUMNS": "200"})
    if isinstance(result.exception, SpielleiterError):
        return str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_the_console_cleans_whatever_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(RichText(HOSTILE))
    table.add_row(MARKUP)
    for text in (HOSTILE, RichText(HOSTILE, "bold"), table, MARKUP):
        console.print(text)
    shown = capsys.readouterr().out
    assert shown.count("OWNED") == 7
    assert shown.count(MARKUP) == 2
    assert not STEERING & set(shown)


def test_json_keeps_every_character_as_an_escape(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json(json.dumps({"log": HOSTILE}))
    shown = capsys.readouterr().out
    assert not STEERING & set(shown)
    assert json.loads(shown) == {"log": HOSTILE}


def test_a_log_line_stays_one_line() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogFormatter())
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "%s joined\nfake", (HOSTILE,), sys.exc_info())
    handler.emit(record)
    assert not STEERING & set(stream.getvalue())
    assert "fake" in stream.getvalue().splitlines()[0]


def test_a_refusal_that_quotes_a_stranger_is_clean(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = HOSTILE.translate({ord("/"): None, 0: None})  # What no system lets into an argument.
    monkeypatch.setattr(sys, "argv", ["spielleiter", "replay", "show", f"/nowhere/{name}"])
    with pytest.raises(SystemExit):
        main()
    shown = capsys.readouterr().err
    assert "OWNED" in shown
    assert not STEERING & set(shown)


@pytest.mark.slow
def test_what_a_program_prints_steers_no_terminal_in_any_entrance(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text(short_start()[0])
    (tmp_path / "season.toml").write_text(
        season_text(season='sandbox = "none"').replace("in_process = true", "in_process = false"), encoding="utf-8"
    )
    hostile = tmp_path / "hostile.py"
    hostile.write_text(PROGRAM)
    good = program(tmp_path, "good")
    short = ("--game", GAME, "--openings", "openings.txt", "--sandbox", "none", "--games", "2", "--no-report")
    with chdir(tmp_path):
        shown = {
            "match": printed("match", hostile, good, *short, "--out", "out"),
            "check": printed("check", hostile, "--game", GAME, "--sandbox", "none"),
            "submit": printed("contest", "submit", "Ada", hostile),
            "programs": printed("contest", "programs", "Ada"),
        }
    for entrance, output in shown.items():
        assert not STEERING & set(output), entrance
    assert "OWNED" in shown["programs"]
    logs = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert any(HOSTILE.encode() in log for log in logs), "the files have the bytes as they were"


def real_process(*words: str, stdout: int | IO[bytes] = subprocess.PIPE, **environment: str) -> tuple[int, str, str]:
    """Exit code and output of a command in a process of its own, in German, on a terminal of 60 columns."""
    done = subprocess.run(
        [sys.executable, "-m", "spielleiter", "--lang", "de", *words],
        env={**os.environ, "COLUMNS": "60", **environment},
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=120,
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize("words", [("games",), ("--help",)])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where there is a full disk to write to")
def test_a_full_disk_is_one_sentence(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, shown = real_process(*words, stdout=full)
    assert code == 2
    assert shown == "spielleiter: Der Datenträger ist voll, die Ausgabe ist nicht vollständig.\n"


@pytest.mark.slow
def test_an_ascii_terminal_shows_umlauts_and_signs_with_its_own_letters() -> None:
    code, shown, problem = real_process("games", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (code, problem) == (0, "")
    assert "Schluessel" in shown
    assert "Blokus 2027 <-" in shown
    assert shown.isascii()
    assert "?" not in shown


@pytest.mark.slow
def test_a_reader_may_stop_reading_early() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        _, _, problem = real_process("games", stdout=closed)
    assert problem == ""


def test_the_shell_completes_players_that_are_built_in_or_lie_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("stupid.py", "bots/hugo.zip", "bots/fin.JAR", "bots/notes.txt", "bots/.hidden.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert complete_player("stu") == ["student", "stupid.py"]
    assert complete_player("bo") == ["bots/"]
    assert complete_player("bots/") == ["bots/fin.JAR", "bots/hugo.zip"]
    assert complete_player(f"{tmp_path}/st") == [f"{tmp_path}/stupid.py"]
    assert complete_player("nothing/x") == []


def test_show_gives_programs_a_position_as_json() -> None:
    shown = CliRunner().invoke(app, ["show", "piranhas-2026", "--moves", "--json"])
    position = json.loads(shown.output)
    game, state = read_position("piranhas-2026", 0)
    assert position["position"] == game.notation.format_state(state)
    assert (position["turn"], position["to_move"], position["over"], position["winner"]) == (0, "ONE", False, None)
    assert set(position["scores"]["TWO"]) == {"Siegpunkte", "Schwarmgröße"}
    assert position["moves"] == [game.notation.format_move(state, move) for move in state.legal_moves()]
