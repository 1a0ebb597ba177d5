"""Streams of looks: what is sent to whom, compressed once for all; and visitors who do not read, or come back."""

from __future__ import annotations

import asyncio
import json
import threading
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from math import inf
from typing import Any

import pytest
from markupsafe import Markup

pytest.importorskip("starlette", reason="the extra 'web' is not installed")

from spielleiter.feeds.channel import Channel
from spielleiter.pages.updates import Moment, PageUpdate
from spielleiter.web import streams
from spielleiter.web.patches import apply_patch
from spielleiter.web.streams import EventStream
from tests.support.waiting import until


class Visitor:
    """Somebody who watches, as the web server sees them."""

    def __init__(self, **headers: str) -> None:
        self.headers = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        self.received = b""
        self.left = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        self.answer: dict[str, str] = {}

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.answer = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        await self.reads.wait()
        self.received += message["body"]

    def watch(self, stream: EventStream) -> asyncio.Task[None]:
        return asyncio.create_task(stream({"type": "http", "headers": self.headers}, self.receive, self.send))

    @property
    def text(self) -> str:
        if self.answer.get("content-encoding") == "gzip":
            return zlib.decompressobj(31).decompress(self.received).decode()
        return self.received.decode()

    @property
    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """The number and the data of each look."""
        found = []
        for event in self.text.split("\n\n"):
            if event.startswith("id: "):
                number, data = event.removeprefix("id: ").split("\ndata: ")
                found.append((int(number), json.loads(data)))
        return found


class Game:
    """Something that is looked at."""

    def __init__(self) -> None:
        self.channel = Channel()
        self.moves = 10
        self.rendered = 0

    def render(self) -> PageUpdate:
        self.rendered += 1
        rows = "".join(f"<li>move {number}</li>" for number in range(self.moves))
        parts = {"moves": f"<ol>{rows}</ol>", "still": "<p>the same</p>" * 20}
        return PageUpdate(parts=parts, say=f"move {self.moves}")

    def stream(self, **options: Any) -> EventStream:
        return EventStream(self.channel, "look", self.render, **options)

    def move(self) -> None:
        self.moves += 1
        self.channel.publish()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(120):
            await work()

    asyncio.run(bounded())


@pytest.mark.parametrize("headers", [{}, {"accept_encoding": "gzip, br"}])
def test_the_first_message_has_everything_and_the_next_only_what_changed(headers: dict[str, str]) -> None:
    async def work() -> None:
        game, visitor = Game(), Visitor(**headers)
        watching = visitor.watch(game.stream())
        await until(lambda: len(visitor.events) == 1)
        (_, first), game_text = visitor.events[0], game.render().parts["moves"]
        assert first["parts"]["moves"] == game_text
        game.move()
        await until(lambda: len(visitor.events) == 2)
        _, second = visitor.events[1]
        assert "parts" not in second
        assert list(second["patches"]) == ["moves"]
        assert apply_patch(game_text, second["patches"]["moves"]) == game.render().parts["moves"]
        assert second["say"] == "move 11"
        game.channel.close()
        await watching

    run(work)


def test_a_thousand_spectators_share_one_rendering_and_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    # A message that is sent later than this is made again, with the time of day: that is for another test.
    monkeypatch.setattr(streams, "_MAX_AGE", inf)

    async def work() -> None:
        game, visitors = Game(), [Visitor(accept_encoding="gzip") for _ in range(1000)]
        watching = [visitor.watch(game.stream()) for visitor in visitors]
        await until(lambda: all(visitor.events for visitor in visitors))
        first = visitors[0].received
        game.move()
        await until(lambda: all(len(visitor.received) > len(first) for visitor in visitors))
        assert len(visitors[0].events) == 2
        assert len({visitor.received for visitor in visitors}) == 1
        assert game.rendered == 2
        game.channel.close()
        await asyncio.gather(*watching)

    run(work)


def test_between_spectators_the_loop_reads_what_players_have_sent() -> None:
    async def work() -> None:
        channel, woken, turns = Channel(), [], 0

        async def wait() -> None:
            woken.append(await channel.wait(0))

        waiting = [asyncio.create_task(wait()) for _ in range(500)]
        await asyncio.sleep(0)
        channel.publish()
        while len(woken) < len(waiting):
            await asyncio.sleep(0)
            turns += 1
        assert turns >= 500 / 25

    run(work)


def test_a_browser_that_reconnects_gets_only_what_changed_since() -> None:
    async def work() -> None:
        game, visitor = Game(), Visitor()
        watching = visitor.watch(game.stream())
        await until(lambda: visitor.events)
        number, first = visitor.events[0]
        visitor.left.set()
        await watching
        game.move()
        back = Visitor(last_event_id=str(number))
        watching = back.watch(game.stream())
        await until(lambda: back.events)
        _, look = back.events[0]
        assert apply_patch(first["parts"]["moves"], look["patches"]["moves"]) == game.render().parts["moves"]
        game.channel.close()
        await watching

    run(work)


@pytest.mark.parametrize("seen", ["", "0", "7", "nonsense", "9" * 300])
def test_an_unknown_event_id_brings_everything(seen: str) -> None:
    async def work() -> None:
        game, visitor = Game(), Visitor(last_event_id=seen)
        watching = visitor.watch(game.stream())
        await until(lambda: visitor.events)
        assert set(visitor.events[0][1]["parts"]) == {"moves", "still"}
        game.channel.close()
        await watching

    run(work)


def test_a_spectator_who_never_reads_holds_up_nobody() -> None:
    async def work() -> None:
        game, lazy, other = Game(), Visitor(), Visitor()
        lazy.reads.clear()
        watching = [visitor.watch(game.stream()) for visitor in (lazy, other)]
        await until(lambda: other.events)
        game.move()
        await until(lambda: len(other.events) == 2)
        assert lazy.received == b""
        lazy.left.set()
        await watching[0]
        game.channel.close()
        await watching[1]

    run(work)


def test_silence_is_filled_with_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_HEARTBEAT_SECONDS", 0.02)

    async def work() -> None:
        looks: list[None] = []
        game, visitor = Game(), Visitor(accept_encoding="gzip")
        watching = visitor.watch(game.stream(alive=lambda: looks.append(None)))
        await until(lambda: visitor.text.count("event: beat") >= 2)
        assert len(looks) >= 3
        visitor.left.set()
        await watching

    run(work)


def test_a_stream_of_limited_length_ends_by_itself() -> None:
    async def work() -> None:
        visitor = Visitor()
        await visitor.watch(Game().stream(max_seconds=0.05))
        assert len(visitor.events) == 1

    run(work)


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True), ("br, GZIP;q=0.5", True), ("*", True), ("deflate, *;q=0.1", True),
        ("", False), ("gzip;q=0", False), ("gzip; q=0.000, *", False), ("*;q=0", False), ("xgzip", False),
    ],
)  # fmt: skip
def test_a_browser_without_gzip_gets_plain_text(header: str, accepted: bool) -> None:
    assert streams.accepts_gzip(header) is accepted


def test_an_update_says_only_what_is_known() -> None:
    reply = PageUpdate(parts={"board": Markup("<svg/>")}, over=False)
    assert reply.to_json() == {"parts": {"board": "<svg/>"}, "over": False}
    update = PageUpdate(moment=Moment("room", 3, mine=True, over=False), reply=reply, lists={"live": ["a"]})
    assert json.loads(json.dumps(update.to_json())) == {
        "parts": {},
        "moment": {"room": "room", "ply": 3, "mine": True, "over": False, "beaten": "", "ending": ""},
        "reply": {"parts": {"board": "<svg/>"}, "over": False},
        "lists": {"live": ["a"]},
    }


def test_a_look_at_the_store_is_rendered_in_a_thread_and_once_for_all() -> None:
    threads: list[int] = []

    def render() -> PageUpdate:
        threads.append(threading.get_ident())
        return PageUpdate(say="read")

    async def run() -> None:
        channel, shown, done = Channel(), [], asyncio.Event()

        async def receive() -> dict[str, Any]:
            await done.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if b'"say":"read"' in message.get("body", b""):
                shown.append(message)
            if len(shown) == 3:
                done.set()

        streams = [EventStream(channel, "look", render, reads_store=True) for _ in range(3)]
        async with asyncio.timeout(60):
            await asyncio.gather(*(stream({"type": "http", "headers": []}, receive, send) for stream in streams))

    asyncio.run(run())
    assert len(threads) == 1
    assert threads != [threading.get_ident()]
