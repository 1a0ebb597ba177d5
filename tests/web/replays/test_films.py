"""Films: bounded, given up when nobody waits, made one at a time beside everything else, and kept."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.errors import PageError
from spielleiter.pages.pictures import Caption
from spielleiter.records.reader import parse_record
from spielleiter.server import MasterSettings
from spielleiter.web.replays import films as module
from spielleiter.web.replays.films import Film, Films
from spielleiter.web.server import WebSettings, serving
from tests.support.feeds import record_lines
from tests.support.waiting import until

HISTORY = parse_record("\n".join(record_lines()[:4]).encode())


class Studio:
    """Makes films when a test says so."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.cancelled = 0
        self.go = asyncio.Event()
        self.films = Films(self._make)

    async def _make(self, film: Film) -> bytes:
        self.begun.append(film.address)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return b"GIF8 of " + film.address.encode()

    def ask(self, key: object, address: str = "192.0.2.1") -> Film:
        return self.films.of(key, HISTORY, lambda ply: Caption(("Ada", "Grace"), str(ply)), address)


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 120))


def test_a_film_for_which_nobody_waits_is_given_up_at_once() -> None:
    async def work() -> None:
        studio = Studio()
        for number in range(100):
            with studio.films.watching(studio.ask(number)):
                await asyncio.sleep(0)
        await until(lambda: studio.cancelled == len(studio.begun))
        assert len(studio.films) == 0
        await studio.films.close()

    run(work)


def test_one_address_and_all_together_have_only_so_many() -> None:
    async def work() -> None:
        studio = Studio()
        with ExitStack() as watching:
            for number in range(module.MAX_WAITING):
                address = f"192.0.2.{number // module.MAX_PER_ADDRESS}"
                watching.enter_context(studio.films.watching(studio.ask(number, address)))
                if number == module.MAX_PER_ADDRESS - 1:
                    with pytest.raises(PageError, match="Too many films"):
                        studio.ask("one more", address)
            with pytest.raises(PageError, match="Too many films"):
                studio.ask("one more", "198.51.100.1")
            assert studio.ask(0, "198.51.100.1").viewers == 1, "the same film costs nothing more"
        await studio.films.close()

    run(work)


def test_films_are_made_one_at_a_time_by_turns_of_their_addresses_and_kept() -> None:
    async def work() -> None:
        studio = Studio()
        with ExitStack() as watching:
            wanted = [studio.ask(number, address) for number, address in enumerate(("a", "a", "a", "b"))]
            for film in wanted:
                watching.enter_context(studio.films.watching(film))
            await until(lambda: bool(studio.begun))
            assert studio.begun == ["a"]
            studio.go.set()
            assert [await film.wait() for film in wanted] == [b"GIF8 of a"] * 3 + [b"GIF8 of b"]
            assert studio.begun == ["a", "b", "a", "a"]
        assert await studio.ask(3, "c").wait() == b"GIF8 of b"
        assert len(studio.begun) == 4
        await studio.films.close()

    run(work)


def test_finished_films_take_only_so_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_KEPT", 100)

    async def work() -> None:
        studio = Studio()
        studio.go.set()
        for number in range(30):
            with studio.films.watching(film := studio.ask(number)):
                await film.wait()
        assert len(studio.films) == 100 // len(b"GIF8 of 192.0.2.1")
        await studio.films.close()

    run(work)


def test_a_film_that_fails_is_one_line_in_the_log_and_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(film: Film) -> bytes:
        raise RuntimeError("no such font")

    async def work() -> None:
        films = Films(fail)
        for _ in range(2):
            film = films.of(1, HISTORY, lambda ply: Caption(("Ada", "Grace"), ""), "a")
            with films.watching(film), pytest.raises(PageError, match="could not be made"):
                await film.wait()
        await films.close()

    run(work)
    assert [record.getMessage() for record in caplog.records] == ["a film failed: no such font"] * 2


def test_visitors_who_hang_up_leave_no_work_and_a_stop_makes_no_noise(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Film] = []

    async def never(film: Film) -> bytes:
        begun.append(film)
        await asyncio.Event().wait()
        return b""

    monkeypatch.setattr(module, "_make_in_process", never)
    for number in range(20):
        (tmp_path / f"{number}.jsonl").write_text("\n".join(record_lines()) + "\n")

    def has_begun(count: int) -> bool:
        return len(begun) >= count

    async def attack() -> None:
        settings = WebSettings(port=0, master=MasterSettings(port=0, records=tmp_path))
        async with httpx.AsyncClient() as client, serving(settings) as running:
            address, films = ("127.0.0.1", running.port), running.web_app.films
            for number in range(20):
                with socket.create_connection(address) as sock:
                    path = f"/replay/{number}.jsonl/download/gif" + "/events" * (number % 2)
                    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                    await until(partial(has_begun, number + 1))
            await until(lambda: not len(films))
            film = f"http://127.0.0.1:{running.port}/replay/0.jsonl/download/gif"
            waiting = [asyncio.create_task(client.get(film)) for _ in range(5)]
            await until(lambda: len(films) == 1 and begun[-1].viewers == 5)
        assert [(await answer).status_code for answer in waiting] == [503] * 5

    with caplog.at_level(logging.WARNING):
        asyncio.run(asyncio.wait_for(attack(), 120))
    assert caplog.text == ""


@pytest.mark.slow
def test_a_real_film_is_made_in_another_process() -> None:
    async def work() -> None:
        films, seen = Films(), set[int]()
        film = films.of(1, HISTORY, lambda ply: Caption(("Ada", "Grace"), f"{ply}"), "a")
        with films.watching(film):
            while not film.is_over:
                await film.channel.wait(film.channel.version)
                seen.add(film.percent)
        assert (film.data or b"").startswith(b"GIF8")
        assert len(seen) > 1
        await films.close()

    run(work)
