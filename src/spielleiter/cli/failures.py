"""How commands say that a player program failed: its own error, where all stands that it printed, the exit codes."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from rich.text import Text as RichText

from spielleiter.cli.terminal import console, language
from spielleiter.text import Text

EXIT_NEVER_STARTED = 3
EXIT_ALWAYS_CRASHED = 4


def write_logs(logs: Mapping[str, bytes]) -> dict[str, Path]:
    """Write what a program printed into files of a new folder, to be read after the command: their paths by name."""
    if not any(logs.values()):
        return {}
    folder = Path(tempfile.mkdtemp(prefix="spielleiter-logs-"))
    paths = {name: folder / f"{quote(name, safe=' ')}.log" for name, log in logs.items() if log}
    for name, path in paths.items():
        path.write_bytes(logs[name])
    return paths


def print_failure(failure: Text, log: Path | None, indent: str = "  ") -> None:
    """Under a cross or a crash: why the program failed, and the path of its whole log."""
    if failure.en:
        console.print(RichText(f"{indent}! {failure.to(language())}", "red"), soft_wrap=True)
    if log is not None:
        console.print(RichText(f"{indent}  {Text('Ausgabe', 'log').to(language())}: {log}", "dim"), soft_wrap=True)
