"""How soon a visitor can play: ``python -m bench.first_board``, in Chromium on loopback.

Measured is the time from the click on the start page to the board, and to the first fish that can be moved: then the
process of the computer player has started, too.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from spielleiter.server import MasterSettings
from spielleiter.web.server import WebSettings, serving

_ROUNDS = 10
_CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def main() -> None:
    """Print the median and the slowest of ten visits."""
    with _pages() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        shown: list[float] = []
        usable: list[float] = []
        for _ in range(_ROUNDS):
            page = browser.new_page()
            page.goto(address)
            page.locator("#level2").select_option("random")
            began = page.evaluate("performance.timeOrigin + performance.now()")
            page.locator(".board-button[value$='piranhas-2026']").click()
            for selector, times in ((".cell", shown), (".cell.can", usable)):
                page.locator(selector).first.wait_for()
                times.append((page.evaluate("performance.timeOrigin + performance.now()") - began) / 1000)
            page.close()
        browser.close()
    for what, times in (("shown", shown), ("usable", usable)):
        print(f"first board {what} after {statistics.median(times):.2f} s, slowest {max(times):.2f} s")


@contextmanager
def _pages() -> Iterator[str]:
    ready, address, stop = threading.Event(), "", asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve(records: Path) -> None:
        nonlocal address
        async with serving(WebSettings(port=0, master=MasterSettings(port=0, records=records))) as running:
            address = running.address()
            ready.set()
            await stop.wait()

    with tempfile.TemporaryDirectory() as folder:
        thread = threading.Thread(target=loop.run_until_complete, args=(serve(Path(folder)),))
        thread.start()
        ready.wait(30)
        yield address
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


if __name__ == "__main__":
    main()
