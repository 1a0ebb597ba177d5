"""Fuzz all targets one after the other, or some: ``python -m fuzz --seconds 300 [TARGET ...]``, see ``make fuzz``.

Each target has a process of its own, which atheris guides by coverage. What it finds worth keeping stays in
``fuzz/corpus`` for the next time; an input that breaks a reader lands in ``fuzz/findings``. At the end a table says how
much of each reader the inputs of all times reach. ``--keep`` adds to ``fuzz/seeds``, which is in the tree, whatever
reaches lines that no seed does.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from rich.console import Console
from rich.table import Table

from fuzz.targets import EDITS, NO_READERS, PLAIN, READERS, SEEDS, TARGETS, content, seeds

HOME = Path(__file__).parent
_FOUND, _CASE = "found-", "case-"
"""How the names of seeds begin that fuzzing found, and of those that come from the tests of a reader."""
_MAX_KEPT = 20_000
"""Bytes of an input that is worth a place in the tree."""


def fuzz(targets: list[str], seconds: int) -> list[str]:
    """Let atheris look for inputs that break a reader; the targets in which it found one."""
    (HOME / "findings").mkdir(exist_ok=True)
    for target in targets:
        corpus = HOME / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(seed_inputs(target)):
            (corpus / f"seed-{number}").write_bytes(data)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        command = [sys.executable, "-m", "fuzz.guided", str(seconds), *targets]
        environment = {**os.environ, "TMPDIR": folder}
        done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return done.stdout.split()


def seed_inputs(target: str, edits: int = 8) -> list[bytes]:
    """The seeds of a target, and some edits of those that are whole documents."""
    changes = [bytes(range(first, 256, 7)) for first in range(edits)]
    there = list(seeds(target).items())
    written = [number for number, (name, _) in enumerate(there) if not name.startswith((_FOUND, _CASE))]
    return [PLAIN + seed for _, seed in there] + [
        EDITS + bytes([number]) + change for number in written for change in changes
    ]


def inputs(target: str) -> list[bytes]:
    """All inputs of a target: its seeds, some edits of them, and what fuzzing has found worth keeping."""
    corpus = (path.read_bytes() for path in sorted((HOME / "corpus" / target).glob("*")))
    return list(dict.fromkeys((*seed_inputs(target), *corpus)))


class LineCounter:
    """Which lines of some modules run."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._reached: dict[str, set[int]] = defaultdict(set)
        self._files = {str(import_module(f"spielleiter.{name}").__file__): name for name in modules}
        self._there = {
            file: _lines(compile(Path(file).read_text(encoding="utf-8"), file, "exec"), NO_READERS.get(name, set()))
            for file, name in self._files.items()
        }

    def run(self, target: str, data: bytes) -> None:
        """Run one input."""
        sys.settrace(self._enter)
        try:
            TARGETS[target](data)
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        return self._line if frame.f_code.co_filename in self._files else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        self._reached[frame.f_code.co_filename].add(frame.f_lineno)
        return self._line

    def shares(self) -> dict[str, tuple[int, int]]:
        """The lines that ran and the lines that there are, of all reading functions of each module."""
        return {
            name: (len(self._there[file] & self._reached[file]), len(self._there[file]))
            for file, name in self._files.items()
        }

    def missing(self) -> dict[str, list[int]]:
        """The lines of each module that did not run."""
        return {name: sorted(self._there[file] - self._reached[file]) for file, name in self._files.items()}


def _lines(code: CodeType, skipped: set[str], *, inside: bool = False) -> set[int]:
    """The lines of all functions in it; those of the module and of classes run with the import."""
    found = {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno} if inside else set()
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name not in skipped:
            is_function = bool(constant.co_flags & 0x2)  # CO_NEWLOCALS: not the body of a class
            found |= _lines(constant, skipped, inside=is_function)
    return found


def report(targets: list[str], *, missing: bool) -> None:
    """Print how far the inputs of these targets together reach into each reader."""
    readers = {reader: [target for target in targets if reader in READERS[target]] for reader in all_readers(targets)}
    counter, given = LineCounter(tuple(readers)), {target: inputs(target) for target in targets}
    for target in targets:
        for data in given[target]:
            counter.run(target, data)
    console = Console(width=100)
    table = Table(title="Lines of each reader that the inputs reach")
    for column in ("reader", "targets", "inputs", "lines", "reached"):
        table.add_column(column, justify="right" if column in ("inputs", "lines", "reached") else "left")
    for reader, (reached, there) in counter.shares().items():
        count = sum(len(given[target]) for target in readers[reader])
        table.add_row(reader, ", ".join(readers[reader]), str(count), str(there), f"{reached / there:.0%}")
    for reader, lines in counter.missing().items() if missing else ():
        console.print(f"{reader} lacks {', '.join(map(str, lines)) or 'nothing'}")
    console.print(table)


def all_readers(targets: Iterable[str]) -> tuple[str, ...]:
    """The readers of these targets, each once."""
    return tuple(dict.fromkeys(reader for target in targets for reader in READERS[target]))


def keep(target: str) -> None:
    """Add to the seeds what reaches lines that none of them does; the shortest first."""
    counter = LineCounter(READERS[target])
    for data in seed_inputs(target):
        counter.run(target, data)
    corpus = [content(target, path.read_bytes()) for path in (HOME / "corpus" / target).glob("*")]
    for data in sorted({data for data in corpus if len(data) <= _MAX_KEPT}, key=len):
        before = counter.shares()
        counter.run(target, PLAIN + data)
        if counter.shares() != before:
            name = _FOUND + hashlib.sha256(data).hexdigest()[:10]
            (SEEDS / target / name).write_bytes(data)


def main() -> None:
    """Fuzz and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", default=list(TARGETS), help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=300, help="for all targets together; 0 only reports")
    parser.add_argument("--missing", action="store_true", help="name the lines that are not reached")
    parser.add_argument("--keep", action="store_true", help="keep the inputs that reach more than the seeds as seeds")
    options = parser.parse_args()
    broken = fuzz(options.targets, options.seconds) if options.seconds else []
    for target in options.targets if options.keep else ():
        keep(target)
    report(options.targets, missing=options.missing)
    if broken:
        sys.exit(f"broken: {', '.join(broken)}; the inputs are in fuzz/findings")


if __name__ == "__main__":
    main()
