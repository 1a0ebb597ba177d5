"""The engine as WebAssembly, with the face of ``spielleiter._engine``: what players need of it, in a browser.

The page holds the instance and passes texts on (``engine/src/browser.rs`` says which). What fails there is raised here
as the extension module raises it. After a panic the page has a new instance, in which searchers are opened again.
"""

from __future__ import annotations

import gc
import weakref
from contextlib import suppress
from itertools import count
from typing import Any, Protocol

from spielleiter.search.engine import Answer


class Host(Protocol):
    """What the page hands over."""

    def ask(self, request: str, /) -> str:
        """The answer to a request."""


class BrowserEngine:
    """The engine behind a host."""

    def __init__(self, host: Host) -> None:
        """Ask the engine what it is. Raises ``RuntimeError`` where it does not run."""
        self._host = host
        self._numbers = count(1)
        self.panics = 0
        """How often the page had to begin with a new instance, which knows no searcher."""
        version, features, rule_sets = self.ask("about").split("\n")
        self.VERSION = version
        self.FEATURES = tuple(features.split())
        self.RULE_SETS = tuple(rule_sets.split())

    def ask(self, asked: str, **values: object) -> str:
        """What the engine answers. Raises as the extension module does."""
        lines = [f"{name} {value}" for name, value in values.items() if value is not None]
        if any("\n" in line for line in lines):
            raise ValueError("expected a text of one line")
        kind, _, text = self._host.ask("\n".join((asked, *lines))).partition("\n")
        match kind:
            case "ok":
                return text
            case "value":
                raise ValueError(text)
            case "memory":
                raise MemoryError(text)
            case _:
                self.panics += 1
                raise RuntimeError(f"the engine failed: {text}")

    def legal_moves(self, position: str, /) -> list[str]:
        return self.ask("legal_moves", position=position).splitlines()

    def Searcher(self, table_mib: int = 64, /) -> BrowserSearcher:  # noqa: N802 - a class in the extension module
        return BrowserSearcher(self, next(self._numbers), table_mib)


class BrowserSearcher:
    """A table and a tree in the page; they are given back with this object."""

    def __init__(self, engine: BrowserEngine, number: int, table_mib: int) -> None:
        self._engine, self._number, self._table_mib = engine, number, table_mib
        self._open()
        weakref.finalize(self, _close, engine, number).atexit = False

    def _open(self) -> None:
        try:
            self._engine.ask("open", searcher=self._number, table_mib=self._table_mib)
        except MemoryError:
            gc.collect()  # Players that nobody needs may still hold theirs.
            self._engine.ask("open", searcher=self._number, table_mib=self._table_mib)
        self._panics = self._engine.panics

    def search(
        self,
        position: str,
        /,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        threads: int = 1,
        lines: int = 1,
        tree: bool = False,
        points: bool = False,
        watch: Any = None,
    ) -> Answer:
        """The same as in the extension module, but without progress, and always with one thread."""
        if self._panics != self._engine.panics:
            self._open()
        found = self._engine.ask(
            "search", searcher=self._number, position=position, seconds=seconds, nodes=nodes, depth=depth, lines=lines,
            tree=int(tree), points=int(points),
        )  # fmt: skip
        return _read_answer(found)


def _close(engine: BrowserEngine, number: int) -> None:
    # An instance that failed has forgotten it anyway.
    with suppress(RuntimeError):
        engine.ask("close", searcher=number)


def _read_answer(text: str) -> Answer:
    first, *lines = text.split("\n")
    depth, nodes, seconds = first.split(" ")
    found = [(moves, int(score), float(chance)) for score, chance, *moves in (line.split("\t") for line in lines)]
    return found, int(depth), int(nodes), float(seconds)
