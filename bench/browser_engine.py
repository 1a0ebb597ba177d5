"""Prints how fast the engine is as WebAssembly, against the native one: ``python -m bench.browser_engine``.

Both search the same positions with the same nodes, by turns; what counts is CPU time, the best of several searches of a
position. Node runs the WebAssembly, with the same compiler as Chromium.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from spielleiter import _engine, games
from spielleiter.search.browser import BrowserEngine
from spielleiter.search.engine import Searcher
from tests.support.browser_engine import NodeHost, unpack_engine

KEYS = ("piranhas-2026", "ostseeschach-2022", "pinguine-2023", "hase-und-igel-2025", "blokus-2027")
PLIES = (2, 8, 14)
NODES, SIMULATIONS = 200_000, 3_000
ROUNDS = 4


def main() -> None:
    node = shutil.which("node")
    with tempfile.TemporaryDirectory() as folder:
        wasm = unpack_engine(Path(folder))
        if node is None or wasm is None:
            sys.exit("This needs Node, and the engine for the browser from the present sources: make workshop")
        host = NodeHost(node, wasm)
        browser = BrowserEngine(host)  # It answers, so it has read the file.
    for key in KEYS:
        native_speed = wasm_speed = 0.0
        for position in _positions(key):
            rounds = [
                (
                    _speed(key, position, _engine.Searcher(16), time.process_time),
                    _speed(key, position, browser.Searcher(16), host.cpu_seconds),
                )
                for _ in range(ROUNDS)
            ]
            native_speed += max(native for native, _ in rounds) / len(PLIES)
            wasm_speed += max(wasm for _, wasm in rounds) / len(PLIES)
        print(
            f"{key}: native {native_speed:,.0f} a CPU second, WebAssembly {wasm_speed:,.0f}, "
            f"ratio {wasm_speed / native_speed:.2f}; load {os.getloadavg()[0]:.0f}",
            flush=True,
        )
    host.close()


def _positions(key: str) -> list[str]:
    """Always the same ones."""
    game, rng = games.load(key), Random(7)
    found = []
    for plies in PLIES:
        state = game.new_state(rng)
        for _ in range(plies):
            state = state.play_unchecked(rng.choice(state.legal_moves()))
        found.append(game.notation.format_state(state))
    return found


def _speed(key: str, position: str, searcher: Searcher, cpu_seconds: Callable[[], float]) -> float:
    """Nodes, or simulations of a tree search, in a CPU second."""
    tree = games.load(key).tree_search
    begun = cpu_seconds()
    _, _, nodes, _ = searcher.search(position, nodes=SIMULATIONS if tree else NODES, tree=tree)
    return nodes / (cpu_seconds() - begun)


if __name__ == "__main__":
    main()
