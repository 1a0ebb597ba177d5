"""``spielleiter ask`` and the player in this process: what a student does with one position and a debugger."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from spielleiter import client, games
from spielleiter.cli.app import app
from spielleiter.cli.own_player import load_player
from spielleiter.errors import PlayerFailed, SpielleiterError
from spielleiter.records.load import open_any

GAME = games.load("piranhas-2026")
START = GAME.notation.format_state(GAME.new_state(Random(0)))


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", *words])


def player(folder: Path, body: str = "return state.legal_moves()[2]", name: str = "player.py") -> str:
    file = folder / name
    file.write_text(
        "import sys\nfrom spielleiter.client import play\nimport beside\n\n"
        f"def choose(state, seconds):\n    {body}\n\nif __name__ == '__main__':\n    play(choose, game='{GAME.key}')\n"
    )
    (folder / "beside.py").write_text("VALUE = 7\n")
    return str(file)


@pytest.mark.sandbox
def test_a_program_is_asked_for_its_move_and_what_it_prints_is_shown(tmp_path: Path) -> None:
    text = player(tmp_path, "print('thinking', beside.VALUE, file=sys.stderr); return state.legal_moves()[2]")
    move = GAME.notation.format_move(GAME.new_state(Random(0)), GAME.new_state(Random(0)).legal_moves()[2])
    shown = run("ask", text, START)
    assert shown.exit_code == 0, shown.output
    assert "  thinking 7" in shown.output
    assert shown.output.splitlines()[-1].startswith(f"Move: {move} (")
    data = json.loads(run("ask", text, START, "--json").output)
    assert (data["move"], data["position"]) == (move, START)
    assert data["seconds"] > 0
    assert "thinking 7" in data["printed"]


_NOTING = "client.note('best', values={'b4': 0.83}, chance=0.6); return state.legal_moves()[2]"


@pytest.mark.sandbox
def test_what_a_player_notes_is_shown_in_another_process_and_in_this_one(tmp_path: Path) -> None:
    text = player(tmp_path, f"from spielleiter import client; {_NOTING}")
    for more in ((), ("--in-process",)):
        shown = run("ask", text, START, *more)
        assert "notes: best | B4: 0.83 | 60 %" in shown.output
        assert "@note" not in shown.output
        data = json.loads(run("ask", text, START, "--json", *more).output)
        assert data["notes"] == [{"text": "best", "values": {"B4": 0.83}, "chance": 0.6}]
    played = run("play", GAME.key, "--one", text, "--two", "random", "--seed", "1")
    assert "best | B4: 0.83 | 60 %" in played.output


@pytest.mark.sandbox
def test_a_program_without_a_move_says_why(tmp_path: Path) -> None:
    crashed = run("ask", player(tmp_path, "return beside.NOTHING"), GAME.key)
    assert crashed.exit_code == 1
    assert "No move: player.py: choose() raised AttributeError" in crashed.output
    (tmp_path / "silent.py").write_text("raise SystemExit('no book')\n")
    absent = run("ask", str(tmp_path / "silent.py"), GAME.key)
    assert absent.exit_code == 3
    assert "No move: no book" in absent.output


def test_a_built_in_player_and_a_position_of_a_record_are_taken_too() -> None:
    file = Path(__file__).parent.parent / "data" / "formats" / "record.jsonl"
    shown = run("ask", "greedy", str(file), "--ply", "1")
    assert shown.exit_code == 0, shown.output
    assert "Move: " in shown.output
    refused = run("ask", "greedy", GAME.key, "--ply", "1")
    assert "--ply is for a record only" in str(refused.exception)


def test_play_goes_on_from_a_position_of_a_record() -> None:
    file = Path(__file__).parent.parent / "data" / "formats" / "record.jsonl"
    record = open_any(file)
    sides = ("--one", "greedy", "--two", "greedy")
    played = run("play", "--from", str(file), "--ply", "1", *sides)
    assert played.exit_code == 0, played.output
    mover = record.states[1]
    first = f"{mover.turn:3} {record.game.color_to_move(mover).en}: "
    assert played.output.lstrip("\n").startswith(first)
    last = len(record.states) - 1
    for words, why in (
        (("--ply", "1"), "--ply is for --from only"),
        (("--from", str(file), "--seed", "1"), "leave out --seed"),
        (("--from", str(file), "--ply", str(last + 1)), f"there is no ply {last + 1}"),
        (("pinguine-2023", "--from", str(file)), "the position belongs to "),
    ):
        assert why in str(run("play", *words, *sides).exception)


@pytest.mark.sandbox
def test_a_position_becomes_a_test_that_fails_until_the_player_is_better(tmp_path: Path) -> None:
    def tested(*, fails: bool) -> str:
        # -B: bytecode of a file that is replaced by one of the same size in the same second would count as its own.
        command = [sys.executable, "-B", "-m", "unittest"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=90)
        assert bool(ran.returncode) is fails, ran.stderr
        return ran.stderr

    text, file = player(tmp_path, "state.legal_moves()"), tmp_path / "test_positions.py"
    saved = run("ask", text, START, "--save-test")
    assert saved.exit_code == 1
    assert f"test in {file}: cd {tmp_path} && python3 -m unittest test_positions" in saved.output
    assert "PlayerFailed: choose() returned None" in tested(fails=True)
    player(tmp_path)
    tested(fails=False)

    kept = file.read_text() + "# my own line\n"
    file.write_text(kept)
    for said in ("test in ", "is in "):
        again = run("ask", text, START, "--save-test", "--in-process")
        assert (again.exit_code, said in again.output) == (0, True), again.output
    assert file.read_text().startswith(kept)
    tested(fails=True)
    player(tmp_path, "return state.legal_moves()[3]")
    tested(fails=False)


def test_a_test_is_saved_beside_players_in_python_only(tmp_path: Path) -> None:
    (tmp_path / "otto.py").write_text("from spielleiter.client import play\nplay(make(3))\n")
    for words, why in (
        ("greedy", "writes a test beside a player in Python"),
        (str(tmp_path / "otto.py"), r"finds the player by play(MyPlayer()) or play(choose)"),
    ):
        assert why in str(run("ask", words, START, "--save-test").exception)


def test_a_player_that_hangs_or_quits_is_not_waited_for_in_a_test() -> None:
    def hang(state: object, seconds: float) -> None:
        stop.wait(60)

    def leave(state: object, seconds: float) -> None:
        sys.exit()

    stop, state = threading.Event(), GAME.new_state(Random(0))
    with pytest.raises(PlayerFailed, match=r"still thinking after 0.05 s, in test_ask.py, line \d+: stop.wait"):
        client.ask(hang, state, 0.05)
    stop.set()
    with pytest.raises(PlayerFailed, match=r"ends the player in mid-game"):
        client.ask(leave, state)


# --- in this process --------------------------------------------------------------------------------------------------


def test_a_player_in_this_process_is_what_play_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, state = client.play, GAME.new_state(Random(0))
    for text in (player(tmp_path), str(tmp_path)):
        assert load_player(text).choose(state, 1.0) == state.legal_moves()[2]
    assert client.play is real
    shown = run("ask", str(tmp_path), START, "--in-process")
    assert shown.exit_code == 0, shown.output


def test_an_asynchronous_player_plays_in_this_process_too(tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(
        "from spielleiter.client import play\n\nclass P:\n    async def choose(self, state, seconds):\n"
        "        return state.legal_moves()[0]\n\nplay(P())\n"
    )
    state = GAME.new_state(Random(0))
    assert load_player(str(file)).choose(state, 1.0) == state.legal_moves()[0]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return beside.NOTHING", "choose() raised AttributeError"),
        ("state.legal_moves()", "choose() returned None"),
        ("return 'A1-B2'", "which is not a move"),
    ],
)
def test_what_is_wrong_with_it_is_explained_as_in_a_game(body: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(PlayerFailed) as failed:
        load_player(player(tmp_path, body)).choose(GAME.new_state(Random(0)), 1.0)
    assert why in failed.value.text.en


def test_a_file_that_does_not_call_play_is_refused(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("def choose(state, seconds): ...\n")
    with pytest.raises(SpielleiterError, match=r"does not call play\(\.\.\.\)"):
        load_player(str(tmp_path))
    (tmp_path / "p.jar").write_bytes(b"")
    with pytest.raises(SpielleiterError, match="only Python files play in this process"):
        load_player(str(tmp_path / "p.jar"))


@pytest.mark.parametrize("clock", [True, False])
def test_a_late_move_is_reported_unless_there_is_no_clock(clock: bool, tmp_path: Path) -> None:
    text = player(tmp_path, "import time; time.sleep(0.05 if state.turn < 2 else 0); return state.legal_moves()[0]")
    words = ["--one", text, "--two", "random:seed=1", "--seed", "1", "--seconds", "0.02", "--quiet"]
    played = run("play", GAME.key, *words, *(() if clock else ("--no-clock",)))
    assert played.exit_code == 0, played.output
    assert ("in the contest the game would be lost. For debugging: --no-clock" in played.output) is clock
    assert re.search(r"^(player|random:seed=1) \((Red|Blue)\) wins: ", played.output, re.MULTILINE)
