"""Games that are played elsewhere, as the pages follow them: the feeds are real, who plays is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'contest' is not installed")

from spielleiter import games
from spielleiter.feeds import Feed, FeedAddress, FeedServer
from spielleiter.feeds import follower as module
from spielleiter.feeds.follower import FeedFollower, FeedSource
from spielleiter.feeds.live import Audience, LiveGame, LiveGames
from spielleiter.game import Cause, Team, TeamResult, Text
from spielleiter.records.history import RecordedResult
from spielleiter.records.reader import parse_record
from spielleiter.records.writer import event_line
from spielleiter.server import GameMaster, MasterSettings
from tests.support.feeds import GAME, record_lines, write
from tests.support.waiting import until


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_POLL_SECONDS", 0.02)
    monkeypatch.setattr(module, "_MIN_PAUSE", 0.02)
    monkeypatch.setattr(module, "_MAX_PAUSE", 0.1)


@dataclass
class Stage:
    """The live games of the pages, and the feeds that they can find."""

    live: LiveGames
    addresses: dict[str, FeedAddress] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)

    def plies(self, room_id: str) -> int:
        live = self.live.get(room_id)
        return -1 if live is None else len(live.history.plies)

    def game(self, room_id: str) -> LiveGame:
        live = self.live.get(room_id)
        assert live is not None
        return live


@asynccontextmanager
async def stage(delay: int = 0) -> AsyncIterator[Stage]:
    async with GameMaster(MasterSettings(port=0)) as master:
        found = Stage(LiveGames(master))
        source = FeedSource(
            Audience.EVERYBODY, lambda id_: found.records.get(id_), lambda: dict(found.addresses), delay=lambda _: delay
        )
        follower = FeedFollower(found.live, source)
        follower.start()
        try:
            yield found
        finally:
            await follower.close()
            found.live.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(bounded())


def test_a_game_that_is_played_elsewhere_is_followed_to_its_end() -> None:
    async def work() -> None:
        feed, lines = Feed(), record_lines()
        write(feed, "M1-A1-1", lines[:6])
        async with stage() as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("M1-A1-1") == 5)
            live = here.game("M1-A1-1")
            assert live.history.names == ("Ada", "Grace")
            assert live.audience is Audience.EVERYBODY
            assert live.history.limits[0] is not None
            write(feed, "M1-A1-1", lines[6:])
            feed.drop("M1-A1-1")
            await until(lambda: live.is_over)
            assert len(live.history.plies) == len(lines) - 2
            assert live.history.result is not None
            assert live.history.result.end == live.history.state.outcome.reason.name
            assert not live.is_lost

    run(work)


@pytest.mark.parametrize("how", ["resigned", "adjudicated"])
def test_spectators_see_that_a_game_was_given_up_or_adjudicated(how: str) -> None:
    """Neither is a fault, and both are facts that no page may lose."""
    lines = record_lines()[:6]
    final = games.load(GAME).notation.format_state(list(parse_record("\n".join(lines).encode()).states)[-1])
    one = TeamResult(Cause.LEFT if how == "resigned" else Cause.REGULAR, (0, 5))
    reason, two = Text("so", "so"), TeamResult(Cause.REGULAR, (2, 6))
    ended = RecordedResult((one, two), Team.TWO, reason, adjudicated=how == "adjudicated", final=final, finished=1.0)

    async def work() -> None:
        feed = Feed()
        write(feed, "M1-A1-1", (*lines, event_line(ended)))
        async with stage() as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("M1-A1-1") == 5 and here.game("M1-A1-1").is_over)
            result = here.game("M1-A1-1").history.result
            assert result is not None
            assert (result.resigned, result.adjudicated) == (how == "resigned", how == "adjudicated")
            assert here.game("M1-A1-1").history.offender is None

    run(work)


def test_a_run_that_dies_and_is_resumed_goes_on_before_the_same_eyes() -> None:
    async def work() -> None:
        feed = Feed()
        write(feed, "1", record_lines(1)[:9])
        async with stage() as here:
            async with FeedServer(feed) as server:
                here.addresses["killed"] = server.address
                await until(lambda: here.plies("1") == 8)
                channel = here.game("1").channel
            await until(lambda: here.game("1").is_lost)
            assert here.plies("1") == 8  # What is known stays.
            feed = Feed()
            write(feed, "1", record_lines(3)[:4])
            async with FeedServer(feed) as server:
                del here.addresses["killed"]
                here.addresses["resumed"] = server.address
                await until(lambda: here.plies("1") == 3)
                assert here.game("1").channel is channel  # Who watched the first attempt watches the second.
                assert not here.game("1").is_lost

    run(work)


def test_a_lost_connection_comes_back_to_the_right_position() -> None:
    async def work() -> None:
        feed, lines = Feed(), record_lines()
        write(feed, "1", lines[:5])
        async with stage() as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("1") == 4)
            first = here.game("1")
            for client in tuple(server._clients):
                client.cancel()
            await until(lambda: first.is_lost)
            write(feed, "1", lines[5:8])
            await until(lambda: here.plies("1") == 7)
            assert here.game("1") is first
            assert not first.is_lost

    run(work)


def test_a_game_that_ends_while_nobody_looks_is_found_as_a_record() -> None:
    async def work() -> None:
        feed = Feed()
        write(feed, "1", record_lines()[:5])
        async with stage() as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("1") == 4)
            live = here.game("1")
            feed.drop("1")
            await until(lambda: live.is_lost)
            here.records["1"] = "/season/game/7"
            await until(lambda: live.record_address == "/season/game/7")
            assert here.live.get("1") is None

    run(work)


def test_of_two_runs_that_play_the_same_game_the_later_one_counts() -> None:
    async def work() -> None:
        early, late = Feed(), Feed()
        first, second = record_lines(1), record_lines(3)
        assert first[0] < second[0]  # Played one after the other: the times stand in the lines.
        write(early, "1", first[:3])
        write(late, "1", second[:4])
        async with stage() as here, FeedServer(early) as one, FeedServer(late) as two:
            here.addresses["late"] = two.address
            await until(lambda: here.plies("1") == 3)
            here.addresses["early"] = one.address
            write(early, "2", first[:2])
            await until(lambda: here.plies("2") == 1)  # By now the early one has said everything.
            assert here.plies("1") == 3
            assert here.game("1").history.plies[0].text in second[1]

    run(work)


@pytest.mark.parametrize(
    "lines",
    [
        ("no json",),
        ('{"event":"move"}',),
        (record_lines()[0].replace("piranhas-2026", "no-such-game"),),
        (record_lines()[0], record_lines()[2]),
        (record_lines()[0], record_lines()[1].replace('"move":"', '"move":"Z')),
        (record_lines()[0], record_lines()[1].replace('"team":"ONE"', '"team":"TWO"')),
    ],
)
def test_a_feed_that_says_nonsense_shows_nothing_that_cannot_be(lines: tuple[str, ...]) -> None:
    async def work() -> None:
        feed = Feed()
        write(feed, "bad", lines)
        write(feed, "x" * 200, record_lines()[:3])
        write(feed, "a/b", record_lines()[:3])
        write(feed, "good", record_lines()[:3])
        async with stage() as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("good") == 2)
            assert here.plies("bad") <= 0
            assert {live.room_id for live in here.live.all()} <= {"good", "bad"}

    run(work)


def test_an_address_that_answers_nonsense_disturbs_no_other() -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" * 100)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def work() -> None:
        feed = Feed()
        write(feed, "1", record_lines()[:3])
        async with (
            stage() as here,
            FeedServer(feed) as server,
            await asyncio.start_server(nonsense, "127.0.0.1", 0) as other,
        ):
            here.addresses["nonsense"] = FeedAddress("127.0.0.1", other.sockets[0].getsockname()[1], "key")
            here.addresses["refused"] = FeedAddress("127.0.0.1", 9, "key")
            here.addresses["good"] = server.address
            await until(lambda: here.plies("1") == 2)

    run(work)


def test_a_delay_hides_the_last_moves_until_the_end() -> None:
    async def work() -> None:
        feed, lines = Feed(), record_lines()
        write(feed, "F1-1-1", lines[:8])
        async with stage(delay=3) as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("F1-1-1") == 4)
            live = here.game("F1-1-1")
            assert live.is_delayed
            feed.write("F1-1-1", lines[8])
            await until(lambda: len(live.history.plies) == 5)
            write(feed, "F1-1-1", lines[9:])
            await until(lambda: live.is_over)
            assert len(live.history.plies) == len(lines) - 2
            assert live.history.plies[0].team is Team.ONE

    run(work)


def test_a_game_whose_end_was_seen_does_not_begin_again_after_a_lost_connection() -> None:
    async def work() -> None:
        feed, lines = Feed(), record_lines()
        write(feed, "1", lines)
        async with stage() as here, FeedServer(feed) as server:
            here.addresses["1"] = server.address
            await until(lambda: here.plies("1") == len(lines) - 2 and here.game("1").is_over)
            first = here.game("1")
            clients = tuple(server._clients)
            for client in clients:
                client.cancel()
            await asyncio.gather(*clients, return_exceptions=True)
            write(feed, "2", lines[:2])
            await until(lambda: here.plies("2") == 1)  # By now everything was told again.
            assert here.game("1") is first
            assert not first.is_lost

    run(work)


def test_a_lost_game_that_nobody_goes_on_with_leaves_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        feed = Feed()
        write(feed, "1", record_lines()[:5])
        async with stage() as here:
            async with FeedServer(feed) as server:
                here.addresses["1"] = server.address
                await until(lambda: here.plies("1") == 4)
            await until(lambda: here.game("1").is_lost)
            monkeypatch.setattr(module, "_LOST_SECONDS", 0.0)
            await until(lambda: here.live.get("1") is None)

    run(work)
