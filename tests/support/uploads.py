"""What teams upload, made as the organisers' kits tell them to: the ZIP of the Python kit, a JAR."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from spielleiter.games import blokus
from spielleiter.programs.entrants import find_source
from spielleiter.programs.package import collect

_SOURCES = Path(blokus.__file__).parent / "template_players" / "2027" / "java"
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


@cache
def jar() -> bytes:
    """The Java player of ``spielleiter new --language java`` as a JAR; it plays the current season."""
    if shutil.which("javac") is None:
        pytest.skip("there is no javac here")
    with TemporaryDirectory() as folder:
        subprocess.run(["javac", "-encoding", "UTF-8", "-d", folder, _SOURCES / "Player.java"], check=True)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: Player\n")
            for path in sorted(Path(folder).glob("*.class")):
                archive.write(path, path.name)
        return buffer.getvalue()
