"""The pages on a real port, with their game master, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra 'web' is not installed")

from spielleiter.contest.run.contest import Contest
from spielleiter.game import AnyGame
from spielleiter.server import MasterSettings
from spielleiter.web.guard import Keys
from spielleiter.web.server import Running, WebSettings, serving
from spielleiter.web.web_app import WebApp
from tests.support.contest_site import ContestSite, open_season
from tests.support.passwords import quick_hashing


@pytest.fixture(scope="package", autouse=True)
def cheap_passwords() -> Iterator[None]:
    with quick_hashing():
        yield


@dataclass
class Site:
    """Pages that are being served, seen from a test."""

    running: Running
    loop: asyncio.AbstractEventLoop
    records: Path

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.running.port}"

    @property
    def web_app(self) -> WebApp:
        return self.running.web_app

    def do(self, call: Callable[..., Any], timeout: float = 120) -> Any:
        """Call something in the thread of the pages."""

        async def run() -> Any:
            found = call()
            return await found if asyncio.iscoroutine(found) else found

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(timeout)

    def open_table(self, game: AnyGame, seats: Any, start: Any) -> Any:
        """A table at which the game has begun."""

        async def open_one() -> Any:
            table = await self.web_app.tables.open(game, seats, start)
            while table.live is None:
                await table.channel.wait(table.channel.version)
            return table

        return self.do(open_one)


def serve_site(settings: WebSettings, records: Path) -> Iterator[Site]:
    """Pages with these settings, in a thread of their own."""
    ready: Future[Site] = Future()
    stop: list[asyncio.Event] = []

    async def run() -> None:
        stop.append(asyncio.Event())
        async with serving(settings) as running:
            ready.set_result(Site(running, asyncio.get_running_loop(), records))
            await stop[0].wait()

    def main() -> None:
        try:
            asyncio.run(run())
        except BaseException as problem:
            if ready.done():
                raise
            ready.set_exception(problem)

    thread = threading.Thread(target=main, name="pages")
    thread.start()
    site = ready.result(120)
    yield site
    site.loop.call_soon_threadsafe(stop[0].set)
    thread.join(120)
    assert not thread.is_alive()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The pages on loopback."""
    records = tmp_path_factory.mktemp("records")
    yield from serve_site(WebSettings(port=0, master=MasterSettings(port=0, records=records)), records)


@pytest.fixture(scope="package")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The pages in a network, where keys are needed."""
    records = tmp_path_factory.mktemp("school")
    master = MasterSettings(port=0, records=records)
    yield from serve_site(WebSettings(port=0, master=master, keys=Keys("host-key", "guest-key")), records)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Serves pages on loopback with settings of the test."""
    sites = ExitStack()

    def serve_one(**settings: Any) -> Site:
        folder = tmp_path / "records"
        folder.mkdir(exist_ok=True)
        master = MasterSettings(port=0, records=folder)
        return sites.enter_context(contextmanager(serve_site)(WebSettings(port=0, master=master, **settings), folder))

    with sites:
        yield serve_one


@pytest.fixture(scope="package")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ContestSite]:
    """The pages with a small season: accounts, programs, and a few games that were played."""
    yield from served_season(tmp_path_factory.mktemp("contest"))


@pytest.fixture
def fresh_contest(tmp_path: Path) -> Iterator[ContestSite]:
    """The same season for one test alone, played quickly by built-in players."""
    yield from served_season(tmp_path, in_process=True)


@pytest.fixture
def real_contest(tmp_path: Path) -> Iterator[ContestSite]:
    """The same season for one test alone, played by processes."""
    yield from served_season(tmp_path)


@pytest.fixture
def serve_contest(tmp_path: Path) -> Iterator[Callable[[Contest], ContestSite]]:
    """Serves the pages with a season that the test has opened, and closes."""
    sites = ExitStack()

    def serve(season: Contest) -> ContestSite:
        return sites.enter_context(contextmanager(_serve_contest)(tmp_path, season))

    with sites:
        yield serve


def served_season(folder: Path, *, in_process: bool = False) -> Iterator[ContestSite]:
    """The pages with a small season of their own."""
    with open_season(folder, in_process=in_process) as season:
        yield from _serve_contest(folder, season)


def _serve_contest(folder: Path, season: Contest) -> Iterator[ContestSite]:
    records = folder / "records"
    records.mkdir(exist_ok=True)
    settings = WebSettings(
        port=0, master=MasterSettings(port=0, records=records), contest=season, keys=Keys("host-key", "guest-key")
    )
    for site in serve_site(settings, records):
        yield ContestSite(site, season)
