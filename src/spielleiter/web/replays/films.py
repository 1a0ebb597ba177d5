"""Films of recorded games for everybody who asks, made one at a time.

Laws:

* A film is made in a process of low priority, while somebody waits for it: when the last of them leaves, it is given
  up at once. Finished ones are kept.
* At most ``MAX_WAITING`` films are asked for at a time, and ``MAX_PER_ADDRESS`` from one address. Next is always one of
  the address for which none was made for the longest time: no visitor can fill the queue for others.
* When the pages stop, waiting visitors are told.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from spielleiter.errors import PageError
from spielleiter.feeds.channel import Channel
from spielleiter.pages.pictures import Caption
from spielleiter.records.history import History
from spielleiter.records.writer import record_lines
from spielleiter.text import Text

log = logging.getLogger("spielleiter.web")

MAX_WAITING = 40
MAX_PER_ADDRESS = 10
"""A whole class may share one address."""
_MAX_KEPT = 64 << 20
"""Bytes of finished films; the least recently requested one goes first."""
_MAX_SECONDS = 300.0
"""For one film; on an idle machine the longest takes 10, but everything else goes first."""
_MAX_ADDRESSES = 1000


@dataclass(slots=True, eq=False)
class Film:
    """A film that is wanted, is being made, is ready, or has failed."""

    history: History
    captions: Sequence[Caption]
    address: str
    """The address of the visitor who asked first."""
    channel: Channel = field(default_factory=Channel)
    percent: int = 0
    data: bytes | None = None
    has_failed: bool = False
    viewers: int = 0
    making: asyncio.Task[bytes] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.data is not None or self.has_failed

    async def wait(self) -> bytes:
        """The film, once it is ready. Raises ``PageError``."""
        while not self.is_over:
            await self.channel.wait(self.channel.version)
        if self.data is None:
            raise PageError(503, _FAILED, _AGAIN, retry_after=10)
        return self.data

    def set_progress(self, done: int, total: int) -> None:
        """Note that ``done`` of ``total`` pictures are drawn."""
        self.percent = 100 * done // max(1, total)
        self.channel.publish()


class Films:
    """All films, by the game and the language."""

    def __init__(self, make: Callable[[Film], Awaitable[bytes]] | None = None) -> None:
        """``make`` is for tests."""
        self._make = make or _make_in_process
        self._films: OrderedDict[Hashable, Film] = OrderedDict()
        """The one that was asked for last comes last."""
        self._turns: OrderedDict[str, None] = OrderedDict()
        """Addresses for which a film was made, the last one last."""
        self._worker: asyncio.Task[None] | None = None
        self._is_closed = False

    def of(self, key: Hashable, history: History, caption: Callable[[int], Caption], address: str) -> Film:
        """The film of a game; one that failed is tried again. Raises ``PageError`` if too many are wanted.

        It is made while a viewer is ``watching``. ``caption`` is that of a ply.
        """
        film = self._films.get(key)
        if film is None or film.has_failed:
            wanted = [film.address for film in self._films.values() if not film.is_over]
            if self._is_closed or len(wanted) >= MAX_WAITING or wanted.count(address) >= MAX_PER_ADDRESS:
                raise PageError(503, _TOO_MANY, _AGAIN, retry_after=10)
            film = self._films[key] = Film(history, [caption(ply) for ply in range(len(history.states))], address)
        self._films.move_to_end(key)
        return film

    @contextmanager
    def watching(self, film: Film) -> Iterator[None]:
        """Somebody waits for a film while the block runs; without anybody it is given up."""
        film.viewers += 1
        if self._worker is None and not self._is_closed:
            self._worker = asyncio.create_task(self._work())
        try:
            yield
        finally:
            film.viewers -= 1
            if not (film.viewers or film.is_over):
                self._forget(film)
                if film.making is not None:
                    film.making.cancel()

    def __len__(self) -> int:
        return len(self._films)

    async def close(self) -> None:
        """Make no more films, and tell the waiting visitors."""
        self._is_closed = True
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
        for film in self._films.values():
            film.has_failed = film.data is None
            film.channel.close()

    def _forget(self, film: Film) -> None:
        for key, known in tuple(self._films.items()):
            if known is film:
                del self._films[key]

    async def _work(self) -> None:
        try:
            while (film := self._next()) is not None:
                self._turns[film.address] = None
                self._turns.move_to_end(film.address)
                if len(self._turns) > _MAX_ADDRESSES:
                    self._turns.popitem(last=False)
                film.making = asyncio.ensure_future(self._make(film))
                try:
                    await asyncio.wait((film.making,))
                finally:  # Also if the pages stop.
                    film.making.cancel()
                    await asyncio.wait((film.making,))
                self._take(film)
        finally:
            self._worker = None

    def _next(self) -> Film | None:
        turns = list(self._turns)
        waiting = [film for film in self._films.values() if not film.is_over and film.viewers]
        return min(
            waiting, key=lambda film: turns.index(film.address) if film.address in self._turns else -1, default=None
        )

    def _take(self, film: Film) -> None:
        """The film is made, has failed, or has no viewers left."""
        assert film.making is not None
        if film.making.cancelled():
            return
        problem = film.making.exception()
        if problem is None:
            film.data = film.making.result()
            self._drop_oldest()
        else:
            log.error("a film failed: %s", str(problem) or type(problem).__name__)
            film.has_failed = True
        film.channel.publish()

    def _drop_oldest(self) -> None:
        size = 0
        for film in reversed(tuple(self._films.values())):
            size += len(film.data or b"")
            if size > _MAX_KEPT and film.data is not None and not film.viewers:
                self._forget(film)


async def _make_in_process(film: Film) -> bytes:
    """The film, made by ``film_process``. Raises ``OSError``, ``TimeoutError`` or ``RuntimeError``."""
    record = "".join(f"{line}\n" for line in record_lines(film.history))
    captions = [(caption.names, caption.moment) for caption in film.captions]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "spielleiter.web.replays.film_process", stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.timeout(_MAX_SECONDS):
            with suppress(ConnectionError):  # It says itself why it does not read.
                process.stdin.write(json.dumps({"record": record, "captions": captions}).encode())
                await process.stdin.drain()
            process.stdin.close()
            while (line := await process.stdout.readline()).strip():
                done, total = line.split()
                film.set_progress(int(done), int(total))
            data = await process.stdout.read()
            if await process.wait() or not data:
                said = (await process.stderr.read()).decode("utf-8", "replace").strip()
                raise RuntimeError(said.splitlines()[-1][:300] if said else f"exit code {process.returncode}")
            return data
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


_TOO_MANY = Text("Gerade werden zu viele Filme gewünscht.", "Too many films are wanted just now.")
_FAILED = Text("Der Film konnte nicht gemacht werden.", "The film could not be made.")
_AGAIN = Text("Versuche es gleich noch einmal.", "Try again in a moment.")
