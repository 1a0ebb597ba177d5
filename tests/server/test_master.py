"""The shell around the referee: listening sockets that come and go, and subscribers that must not disturb a game."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from spielleiter import games
from spielleiter.errors import Refused
from spielleiter.game import Team
from spielleiter.records.reader import read_record
from spielleiter.records.verify import verify_record
from spielleiter.referee import GameEnded, GameEvent, GameStarted, MoveMade
from spielleiter.server import GameMaster, MasterSettings, Peer, RoomHooks, origins
from tests.support.one_message_client import OneMessageClient
from tests.support.raw import Raw
from tests.support.scripted import scripts
from tests.support.waiting import until


def test_a_player_may_come_through_a_listener_of_its_own() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            door = socket.create_server(("127.0.0.1", 0))
            address = door.getsockname()
            master.add_listener(door)
            room = master.open_room(games.load("piranhas-2026"))
            one, two = await Raw.connect(address), await Raw.connect(master.address)
            for client, code in zip((one, two), room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
                await client.wait_for("joined")
            await one.wait_for("moveRequest")
            master.remove_listener(door)
            master.remove_listener(door)
            with pytest.raises(OSError):  # noqa: PT011 - refused, in the words of the system
                await Raw.connect(address)
            # Who is inside stays.
            await one.send(f'<room roomId="{room.room_id}"><data class="move"/></room>')
            await two.wait_for("result")
            await one.close()
            await two.close()

    asyncio.run(run())


def test_crowding_one_listener_keeps_no_other_client_out() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            doors = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
            for door in doors:
                master.add_listener(door, max_connections=3)
            crowd = [await Raw.connect(doors[0].getsockname()) for _ in range(6)]
            refused = [client for client in crowd[3:] if await client.until_closed() == ["errorpacket"]]
            assert len(refused) == 3
            other = await Raw.connect(doors[1].getsockname())
            await other.send('<join gameType="swc_2026_piranhas"/>')
            await other.wait_for("joined")
            # Places that were given up are free again.
            for client in (crowd[0], *refused):
                await client.close()
            await until(lambda: master.metrics.connections <= 3)
            again = await Raw.connect(doors[0].getsockname())
            await again.send('<join gameType="swc_2026_piranhas"/>')
            await again.wait_for("joined")
            for client in (*crowd[1:3], other, again):
                await client.close()

    asyncio.run(run())


def test_refused_clients_that_do_not_leave_shut_nobody_else_out() -> None:
    settings = MasterSettings(port=0, max_connections=10, max_connections_from_here=5)

    async def run() -> None:
        async with GameMaster(settings) as master:
            crowd = [await Raw.connect(master.address, source="127.0.0.2") for _ in range(100)]
            await until(lambda: master.metrics.refused_connections_total == 95)
            honest = await Raw.connect(master.address)
            await honest.send('<join gameType="swc_2026_piranhas"/>')
            await honest.wait_for("joined")
            assert master.metrics.connections < 100, "not all of them are waited for"
            assert await crowd[-1].until_closed() == ["errorpacket"]
            for client in (*crowd, honest):
                await client.close()

    asyncio.run(run())


def test_where_connections_keep_breaking_the_protocol_new_ones_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """So whoever was cut off gains nothing by coming back; an honest client from there is heard all the same."""
    monkeypatch.setattr(origins, "MISCHIEF_WAIT", 0.5)

    async def run() -> float:
        async with GameMaster(MasterSettings(port=0)) as master:
            clients = [await Raw.connect(master.address) for _ in range(8)]
            for client in clients:
                await client.send("<a></b>")
                await client.until_closed()
            begin = asyncio.get_running_loop().time()
            honest = await Raw.connect(master.address)
            await honest.send("<join/>")
            await honest.wait_for("joined")
            took = asyncio.get_running_loop().time() - begin
            for client in (*clients, honest):
                await client.close()
            return took

    assert asyncio.run(run()) >= 0.45


def test_a_socket_that_is_handed_in_is_served() -> None:
    async def run() -> None:
        sock = socket.create_server(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        async with GameMaster(sockets=[sock]) as master:
            assert master.address == ("127.0.0.1", port)
            assert master.open_room(games.load("piranhas-2019")).codes

    asyncio.run(run())


def test_a_subscriber_that_raises_keeps_no_message_from_a_player_and_no_event_from_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(event: GameEvent) -> None:
        raise RuntimeError("boom")

    events: list[GameEvent] = []

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=tmp_path)) as master:
            master.subscribe(fail)
            master.subscribe(events.append)
            game = games.load("piranhas-2026")
            room = master.open_room(game, isolation=("limits", "none"))
            one, two = [await Raw.connect(master.address) for _ in range(2)]
            for client, code in zip((one, two), room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
            await one.wait_for("moveRequest")
            await one.send(f'<room roomId="{room.room_id}">{game.codec.write_move(some_move(events))}</room>')
            await two.wait_for("moveRequest")
            await two.close()
            await one.wait_for("result")
            await one.wait_for("left")
            assert (await room.ended).result.winner is Team.ONE
            await one.close()

    asyncio.run(run())
    assert [type(event) for event in events] == [GameStarted, MoveMade, GameEnded]
    assert sum("a subscriber failed" in line.message for line in caplog.records) == 3
    [path] = tmp_path.glob("*.jsonl")
    record = read_record(path)
    assert (len(record.moves), record.isolation) == (1, ("limits", "none"))
    assert verify_record(record).is_sound


def test_players_get_their_result_also_when_no_file_descriptor_is_left(tmp_path: Path) -> None:
    """As it was seen: the first use of a thread by the recorder failed, and nobody heard how the game ended."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    in_the_way: list[int] = []

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=tmp_path)) as master:
            room = master.open_room(games.load("piranhas-2026"))
            one, two = [await Raw.connect(master.address) for _ in range(2)]
            for client, code in zip((one, two), room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
            await one.wait_for("moveRequest")
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
            try:
                with suppress(OSError):
                    while True:
                        in_the_way.append(os.open(os.devnull, os.O_RDONLY))
                await one.send(f'<room roomId="{room.room_id}"><data class="move"/></room>')
                for client in (one, two):
                    await client.wait_for("result")
                    await client.wait_for("left")
                assert (await room.ended).result.winner is Team.TWO
            finally:
                for number in in_the_way:
                    os.close(number)
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            await one.close()
            await two.close()

    asyncio.run(run())
    assert in_the_way
    [path] = tmp_path.glob("*.jsonl")
    assert verify_record(read_record(path)).is_sound


def test_players_are_sent_everything_before_a_subscriber_hears_of_it() -> None:
    """So nothing that a subscriber does can keep a result from a player."""
    sent: list[str] = []

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            room = master.open_room(games.load("piranhas-2026"))
            one, two = [await Raw.connect(master.address) for _ in range(2)]
            for client, code in zip((one, two), room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
            await one.wait_for("moveRequest")
            real = master._send
            master._send = lambda command, arrival: sent.append("message") or real(command, arrival)  # type: ignore[method-assign]
            master.subscribe(lambda event: sent.append(type(event).__name__))
            await one.send(f'<room roomId="{room.room_id}"><data class="move"/></room>')
            await two.wait_for("left")
            await one.close()
            await two.close()

    asyncio.run(run())
    assert sent == ["message"] * 3 + ["GameEnded"]


def some_move(events: list[GameEvent]) -> Any:
    """A legal move of the game that has just begun."""
    [started] = events
    assert isinstance(started, GameStarted)
    return started.state.legal_moves()[0]


def test_who_unsubscribes_gets_no_more_events() -> None:
    async def run() -> None:
        events: list[GameEvent] = []
        async with GameMaster(MasterSettings(port=0)) as master:
            stop = master.subscribe(events.append)
            first, second = (master.open_room(games.load("piranhas-2026")) for _ in range(2))
            master.cancel_room(first.room_id)
            stop()
            master.cancel_room(second.room_id)
            assert [event.room_id for event in events] == [first.room_id]
            assert (await second.ended).result.winner is None

    asyncio.run(run())


@pytest.mark.parametrize("key", ["piranhas-2019", "blokus-2021", "ostseeschach-2022"])
def test_a_program_that_takes_one_message_per_read_plays_a_whole_game(key: str) -> None:
    [script] = scripts(key, 1)
    game = games.load(f"{key}-official")

    async def run() -> GameEnded:
        async with GameMaster(MasterSettings(port=0, official=True)) as master:
            room = master.open_room(game, start=game.notation.parse_state(script.start))
            players = [
                OneMessageClient(master.address, code, moves)
                for code, moves in zip(room.codes, script.moves, strict=True)
            ]
            async with asyncio.timeout(60):
                ended = await room.ended
            for player in players:
                player.close()
            return ended

    assert asyncio.run(run()).result.regular


def test_one_read_after_a_join_brings_its_answer_and_nothing_else() -> None:
    # A program of 2025 parses what that read brings as one document.
    have_read: set[Team] = set()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with GameMaster(MasterSettings(port=0)) as master:
            hooks = RoomHooks(has_read=lambda team, peer: team in have_read)
            opened = master.open_room(games.load("hase-und-igel-2025"), hooks=hooks)
            players = [socket.create_connection(master.address) for _ in opened.codes]
            for player, code in zip(players, opened.codes, strict=True):
                player.setblocking(False)
                await loop.sock_sendall(player, f'<protocol><joinPrepared reservationCode="{code}"/>'.encode())
            await until(lambda: master.lobby.rooms[opened.room_id].is_complete)
            for team, player in zip(Team, players, strict=True):
                answer = await loop.sock_recv(player, 1 << 16)
                assert answer == f'<protocol>\n  <joined roomId="{opened.room_id}"/>'.encode()
                have_read.add(team)
            for player in players:
                assert b"welcomeMessage" in await loop.sock_recv(player, 1 << 16)
                player.close()

    asyncio.run(run())


@pytest.mark.parametrize("reads_after", [5, None], ids=["late", "never"])
def test_a_request_waits_until_its_player_has_read_the_state_but_not_for_ever(
    reads_after: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reads_after is None:
        monkeypatch.setattr("spielleiter.server.master._MAX_UNREAD_SECONDS", 0.05)
    asked: list[Team] = []

    def has_read(team: Team, peer: Peer) -> bool:
        asked.append(team)
        return reads_after is not None and len(asked) > reads_after

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, start_gap=0)) as master:
            room = master.open_room(games.load("ostseeschach-2022"), hooks=RoomHooks(has_read=has_read))
            clients = [await Raw.connect(master.address) for _ in room.codes]
            for client, code in zip(clients, room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
            await clients[0].wait_for("moveRequest")
            for client in clients:
                await client.close()

    asyncio.run(run())
    if reads_after is None:
        assert set(asked) == {Team.ONE}
        assert 1 < len(asked) <= 30
    else:
        assert asked == [Team.ONE] * 6 + [Team.TWO], (
            "the one who is not asked would get the next state in the same read"
        )


def test_a_player_that_never_reads_in_time_wins_no_time_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.server.peer._READ_SECONDS", 0.01)
    asked: list[Team] = []

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, start_gap=0)) as master:
            hooks = RoomHooks(has_read=lambda team, peer: team is Team.TWO or bool(asked.append(team)))
            room = master.open_room(games.load("ostseeschach-2022"), hooks=hooks)
            clients = [await Raw.connect(master.address) for _ in room.codes]
            for client, code in zip(clients, room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
            await clients[0].wait_for("moveRequest")
            for client in clients:
                await client.close()

    asyncio.run(run())
    assert len(asked) == 6, "five waits of 2 ms, and the credit is used up"


def test_no_room_waits_for_the_gap_of_another() -> None:
    gap, number = 1.5, 60  # One after the other they would take longer than the test may.

    async def run() -> float:
        async with asyncio.timeout(gap * number - 20), GameMaster(MasterSettings(port=0, request_gap=gap)) as master:
            rooms = [master.open_room(games.load("piranhas-2026")) for _ in range(number)]
            clients = [await Raw.connect(master.address) for room in rooms for _ in room.codes]
            begin = asyncio.get_running_loop().time()
            for client, code in zip(clients, (code for room in rooms for code in room.codes), strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
            for client in clients[::2]:
                await client.wait_for("moveRequest")
            took = asyncio.get_running_loop().time() - begin
            for client in clients:
                await client.close()
            return took

    assert asyncio.run(run()) >= gap


def test_two_people_play_without_a_connection_and_their_times_are_recorded(tmp_path: Path) -> None:
    game, waited = games.load("piranhas-2026"), list[float]()

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=tmp_path)) as master:
            room = master.open_room(game, names=("Ada", "Grace"), can_timeout=(False, False), by_hand=(True, True))
            assert room.codes == ("", "")
            master.admit(room.room_id)
            for _ in range(4):
                state, asked = master.lobby.rooms[room.room_id].state, time.monotonic()
                move = state.legal_moves()[0]
                waited.append(time.monotonic() - asked)
                master.play(room.room_id, state.to_move, move)
            master.resign(room.room_id, Team.ONE)
            await room.ended
            assert master.metrics.connections_total == 0
            with pytest.raises(Refused, match="over"):
                master.play(room.room_id, Team.ONE, None)

    asyncio.run(run())
    [path] = tmp_path.iterdir()
    record = read_record(path)
    assert verify_record(record).is_sound
    assert [
        move.timing is not None and move.timing.elapsed >= seconds - 1e-6  # as a record rounds it
        for move, seconds in zip(record.moves, waited, strict=True)
    ] == [True] * 4
