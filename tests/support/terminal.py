"""A terminal in an empty folder, as a newcomer has one after installing."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Terminal:
    """A shell in an empty folder that has ``spielleiter``, ``python`` and ``python3`` on its path."""

    def __init__(self, folder: Path) -> None:
        commands = folder / ".bin"
        commands.mkdir()
        for name, arguments in (("spielleiter", "-m spielleiter"), ("python", ""), ("python3", "")):
            script = commands / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
            script.chmod(0o755)
        self.folder = folder
        self.port = str(_free_port())
        self.environment = {
            **os.environ,
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._started: list[subprocess.Popen[str]] = []

    def run(self, commands: str, *, status: int = 0) -> str:
        """What the commands print, with errors; the last of them ends with this status. A ``cd`` lasts."""
        ran = self.start(f"set -eu\n{commands}\npwd > {self.folder}/.where")
        printed, _ = ran.communicate(timeout=300)
        self._started.remove(ran)
        assert ran.returncode == status, f"{commands}\n{printed}"
        return printed

    def start(self, commands: str) -> subprocess.Popen[str]:
        """The commands in a window of their own, which is closed in the end; ``stdout`` has their errors, too."""
        process = subprocess.Popen(
            ["bash", "-c", commands.replace("13055", self.port)], cwd=self.where, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self._started.append(process)
        return process

    def serve(self, command: str, ready: str = r"listening on|serves") -> re.Match[str]:
        """Run the command in a window of its own, until the end; what it prints when it is ready."""
        server = self.start(f"exec {command}")
        assert server.stdout is not None
        printed = []
        for line in server.stdout:
            printed.append(line)
            if found := re.search(ready, line):
                return found
        raise AssertionError(f"the server did not start:\n{''.join(printed)}")

    @property
    def last(self) -> subprocess.Popen[str]:
        """What was started last and still has its window."""
        return self._started[-1]

    def pages(self, options: str = "") -> str:
        """The address that ``spielleiter web`` prints, which runs in a window of its own until the end."""
        return self.serve(f"spielleiter web --no-browser --port 0 --game-port 0 {options}", r"http://\S+")[0]

    @property
    def where(self) -> Path:
        left = self.folder / ".where"
        return Path(left.read_text().strip()) if left.exists() else self.folder

    def close(self) -> None:
        """End what still runs in other windows."""
        for process in self._started:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
        return port


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    yield opened
    opened.close()
