"""Builds the engine as WebAssembly for the workshop, where Rust can; ``release.workshop`` calls it.

It needs the target's standard library: ``rustup target add wasm32-unknown-unknown``. Whoever lets cargo build that one
from its sources (``CARGO_UNSTABLE_BUILD_STD=std,panic_abort``) needs none.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from spielleiter.workshop.assets import ENGINE, ENGINE_HASH

ROOT = Path(__file__).parent.parent
TARGET = "wasm32-unknown-unknown"
PROFILE = "browser"
_BUILT = ROOT / "build" / "engine-browser"
_STAMP = _BUILT / "made-from.txt"


def build_into(folder: Path) -> str:
    """Put the engine beside the other files of the workshop, or take an old one away; what was done, in one line."""
    packed, hash_file = folder / f"{ENGINE}.gz", folder / ENGINE_HASH
    if (why := _why_impossible()) is not None:
        packed.unlink(missing_ok=True)
        hash_file.unlink(missing_ok=True)
        return f"{ENGINE} is left out, and with it the players on the engine: {why}."
    # cargo finds the settings for the target in engine/.cargo, from there only.
    command = ["cargo", "build", "--quiet", "--lib", "--profile", PROFILE, "--target", TARGET]
    if subprocess.run([*command, "--target-dir", str(_BUILT)], cwd=ROOT / "engine", check=False).returncode:
        sys.exit(f"The engine could not be built for {TARGET}: see the messages of cargo above.")
    data = (_BUILT / TARGET / PROFILE / "spielleiter_engine.wasm").read_bytes()
    packed.write_bytes(gzip.compress(data, 9, mtime=0))
    hash_file.write_text(hashlib.sha256(data).hexdigest() + "\n", encoding="ascii")
    _STAMP.write_text(_fingerprint(folder), encoding="ascii")
    sizes = f"{len(data) / 1e3:.0f} kB, packed {packed.stat().st_size / 1e3:.0f} kB"
    return f"{ENGINE}  {sizes}: the players on the engine."


def is_current(folder: Path) -> bool:
    """Whether the engine is there, built from the present sources."""
    return _STAMP.is_file() and _STAMP.read_text(encoding="ascii") == _fingerprint(folder)


def _fingerprint(folder: Path) -> str:
    """What the sources are, and what was built of them."""
    engine = ROOT / "engine"
    sources = [engine / "Cargo.toml", engine / ".cargo" / "config.toml", *sorted((engine / "src").rglob("*.*"))]
    built = [path for path in (folder / f"{ENGINE}.gz",) if path.is_file()]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources + built)).hexdigest()


def _why_impossible() -> str | None:
    if shutil.which("cargo") is None:
        return "cargo is not installed"
    if "CARGO_UNSTABLE_BUILD_STD" in os.environ:
        return None
    rustc = os.environ.get("RUSTC", "rustc")
    asked = subprocess.run(
        [rustc, "--print", "target-libdir", "--target", TARGET],
        capture_output=True, text=True, check=False, cwd=ROOT / "engine",
    )  # fmt: skip
    if asked.returncode == 0 and any(Path(asked.stdout.strip()).glob("libstd-*")):
        return None
    return f"Rust has no standard library for it (rustup target add {TARGET})"
