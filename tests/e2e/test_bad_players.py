"""Players who are slow, silent, wrong, rude or suddenly gone: each is a result, and nobody else notices."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from spielleiter import games
from spielleiter.game import Cause, Limits
from spielleiter.referee import GameEnded
from spielleiter.server import GameMaster, MasterSettings, PeerLimits
from tests.support.night import NIGHT
from tests.support.raw import Raw, points, winner

START = "piranhas-2026 1sssmmmll1/S8S/S8S/S8S/S2K5S/S8S/S4K3S/S8S/S8S/1ssssssss1 0 -"
GAME = games.load("piranhas-2026")
LEGAL = '<data class="move"><from x="0" y="4"/><direction>RIGHT</direction></data>'
ANSWER = '<data class="move"><from x="4" y="0"/><direction>UP</direction></data>'
PASSWORD = "open sesame"


@dataclass
class Table:
    """Two players at a table, the first one asked for a move."""

    master: GameMaster
    room_id: str
    one: Raw
    two: Raw
    ended: asyncio.Future[GameEnded]

    async def move(self, player: Raw, data: str, room_id: str | None = None) -> None:
        await player.send(f'<room roomId="{room_id or self.room_id}">{data}</room>')


@asynccontextmanager
async def game_master(**settings: object) -> AsyncIterator[GameMaster]:
    defaults: dict[str, object] = {"port": 0, "limits": Limits(0.3, 0.9), "password": PASSWORD, "language": "en"}
    async with GameMaster(MasterSettings(**(defaults | settings))) as master:  # type: ignore[arg-type]
        yield master


@asynccontextmanager
async def table(master: GameMaster) -> AsyncIterator[Table]:
    room = master.open_room(GAME, names=("Ada", "Bob"), start=GAME.notation.parse_state(START))
    one, two = await Raw.connect(master.address), await Raw.connect(master.address)
    for player, code in zip((one, two), room.codes, strict=True):
        await player.send(f'<joinPrepared reservationCode="{code}"/>')
    await one.wait_for("moveRequest")
    await two.wait_for("memento")
    yield Table(master, room.room_id, one, two, room.ended)
    for player in (one, two):
        await player.close()


def on_a_table(scenario: Callable[[Table], Awaitable[None]], **settings: object) -> None:
    async def run() -> None:
        async with game_master(**settings) as master, table(master) as players:
            await scenario(players)

    asyncio.run(run())


async def ends_by(players: Table, cause: Cause) -> GameEnded:
    """ONE has lost for this cause, TWO has won and been told so."""
    result = await players.two.wait_for("result")
    assert winner(result) == "TWO"
    assert points(result) == [[0, 0], [2, 8]]
    await players.two.wait_for("left")
    ended = await players.ended
    assert [team.cause for team in ended.result.teams] == [cause, Cause.REGULAR]
    return ended


def test_a_move_after_the_soft_limit_loses_and_is_not_played() -> None:
    async def scenario(players: Table) -> None:
        await asyncio.sleep(0.4)
        await players.move(players.one, LEGAL)
        ended = await ends_by(players, Cause.SOFT_TIMEOUT)
        assert ended.state.turn == 0
        assert winner(await players.one.wait_for("result")) == "TWO"

    on_a_table(scenario)


def test_silence_loses_at_the_hard_limit() -> None:
    async def scenario(players: Table) -> None:
        before = asyncio.get_running_loop().time()
        await ends_by(players, Cause.HARD_TIMEOUT)
        assert 0.8 < asyncio.get_running_loop().time() - before < 3

    on_a_table(scenario)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('<data class="move"><from x="0" y="4"/><direction>LEFT</direction></data>', "leads off the board"),
        ('<data class="move"><from x="10" y="4"/><direction>LEFT</direction></data>', "not on the board"),
        ('<data class="move"><from x="one" y="4"/><direction>LEFT</direction></data>', "whole number"),
        ('<data class="move"><from x="0" y="4"/><direction>SIDEWAYS</direction></data>', "must be one of"),
        ('<data class="move"><direction>LEFT</direction></data>', "<from>"),
    ],
)
def test_a_wrong_move_loses_with_an_error_that_says_what_was_expected(data: str, words: str) -> None:
    async def scenario(players: Table) -> None:
        await players.move(players.one, data)
        error = await players.one.wait_for("error")
        assert words in error.find("data").attrib["message"]  # type: ignore[union-attr]
        await players.one.wait_for("result")
        await ends_by(players, Cause.RULE_VIOLATION)

    on_a_table(scenario)


def test_a_move_out_of_turn_loses() -> None:
    async def scenario(players: Table) -> None:
        await players.move(players.two, ANSWER)
        assert winner(await players.one.wait_for("result")) == "ONE"
        await players.two.wait_for("error")
        assert winner(await players.two.wait_for("result")) == "ONE"

    on_a_table(scenario)


@pytest.mark.parametrize(
    ("nonsense", "words"),
    [
        (b"<room roomId='x'><data></room>", "not well-formed"),
        (b"\x00\x01\x02<<<<>", "not well-formed"),
        (b"<!DOCTYPE x>", ""),
        (b'<join gameType="' + b"x" * 100_000 + b'"/>', "larger than"),
        (b"<a>" * 100, "inside one another"),
    ],
)
def test_nonsense_is_answered_loses_and_closes_only_that_connection(nonsense: bytes, words: str) -> None:
    async def scenario(players: Table) -> None:
        await players.one.send(nonsense)
        error = await players.one.wait_for("errorpacket")
        assert words in error.attrib["message"]
        assert "result" in await players.one.until_closed()
        await ends_by(players, Cause.RULE_VIOLATION)

    on_a_table(scenario)


def test_a_flood_is_stopped_and_another_room_does_not_notice() -> None:
    async def scenario(players: Table) -> None:
        async with table(players.master) as neighbours:
            flood = b'<joinRoom roomId="nowhere"/>' * 5000
            try:
                await players.one.send(flood)
                log = await players.one.until_closed()
                assert "errorpacket" in log
                assert len(log) < 1000
            except ConnectionError:
                pass  # It was cut off in the middle of its flood: that is what should happen.
            await ends_by(players, Cause.RULE_VIOLATION)
            await neighbours.move(neighbours.one, LEGAL)
            await neighbours.two.wait_for("moveRequest")

    on_a_table(scenario)


def test_a_player_who_closes_his_side_has_left() -> None:
    async def scenario(players: Table) -> None:
        players.one.half_close()
        await ends_by(players, Cause.LEFT)

    on_a_table(scenario)


def test_a_player_who_vanishes_has_left() -> None:
    async def scenario(players: Table) -> None:
        players.one.reset()
        await ends_by(players, Cause.LEFT)

    on_a_table(scenario)


@pytest.mark.parametrize(
    "farewell",
    [
        "</protocol>",
        "<close/>",
        "<sc.protocol.CloseConnection/>",
        "<sc.protocol.responses.CloseConnection/></protocol>",
    ],
)
def test_a_player_who_says_goodbye_has_left_and_is_answered(farewell: str) -> None:
    async def scenario(players: Table) -> None:
        await players.one.send(farewell)
        await players.one.until_closed()
        await ends_by(players, Cause.LEFT)

    on_a_table(scenario)


def test_a_player_who_sends_single_bytes_plays_on() -> None:
    async def scenario(players: Table) -> None:
        for byte in f'<room roomId="{players.room_id}">{LEGAL}</room>'.encode():
            await players.one.send(bytes([byte]))
            await asyncio.sleep(0)
        await players.two.wait_for("moveRequest")

    on_a_table(scenario)


def test_a_strangers_move_changes_nothing() -> None:
    async def scenario(players: Table) -> None:
        stranger = await Raw.connect(players.master.address)
        await players.move(stranger, LEGAL)
        await stranger.wait_for("errorpacket")
        await players.move(stranger, LEGAL, room_id="no-such-room")
        await stranger.wait_for("errorpacket")
        await players.move(players.one, LEGAL)
        await players.two.wait_for("moveRequest")
        await stranger.close()

    on_a_table(scenario)


def test_a_wrong_password_is_refused_and_never_repeated() -> None:
    async def scenario(players: Table) -> None:
        stranger = await Raw.connect(players.master.address)
        await stranger.send('<authenticate password="guess 17"/>')
        refusal = await stranger.wait_for("errorpacket")
        assert "guess 17" not in str([element.attrib for element in refusal.iter()])
        await stranger.send(f'<cancel roomId="{players.room_id}"/>')
        await stranger.wait_for("errorpacket")
        await stranger.close()

    on_a_table(scenario)


def test_two_administrators_pause_and_step_one_game() -> None:
    async def scenario(players: Table) -> None:
        admins = [await Raw.connect(players.master.address) for _ in range(2)]
        for admin in admins:
            await admin.send(f'<authenticate password="{PASSWORD}"/><observe roomId="{players.room_id}"/>')
            await admin.wait_for("memento")
        await admins[0].send(f'<pause roomId="{players.room_id}" pause="true"/>')
        await asyncio.gather(*(admin.wait_for("paused") for admin in admins))
        await players.move(players.one, LEGAL)
        await asyncio.gather(*(admin.wait_for("memento") for admin in admins))
        # Both step for the same request: one clock, and the player is not thrown out by a forgotten one.
        for admin in admins:
            await admin.send(f'<step roomId="{players.room_id}"/>')
        await players.two.wait_for("moveRequest")
        await players.two.wait_for("moveRequest")
        await players.move(players.two, ANSWER)
        await admins[1].send(f'<pause roomId="{players.room_id}" pause="false"/>')
        await players.one.wait_for("moveRequest")
        await admins[0].send(f'<cancel roomId="{players.room_id}"/>')
        for connection in (players.one, players.two, *admins):
            await connection.wait_for("result")
            await connection.wait_for("left")
        for admin in admins:
            await admin.close()

    on_a_table(scenario, limits=Limits(5, 10))


def test_an_observer_who_never_reads_is_dropped_and_delays_nobody() -> None:
    async def scenario(players: Table) -> None:
        loop = asyncio.get_running_loop()
        deaf = socket.create_connection(players.master.address)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.setblocking(False)
        rooms = [players.master.open_room(GAME, start=GAME.notation.parse_state(START)) for _ in range(3)]
        login = f'<protocol><authenticate password="{PASSWORD}"/>'
        observing = "".join(f'<observe roomId="{room.room_id}"/>' for room in rooms) * 200
        await loop.sock_sendall(deaf, (login + observing).encode())
        connections = players.master.metrics.connections
        async with asyncio.timeout(60):
            while players.master.metrics.connections == connections:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.02)
        await players.move(players.one, LEGAL)
        await players.two.wait_for("moveRequest")
        deaf.close()

    on_a_table(scenario, limits=Limits(20, 30), peer=PeerLimits(unread=8 * 1024, burst=10_000))


def test_a_connection_that_says_nothing_is_closed() -> None:
    async def run() -> None:
        async with game_master(peer=PeerLimits(first_message=0.2)) as master:
            silent = await Raw.connect(master.address, opening="")
            error = await silent.wait_for("errorpacket")
            assert "no message came" in error.attrib["message"]
            await silent.until_closed()
            await silent.close()

    asyncio.run(run())


def test_too_many_connections_are_refused_with_a_word() -> None:
    async def run() -> None:
        async with game_master(max_connections_from_here=3) as master:
            clients = [await Raw.connect(master.address) for _ in range(4)]
            refusal = await clients[3].wait_for("errorpacket")
            assert "too many connections" in refusal.attrib["message"]
            await clients[3].until_closed()
            await clients[0].send('<join gameType="swc_2026_piranhas"/>')
            await clients[0].wait_for("joined")
            for client in clients:
                await client.close()

    asyncio.run(run())


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    async def run() -> None:
        async with game_master() as master:
            client = await Raw.connect(master.address)
            await client.send('<join gameType="swc_1999_halma"/>')
            refusal = await client.wait_for("errorpacket")
            assert "swc_2026_piranhas" in refusal.attrib["message"]
            await client.close()

    asyncio.run(run())


def test_a_join_in_the_very_moment_in_which_a_room_ends_is_never_lost() -> None:
    """The reference server deadlocks here. Hundreds of times a player leaves while the next one joins."""
    rounds = 2000 if NIGHT else 300

    async def run() -> None:
        async with game_master(limits=Limits(20, 30), peer=PeerLimits(messages_per_second=10**6)) as master:

            async def leaver() -> None:
                for _ in range(rounds):
                    client = await Raw.connect(master.address)
                    await client.send('<join gameType="swc_2026_piranhas"/>')
                    await client.wait_for("joined")
                    client.reset()

            async def joiner() -> None:
                client = await Raw.connect(master.address)
                for _ in range(rounds):
                    await client.send('<join gameType="swc_2026_piranhas"/>')
                    await client.wait_for("joined")
                    # Whoever was there may be gone before we sit down; then somebody else comes.
                    await client.wait_for("result")
                    await client.wait_for("left")
                await client.close()

            leaving = asyncio.create_task(leaver())
            joining = asyncio.create_task(joiner())
            await asyncio.wait({leaving, joining}, return_when=asyncio.FIRST_COMPLETED)
            while not (leaving.done() and joining.done()):
                # One of the two has finished; the other still needs partners who come and go.
                partner = await Raw.connect(master.address)
                await partner.send('<join gameType="swc_2026_piranhas"/>')
                await partner.wait_for("joined")
                await asyncio.sleep(0.005)
                partner.reset()
                await asyncio.sleep(0.005)
            await leaving
            await joining

    asyncio.run(run())


def test_when_the_server_stops_every_client_gets_a_result_and_is_closed() -> None:
    async def run() -> None:
        async with game_master() as master, table(master) as players:
            await master.stop()
            for player in (players.one, players.two):
                log = await player.until_closed()
                assert log[-2:] == ["result", "left"]
            ended = await players.ended
            assert ended.result.winner is None
            assert "stopped" in ended.result.reason.en

    asyncio.run(run())
