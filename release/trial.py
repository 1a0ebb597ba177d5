"""Installs what ``make dist`` built as a stranger would, and walks through all of it; called by ``make dist``.

The wheel goes into a fresh environment of every Python that is found here, with a new home and without compilers on the
path; the sdist into one, which proves that everything but the engine works without Rust. With one Python the stranger
follows both tutorials block by block, types every command of the documentation that can be typed here (``pages.py``),
and makes, builds and checks a player in each language. Each step is timed.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from release.pages import PAGES, ROOT, blocks
from spielleiter.programs.raw_players import ProgrammingLanguage

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
COMPILERS = re.compile(r".*\b(gcc|g\+\+|cc|c\+\+|c[89]9|cpp|clang|ld|as|rustc|cargo|go|javac|make)(-[\d.]+)?$")
FOLLOWED = ("tutorial", "classroom", "lab.md", "template")
"""Pages that are followed block by block: here in folders of their own, or in tests/."""
SERVERS = re.compile(r"spielleiter (?:serve|web)\b")
FREE_PORTS = {f"SPIELLEITER_{name}": "0" for name in ("SERVE_PORT", "WEB_PORT", "WEB_GAME_PORT", "WEB_BROWSER")}
NOT_SOLVED = 1
"""The exit code of a drill whose exercises are not all solved."""
SECONDS = 1800
FAILED: list[str] = []


class Stranger:
    """Somebody with a new home, one Python, and no compiler on the path."""

    def __init__(self, python: str, home: Path) -> None:
        self.home = self.where = home
        self.bin = home / "venv" / "bin"
        registries = {name: text for name, text in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
        path = f"{self.bin}:{_without_compilers(home / 'bin')}"
        self.environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", **FREE_PORTS, **registries}
        self.port = str(_free_port())
        self.uv("make an environment", "venv", "--quiet", "--python", python, str(home / "venv"))

    def run(self, step: str, *command: str, **environment: str) -> str:
        """What a command prints, in the stranger's folder; one that fails is listed at the end."""
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=self.where, env=self.environment | environment, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
        _report(began, step)
        if done.returncode:
            FAILED.append(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}\nexit code {done.returncode}")
        return done.stdout + done.stderr

    def uv(self, step: str, *arguments: str) -> str:
        return self.run(step, sys.executable, "-m", "uv", *arguments)

    def install(self, file: Path) -> None:
        self.uv(
            f"install {file.name}", "pip", "install", "--quiet", "--python", str(self.bin / "python"),
            "--constraint", str(ROOT / "constraints.txt"), str(file),
        )  # fmt: skip
        size = sum(path.stat().st_size for path in (self.home / "venv" / "lib").rglob("*") if path.is_file())
        print(f"            {size / 1e6:.0f} MB on disk")

    def type(self, commands: str, step: str = "", **environment: str) -> str:
        """What the commands print; a ``cd`` lasts. The ports of the documentation are free ones here."""
        script = f"set -eu\n{commands.replace('13055', self.port)}\npwd > {self.home}/.where\n"
        left = self.home / ".where"
        left.unlink(missing_ok=True)
        printed = self.run(step or commands.splitlines()[0], "bash", "-c", script, **environment)
        self.where = Path(left.read_text().strip()) if left.exists() else self.where
        return printed

    def start(self, command: str) -> subprocess.Popen[str]:
        """A server, once it says where it is."""
        began = time.monotonic()
        words = ["bash", "-c", f"exec {command.replace('13055', self.port)}"]
        server = subprocess.Popen(words, cwd=self.where, env=self.environment, stderr=subprocess.PIPE, text=True)
        assert server.stderr is not None
        for line in server.stderr:
            if found := re.search(r"https?://\S+|listening on \S+", line):
                self.address = found[0].rstrip(".,")
                _report(began, command)
                return server
        sys.exit(f"{command}: the server did not start")

    def stop(self, server: subprocess.Popen[str]) -> None:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)

    # --- the walk -----------------------------------------------------------------------------------------------------

    def use(self) -> None:
        """What everybody does first."""
        self.type("spielleiter play blokus-2027 --quiet --seconds 0.1")
        self.open_pages()

    def open_pages(self) -> None:
        """The first page, and every page that it leads to."""
        server = self.start("spielleiter web")
        began = time.monotonic()
        try:
            links = {"/"} | set(re.findall(r'href="(/[^"#]*)"', self._fetch("/")))
            pages = {link: self._fetch(link) for link in sorted(links)}
        finally:
            self.stop(server)
        _report(began, f"open {len(pages)} pages")
        if "Blokus" not in pages["/"]:
            FAILED.append(f"The start page names no game:\n{pages['/']}")

    def _fetch(self, link: str) -> str:
        base, _, key = self.address.partition("?")
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        if key:
            opener.open(self.address, timeout=60).close()  # The key of the host becomes a cookie.
        with opener.open(urljoin(base, link), timeout=60) as answer:
            page: str = answer.read().decode("utf-8", "replace")
            return page

    def follow_tutorial(self, language: str) -> None:
        """Write every listing to its file and type every command, in a new folder."""
        self.where = self.home / f"tutorial-{language}"
        self.where.mkdir()
        self.environment["SPIELLEITER_LANG"] = language
        self.port = str(_free_port())
        servers, printed = [], ""
        for block in blocks(ROOT / "docs" / f"tutorial.{language}.md"):
            if block.kind == "python":
                (self.where / block.name).write_text(block.text, encoding="utf-8")
            elif block.name == "server":
                servers.append(self.start(block.text.strip()))
            else:
                printed += self.type(block.text)
        for server in servers:
            self.stop(server)
        found = re.findall(r"([\d.,]+) (?:of|von) (\d+) (?:points|Punkten)", printed)
        # It wins three games of four, so six may go wrong now and then.
        if not found or float(found[-1][0].replace(",", ".")) < int(found[-1][1]) / 2:
            FAILED.append(f"The player of the tutorial loses against greedy:\n{printed}")
        del self.environment["SPIELLEITER_LANG"]

    def type_all_commands(self) -> None:
        """Every command of the documentation that can be typed here, once, in the order of the pages."""
        self.where = self.home / "commands"
        self.where.mkdir()
        typed: set[str] = set()
        for page in PAGES:
            if any(word in str(page.relative_to(ROOT)) for word in FOLLOWED):
                continue
            for block in blocks(page):
                for command in () if block.not_run else block.commands:
                    shorter = re.sub(r"--games \d+", "--games 2", command)
                    if shorter in typed:
                        continue
                    typed.add(shorter)
                    if SERVERS.match(shorter):
                        self.stop(self.start(shorter))
                    else:
                        self.type(f"{shorter} || [ $? -eq {NOT_SOLVED} ]" if "drill" in shorter.split() else shorter)

    def try_languages(self) -> None:
        """A player in every language whose compiler is on this machine, built and checked as its README says."""
        compilers = {
            "PATH": f"{self.environment['PATH']}{os.pathsep}{os.environ['PATH']}",
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
        }
        for language in ProgrammingLanguage:
            if missing := [tool for tool in language.tools if shutil.which(tool) is None]:
                print(f"            no {' and no '.join(missing)} here: {language} is not tried")
                continue
            self.where = self.home / "commands"
            self.type(f"spielleiter new raw-{language} --language {language}")
            self.where /= f"raw-{language}"
            for block in blocks(self.where / "README.md"):
                for command in block.commands:
                    self.type(command, f"{command} ({language})", **compilers)


def main() -> None:
    wheel, sdist = next((ROOT / "dist").glob("spielleiter-*.whl")), next((ROOT / "dist").glob("*.tar.gz"))
    found = list(pythons())
    print(f"Not found here, so not tried: {', '.join(v for v in VERSIONS if v not in dict(found)) or 'none'}")
    for index, (version, python) in enumerate(found):
        print(f"\nThe wheel on Python {version}, no compiler:\n   seconds  step")
        with tempfile.TemporaryDirectory() as home:
            stranger = Stranger(python, Path(home))
            stranger.install(wheel)
            stranger.install(next((ROOT / "dist").glob("spielleiter_workshop-*.whl")))
            stranger.type("spielleiter engine")
            stranger.use()
            if index == 0:
                stranger.uv("uvx spielleiter", "tool", "run", "--from", str(wheel), "spielleiter", "--version")
                for language in ("en", "de"):
                    stranger.follow_tutorial(language)
                stranger.type_all_commands()
                stranger.try_languages()
    print("\nThe sdist, no compiler and so no engine:\n   seconds  step")
    with tempfile.TemporaryDirectory() as home:
        stranger = Stranger(found[-1][1], Path(home))
        stranger.install(sdist)
        stranger.use()
    if FAILED:
        sys.exit("\n\n".join(("", *FAILED, f"{len(FAILED)} steps have failed.")))
    print("\nAll of it works.")


def _report(began: float, step: str) -> None:
    print(f"  {time.monotonic() - began:8.1f}  {step[:100]}", flush=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _without_compilers(folder: Path) -> Path:
    """A folder with links to all programs of this machine but compilers."""
    folder.mkdir()
    for program in [*Path("/usr/bin").iterdir(), *Path("/bin").iterdir()]:
        if not COMPILERS.match(program.name) and not (folder / program.name).exists():
            (folder / program.name).symlink_to(program)
    return folder


def _installed_by_uv(version: str) -> list[str]:
    """What ``uv python install`` has brought; this never downloads anything."""
    question = [sys.executable, "-m", "uv", "python", "find", "--managed-python", "--offline", version]
    return subprocess.run(question, capture_output=True, text=True, timeout=60, check=False).stdout.split()


def pythons() -> Iterator[tuple[str, str]]:
    """Every supported Python on this machine: its version and its path."""
    for version in VERSIONS:
        candidates = [f"python{version}", *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))]
        candidates += _installed_by_uv(version)
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
