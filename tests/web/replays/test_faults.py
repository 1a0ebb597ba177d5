"""Why did my program lose?"""

from __future__ import annotations

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import Team
from spielleiter.programs.sandbox import ExitStatus
from spielleiter.web.replays import exit_statuses
from tests.support.web_games import resigned_game, wrong_move
from tests.web.conftest import Site


def test_resigning_is_no_fault(site: Site) -> None:
    finished = resigned_game(site, "ostseeschach-2022", 5)
    assert httpx.get(f"{site.base}/replay/{finished}/fault").status_code == 404
    text = httpx.get(f"{site.base}/replay/{finished}").text
    assert "Ada resigns" in text or "Grace resigns" in text
    assert "badge bad" not in text
    assert "badge bad" not in httpx.get(f"{site.base}/replays").text


def test_why_was_it_lost_shows_what_really_came_also_after_a_restart(site: Site) -> None:
    key = wrong_move(site)
    end = ExitStatus(-11, None, b"hello", b"Traceback: <b>oh no</b>", 5 << 20, 0.0)
    exit_statuses.write(site.records / key, {Team.ONE: end})
    text = httpx.get(f"{site.base}/replay/{key}/fault").text
    assert "RULE_VIOLATION" in text
    assert "<svg" in text
    assert "spielleiter show" in text
    assert "extra colour=&#34;red&#34;" in text
    assert "<mark>" in text
    assert "access to invalid memory (SIGSEGV); Traceback: &lt;b&gt;oh no" in text
    whole = httpx.get(f"{site.base}/replay/{key}/fault/log.txt")
    assert whole.headers["content-type"].startswith("text/plain")
    assert whole.text == "hello\n--- stderr ---\nTraceback: <b>oh no</b>"
    assert "5.0 MiB" in text
    assert "Traceback: &lt;b&gt;oh no&lt;/b&gt;" in text
    assert "--play" in text
    for path in (site.records / key, exit_statuses.path_beside(site.records / key)):
        path.unlink()
