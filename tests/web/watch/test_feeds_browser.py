"""A season that another process plays, followed in Chromium: what is played, and when, the test says."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter.contest.run.contest import Contest
from spielleiter.feeds import follower as followed
from spielleiter.web.watch import show
from tests.support.contest_site import ContestSite
from tests.support.contest_small_season import found, season_text
from tests.support.feeds import record_lines, scripted_run
from tests.support.web_browser import Keep, Open, check_with_axe

SLOW = 180_000
"""Milliseconds for what other processes do on a busy machine."""
LINES = record_lines()
COUNT_STREAMS = """
const Stream = window.EventSource;
window.streams = 0;
window.EventSource = class extends Stream { constructor(...how) { super(...how); window.streams += 1; } };
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed, "_POLL_SECONDS", 0.05)


class Cable:
    """The way of a browser to the pages, which can be cut: Chromium lets open streams live on when it is offline."""

    def __init__(self, pages: ContestSite) -> None:
        self._pages = pages
        self._writers: set[asyncio.StreamWriter] = set()

    async def plug_in(self) -> str:
        """The address at which the pages are reached by this cable."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def cut(self) -> None:
        """What is under way is lost."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def unplug(self) -> None:
        """Nothing is carried any more."""
        self._server.close()
        await self.cut()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._pages.site.running.port)
        await asyncio.gather(self._carry(reader, back), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        self._writers.discard(writer)
        writer.close()


def test_a_spectator_who_loses_the_network_comes_back_to_the_right_position(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite], open_page: Open, keep: Keep
) -> None:
    with found(tmp_path, season_text(teams=("Ada", "Grace"), final=False)) as contest:
        pages = serve_contest(contest)
        cable, page, wall, other = Cable(pages), open_page(), open_page(), open_page()
        with scripted_run(pages.site, contest.store) as run:
            run.write("M1-A1-1", LINES[:4])
            run.until_shown("M1-A1-1", 3)
            page.goto(f"{pages.site.do(cable.plug_in)}/watch/M1-A1-1")
            other.goto(f"{pages.base}/watch/M1-A1-1")
            wall.add_init_script(COUNT_STREAMS)
            wall.goto(f"{pages.base}/watch")
            for each in (page, other):
                expect(each.locator("#moves li")).to_have_count(3)
            page.evaluate("window.stillHere = true")
            page.context.set_offline(True)
            pages.site.do(cable.cut)
            expect(page.locator("#lost")).to_be_visible(timeout=SLOW)
            clock = page.inner_text(".ticking")
            run.write("M1-A1-1", LINES[4:8])
            expect(other.locator("#moves li")).to_have_count(7, timeout=SLOW)  # Who has a network sees it all.
            expect(page.locator("#moves li")).to_have_count(3)
            assert page.inner_text(".ticking") == clock
            keep(page, "network-lost")
            page.context.set_offline(False)
            expect(page.locator("#moves li")).to_have_count(7, timeout=SLOW)
            expect(page.locator("#lost")).to_be_hidden()
            assert page.evaluate("window.stillHere")  # Nothing was loaded again.
            assert page.inner_html("#board") == other.inner_html("#board")
            run.write("M1-A1-1", LINES[8:])
            page.locator(".status .over").wait_for(timeout=SLOW)
            assert page.inner_html("#board") == other.inner_html("#board")
            expect(wall.locator("#finished .board svg")).to_have_count(1, timeout=SLOW)
            assert wall.evaluate("window.streams") == 1  # The card went from list to list, and nothing was asked again.
        page.goto("about:blank")
        pages.site.do(cable.unplug)
        page.complaints.clear()  # A browser complains about the broken stream.


@contextmanager
def contest_run(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """``spielleiter contest run`` in a process of its own; killed at the end if it still runs."""
    command = [sys.executable, "-m", "spielleiter", "contest", "run", "--season", str(folder / "season.toml"), *options]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield run
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait(30)


@contextmanager
def held_in_a_game(pages: ContestSite, run: subprocess.Popen[bytes]) -> Iterator[str]:
    """The id of a game of Ada in which the run and its workers are stopped: browsers take their time."""
    live = pages.site.web_app.live

    async def wait() -> str:
        while not (
            begun := [game.room_id for game in live.running() if game.history.plies and "Ada" in game.history.names]
        ):
            await live.channel.wait(live.channel.version)
        os.killpg(run.pid, signal.SIGSTOP)
        return str(begun[0])

    room: str = pages.site.do(wait, timeout=SLOW / 1000)
    try:
        yield room
    finally:
        os.killpg(run.pid, signal.SIGCONT)


def test_the_screen_and_a_phone_follow_a_run_that_is_killed_and_resumed_to_the_winner_of_the_final(
    tmp_path: Path,
    serve_contest: Callable[[Contest], ContestSite],
    open_page: Open,
    keep: Keep,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(show, "RESULT_SECONDS", 0.2)
    monkeypatch.setattr(show, "TURNING_POINT_SECONDS", 0.2)
    players = dict.fromkeys(("Ada", "Grace"), "explorer:nodes=40")
    with found(tmp_path, season_text(teams=("Ada", "Grace", "Alan", "Konrad"), players=players)) as contest:
        pages = serve_contest(contest)
        screen, phone = open_page(1920, 1080), open_page(390, 844)
        screen.goto(f"{pages.base}/projector")
        phone.goto(f"{pages.base}/phone")
        with contest_run(tmp_path) as run, held_in_a_game(pages, run):
            expect(screen.locator(".stage-side h2")).to_have_count(2, timeout=SLOW)
            for page in (screen, phone):
                page.get_by_text("Ada").first.wait_for(timeout=SLOW)
                page.locator("#board svg, .board svg").first.wait_for()
            keep(screen, "elsewhere-projector")
            keep(phone, "elsewhere-phone")
            os.killpg(run.pid, signal.SIGKILL)
        with contest_run(tmp_path) as run:
            for page in (screen, phone):
                page.locator(".stage-winner").wait_for(timeout=SLOW)
            assert run.wait(SLOW / 1000) == 0


def test_a_season_is_followed_while_another_process_plays_it_on_a_cluster(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite], open_page: Open, keep: Keep
) -> None:
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    players = {"Ada": "explorer:nodes=80", "Grace": "explorer:nodes=80"}
    with found(tmp_path, season_text(teams=("Ada", "Grace"), players=players, final=False)) as contest:
        pages = serve_contest(contest)
        wall, encounter, game = open_page(), open_page(), open_page(390, 800)
        wall.goto(f"{pages.base}/watch")  # Without any key: the season is public.
        encounter.goto(f"{pages.base}/season/encounter/1")
        with contest_run(tmp_path, "--cluster", "local:1") as run:
            with held_in_a_game(pages, run) as room:
                for each in (wall, encounter):  # Filled without a reload.
                    each.locator("#live .board svg").wait_for(timeout=SLOW)
                game.goto(f"{pages.base}/watch/{room}")
                game.locator("#moves li").first.wait_for()
                keep(wall, "elsewhere-watch")
                keep(encounter, "elsewhere-encounter")
                for page in (wall, encounter, game):
                    check_with_axe(page)
            game.locator(".status .over").wait_for(timeout=SLOW)
            encounter.locator(".games .game").nth(1).wait_for(timeout=SLOW)
            expect(encounter.locator("#live .board")).to_have_count(0)
            expect(wall.locator("#finished .board svg")).to_have_count(2, timeout=SLOW)
        game.goto(f"{pages.base}/watch/{room}/replay")
        game.wait_for_url("**/replay/season-*")
