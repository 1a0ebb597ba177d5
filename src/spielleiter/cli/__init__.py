"""The command ``spielleiter``: only here things are printed and exit codes are given.

Exit codes: 0 all well, 1 the answer is no (a difference, a failed check), 2 the input was wrong.
"""

from __future__ import annotations

from spielleiter.cli.app import app, main

__all__ = ["app", "main"]
