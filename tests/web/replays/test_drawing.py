"""Pictures for visitors: bounded by address, and not drawn for those who have left."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.pages import pictures
from spielleiter.server import MasterSettings
from spielleiter.web.replays import drawing
from spielleiter.web.server import WebSettings, serving
from tests.support.feeds import record_lines
from tests.support.waiting import until


def test_pictures_are_bounded_by_address_and_not_drawn_for_those_who_hung_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, drawn = threading.Event(), []

    def png(*_: Any, **__: Any) -> bytes:
        go.wait(120)
        drawn.append(1)
        return b"\x89PNG"

    monkeypatch.setattr(pictures, "png", png)
    monkeypatch.setattr(drawing, "MAX_PER_ADDRESS", 10, raising=False)
    (tmp_path / "a.jsonl").write_text("\n".join(record_lines()) + "\n")

    async def attack() -> None:
        settings = WebSettings(port=0, master=MasterSettings(port=0, records=tmp_path))
        async with httpx.AsyncClient() as client, serving(settings) as running:
            picture, waiting = f"http://127.0.0.1:{running.port}/replay/a.jsonl/1/png", running.web_app.drawing._waiting
            sockets = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(30)]
            for sock in sockets:
                sock.sendall(b"GET /replay/a.jsonl/1/png HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(lambda: waiting["127.0.0.1"] == 10)
            assert (await client.get(picture)).status_code == 503
            for sock in sockets:
                sock.close()
            await until(lambda: not waiting)
            honest = asyncio.create_task(client.get(picture))
            await until(lambda: waiting["127.0.0.1"] == 1)
            go.set()
            assert (await honest).content == b"\x89PNG"
            assert len(drawn) == 2, "the one that was begun, and the one that somebody waits for"

    with caplog.at_level(logging.WARNING):
        asyncio.run(asyncio.wait_for(attack(), 120))
    assert caplog.text == ""
