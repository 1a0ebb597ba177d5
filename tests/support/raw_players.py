"""The players of ``spielleiter new --language``: which there are, and each of them built once for all tests."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.programs.raw_players import ProgrammingLanguage, rules_folder
from tests.cli.test_cli import spielleiter

ROOT = Path(__file__).parents[2]
KOTLIN = "2.2.21"
_BUILT = ROOT / "build" / "kotlin"
_POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>tests</groupId><artifactId>kotlinc</artifactId><version>1</version>
<dependencies><dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-compiler-embeddable</artifactId>
<version>{KOTLIN}</version></dependency></dependencies></project>
"""
_KOTLINC = """#!/bin/sh
exec java -Xmx512m -cp "$(dirname "$0")/../lib/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler "$@"
"""


@dataclass(frozen=True, slots=True)
class RawPlayer:
    """A player in this language for this game."""

    language: ProgrammingLanguage
    game: AnyGame

    def __str__(self) -> str:
        return f"{self.language}-{self.game.key}"


SEASONS = [game for game in games.seasons() if games.plugin_of(game) is None]
PLAYERS = [
    RawPlayer(language, game)
    for language in ProgrammingLanguage
    for game in SEASONS
    if rules_folder(game, language) is not None
]


def _one_of_each() -> list[RawPlayer]:
    """A player in every language but one and, as far as there are rules, of every season."""
    chosen = []
    # The compiler of Kotlin takes longer than all the others together.
    for place, language in enumerate(each for each in ProgrammingLanguage if each is not ProgrammingLanguage.KOTLIN):
        there = [player for player in PLAYERS if player.language is language]
        chosen.append(there[place % len(there)])
    return chosen


DAY_PLAYERS = _one_of_each()


@pytest.fixture(scope="session")
def build_player(tmp_path_factory: pytest.TempPathFactory) -> Callable[[RawPlayer], Path]:
    """Gives the start script of a player, which is built when the first test of any process asks for it."""
    here = tmp_path_factory.getbasetemp()
    shared = (here.parent if os.environ.get("PYTEST_XDIST_WORKER") else here) / "raw-players"

    def built(player: RawPlayer) -> Path:
        if player.language is ProgrammingLanguage.KOTLIN:
            bring_kotlinc()
        for tool in player.language.tools:
            if shutil.which(tool, path=tools_path()) is None:
                pytest.skip(f"{tool} is not installed")
        shared.mkdir(exist_ok=True)
        folder, said = shared / str(player), shared / f"{player}.txt"
        with (shared / f"{player}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not said.exists():
                said.write_text(_make(player, folder))
        assert said.read_text() == "", "it is not built, or a compiler warns"
        return folder / "start.sh"

    return built


def _make(player: RawPlayer, folder: Path) -> str:
    """What the compiler says about the player."""
    made = spielleiter("new", folder, "--language", player.language, "--game", player.game.key, PATH=tools_path())
    assert (made.returncode, made.stderr) == (0, ""), made.stderr
    if not (folder / "build.sh").exists():
        return ""
    environment = {**os.environ, "PATH": tools_path()}
    command = subprocess.run(
        ["./build.sh"], cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    return command.stdout + command.stderr + (f"exit code {command.returncode}" if command.returncode else "")


def tools_path() -> str:
    """Where compilers are looked for: also where ``make check`` and Maven put theirs."""
    return os.pathsep.join((os.environ["PATH"], str(ROOT / "node_modules" / ".bin"), str(_BUILT / "bin")))


def bring_kotlinc() -> None:
    """The compiler of Kotlin in ``build/kotlin``, once, where there is none and Maven can bring it."""
    script = _BUILT / "bin" / "kotlinc"
    if shutil.which("kotlinc") is not None or shutil.which("mvn") is None:
        return
    script.parent.mkdir(parents=True, exist_ok=True)
    with (_BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Tests run in several processes.
        if script.exists():
            return
        pom, library = _BUILT / "pom.xml", _BUILT / "lib"
        pom.write_text(_POM)
        copy = ["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={library}"]
        if subprocess.run(copy, capture_output=True, timeout=600, check=False).returncode:
            return
        # The compiler looks for the standard library beside itself, and knows itself by this name.
        for name in ("compiler-embeddable", "stdlib", "script-runtime", "reflect"):
            [jar] = library.glob(f"kotlin-{name}-[0-9]*.jar")
            jar.rename(library / f"kotlin-{name.removesuffix('-embeddable')}.jar")
        script.write_text(_KOTLINC)
        script.chmod(0o755)
