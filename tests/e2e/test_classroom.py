"""docs/classroom as it stands: network namespaces are the laptops, and one of them falls asleep."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from release.pages import Block, blocks
from spielleiter.records.verify import verify_file
from tests.support.terminal import ROOT, Terminal

LAPTOPS = ("Ada", "Ben", "Cem")
TEACHER = "10.77.0.1"
PLAYER = """
import time
from spielleiter.client import play

def choose(state, seconds):
    time.sleep(0.02)
    return state.legal_moves()[0]

play(choose)
"""
documents = pytest.mark.parametrize("language", ["de", "en"])


def listings(language: str) -> list[Block]:
    return [block for block in blocks(ROOT / "docs" / f"classroom.{language}.md") if block.kind == "sh"]


@documents
def test_free_play_works_as_written(language: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    try:
        for block in listings(language):
            if block.name == "server":
                terminal.serve(block.text.strip())
            elif not block.name:
                terminal.run(block.text)
    finally:
        terminal.close()


def test_both_documents_have_the_same_commands() -> None:
    def commands(language: str) -> list[str]:
        return [re.sub("turnier", "tournament", block.text) for block in listings(language)]

    assert commands("de") == commands("en")


# --- laptops ----------------------------------------------------------------------------------------------------------


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=60)


class Classroom:
    """A namespace for the teacher with a switch, and one for each laptop that is plugged into it."""

    def __init__(self) -> None:
        self.mark = f"slc{os.getpid()}"
        self.processes: list[subprocess.Popen[str]] = []

    def build(self) -> None:
        for name in ("teacher", *LAPTOPS):
            ip("netns", "add", f"{self.mark}-{name}")
            self.in_("teacher" if name == "teacher" else name, "link", "set", "lo", "up")
        self.in_("teacher", "link", "add", "switch", "type", "bridge")
        self.in_("teacher", "addr", "add", f"{TEACHER}/24", "dev", "switch")
        self.in_("teacher", "link", "set", "switch", "up")
        for number, name in enumerate(LAPTOPS, 2):
            self.in_("teacher", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", self.space(name))
            self.in_("teacher", "link", "set", name, "master", "switch", "up")
            self.in_(name, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
            self.in_(name, "link", "set", "eth0", "up")

    def space(self, name: str) -> str:
        return f"{self.mark}-{name}"

    def in_(self, name: str, *words: str) -> None:
        ip("-n", self.space(name), *words)

    def plug(self, name: str, *, awake: bool) -> None:
        self.in_("teacher", "link", "set", name, "up" if awake else "down")

    def start(self, name: str, *command: str, folder: Path) -> subprocess.Popen[str]:
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "300", "PYTHONPATH": str(ROOT / "src")}
        process = subprocess.Popen(
            ["ip", "netns", "exec", self.space(name), sys.executable, *command],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate(timeout=60)
        for name in ("teacher", *LAPTOPS):
            subprocess.run(["ip", "netns", "del", self.space(name)], capture_output=True, timeout=60, check=False)


@pytest.fixture
def classroom() -> Iterator[Classroom]:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root on Linux, and iproute2")
    room = Classroom()
    try:
        try:
            room.build()
        except subprocess.CalledProcessError as problem:
            pytest.skip(f"no network namespaces here: {problem.stderr.decode()}")
        yield room
    finally:
        room.close()


def rows(folder: Path) -> list[dict[str, object]]:
    path = folder / "results.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.slow
def test_a_tournament_goes_on_while_a_laptop_sleeps_and_it_comes_back(classroom: Classroom, tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(PLAYER)
    [command] = [block.text for block in listings("en") if block.name == "tournament"]
    words = command.replace("--games 2", "--games 4 --game piranhas-2026").split()[1:]
    match = classroom.start("teacher", "-m", "spielleiter", *words, folder=tmp_path)
    assert match.stdout is not None
    invited: dict[str, list[str]] = {}
    while len(invited) < len(LAPTOPS):
        line = match.stdout.readline()
        assert line, "the match has ended"
        if found := re.match(r"  (\w+): python (.*)", line):
            invited[found[1]] = found[2].split()
            assert found[2].startswith(f"player.py --host {TEACHER} --port 13055 --reservation ")
    for name in LAPTOPS:
        classroom.start(name, *invited[name], folder=tmp_path)
    folder = tmp_path / "tournament"
    deadline = time.monotonic() + 120
    while not rows(folder):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.3)
    classroom.plug("Ben", awake=False)
    while not (silent := [row for row in rows(folder) if "silent" in json.dumps(row)]):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    classroom.plug("Ben", awake=True)
    printed, _ = match.communicate(timeout=150)
    assert match.returncode == 0, printed
    games = rows(folder)
    assert len({row["id"] for row in games}) == 12  # On a busy machine one that was lost on time is played again.
    sides = [side for row in games for side in row["sides"]]  # type: ignore[attr-defined]
    # On a busy machine anybody may be late.
    assert {side["name"] for side in sides if side["fault"] not in (None, "late")} == {"Ben"}
    later = [side for row in games[games.index(silent[0]) + 1 :] for side in row["sides"]]  # type: ignore[attr-defined]
    assert None in [side["fault"] for side in later if side["name"] == "Ben"], printed


@pytest.mark.slow
def test_on_a_server_for_the_class_a_player_without_a_name_is_called_by_its_laptop(
    classroom: Classroom, tmp_path: Path
) -> None:
    (tmp_path / "player.py").write_text(PLAYER)
    [command] = [block.text for block in listings("en") if block.name == "server"]
    server = classroom.start("teacher", "-m", "spielleiter", *command.split()[1:], folder=tmp_path)
    assert server.stdout is not None
    for line in server.stdout:
        if "Stop with Ctrl-C" in line:
            break
        if "A player joins with" in line:
            words = line.split("python ")[1].split()
    assert words == ["player.py", "--host", TEACHER, "--port", "13055"]
    for name in ("Ada", "Ben"):
        classroom.start(name, *words, "--game", "piranhas-2026", "--name", "", folder=tmp_path)
    begins = next(line for line in server.stdout if " begins: " in line)
    assert sorted(begins.split(" begins: ")[1].strip().split(" - ")) == [
        "Player from 10.77.0.2",
        "Player from 10.77.0.3",
    ]


VISIT = """
import re, sys, urllib.parse, urllib.request as web
home, key = sys.argv[1].split("?key=")
pupil = web.build_opener(web.HTTPCookieProcessor())
pupil.open(f"{home}?key={key}")
form = {"game": "ostseeschach-2022", "kind1": "joins", "name1": "Ada", "kind2": "built-in", "level2": "random"}
table = pupil.open(f"{home}tables", urllib.parse.urlencode(form).encode())
pages = table.read().decode(), pupil.open(f"{home}watch").read().decode()
for page in pages:
    print(*re.search(r"--host (\\S+) --port (\\d+)(?: --reservation ([\\w-]+))?", page).groups(""))
"""


@pytest.mark.slow
def test_a_program_on_another_laptop_joins_with_the_command_that_the_page_shows_there(
    classroom: Classroom, tmp_path: Path
) -> None:
    (tmp_path / "player.py").write_text(PLAYER)
    options = ("--host", "0.0.0.0", "--no-browser", "--records", str(tmp_path / "records"))
    pages = classroom.start("teacher", "-m", "spielleiter", "web", *options, folder=tmp_path)
    assert pages.stdout is not None
    home = next(found[0] for line in pages.stdout if (found := re.search(rf"http://{TEACHER}:\S+", line)))
    visit, _ = classroom.start("Ada", "-c", VISIT, home, folder=tmp_path).communicate(timeout=60)
    (host, port, code), watched = (line.split() for line in visit.splitlines())
    assert [host, port] == watched == [TEACHER, "13050"]
    words = ("player.py", "--host", host, "--port", port, "--reservation", code)
    player = classroom.start("Ada", *words, folder=tmp_path)
    printed, _ = player.communicate(timeout=120)
    assert player.returncode == 0, printed
    [record] = (tmp_path / "records").glob("*.jsonl")
    assert verify_file(record).is_sound
    assert '"Ada"' in record.read_text()
