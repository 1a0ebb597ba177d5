"""Builds the sdist, the wheel and that of the workshop into ``dist/``; called by ``make dist``.

On Linux the engine is linked for an old glibc, whatever this machine has; auditwheel proves it and gives the wheel its
platform tag. A wheel without the engine is refused: the build backend makes one when Rust is missing or fails.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from release import workshop

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
GLIBC = "2.17"  # What Rust's own standard library asks for; RHEL 7, Debian 8, Ubuntu 14.04 and newer have it.


def main() -> None:
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as built:
        _run("build", "--outdir", built, str(ROOT), environment=_linker())
        sdist, wheel = next(Path(built).glob("*.tar.gz")), next(Path(built).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            if "spielleiter/_engine.abi3.so" not in archive.namelist() and os.name == "posix":
                sys.exit("The engine was not built: see the messages of cargo above.")
        DIST.mkdir()
        shutil.copy(sdist, DIST)
        if platform.system() == "Linux":
            tag = f"manylinux_{GLIBC.replace('.', '_')}_{platform.machine()}"
            _run("auditwheel", "repair", "--only-plat", "--plat", tag, "--wheel-dir", str(DIST), str(wheel))
        else:
            shutil.copy(wheel, DIST)
    workshop.build_wheel(DIST)
    for file in sorted(DIST.iterdir()):
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1e6:.1f} MB")


def _run(module: str, *arguments: str, environment: dict[str, str] | None = None) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # auditwheel calls patchelf.
    whole = os.environ | {"PATH": path} | (environment or {})
    done = subprocess.run([sys.executable, "-m", module, *arguments], env=whole, check=False)
    if done.returncode:
        sys.exit(f"{module} failed with exit code {done.returncode}.")


def _linker() -> dict[str, str]:
    """What makes cargo link with zig, on Linux."""
    if platform.system() != "Linux":
        return {}
    target = f"{platform.machine()}_unknown_linux_gnu".upper()
    return {
        f"CARGO_TARGET_{target}_LINKER": str(ROOT / "release" / "zig-linker"),
        "ZIG_PYTHON": sys.executable,
        "ZIG_TARGET": f"{platform.machine()}-linux-gnu.{GLIBC}",
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
    }


if __name__ == "__main__":
    main()
