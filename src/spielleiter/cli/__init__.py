"""The command ``spielleiter``: only here things are printed and exit codes are given.

Exit codes: 0 all well, 1 the answer is no (a difference, a failed check), 2 the input was wrong.
"""

from __future__ import annotations

import os
import sys

from spielleiter.cli import check as _check  # noqa: F401 - registers its command
from spielleiter.cli import engine as _engine  # noqa: F401 - registers its command
from spielleiter.cli import new as _new  # noqa: F401 - registers its commands
from spielleiter.cli import play as _play  # noqa: F401 - registers its command
from spielleiter.cli import replay as _replay  # noqa: F401 - registers its commands
from spielleiter.cli import serve as _serve  # noqa: F401 - registers its command
from spielleiter.cli import web as _web  # noqa: F401 - registers its commands
from spielleiter.cli.app import app
from spielleiter.cli.contest import group as _contest  # noqa: F401 - registers its commands
from spielleiter.cli.match import command as _match  # noqa: F401 - registers its command
from spielleiter.errors import SpielleiterError


def main() -> None:
    """Run the command line; an error that we raise on purpose is one line, never a traceback."""
    try:
        app()
    except SpielleiterError as problem:
        print(f"spielleiter: {problem}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; point stdout elsewhere so that closing it at exit is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
