"""Fuzzes targets guided by coverage: ``python -m fuzz.guided SECONDS TARGET ...``, which ``python -m fuzz`` starts.

Instrumenting the package takes several seconds, so it is done once; each target then has a process of its own, which
is forked from this one. Prints the names of the targets that broke.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

import atheris

with contextlib.redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["spielleiter"]):
    from fuzz.targets import TARGETS

HOME = Path(__file__).parent


def main() -> None:
    """Fuzz each target for its share of the time."""
    seconds, *targets = sys.argv[1:]
    broken = []
    for target in targets:
        print(f"--- {target}", file=sys.stderr, flush=True)
        child = os.fork()
        if not child:
            _fuzz(target, max(1, int(seconds) // len(targets)))
        _, status = os.waitpid(child, 0)
        broken += [target] if status else []
    print(*broken)


def _fuzz(target: str, seconds: int) -> None:
    """Never returns: the fuzzer ends this process, with an error if an input broke the reader."""
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    options = [f"-max_total_time={seconds}", "-max_len=32768", "-timeout=120", "-rss_limit_mb=2000"]
    options += ["-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={HOME / 'findings' / target}-"]
    atheris.Setup([sys.argv[0], *options, str(HOME / "corpus" / target)], TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
