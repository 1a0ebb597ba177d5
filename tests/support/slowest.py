"""The slowest files, in the summary of a run with ``--durations``, which names the slowest tests."""

from __future__ import annotations

from collections import Counter

from _pytest.terminal import TerminalReporter

SHOWN = 20


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    if not terminalreporter.config.option.durations:
        return
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                seconds[report.nodeid.split("::")[0]] += report.duration
    terminalreporter.write_sep("=", f"slowest {SHOWN} files")
    for path, total in seconds.most_common(SHOWN):
        terminalreporter.write_line(f"{total:6.1f}s {path}")
