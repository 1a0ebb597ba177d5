"""Fuzz all targets one after the other, or some: ``python -m fuzz --seconds 300 [TARGET ...]``, see ``make fuzz``.

Each target has a process of its own, which atheris guides by coverage. What it finds worth keeping stays in
``fuzz/corpus`` for the next time; an input that breaks a reader lands in ``fuzz/findings``. At the end a table says how
much of each reader the inputs of all times reach.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from rich.console import Console
from rich.table import Table

from fuzz.targets import EDITS, PLAIN, READERS, TARGETS, seeds

HOME = Path(__file__).parent
GUIDED = """
import contextlib, io, sys, atheris
with contextlib.redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["spielleiter"]):
    from fuzz.targets import TARGETS
atheris.Setup(sys.argv, TARGETS[sys.argv.pop(1)])
atheris.Fuzz()
"""


def fuzz(target: str, seconds: int) -> bool:
    """Let atheris look for inputs that break a reader; whether there are none."""
    corpus, findings = HOME / "corpus" / target, HOME / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seed_inputs(target)):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [f"-max_total_time={seconds}", "-max_len=32768", "-timeout=20", "-rss_limit_mb=2000"]
    options += ["-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={findings}/{target}-"]
    done = subprocess.run([sys.executable, "-c", GUIDED, target, *options, str(corpus)], check=False)
    return done.returncode == 0


def seed_inputs(target: str) -> list[bytes]:
    """The seeds of a target, and some edits of each."""
    plain = [PLAIN + seed for seed in seeds(target)]
    changes = [bytes(range(first, 256, 7)) for first in range(8)]
    return plain + [EDITS + bytes([number]) + change for number in range(len(plain)) for change in changes]


def inputs(target: str) -> list[bytes]:
    """All inputs of a target: its seeds, some edits of them, and what fuzzing has found worth keeping."""
    return seed_inputs(target) + [path.read_bytes() for path in sorted((HOME / "corpus" / target).glob("*"))]


class LineCounter:
    """Which lines of some modules run."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._reached: dict[str, set[int]] = defaultdict(set)
        self._files = {str(import_module(f"spielleiter.{name}").__file__): name for name in modules}

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
        """The lines that ran and the lines that there are, of all functions of each module."""
        found = {}
        for file, name in self._files.items():
            there = _lines(compile(Path(file).read_text(encoding="utf-8"), file, "exec"))
            found[name] = (len(there & self._reached[file]), len(there))
        return found


def _lines(code: CodeType, *, inside: bool = False) -> set[int]:
    """The lines of all functions in it; those of the module and of classes run with the import."""
    found = {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno} if inside else set()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            is_function = bool(constant.co_flags & 0x2)  # CO_NEWLOCALS: not the body of a class
            found |= _lines(constant, inside=is_function)
    return found


def report(targets: list[str]) -> None:
    """Print how far the inputs reach into each reader."""
    table = Table(title="Lines of each reader that the inputs reach")
    for column in ("target", "inputs", "reader", "lines", "reached"):
        table.add_column(column, justify="right" if column in ("inputs", "lines", "reached") else "left")
    for target in targets:
        counter, given = LineCounter(READERS[target]), inputs(target)
        for data in given:
            counter.run(target, data)
        for reader, (reached, there) in counter.shares().items():
            table.add_row(target, str(len(given)), reader, str(there), f"{reached / there:.0%}")
    Console(width=100).print(table)


def main() -> None:
    """Fuzz and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", default=list(TARGETS), help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=300, help="for all targets together; 0 only reports")
    options = parser.parse_args()
    share = options.seconds // len(options.targets)
    broken = [target for target in options.targets if share and not fuzz(target, share)]
    report(options.targets)
    if broken:
        sys.exit(f"broken: {', '.join(broken)}; the inputs are in fuzz/findings")


if __name__ == "__main__":
    main()
