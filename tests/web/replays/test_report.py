"""The game report: computed in the background, or what is missing."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from tests.support.event_streams import messages
from tests.support.web_games import resigned_game
from tests.web.conftest import Site


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    return resigned_game(site, "ostseeschach-2022", 5)


def test_the_report_of_an_unfinished_game_is_begun_once(site: Site, finished: str) -> None:
    if site.web_app.analyst.why_unavailable(games.load("ostseeschach-2022")) is not None:
        pytest.skip("the native engine is not built")
    lines = (site.records / finished).read_text().splitlines(keepends=True)
    cut = site.records / "unfinished.jsonl"
    cut.write_text("".join(lines[:-1]))
    before = len(site.web_app.reports._reports)
    for _ in range(3):
        assert httpx.get(f"{site.base}/replay/unfinished.jsonl/report").status_code == 200
    assert len(site.web_app.reports._reports) == before + 1
    cut.unlink()


def test_a_report_that_fails_says_so(site: Site, finished: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if site.web_app.analyst.why_unavailable(games.load("ostseeschach-2022")) is not None:
        pytest.skip("the native engine is not built")

    async def fail(*_: Any) -> None:
        raise RuntimeError("broken")

    copy = site.records / "copy.jsonl"
    shutil.copy(site.records / finished, copy)
    monkeypatch.setattr(site.web_app.analyst, "judge_next", fail)
    path = f"{site.base}/replay/copy.jsonl/report"
    httpx.get(path)
    with httpx.stream("GET", f"{path}/events", headers={"accept-language": "en"}) as stream:
        news = messages(stream)
        while "engine failed" not in next(news)["parts"]["report"]:
            pass
    copy.unlink()


def test_the_report_is_computed_in_the_background_or_says_what_is_missing(site: Site, finished: str) -> None:
    game = games.load("ostseeschach-2022")
    path = f"{site.base}/replay/{finished}/report"
    answer = httpx.get(path)
    assert answer.status_code == 200
    if site.web_app.analyst.why_unavailable(game) is not None:
        assert "native engine" in answer.text
        return

    with httpx.stream("GET", f"{path}/events", headers={"accept-language": "en"}) as stream:
        news = messages(stream)
        while "<progress" in (text := next(news)["parts"]["report"]):
            pass
    assert "/report/events" not in httpx.get(path).text  # It does not change any more.
    assert text.split('class="all-moves"')[1].count("<tr") == 1 + 5
    assert text.count('class="ply"') == 6

    assert "percentage points" in text
    assert 'class="chance"' in text
