"""Installs what ``make dist`` built as a stranger would, and uses it; called by ``make dist``.

The wheel goes into a fresh environment of every Python that is found here, with a new home and without compilers; the
sdist into one, which proves that everything but the engine works without Rust. Each step is timed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


class Stranger:
    """Somebody with a new home, one Python, and no compiler on the path."""

    def __init__(self, python: str, home: Path) -> None:
        self.home = home
        self.bin = home / "venv" / "bin"
        registries = {name: text for name, text in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
        self.environment = {"HOME": str(home), "PATH": f"{self.bin}:/usr/bin:/bin", "LANG": "C.UTF-8", **registries}
        self.uv("make an environment", "venv", "--quiet", "--python", python, str(home / "venv"))

    def run(self, purpose: str, *command: str) -> str:
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=900, check=False
        )
        print(f"  {time.monotonic() - began:6.1f} s  {purpose}", flush=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}\nexit code {done.returncode}")
        return done.stdout + done.stderr

    def uv(self, purpose: str, *arguments: str) -> str:
        return self.run(purpose, sys.executable, "-m", "uv", *arguments)

    def install(self, file: Path) -> None:
        self.uv(
            f"install {file.name}", "pip", "install", "--quiet", "--python", str(self.bin / "python"),
            "--constraint", str(ROOT / "constraints.txt"), str(file),
        )  # fmt: skip
        size = sum(path.stat().st_size for path in (self.home / "venv" / "lib").rglob("*") if path.is_file())
        print(f"            {size / 1e6:.0f} MB on disk")

    def spielleiter(self, purpose: str, *arguments: str) -> str:
        return self.run(purpose, str(self.bin / "spielleiter"), *arguments)

    def play(self) -> None:
        self.spielleiter("play a game", "play", "blokus-2027", "--quiet", "--seconds", "0.1")

    def open_pages(self) -> None:
        """Start the pages, fetch the first one, and stop them."""
        began = time.monotonic()
        command = [str(self.bin / "spielleiter"), "web", "--no-browser", "--port", "0", "--game-port", "0"]
        server = subprocess.Popen(command, cwd=self.home, env=self.environment, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            address = next(word for line in server.stderr for word in line.split() if word.startswith("http://"))
            with urllib.request.urlopen(address.rstrip(".,"), timeout=60) as answer:
                page = answer.read().decode()
        finally:
            server.terminate()
            server.communicate(timeout=60)
        if "Blokus" not in page:
            sys.exit(f"The start page names no game:\n{page}")
        print(f"  {time.monotonic() - began:6.1f} s  open the pages")

    def write_player(self) -> None:
        self.spielleiter("make a player", "new", "hugo")
        self.spielleiter("check it", "check", "hugo")
        self.spielleiter("pack it", "pack", "hugo", "-o", "hugo.zip")

    def play_season(self) -> None:
        self.spielleiter("write a season file", "contest", "init")
        self.spielleiter("play the season", "contest", "run")
        if "Season proved" not in self.spielleiter("prove it", "contest", "verify"):
            sys.exit("The season was not proved.")


def main() -> None:
    wheel, sdist = next((ROOT / "dist").glob("*.whl")), next((ROOT / "dist").glob("*.tar.gz"))
    found = list(pythons())
    print(f"Not found here, so not tried: {', '.join(v for v in VERSIONS if v not in dict(found)) or 'none'}")
    for index, (version, python) in enumerate(found):
        print(f"The wheel on Python {version}, no compiler:")
        with tempfile.TemporaryDirectory() as home:
            stranger = Stranger(python, Path(home))
            stranger.install(wheel)
            stranger.spielleiter("find the engine", "engine")
            stranger.play()
            stranger.open_pages()
            stranger.write_player()
            if index == 0:
                stranger.play_season()
    print("The sdist, no compiler and so no engine:")
    with tempfile.TemporaryDirectory() as home:
        stranger = Stranger(found[-1][1], Path(home))
        stranger.install(sdist)
        stranger.play()
        stranger.open_pages()
    print("All of it works.")


def pythons() -> Iterator[tuple[str, str]]:
    """Every supported Python on this machine: its version and its path."""
    for version in VERSIONS:
        candidates = [f"python{version}", *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))]
        for candidate in candidates:
            question = [candidate, "-c", "import sys; print(sys.base_prefix, *sys.version_info[:2])"]
            try:
                answer = subprocess.run(
                    question, capture_output=True, text=True, timeout=30, check=False
                ).stdout.split()
            except OSError:
                continue
            if answer[1:] == version.split("."):
                yield version, f"{answer[0]}/bin/python{version}"
                break


if __name__ == "__main__":
    main()
