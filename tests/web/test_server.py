"""Pages and game master as one: how they begin, and that they end without noise."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path
from random import Random

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.server import MasterSettings
from spielleiter.web.play.seating import Seating, SeatKind
from spielleiter.web.server import WebSettings, default_records, serving


def test_open_streams_end_quietly_when_the_pages_are_stopped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        settings = WebSettings(port=0, master=MasterSettings(port=0, records=tmp_path))
        async with httpx.AsyncClient() as client, serving(settings) as running:
            game = games.load("piranhas-2026")
            seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.PERSON, "Grace"))
            table = await running.web_app.tables.open(game, seats, game.new_state(Random(1)))
            while table.live is None:
                await table.channel.wait(table.channel.version)
            assert table.room is not None
            base = f"http://127.0.0.1:{running.port}"
            for path in ("/watch/events", f"/watch/{table.room.room_id}/events", f"/table/{table.key}/events"):
                stream = await client.send(client.build_request("GET", base + path), stream=True)
                assert stream.status_code == 200

    with caplog.at_level(logging.WARNING):
        asyncio.run(asyncio.wait_for(run(), 120))
    assert caplog.text == ""


def test_a_game_port_that_is_taken_leaves_no_door_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()

        async def run() -> None:
            master = MasterSettings(port=taken.getsockname()[1], records=tmp_path)
            async with serving(WebSettings(port=port, master=master)):
                pass

        with pytest.raises(SettingsError, match="cannot listen"):
            asyncio.run(run())
        with socket.create_server(("127.0.0.1", port)):
            pass


@pytest.mark.parametrize("public_url", ["https://contest.example", "http://contest.example"])
def test_with_a_public_url_of_https_every_cookie_is_secure(tmp_path: Path, public_url: str) -> None:
    async def visit() -> None:
        settings = WebSettings(port=0, master=MasterSettings(port=0, records=tmp_path), public_url=public_url)
        async with httpx.AsyncClient() as client, serving(settings) as running:
            assert running.settings.keys is not None
            for path in ("/language/de", f"/?key={running.settings.keys.guest}"):
                answer = await client.get(f"http://127.0.0.1:{running.port}{path}")
                is_https = public_url.startswith("https")
                assert ("Secure" in answer.headers["set-cookie"]) is is_https
                assert ("strict-transport-security" in answer.headers) is is_https

    asyncio.run(asyncio.wait_for(visit(), 120))


@pytest.mark.parametrize(
    ("system", "environment", "folder"),
    [
        ("Linux", {}, "home/.local/share"),
        ("Linux", {"XDG_DATA_HOME": "/data"}, "/data"),
        ("Darwin", {"XDG_DATA_HOME": "/data"}, "home/Library/Application Support"),
        ("Windows", {}, "home/AppData/Local"),
        ("Windows", {"LOCALAPPDATA": "/local"}, "/local"),
    ],
)
def test_records_go_where_the_system_keeps_the_data_of_programs(
    system: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    assert default_records() == Path(folder) / "spielleiter" / "records"
