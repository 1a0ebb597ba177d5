"""``spielleiter watch`` as a student sees it: real saves, lines in a pipe, and the board in a terminal."""

from __future__ import annotations

import os
import queue
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

PLAYER = """
from spielleiter.client import play

def choose(state, seconds):
    {body}

play(choose, game="piranhas-2026")
"""
GOOD = "return state.legal_moves()[{at}]"
COMMAND = [sys.executable, "-m", "spielleiter", "--lang", "en", "watch"]
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120", "LINES": "40"}


class Watching:
    """The running command and the lines that it has printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def until(self, pattern: str) -> list[str]:
        """The lines up to the first that has ``pattern``."""
        seen: list[str] = []
        deadline = time.monotonic() + 90
        while not seen or not re.search(pattern, seen[-1]):
            try:
                seen.append(self._lines.get(timeout=max(0.0, deadline - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"{pattern!r} never came: {seen}") from None
        return seen


@contextmanager
def watching(*arguments: str | Path) -> Iterator[Watching]:
    command = [*COMMAND, *map(str, arguments)]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield Watching(process)
        finally:
            process.kill()


def save(file: Path, body: str) -> None:
    file.write_text(PLAYER.format(body=body))


def test_every_save_is_played_and_every_fault_is_a_line(tmp_path: Path) -> None:
    folder = tmp_path / "hugo"
    folder.mkdir()
    file = folder / "player.py"
    save(file, GOOD.format(at=0))
    with watching(folder, "random:seed=1", "--games", "2", "--seconds", "0.5") as watch:
        first = watch.until(r"hugo [\d.]+ : [\d.]+ random:seed=1, Elo ")
        assert re.fullmatch(r"hugo, version 1 \(..:..:..\), Piranhas 2026", first[0])
        assert re.match(r"  0 Red: \S+ \(hugo, [\d.]+ s\)", first[1])
        assert re.match(r"  1 Blue: \S+ \(random:seed=1, ", first[2])

        save(file, GOOD.format(at=-1))
        second = watch.until(r"hugo [\d.]+ : [\d.]+ hugo v1, Elo (.* ± \d+|at (least|most) )")
        assert second[0].startswith("hugo, version 2 ")

        for body, why in (
            ("return state.", r"! SyntaxError: .*player.py, line \d"),
            ("return [][1]", r"! player.py: choose\(\) raised IndexError.* in player.py, line 5: "),
            ("return None", r"! player.py: choose\(\) returned None"),
            ("while True: pass", r"! .*choose\(\) is still thinking after 0.5 s, in player.py, line 5"),
        ):
            save(file, body)
            watch.until(why)
        again = watch.until("Ask it again ")[-1].partition("--save-test): ")[2]
        assert re.fullmatch(rf"spielleiter ask {folder} \S+\.jsonl --ply 0", again)

        file.unlink()
        watch.until("there is no start.sh in it")

        save(file, "return 3")
        save(file, GOOD.format(at=1))  # Two saves at once: the last one is played, and compared with what played last.
        watch.until(r"hugo [\d.]+ : [\d.]+ hugo v2, Elo ")

        watch.process.send_signal(signal.SIGINT)
        watch.until("Stopped watching")
        assert watch.process.wait(60) == 0


def test_a_file_is_watched_with_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("AT = 0\n")
    save(tmp_path / "otto.py", "import beside; return state.legal_moves()[beside.AT]")
    with watching(tmp_path / "otto.py", "random:seed=1", "--games", "2") as watch:
        watch.until("random:seed=1, Elo")
        (tmp_path / "beside.py").write_text("AT = 100000\n")
        watch.until(r"! otto.py: choose\(\) raised IndexError")
        (tmp_path / "otto.py").unlink()
        watch.until("otto.py is gone")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_in_a_terminal_the_board_is_drawn_in_place(tmp_path: Path) -> None:
    import pty

    save(tmp_path / "otto.py", GOOD.format(at=0))
    master, terminal = pty.openpty()
    command = [*COMMAND, str(tmp_path / "otto.py"), "random:seed=1", "--delay", "0"]
    environment = {**ENVIRONMENT, "TERM": "xterm"}
    with subprocess.Popen(command, env=environment, stdin=terminal, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        shown, deadline = "", time.monotonic() + 90
        try:
            while "random:seed=1, Elo" not in shown and time.monotonic() < deadline:
                if select.select([master], [], [], 1.0)[0]:
                    shown += os.read(master, 65536).decode("utf-8", "replace")
        finally:
            process.kill()
            os.close(master)
    assert "\x1b[1A" in shown, "the cursor goes up to draw again"
    assert "A B C D E F G H I J" in shown
    assert "otto (Red) – random:seed=1 (Blue)" in shown


def test_what_is_not_there_cannot_be_watched() -> None:
    ran = subprocess.run([*COMMAND, "nothing-there"], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert "make a player by: spielleiter new nothing-there" in ran.stderr
