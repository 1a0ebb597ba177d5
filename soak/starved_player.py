"""A program that burns every core it can get, against one that needs them: nobody loses on time by it.

Each player has a core of its own where there are enough; where games share cores, the pressure is measured, and a loss
on time is played again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from soak.scenario import Deadline, Findings
from spielleiter.matches.results import read_rows
from spielleiter.programs.side_result import Fault
from tests.support.terminal import ROOT

_GAME = "ostseeschach-2022"
_GREEDY_PROGRAM = f"""
import multiprocessing, threading
from spielleiter.client import play

def burn():
    while True:
        pass

if __name__ == "__main__":
    for _ in range(6):
        multiprocessing.get_context("fork").Process(target=burn, daemon=True).start()
    play(lambda state, seconds: state.legal_moves()[0], game="{_GAME}")
"""
_VICTIM = "club"
"""It thinks for most of the time that it has."""
_GAMES = 2
_SECONDS = 1.0


def run(deadline: Deadline) -> Findings:
    findings = Findings("the program that is robbed of its cores loses no game on time that counts")
    games = again = 0
    concurrency = (1, max(2, os.cpu_count() or 1))
    while not (deadline.is_past and games):
        for at_once in concurrency:
            with TemporaryDirectory() as name:
                folder = Path(name)
                (folder / "greedy_program.py").write_text(_GREEDY_PROGRAM, encoding="utf-8")
                number = _GAMES * at_once
                command = [
                    *(sys.executable, "-m", "spielleiter", "--lang", "en", "match", "greedy_program.py", _VICTIM),
                    *("--game", _GAME, "--games", str(number), "--seconds", str(_SECONDS), "--no-report"),
                    *("--concurrency", str(at_once), "--out", "out"),
                ]
                env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
                done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
                findings.expect(done.returncode == 0, f"match ended with {done.returncode}: {done.stderr[-300:]}")
                rows = [row for row, _ in read_rows(folder / "out" / "results.jsonl")]
                last = {row.id: row for row in rows}
                games, again = games + len(last), again + len(rows) - len(last)
                for row in last.values():
                    [victim] = [side for side in row.sides if side.name == _VICTIM]
                    is_late = victim.fault in (Fault.LATE, Fault.SILENT)
                    findings.expect(not is_late, f"{row.id}, {at_once} at once: {_VICTIM} was late")
    findings.done = (
        f"{games} games, one or {concurrency[1]} at once, against six processes that burn; {again} played again"
    )
    return findings
