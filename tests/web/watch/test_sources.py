"""Games that other processes play, as visitors see them: who may watch a season, and a match that is played beside."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.contest.run import feeds
from spielleiter.contest.run.contest import Contest
from spielleiter.feeds import follower as followed
from spielleiter.matches.plan import FEED
from spielleiter.web.guard import COOKIE
from tests.support.contest_site import MEMBER, OTHER, ContestSite, Visitor, add_people
from tests.support.contest_small_season import found, season_text
from tests.support.event_streams import messages
from tests.support.feeds import record_lines, scripted_run
from tests.support.players import GAME, program, short_start
from tests.support.waiting import wait_until
from tests.web.conftest import Site

pytestmark = pytest.mark.slow
ROOM = "M1-A1-1"
DELAY = 3
LINES = record_lines(names=("Konrad", "Emmy"))
PAGES = ("/watch", "/season", "/projector", "/phone")
STREAMS = ("/watch/events", "/season/events?games=", f"/season/events?games={ROOM}", "/projector/events")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed, "_POLL_SECONDS", 0.05)


def first_look(visitor: Visitor, path: str) -> str:
    """All parts of the first message of a stream."""
    with visitor.client.stream("GET", path) as stream:
        return "".join(next(messages(stream))["parts"].values())


def sees(visitor: Visitor) -> bool:
    """Whether a running game is shown to somebody: on every page and in every stream, or on none of them."""
    shown = {path: "Konrad" in visitor.text(path) for path in PAGES}
    shown |= {path: "Konrad" in first_look(visitor, path) for path in STREAMS}
    shown |= {path: visitor.get(path).status_code == 200 for path in (f"/watch/{ROOM}",)}
    if shown[f"/watch/{ROOM}"]:
        shown["events"] = "Konrad" in first_look(visitor, f"/watch/{ROOM}/events")
    else:
        shown["events"] = visitor.get(f"/watch/{ROOM}/events").status_code == 200
    del shown["/season"]  # Its boards come by their stream.
    assert len(set(shown.values())) == 1, shown
    return shown["/watch"]


def guest_of(contest: ContestSite) -> Visitor:
    """Somebody with the key of the network."""
    visitor = contest.visitor(None)
    visitor.client.cookies.set(COOKIE, "guest-key")
    return visitor


@pytest.mark.parametrize(
    ("live", "visitor_sees", "member_sees", "guest_sees"),
    [("public", True, True, True), ("members", False, True, True), ("after", False, False, False)],
)
def test_a_running_game_is_shown_to_whom_the_season_says_and_to_nobody_else(
    tmp_path: Path,
    serve_contest: Callable[[Contest], ContestSite],
    live: str,
    visitor_sees: bool,
    member_sees: bool,
    guest_sees: bool,
) -> None:
    rules = season_text(
        teams=(MEMBER, OTHER, "Dritte"), season=f'live = "{live}"', championship=f"live_delay = {DELAY}", final=False
    )
    with found(tmp_path, rules) as contest:
        add_people(contest, {"ada": MEMBER})
        pages = serve_contest(contest)
        with scripted_run(pages.site, contest.store) as run:
            run.write(ROOM, LINES[:9])
            assert feeds.addresses(contest.store)
            if guest_sees:
                run.until_shown(ROOM, 8 - DELAY)
            else:
                assert not pages.site.web_app.sources[0].addresses()
            assert sees(pages.visitor(None)) is visitor_sees
            assert sees(pages.visitor("ada")) is member_sees
            assert sees(guest_of(pages)) is guest_sees
            if guest_sees:
                _is_late(pages.visitor("ada"), run)


def _is_late(member: Visitor, run: Any) -> None:
    """The last moves are hidden, until the game has ended."""
    with member.client.stream("GET", f"/watch/{ROOM}/events") as stream:
        news = messages(stream)
        first = next(news)["parts"]
        assert first["moves"].count("<li") == 8 - DELAY
        assert "shown with a delay" in first["status"]
        run.write(ROOM, LINES[9:])
        while (shown := next(news)["parts"]["moves"].count("<li")) < len(LINES) - 2:
            assert shown >= 8 - DELAY
    assert len(LINES) > 20


# --- a match ----------------------------------------------------------------------------------------------------------


@contextmanager
def watched_match(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """``spielleiter match --watch`` of two games in a process of its own; they end when the file ``go`` is there."""
    go = folder / "go"
    waits = f"while not os.path.exists({str(go)!r}): time.sleep(0.02)"
    players = [str(program(folder, name, asked=waits)) for name in ("konrad", "emmy")]
    (folder / "openings.txt").write_text(short_start()[0])
    command = [sys.executable, "-m", "spielleiter", "match", *players, "--game", GAME, "--games", "2", "--watch"]
    command += ["--openings", str(folder / "openings.txt"), "--sandbox", "none", "--seconds", "100", "--no-report"]
    match = subprocess.Popen([*command, "--out", str(folder / "duel")], stdout=subprocess.DEVNULL)
    try:
        yield match, go
    finally:
        go.touch()
        match.wait(60)


def test_a_match_in_another_process_is_watched_and_leads_to_its_records(
    tmp_path: Path, serve: Callable[..., Site]
) -> None:
    folder = tmp_path / "duel"
    with watched_match(tmp_path) as (match, go):
        wait_until((folder / FEED).is_file)
        site = serve(follow=(folder,))
        page = wait_until(lambda: re.search(r'href="/watch/(duel-[^"/]+)"', httpx.get(f"{site.base}/watch").text))
        room = page[1]
        running = httpx.get(f"{site.base}/watch/{room}")
        assert running.status_code == 200
        assert {"konrad", "emmy"} <= set(re.findall("konrad|emmy", running.text))
        go.touch()
        assert match.wait(60) == 0
        assert not (folder / FEED).exists()
        records = [f"duel-{path.stem}" for path in (folder / "records").glob("*.jsonl")]
        assert room in records
        assert len(records) == 2  # The one that was watched, and the other.
        for each in records:
            replay = httpx.get(f"{site.base}/watch/{each}/replay", follow_redirects=True)
            assert replay.status_code == 200
            assert "/replay/" in str(replay.url)
            assert {"konrad", "emmy"} <= set(re.findall("konrad|emmy", replay.text))
