"""An organiser as a process of its own, for tests: it begins at once, for everything is imported before it is born."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from spielleiter.errors import SpielleiterError

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.support.contest_warm"])
_SILENCE = 120
"""Seconds without a message after which it has stopped working."""


class Organiser:
    """A process that plays a season."""

    def __init__(self, season: Path, url: str) -> None:
        self._mine, theirs = _context.Pipe()
        self._process: ForkServerProcess = _context.Process(target=_run, args=(season, url, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self.recorded: list[tuple[str, int]] = []
        """The games that it said were recorded: encounter and number."""
        self.refusal = ""
        """Why it gave up, as the command line says it."""

    def begun(self) -> None:
        """Wait until it runs."""
        assert self._mine.recv() == "begun"

    def heard_of_a_game(self) -> None:
        """Wait until it has kept one more game. Raises ``EOFError`` if it has ended."""
        self._take(self._mine.recv())

    def kill(self) -> None:
        """As ``kill -9``."""
        self._process.kill()
        self._read_all()

    def finish(self) -> int:
        """How many games it has kept, when it is done. Raises if it has failed."""
        self._read_all()
        assert not self.refusal, self.refusal
        assert self._process.exitcode == 0, f"after {len(self.recorded)} games"
        return len(self.recorded)

    def give_up(self) -> bool:
        """Whether it refused to go on; waits until it has ended. Raises if it failed in any other way."""
        self._read_all()
        assert self._process.exitcode == 0, f"after {len(self.recorded)} games"
        return bool(self.refusal)

    def _read_all(self) -> None:
        with suppress(EOFError, ConnectionResetError):
            while self._mine.poll(_SILENCE):
                self._take(self._mine.recv())
        self._mine.close()
        self._process.join()

    def _take(self, message: str | tuple[str, int]) -> None:
        if isinstance(message, tuple):
            self.recorded.append(message)
        elif message != "begun":
            self.refusal = message


def _run(season: Path, url: str, pipe: Connection) -> None:
    from spielleiter.contest.run.contest import Contest
    from tests.support.contest_seasons import play

    pipe.send("begun")
    try:
        with Contest.open(season, url) as contest:
            play(contest, on_game=lambda encounter, game: pipe.send((encounter.key, game.number)))
    except SpielleiterError as problem:
        pipe.send(str(problem))
    pipe.close()
