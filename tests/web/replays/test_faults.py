"""Why did my program lose?"""

from __future__ import annotations

import json

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import Cause, Team
from spielleiter.programs.sandbox import ExitStatus
from spielleiter.web.replays import exit_statuses
from tests.support.web_games import resigned_game, wrong_move
from tests.web.conftest import Site


def test_resigning_is_not_a_fault(site: Site) -> None:
    finished = resigned_game(site, "ostseeschach-2022", 5)
    assert httpx.get(f"{site.base}/replay/{finished}/fault").status_code == 404
    text = httpx.get(f"{site.base}/replay/{finished}").text
    assert "Ada resigns" in text or "Grace resigns" in text
    assert "badge bad" not in text
    listed = httpx.get(f"{site.base}/replays").text.partition(finished)[2].partition("</li>")[0]
    assert "resigns" in listed or "wins" in listed
    assert "badge bad" not in listed  # Other tests may have made other faults.


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


def _fault(site: Site, cause: Cause, said: str = "x") -> str:
    """The page of a game that ended by a fault of ONE, who sent a move or left with these words."""
    key = wrong_move(site)
    path = site.records / key
    *lines, last = path.read_text(encoding="utf-8").splitlines()
    end = json.loads(last)
    end["teams"][0]["cause"] = cause.value
    end["offence"]["text"] = {"de": f"Ada {said}", "en": f"Ada {said}"}
    if cause is Cause.LEFT:
        end["offence"] = {"team": "ONE", "text": end["offence"]["text"], "sent": None}
    path.write_text("\n".join([*lines, json.dumps(end)]) + "\n", encoding="utf-8")
    return key


def test_a_correct_move_that_came_too_late_is_not_marked_as_wrong(site: Site) -> None:
    text = httpx.get(f"{site.base}/replay/{_fault(site, Cause.SOFT_TIMEOUT)}/fault").text
    assert "SOFT_TIMEOUT" in text
    assert "&lt;direction&gt;" in text
    assert "<mark>" not in text


def test_a_player_of_the_kit_that_gave_up_is_not_said_to_have_crashed(site: Site) -> None:
    key = wrong_move(site)
    said = b"player.py: the move A4 LEFT is not legal: The move leads off the board."
    exit_statuses.write(site.records / key, {Team.ONE: ExitStatus(1, None, b"", said, 5 << 20, 0.0)})
    text = httpx.get(f"{site.base}/replay/{key}/fault").text
    assert "as players made with our kit do" in text
    assert 'class="alert"' not in text
    left = _fault(site, Cause.LEFT, "has left the game: choose() returned None")
    text = httpx.get(f"{site.base}/replay/{left}/fault").text
    assert "itself said why it left" in text
    assert "crashed" not in text
