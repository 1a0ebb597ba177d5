"""Bubblewrap without root, also where a control group was delegated: the player has the same user as its sandbox."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from spielleiter.programs.sandbox import Level, bubblewrap
from spielleiter.programs.sandbox.kernel import cgroup
from tests.support.hostile import works

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")
UID = 64_990
PLAY = """
import asyncio, json, sys
from pathlib import Path
from spielleiter.programs.sandbox import ResourceLimits, Level, LaunchSpec, start
from spielleiter.programs.sandbox.kernel import cgroup
from spielleiter.programs.sandbox.watchdog import tree

delegated = json.loads(sys.argv[2])
place = delegated and cgroup._Place({name: Path(folder) for name, folder in delegated.items()}, False)
cgroup._place = lambda: place

async def main():
    spec = LaunchSpec(("{python}", "-I", "-S", "-c", sys.argv[1]))
    player = await start(spec, Level.BUBBLEWRAP, ResourceLimits(processes=10), address=("", 0))
    player.listener.close()
    if place:
        print(len(set(tree(player._process.pid)) - set(player._resources.cgroup.pids())), "outside")
    player.go()
    await player.wait()
    exit_status = await player.stop()
    print((exit_status.out + exit_status.err).decode()[-200:], end="")

asyncio.run(main())
"""


@pytest.fixture
def delegated() -> Iterator[dict[str, str]]:
    """Folders in which the user may make control groups, as systemd delegates one of version 2: here by their owner."""
    place = cgroup._place()
    if os.geteuid() != 0 or place is None or place.unified:
        pytest.skip("only root can delegate a control group, and only one of version 1 by its owner alone")
    folders = {name: root / f"delegated-{os.getpid()}" for name, root in place.roots.items()}
    for folder in folders.values():
        folder.mkdir()
        os.chown(folder, UID, UID)
    try:
        yield {name: str(folder) for name, folder in folders.items()}
    finally:
        for folder in folders.values():
            folder.rmdir()


def run_without_root(source: str, delegated: dict[str, str] | None = None) -> str:
    """The end of what a program prints in a bubblewrap that another user than root has started."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if os.geteuid() != 0 or python is None:
        pytest.skip("only root can try what others can, and only with a Python that all may start")
    works(Level.BUBBLEWRAP)
    package = str(Path(bubblewrap.__file__).parents[3])
    tried = subprocess.run(
        [python, "-c", PLAY, dedent(source), json.dumps(delegated)], user=UID, group=UID, extra_groups=[], text=True,
        env={"PYTHONPATH": package, "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"]}, cwd="/",
        capture_output=True, check=False,
    )  # fmt: skip
    if "No module named" in tried.stderr or "SyntaxError" in tried.stderr:
        pytest.skip("another user cannot read this package, or the system's Python is too old")
    assert tried.returncode == 0, tried.stderr
    return tried.stdout


def test_bubblewrap_needs_no_root() -> None:
    source = """
        import os, time
        for _ in range(30):
            os.fork() or os._exit(time.sleep(3) or 0)
    """
    assert "BlockingIOError" in run_without_root(source)


def test_the_address_is_set_and_the_right_to_do_so_is_gone() -> None:
    source = """
        import os, socket
        rights = [line.split()[1].strip("0") for line in open("/proc/self/status") if line.startswith("Cap")]
        socket.getaddrinfo("127.0.0.1", 13050, socket.AF_INET, flags=socket.AI_ADDRCONFIG)
        print(os.getuid(), rights)
    """
    assert run_without_root(source) == "1000 ['', '', '', '', '']\n"


def test_process_1_is_in_the_group_and_cannot_be_written_into(delegated: dict[str, str]) -> None:
    source = """
        import os
        for entry in sorted(filter(str.isdecimal, os.listdir("/proc")), key=int):
            if int(entry) != os.getpid():
                try:
                    with open(f"/proc/{entry}/mem", "r+b", 0):
                        print("opened", entry)
                except OSError as refused:
                    print(entry, refused.strerror)
    """
    assert run_without_root(source, delegated) == "0 outside\n1 Permission denied\n"


def test_process_1_gets_no_signal_from_the_player() -> None:
    source = """
        import os, signal
        for number in {*signal.Signals} - {signal.SIGCHLD}:
            os.kill(1, number)
        print("alive")
    """
    assert run_without_root(source) == "alive\n"
