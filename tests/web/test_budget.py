"""How much a visitor has to load before they can play: on a phone in a school's network every kilobyte counts."""

from __future__ import annotations

import re
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from tests.support.web_games import open_table
from tests.web.conftest import Site

BUDGET = 60_000
"""Bytes as they travel, compressed: the page with its style sheet, scripts and pictures."""
_ASSET = re.compile(r'(?:src|href)="(/static/[^"]+)"')
_IMPORT = re.compile(r'from "\./([^"]+)"')


def weight(client: Any, address: str) -> dict[str, int]:
    """What a page and everything that it loads weighs, by address."""
    weights: dict[str, int] = {}
    waiting = [address]
    while waiting:
        path = waiting.pop()
        if path in weights:
            continue
        with client.stream("GET", path) as answer:
            text = answer.read().decode()
            weights[path] = answer.num_bytes_downloaded
        waiting += _ASSET.findall(text) if path == address else []
        if path.endswith(".js"):
            waiting += [f"{path.rpartition('/')[0]}/{name}" for name in _IMPORT.findall(text)]
    return weights


@pytest.mark.parametrize("key", ["start", *(game.key for game in games.seasons())])
def test_the_start_page_and_every_board_stay_within_the_budget(site: Site, key: str) -> None:
    table = None if key == "start" else open_table(site, key)
    with httpx.Client(base_url=site.base, headers={"accept-encoding": "gzip"}) as client:
        weights = weight(client, "/" if table is None else f"/table/{table.key}")
    assert any(path.endswith("style.css") for path in weights)
    assert sum(weights.values()) < BUDGET, weights
    if table is not None:
        site.do(lambda: site.web_app.tables.close(table))
