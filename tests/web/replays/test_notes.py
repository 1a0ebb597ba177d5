"""What players note, on the pages: drawn for their own people, and for nobody else."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from spielleiter import games
from spielleiter.client import ClientSettings, note, play_async
from spielleiter.contest.store import GameFilesRow, GameRow
from spielleiter.feeds.live import Audience, LiveGame, Source
from spielleiter.records.private_notes import join_log, split_notes
from spielleiter.records.reader import parse_record
from spielleiter.web.guard import COOKIE
from spielleiter.web.season.live_season import RECORD_PREFIX
from tests.support.contest_site import HOSTILE, MEMBER, OTHER, ContestSite
from tests.support.noted_games import THOUGHTS, noted
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.web.conftest import Site


def visitor(site: Site, key: str) -> httpx.Client:
    return httpx.Client(base_url=site.base, cookies={COOKIE: key}, headers={"accept-language": "en"}, timeout=60)


def test_a_replay_draws_notes_for_the_host_and_not_for_guests(school: Site, open_page: Open, keep: Keep) -> None:
    from playwright.sync_api import expect

    key = noted(school.records).name
    page = open_page()
    page.goto(f"{school.base}/?key=host-key")
    page.goto(f"{school.base}/replay/{key}/1")
    expect(page.locator("#notes")).to_contain_text("thought of one")
    expect(page.locator("#notes")).to_contain_text("Werte B4: 0,83 · C7: −0,5", use_inner_text=True)
    expect(page.locator("#notes .noted")).to_have_count(4)  # A line and its points for each player.
    assert {"0,83", "−0,5"} <= set(page.locator("#board svg text").all_text_contents())
    page.keyboard.press("ArrowRight")
    expect(page.locator("#notes")).to_contain_text("thought of two")
    page.locator("#notes summary").click()
    expect(page.locator("#notes pre")).to_have_text("printed at 1 <b>&")
    keep(page, "replay-notes")
    check_with_axe(page)
    page.locator("#toggle-notes").click()
    expect(page.locator("#notes")).to_be_hidden()
    assert "0,83" not in page.locator("#board svg text").all_text_contents()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#counter")).to_have_text("1 / 6")
    assert "0,83" not in page.locator("#board svg text").all_text_contents()

    with visitor(school, "guest-key") as guest, visitor(school, "host-key") as host:
        for path in ("", "/1", "/1?notes=1", "/download/record", "/report"):
            text = guest.get(f"/replay/{key}{path}").text
            assert "thought of" not in text, path
            assert "printed at" not in text, path
        answer = guest.get(f"/replay/{key}/1?notes=1", headers={"accept": "application/json"}).json()
        assert "notes" not in answer["parts"]
        assert "thought of one" in host.get(f"/replay/{key}/download/record").text
        assert "thought of" not in host.get(f"/replay/{key}/download/xml").text


@pytest.fixture
def live_room(school: Site) -> Iterator[str]:
    """A game of the season with debug hints, over sockets: ONE notes for its move, and TWO thinks and thinks."""
    old = games.load("piranhas-2019")
    done: list[Any] = []

    def choose(state: Any, seconds: float) -> Any:
        note("thought of one", values={"B4": 0.83}, chance=0.6)
        return state.legal_moves()[0]

    async def think(state: Any, seconds: float) -> Any:
        seen.append(str(state))
        await stop.wait()

    seen: list[str] = []
    stop = asyncio.Event()

    async def begin() -> str:
        master = school.web_app.master
        room = master.open_room(old, names=("Ada", "Bö"), can_timeout=(False, False))
        host, port = master.address
        for player, code in zip((choose, think), room.codes, strict=True):
            settings = ClientSettings(host=host, port=port, reservation=code)
            done.append(asyncio.ensure_future(play_async(player, settings)))
        return room.room_id

    async def end() -> None:
        for task in done:
            task.cancel()
        await asyncio.gather(*done, return_exceptions=True)

    room_id = school.do(begin)
    yield room_id
    school.do(end)


def test_a_live_board_shows_notes_to_the_host_who_asks_for_them_and_to_nobody_else(
    school: Site, open_page: Open, keep: Keep, live_room: str
) -> None:
    from playwright.sync_api import expect

    page = open_page()
    page.goto(f"{school.base}/?key=host-key")
    page.goto(f"{school.base}/watch/{live_room}")
    page.locator("#moves li").first.wait_for()
    assert "thought of one" not in page.content()  # The page may be on the wall.
    page.locator("#toggle-notes").click()
    expect(page.locator("#notes")).to_contain_text("thought of one")
    assert "0,83" in page.locator("#board svg text").all_text_contents()
    page.locator("#back").click()
    expect(page.locator("#notes")).to_contain_text("keine Notizen")
    page.locator("#final").click()
    expect(page.locator("#notes")).to_contain_text("thought of one")
    keep(page, "watch-notes")
    check_with_axe(page)
    with visitor(school, "guest-key") as guest, guest.stream("GET", f"/watch/{live_room}/events?notes=1") as stream:
        assert "thought of one" not in next(line for line in stream.iter_lines() if line.startswith("data:"))
        for path in ("?notes=1", "/ply/1?notes=1"):
            assert "thought of one" not in guest.get(f"/watch/{live_room}{path}").text


def test_in_a_season_notes_are_for_the_own_team_alone(fresh_contest: ContestSite, tmp_path: Path) -> None:
    record = noted(tmp_path, (MEMBER, HOSTILE)).read_bytes()
    public, notes = split_notes(record)
    with fresh_contest.store.transaction() as session:
        game = session.scalars(select(GameRow).where(GameRow.number == 1).order_by(GameRow.id)).first()
        assert game is not None
        files = session.get_one(GameFilesRow, game.id)
        files.record = zlib.compress(public)
        first_is_member = game.encounter.first.name == MEMBER
        own = notes if first_is_member else notes[::-1]
        files.log_first, files.log_second = (zlib.compress(join_log(b"log", each)) for each in own)
        key = f"{RECORD_PREFIX}{game.id}"
    expected = {"ada": {"thought of one"}, "eve": {"thought of two"}, "bob": set(), "olga": set(), None: set()}
    for name, mine in expected.items():
        page = fresh_contest.visitor(name)
        for path in ("/1", "/2", "/download/record"):
            text = page.text(f"/replay/{key}{path}?notes=1")
            seen = {thought for thought in THOUGHTS.values() if thought in text}
            assert seen <= mine, (name, path)
            if path == "/download/record":
                assert seen == mine, name
    assert "thought of" not in fresh_contest.visitor("ada").text(f"/contest/my/games/{game.id}/log")


def test_on_a_running_game_of_a_season_a_member_sees_the_notes_of_the_own_player(
    contest: ContestSite, tmp_path: Path
) -> None:
    history = parse_record(noted(tmp_path, (MEMBER, OTHER)).read_bytes().rsplit(b"\n", 2)[0])
    source = Source(Audience.EVERYBODY, lambda room: None)
    live = contest.site.web_app.live
    games_ = {room: LiveGame(room, history, 0.0, source=source) for room in ("M1-A1-1", "not a game of the season")}
    for game in games_.values():
        contest.site.do(lambda game=game: live.begin(game))
    expected = {"ada": {"thought of one"}, "bob": {"thought of two"}, "eve": set(), "olga": set(), None: set()}
    for name, mine in expected.items():
        visitor_ = contest.visitor(name)
        for room in games_:
            text = visitor_.text(f"/watch/{room}?notes=1") + visitor_.text(f"/watch/{room}/ply/5?notes=1")
            seen = {thought for thought in THOUGHTS.values() if thought in text}
            assert seen == (mine if room.startswith("M1") else set()), (name, room)
        assert "thought of" not in visitor_.text("/watch/M1-A1-1")
    for game in games_.values():
        contest.site.do(lambda game=game: live.forget(game))
