"""Chromium, where it is installed, as fixtures for every test that looks at a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
_CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
PATIENCE = 60_000
"""Milliseconds that a page may take for what is expected of it: the machine may be busy with other things."""
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.fixture(scope="module")  # While it is there, no other test of this thread can run an event loop.
def chromium() -> Iterator[Any]:
    if _CHROMIUM is None:
        pytest.skip("Chromium is not installed; install it with: apt-get install chromium-headless-shell")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    sync_api.expect.set_options(timeout=PATIENCE)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page of a certain size and theme; fails the test if it complains in the console or throws."""
    contexts, complaints = [], []

    def open_one(width: int = 1280, height: int = 860, *, dark: bool = False, **more: Any) -> Any:
        more.setdefault("locale", "de-DE")
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", **more
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.complaints = complaints
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


SCREENSHOTS = os.environ.get("SPIELLEITER_SCREENSHOTS")


@pytest.fixture(scope="package")
def keep() -> Callable[[Any, str], None]:
    """Keeps a picture of a page for people to look at, if ``SPIELLEITER_SCREENSHOTS`` names a folder for them."""

    def keep_one(page: Any, name: str) -> None:
        if SCREENSHOTS:
            page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png", full_page=not name.startswith("projector"))

    return keep_one
