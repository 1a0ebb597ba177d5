"""A season that another process plays on a cluster, followed in Chromium."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
from playwright.sync_api import expect

from spielleiter.contest.run.contest import Contest
from tests.support.contest_site import ContestSite
from tests.support.contest_small_season import found, season_text
from tests.support.web_browser import Keep, Open, check_with_axe

SLOW = 60_000
"""Milliseconds for what other processes do on a busy machine."""


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


def test_a_season_is_followed_while_another_process_plays_it_on_a_cluster(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite], open_page: Open, keep: Keep
) -> None:
    players = {"Ada": "explorer:nodes=700", "Grace": "explorer:nodes=700"}
    text = season_text(teams=("Ada", "Grace"), players=players, final=False)
    with found(tmp_path, text) as contest:
        base = serve_contest(contest).site.base
        wall, encounter, game = open_page(), open_page(), open_page(390, 800)
        wall.goto(f"{base}/watch")  # Without any key: the season is public.
        with contest_run(tmp_path, "--cluster", "local:1"):
            wall.locator("#live .board svg").first.wait_for(timeout=SLOW)
            keep(wall, "elsewhere-watch")
            game.goto(f"{base}/watch/M1-A1-1")  # Running, or its record if this machine is slow.
            encounter.goto(f"{base}/season/encounter/1")
            encounter.locator(".games .game").nth(0).wait_for(timeout=SLOW)  # Filled without a reload.
            encounter.locator("#live .board svg").first.wait_for(timeout=SLOW)  # The second game.
            keep(encounter, "elsewhere-encounter")
            encounter.locator(".games .game").nth(1).wait_for(timeout=SLOW)
            expect(encounter.locator("#live .board")).to_have_count(0)
            wall.locator("#finished .board svg").nth(1).wait_for(timeout=SLOW)
        game.goto(f"{base}/watch/M1-A1-1/replay")
        game.wait_for_url("**/replay/season-*")
        for page in (wall, encounter, game):
            check_with_axe(page)
