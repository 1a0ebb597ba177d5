"""The engine as WebAssembly, run by Node with the code of the workshop's worker."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

from release import browser_engine, workshop
from spielleiter.pages.environment import STATIC
from spielleiter.workshop.assets import ENGINE

_SCRIPT = Path(__file__).with_name("engine_host.mjs")


def unpack_engine(folder: Path) -> Path | None:
    """The engine of this checkout; ``None`` where it was not built, or from other sources."""
    if not browser_engine.is_current(workshop.ASSETS):
        return None
    wasm = folder / ENGINE
    wasm.write_bytes(gzip.decompress((workshop.ASSETS / f"{ENGINE}.gz").read_bytes()))
    return wasm


class NodeHost:
    """What the page hands over, in a process of its own."""

    def __init__(self, node: str, wasm: Path) -> None:
        command = [node, str(_SCRIPT), str(STATIC / "workshop-worker.js"), str(wasm)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request: str, /) -> str:
        """The answer of the engine."""
        if self._process.poll() is not None:
            return "failed\nNode has ended"
        return str(self._send(request))

    def cpu_seconds(self) -> float:
        """What Node has used so far."""
        return float(self._send(None))

    def _send(self, value: str | None) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()
