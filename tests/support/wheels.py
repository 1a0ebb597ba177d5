"""Wheels made by hand: to install a package without a network, and without what builds one elsewhere."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path


def install(project: Path, target: Path) -> None:
    """Let pip install the pure Python package of ``project`` into ``target``, with its entry points."""
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    about = settings["project"]
    name, version = about["name"], about["version"]
    stem = f"{name.replace('-', '_')}-{version}"
    info = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
            for group, points in about.get("entry-points", {}).items()
        ),
        "RECORD": "",
    }
    wheel = project / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for package in settings["tool"]["setuptools"]["packages"]:
            for file in sorted((project / package).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, file.relative_to(project).as_posix())
        for file_name, text in info.items():
            archive.writestr(f"{stem}.dist-info/{file_name}", text)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check",
         "--target", str(target), str(wheel)],
        check=True,
    )  # fmt: skip
