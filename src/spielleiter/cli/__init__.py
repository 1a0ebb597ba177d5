"""The command ``spielleiter``: only here things are printed and exit codes are given.

Exit codes: 0 all well, 1 the answer is no (a difference, a failed check), 2 the input was wrong, 130 interrupted.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported ends it as quietly as later."""
    try:
        from spielleiter.cli.app import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
