"""An organiser as a process of its own, for tests: it begins at once, for everything is imported before it is born."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.support.contest_warm"])


class Organiser:
    """A process that plays a season."""

    def __init__(self, season: Path, url: str) -> None:
        self._mine, theirs = _context.Pipe()
        self._process: ForkServerProcess = _context.Process(target=_run, args=(season, url, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._kept = 0

    def begun(self) -> None:
        """Wait until it runs."""
        assert self._mine.recv() == "begun"

    def heard_of_a_game(self) -> None:
        """Wait until it has kept one more game."""
        self._kept = self._mine.recv()

    def kill(self) -> None:
        """As ``kill -9``."""
        self._process.kill()
        self._process.join()
        self._mine.close()

    def finish(self) -> int:
        """How many games it has kept, when it is done. Raises if it has failed."""
        with suppress(EOFError):
            while self._mine.poll(120):
                message = self._mine.recv()
                self._kept = self._kept if message == "begun" else message
        self._mine.close()
        self._process.join()
        assert self._process.exitcode == 0, f"after {self._kept} games"
        return self._kept


def _run(season: Path, url: str, pipe: Connection) -> None:
    from spielleiter.contest.run.contest import Contest
    from tests.support.contest_seasons import play

    kept = 0

    def tell(*_: object) -> None:
        nonlocal kept
        kept += 1
        pipe.send(kept)

    pipe.send("begun")
    with Contest.open(season, url) as contest:
        play(contest, on_game=tell)
    pipe.send(kept)
    pipe.close()
