"""What teams upload, made as the organisers' kits and documents tell them to; ``FORMS`` play the current season."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from spielleiter import games
from spielleiter.games import CURRENT_SEASON
from spielleiter.programs.entrants import find_source
from spielleiter.programs.package import collect
from spielleiter.programs.raw_players import ProgrammingLanguage, raw_player_files
from tests.support.pythons import python

KIT_START = """#!/bin/sh
# Runs in the folder that holds my_player, and installs what lies in dependencies first.
export XDG_CACHE_HOME=./my_player/.pip_cache
export PYTHONPATH=./my_player/packages:"$PYTHONPATH"
for wheel in ./my_player/dependencies/*.whl; do
    python3 -m zipfile -e "$wheel" ./my_player/packages/
done
python3 ./my_player/logic.py "$@"
"""


def official_kit(target: Path, logic: str) -> Path:
    """A ZIP in the shape of the organisers' Python kit: its script names all paths from the top of the ZIP."""
    with TemporaryDirectory() as folder, zipfile.ZipFile(target, "w") as kit:
        player = Path(folder, "logic.py")
        player.write_text(logic, encoding="utf-8")
        needed = collect(find_source(str(player))).files
        wheel = io.BytesIO()
        with zipfile.ZipFile(wheel, "w") as library:
            for name, path in needed.items():
                if path != player:
                    library.write(path, name)
        kit.writestr("my_player/start.sh", KIT_START)
        kit.writestr("my_player/logic.py", logic)
        kit.writestr("my_player/requirements.txt", "kit==1.0\n")
        kit.writestr("my_player/dependencies/kit-1.0-py3-none-any.whl", wheel.getvalue())
    return target


def raw_sources(language: str, folder: Path) -> dict[str, bytes]:
    """The player of ``spielleiter new --language`` for the current season, also written into the folder."""
    files = raw_player_files(games.load(CURRENT_SEASON), ProgrammingLanguage(language), "en")
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return files


@cache
def jar() -> bytes:
    """The Java player of ``spielleiter new --language java`` as a JAR; it plays the current season."""
    if shutil.which("javac") is None:
        pytest.skip("there is no javac here")
    with TemporaryDirectory() as folder:
        sources = [Path(folder, name) for name in raw_sources("java", Path(folder)) if name.endswith(".java")]
        subprocess.run(["javac", "-encoding", "UTF-8", "-d", folder, *sources], check=True)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: Client\n")
            for path in sorted(Path(folder).glob("*.class")):
                archive.write(path, path.name)
        return buffer.getvalue()


# --- every form that is documented, without what Windows loses: permissions -------------------------------------------

_LOGIC = f"""
from spielleiter.client import play
play(lambda state, seconds: state.legal_moves()[0], game="{CURRENT_SEASON}")
"""
_INSTALLS = """#!/bin/sh
set -e
export XDG_CACHE_HOME=./my_player/.pip_cache
export PYTHONPATH=./my_player/packages:$PYTHONPATH
pip install --quiet --no-index --find-links=./my_player/dependencies/ --target=./my_player/packages/ kit
python3 ./my_player/logic.py "$@"
"""
_UNPACKED = """#!/bin/sh
export PYTHONPATH=./my_player/packages:$PYTHONPATH
python3 ./my_player/logic.py "$@"
"""


@cache
def _library() -> Mapping[str, bytes]:
    """What stands in for the organisers' library: our kit."""
    with TemporaryDirectory() as folder:
        player = Path(folder, "logic.py")
        player.write_text(_LOGIC, encoding="utf-8")
        needed = collect(find_source(str(player))).files
        return {name: path.read_bytes() for name, path in needed.items() if path != player}


def _zip(files: Mapping[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.create_system = 0  # Windows, where nothing is executable.
            archive.writestr(entry, data)
    return buffer.getvalue()


def _kit_that_installs() -> bytes:
    """Wheels for Python 3.12, which the script installs by pip."""
    python("3.12")
    info = "kit-1.0.dist-info"
    about = {
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: kit\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-cp312-manylinux2014_x86_64\n",
        f"{info}/RECORD": "",
    }
    wheel = "my_player/dependencies/kit-1.0-cp312-cp312-manylinux2014_x86_64.whl"
    return _zip({"my_player/start.sh": _INSTALLS, "my_player/logic.py": _LOGIC, wheel: _zip({**_library(), **about})})


def _kit_unpacked() -> bytes:
    packages = {f"my_player/packages/{name}": data for name, data in _library().items()}
    return _zip({"my_player/start.sh": _UNPACKED, "my_player/logic.py": _LOGIC, **packages})


def _built(language: str, tool: str, *command: str) -> bytes:
    """The program that this compiler makes of the sources of ``spielleiter new --language``."""
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here")
    with TemporaryDirectory() as folder:
        raw_sources(language, Path(folder))
        subprocess.run([tool, *command, "-o", "player"], cwd=folder, check=True)
        return Path(folder, "player").read_bytes()


_BINARY = '#!/bin/sh\nchmod +x player\n./player "$@"\n'


def _script(language: str, tool: str, main: str) -> bytes:
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here")
    with TemporaryDirectory() as folder:
        sources = raw_sources(language, Path(folder))
    return _zip({**sources, "start.sh": f'#!/bin/sh\n{tool} {main} "$@"\n'})


_FORMS: dict[str, Callable[[], bytes]] = {
    "a JAR": jar,
    "a JAR in a ZIP": lambda: _zip({"bot/bot.jar": jar()}),
    "a JAR with a script": lambda: _zip({"start.sh": '#!/bin/sh\njava -jar bot.jar "$@"\n', "bot.jar": jar()}),
    "the Python kit, which installs its wheels": _kit_that_installs,
    "the Python kit with unpacked wheels": _kit_unpacked,
    "C++": lambda: _zip(
        {"start.sh": _BINARY, "player": _built("cpp", "g++", "-std=c++17", "-O1", "client.cpp", "player.cpp")}
    ),
    "Rust": lambda: _zip({"start.sh": _BINARY, "player": _built("rust", "rustc", "--edition=2021", "client.rs")}),
    "Node": lambda: _script("javascript", "node", "client.js"),
}
FORMS = tuple(_FORMS)


@cache
def upload_of(form: str) -> tuple[str, bytes]:
    """The name and the bytes of a file in one of these ``FORMS``; skips the test where there is no tool for it."""
    return ("bot.jar" if form == "a JAR" else "bot.zip"), _FORMS[form]()
