"""Gets Python and an editor for the browser, which the workshop needs, into ``build/workshop``: ``make workshop``.

Pyodide and CodeMirror come from npm as ``workshop/packages.json`` pins them. An archive with another hash is refused;
nothing in it is run but the bundler. The engine is built beside them where Rust can. ``build_wheel`` packs the same
files for machines without internet.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from release import browser_engine
from spielleiter import __version__

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "workshop"
BUILT = ROOT / "build" / "workshop"
ASSETS = BUILT / "assets"
_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_PACKED = (".mjs", ".wasm", ".js")
"""What is stored as the browser gets it: compressed."""
_STAMP = "made-from.txt"


def main() -> None:
    was_current = is_current()
    if not was_current:
        build()
    print(browser_engine.build_into(ASSETS))
    if was_current:
        print(f"{ASSETS.relative_to(ROOT)} is up to date.")
        return
    size = sum(path.stat().st_size for path in ASSETS.iterdir())
    print(f"{ASSETS.relative_to(ROOT)}  {size / 1e6:.1f} MB: /workshop works in this checkout now.")


def is_current() -> bool:
    """Whether the files are there, made from the present pins."""
    stamp = ASSETS / _STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _fingerprint()


def _fingerprint() -> str:
    sources = (SOURCES / "packages.json", SOURCES / "editor.js", Path(__file__))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()


def build() -> None:
    """Make the files anew. Exits with one line where npm or the network is missing."""
    pins = json.loads((SOURCES / "packages.json").read_text(encoding="utf-8"))
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}.get(platform.system(), platform.system())
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    bundler = f"@esbuild/{system}-{machine}"
    if bundler not in pins["bundler"]:
        sys.exit(f"There is no bundler for {system}-{machine} in workshop/packages.json.")
    with tempfile.TemporaryDirectory() as folder:
        modules, new = Path(folder) / "node_modules", Path(folder) / "assets"
        new.mkdir()
        _unpack(pins["packages"] | {bundler: pins["bundler"][bundler]}, Path(folder), modules)
        for name in _PYODIDE:
            shutil.copy(modules / "pyodide" / name, new)
        lock = json.loads((modules / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
        (new / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}), encoding="utf-8")
        shutil.copy(SOURCES / "editor.js", folder)
        programs = (modules / bundler / "bin" / "esbuild", modules / bundler / "esbuild.exe")
        program = next(path for path in programs if path.exists())
        program.chmod(0o755)
        subprocess.run(
            [program, "editor.js", "--bundle", "--format=esm", "--minify", "--log-level=warning",
             f"--outfile={new / 'editor.js'}"],
            cwd=folder, check=True,
        )  # fmt: skip
        _write_licenses(modules, pins["packages"], new)
        for path in [path for path in new.iterdir() if path.suffix in _PACKED]:
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
            path.unlink()
        (new / _STAMP).write_text(_fingerprint(), encoding="utf-8")
        shutil.rmtree(ASSETS, ignore_errors=True)
        ASSETS.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(new, ASSETS)


def _unpack(packages: dict[str, Any], folder: Path, modules: Path) -> None:
    """Fetch the archives, and unpack those whose hash is the pinned one."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is not installed: it brings Pyodide and CodeMirror for the workshop.")
    specs = [f"{name}@{pin['version']}" for name, pin in packages.items()]
    packed = subprocess.run(
        [npm, "pack", "--silent", "--pack-destination", str(folder), *specs],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if packed.returncode:
        sys.exit(f"npm cannot fetch what the workshop needs:\n{packed.stderr}")
    for name, pin in packages.items():
        archive = folder / f"{name.removeprefix('@').replace('/', '-')}-{pin['version']}.tgz"
        found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if pin["integrity"] != f"sha512-{found}":
            sys.exit(f"{name} {pin['version']}: the archive has the hash sha512-{found}, not the pinned one.")
        with tarfile.open(archive) as tar:
            tar.extractall(folder / "unpacked", filter="data")
        (modules / name).parent.mkdir(parents=True, exist_ok=True)
        next((folder / "unpacked").iterdir()).rename(modules / name)


def _write_licenses(modules: Path, packages: dict[str, Any], target: Path) -> None:
    parts = []
    for name, pin in packages.items():
        package = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
        source = package.get("repository", {})
        said = f"{package.get('license', '')}, {source.get('url', '') if isinstance(source, dict) else source}"
        texts = [path.read_text(encoding="utf-8") for path in sorted((modules / name).glob("LICENSE*"))]
        parts.append("\n".join((f"{name} {pin['version']}: {said}", *texts)))
    (target / "LICENSES.txt").write_text("\n\n".join(parts), encoding="utf-8")


def build_wheel(target: Path) -> None:
    """The wheel ``spielleiter-workshop`` into a folder."""
    if not is_current():
        build()
    print(browser_engine.build_into(ASSETS))
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "spielleiter_workshop"
        package.mkdir()
        shutil.copy(SOURCES / "pyproject.toml", folder)
        title = '"""Python and an editor for the browser, for the workshop of spielleiter."""'
        (package / "__init__.py").write_text(f'{title}\n\n__version__ = "{__version__}"\n', encoding="utf-8")
        shutil.copytree(ASSETS, package / "assets")
        subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(target), folder], check=True)


if __name__ == "__main__":
    main()
