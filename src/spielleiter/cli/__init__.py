"""The command ``spielleiter``: only here things are printed and exit codes are given.

Exit codes: 0 all well, 1 the answer is no (a difference, a failed check), 2 the input was wrong, 130 interrupted.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it with a word, also while it is still being imported."""
    try:
        from spielleiter.cli.app import main as run

        run()
    except KeyboardInterrupt:
        from spielleiter.text import Text, system_language

        print(Text("Abgebrochen.", "Interrupted.").to(system_language()), file=sys.stderr)  # noqa: T201
        sys.exit(130)
