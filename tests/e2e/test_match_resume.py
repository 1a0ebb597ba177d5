"""``spielleiter match`` killed with -9 again and again and resumed: exactly the missing games are played."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from spielleiter.matches.results import read_rows
from spielleiter.records.load import open_any
from tests.support.night import NIGHT
from tests.support.players import GAME, program, short_start
from tests.support.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
GAMES, KILLS = (46, 10) if NIGHT else (22, 4)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "spielleiter", "--lang", "en", "match", *words]


def left_over(word: bytes) -> list[int]:
    found = []
    for entry in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if word in Path(f"/proc/{entry}/cmdline").read_bytes():
                found.append(int(entry))
        except OSError:
            continue
    return found


def rows_in(folder: Path) -> int:
    path = folder / "results.jsonl"
    return len(list(read_rows(path))) if path.exists() else 0


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found in /proc")
def test_killed_again_and_again_and_resumed_every_game_is_there_once(tmp_path: Path) -> None:
    rng = Random(0)
    # One of the two waits a little, so that there is something to interrupt.
    ada = program(tmp_path, "player_ada", asked="time.sleep(0.02)")
    bob = program(tmp_path, "player_bob")
    (tmp_path / "openings.txt").write_text(short_start()[0])
    folder = tmp_path / "out"
    begin = command(
        str(ada), str(bob), "--game", GAME, "--games", str(GAMES), "--openings", str(tmp_path / "openings.txt"),
        "--out", str(folder), "--concurrency", "2", "--no-report",
    )  # fmt: skip
    go_on = command("--resume", str(folder), "--concurrency", "2", "--no-report")
    kills = 0
    seen: list[int] = []
    while kills < KILLS:
        with subprocess.Popen(
            begin if not (folder / "match.json").exists() else go_on,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tmp_path,
        ) as running:  # fmt: skip
            before = rows_in(folder)
            # Some games, and then at any moment of the next ones.
            while running.poll() is None and rows_in(folder) < before + 2:
                time.sleep(0.005)
            time.sleep(rng.random() * 0.2)
            assert running.poll() is None, (running.stderr.read() if running.stderr else b"").decode()
            running.send_signal(signal.SIGKILL)
        kills += 1
        seen.append(rows_in(folder))
    assert seen == sorted(seen)
    assert seen[-1] < GAMES
    done = subprocess.run([*go_on, "--json"], capture_output=True, text=True, cwd=tmp_path, check=True)
    summary = json.loads(done.stdout)
    assert summary["played"] == GAMES
    rows = [row for row, _ in read_rows(folder / "results.jsonl")]
    expected = {f"1v2-{number:05d}{leg}" for number in range(1, GAMES // 2 + 1) for leg in "ab"}
    assert {row.id for row in rows} == expected
    assert len(rows) == GAMES
    assert all(row.sides[0].fault is None and row.sides[1].fault is None for row in rows)
    for row in rows[::10]:
        assert open_any(folder / row.record).is_finished
    wait_until(lambda: not left_over(b"player_ada.py") + left_over(b"player_bob.py"))


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(tmp_path: Path) -> None:
    players = [str(program(tmp_path, name, asked="time.sleep(0.05)")) for name in ("ada", "bob")]
    (tmp_path / "openings.txt").write_text(short_start()[0])
    begin = command(*players, "--game", GAME, "--games", "200", "--openings", "openings.txt", "--out", "out")
    with subprocess.Popen(begin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tmp_path) as running:
        while rows_in(tmp_path / "out") < 2 and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        said = running.stderr.read().decode()
        assert running.wait() == 130
    assert "go on with --resume out" in said
    assert "Traceback" not in said
    assert rows_in(tmp_path / "out") >= 2


def test_ctrl_c_in_this_process_says_at_once_what_it_waits_for(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text(short_start()[0])
    begin = command("student", "greedy", "--game", GAME, "--games", "2000", "--openings", "openings.txt",
                    "--in-process", "--out", "out")  # fmt: skip
    with subprocess.Popen(begin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tmp_path) as running:
        wait_until(lambda: rows_in(tmp_path / "out") >= 2)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        said = running.stderr.read().decode()
        assert running.wait() == 130
    first, second = said.splitlines()[-2:]
    assert first == "Ending after the move that is being thought about ..."
    assert second == "Interrupted; go on with --resume out"
