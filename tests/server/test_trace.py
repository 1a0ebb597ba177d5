"""Messages as people see them: both ways, with names and times, and without secrets."""

from __future__ import annotations

import asyncio

import pytest

from spielleiter import games
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.server.trace import MAX_LENGTH, RoomTraces, TracedMessage, readable
from tests.support.raw import Raw

PASSWORD = "open-sesame"


def trace_game() -> tuple[list[TracedMessage], tuple[str, str]]:
    """What is seen of a game that ends at once, between Ada, who has a reservation, and somebody with another one."""
    seen: list[TracedMessage] = []

    async def run() -> tuple[str, str]:
        async with GameMaster(MasterSettings(port=0, password=PASSWORD, language="en")) as master:
            master.tracer.subscribe(seen.append)
            room = master.open_room(games.load("piranhas-2026"), names=("Ada", ""))
            admin = await Raw.connect(master.address)
            await admin.send(f'<authenticate password="{PASSWORD}"/><prepare><slot/><slot reserved="true"/></prepare>')
            await admin.wait_for("prepared")
            await admin.send("<joinPrepared reservationCode='made-up \x7f'/>")
            await admin.wait_for("errorpacket")
            players = [await Raw.connect(master.address) for _ in range(2)]
            for player, code in zip(players, room.codes, strict=True):
                await player.send(f"<joinPrepared><reservationCode>{code}</reservationCode></joinPrepared>")
            await players[0].wait_for("moveRequest", "MoveRequest")
            await players[0].send(f'<room roomId="{room.room_id}"><data class="nonsense"/></room>')
            await players[1].wait_for("left")
            for client in (admin, *players):
                await client.close()
            return room.codes

    return seen, asyncio.run(run())


def test_a_trace_shows_both_ways_with_names_but_no_secret() -> None:
    seen, codes = trace_game()
    ways = [(message.sender, message.receivers) for message in seen]
    assert ("Ada (ONE)", "server") in ways
    assert ("server", "Ada (ONE), Player from 127.0.0.1 (TWO)") in ways
    assert any(sender.startswith("connection ") for sender, _ in ways)
    text = "\n".join(f"{message.heading}\n{message.text}" for message in seen)
    assert 'class="nonsense"' in text
    assert '<authenticate password="***"/>' in text
    assert "<reservation>***</reservation>" in text
    for secret in (PASSWORD, "made-up", *codes):
        assert secret not in text
    assert [message.at for message in seen] == sorted(message.at for message in seen)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ('<join displayName="\x1b[31mred\x9b"/>', '<join displayName="red�"/>'),
        ("<authenticate passphrase = 'a' password='b'/>", '<authenticate passphrase="***" password="***"/>'),
        ("x" * (MAX_LENGTH + 7), "x" * MAX_LENGTH + " … (7 more characters)"),
    ],
)
def test_a_message_is_fit_for_a_terminal(sent: str, shown: str) -> None:
    assert readable(sent) == shown


def test_nothing_is_traced_until_somebody_looks_and_after_the_room_is_over() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            heard: list[None] = []
            traces = RoomTraces(master.tracer, master.lobby, lambda: heard.append(None))
            room = master.open_room(games.load("piranhas-2026"))
            assert not master.tracer.is_on
            assert traces.of("elsewhere") is None
            assert traces.of(room.room_id) == ()
            assert master.tracer.is_on
            client = await Raw.connect(master.address)
            await client.send(f'<joinPrepared reservationCode="{room.codes[0]}"/>')
            await client.wait_for("joined")
            assert [message.receivers for message in traces.of(room.room_id) or ()] == ["Spieler von 127.0.0.1 (ONE)"]
            master.cancel_room(room.room_id)
            await client.wait_for("left")
            # The next message of anybody shows that there is nothing to follow any more.
            await client.send("<join/>")
            await client.wait_for("joined")
            assert not master.tracer.is_on
            assert len(traces.of(room.room_id) or ()) == len(heard) == 3
            await client.close()

    asyncio.run(run())


def test_a_message_belongs_to_its_room_and_to_the_players_it_names() -> None:
    message = TracedMessage(0.0, "5f3a-room", "Ada (ONE)", "server", "<move/>")
    assert all(message.is_of(wanted) for wanted in ("5f3a", "Ada"))
    assert not any(message.is_of(wanted) for wanted in ("6", "Ad", "ONE"))
