"""Whatever everybody does in whatever order, the lobby's books stay true, and nothing is left when all have gone."""

from random import Random

import pytest

from spielleiter.games import load
from spielleiter.referee import GameEnded, GameStarted, Phase, Send
from spielleiter.wire.messages import Left, Result
from tests.support.theatre import OFFICIAL, PASSWORD, SEASONS, Theatre

NAMES = ("ann", "ben", "cleo", "dora", "emil")


def something(theatre: Theatre, rng: Random) -> str:
    """What a client might say: mostly sense, sometimes not."""
    rooms = [*theatre.lobby.rooms, "nowhere"]
    room_id = rng.choice(rooms)
    room = theatre.lobby.rooms.get(room_id)
    game = room.game if room else load(OFFICIAL[SEASONS[0]])
    codes = [seat.code for known in theatre.lobby.rooms.values() for seat in known.seats if seat.code] or ["none"]
    reserved, paused = rng.choice(["true", "false"]), rng.choice(["true", "false"])
    choices = {
        f'<join gameType="{rng.choice([*theatre.lobby.games, "nothing"])}"/>': 6,
        f'<joinRoom roomId="{room_id}"/>': 2,
        f'<joinPrepared reservationCode="{rng.choice(codes)}"/>': 6,
        f'<authenticate password="{rng.choice([PASSWORD, "wrong"])}"/>': 3,
        f'<prepare gameType="{game.wire_name}" pause="{paused}">'
        f'<slot displayName="A" reserved="{reserved}"/><slot displayName="B" reserved="true"/></prepare>': 2,
        f'<observe roomId="{room_id}"/>': 3,
        f'<pause roomId="{room_id}" pause="{paused}"/>': 3,
        f'<step roomId="{room_id}" forced="{paused}"/>': 3,
        f'<cancel roomId="{room_id}"/>': 1,
        f'<room roomId="{room_id}"><data class="nonsense"/></room>': 1,
        f'<room roomId="{room_id}"/>': 1,
        "<nonsense/>": 1,
        "<close/>": 1,
        "<a></b>": 1,
    }
    if room is not None and room.state.legal_moves():
        choices[f'<room roomId="{room_id}">{game.codec.write_move(room.state.legal_moves()[0])}</room>'] = 12
    return rng.choices([*choices], [*choices.values()])[0]


def check(theatre: Theatre) -> None:
    """The laws that hold between any two events."""
    lobby = theatre.lobby
    for room_id, room in lobby.rooms.items():
        assert room.room_id == room_id
        assert room.phase is not Phase.OVER
        assert (room.phase is Phase.RUNNING) == (len(room.players) == 2)
        assert (room.deadline is not None) <= (room.phase is Phase.RUNNING)
        assert room.prepared or room.players
        for seat in room.seats:
            if seat.connection is not None:
                assert lobby._clients[seat.connection].seats[room_id] is seat.team
            elif seat.code is not None:
                assert lobby._reservations[seat.code] == (room, seat)
        for observer in room.observers:
            assert room_id in lobby._clients[observer].observing
    for connection, client in lobby._clients.items():
        assert all(connection in lobby.rooms[room_id].players for room_id in client.seats)
        assert all(connection in lobby.rooms[room_id].observers for room_id in client.observing)
    assert all(room.room_id in lobby.rooms and seat.connection is None for room, seat in lobby._reservations.values())
    opened = {room_id for rooms in lobby._open.values() for room_id in rooms}
    assert opened == {room_id for room_id, room in lobby.rooms.items() if room.open_seat() is not None}
    deadlines = [room.deadline for room in lobby.rooms.values() if room.deadline is not None]
    assert lobby.next_deadline() == min(deadlines, default=None)


@pytest.mark.parametrize("seed", range(12))
def test_the_books_stay_true(seed: int) -> None:
    rng = Random(seed)
    theatre = Theatre()
    connected: dict[str, str] = {}
    for number in range(400):
        role = rng.choice(NAMES)
        if role not in connected:
            connected[role] = f"{role}{number}"
            theatre.say(
                connected[role],
                f'<protocol><authenticate password="{PASSWORD}"/>' if rng.random() < 0.4 else "<protocol>",
            )
        name = connected[role]
        if rng.random() < 0.04:
            theatre.hang_up(name)
        elif rng.random() < 0.05:
            theatre.wait(rng.choice([0.5, 3.0, 11.0]))
        else:
            theatre.say(name, something(theatre, rng))
        connected = {role: name for role, name in connected.items() if name in theatre.lobby._clients}
        check(theatre)
    for name in connected.values():
        theatre.hang_up(name)
    check(theatre)
    assert not theatre.lobby._clients
    assert all(room.prepared and not room.players for room in theatre.lobby.rooms.values())
    everybody_heard_the_end(theatre)


def everybody_heard_the_end(theatre: Theatre) -> None:
    """Every game that began has ended once, and its result went to the same people as the goodbye."""
    started = [effect.room_id for effect in theatre.effects if isinstance(effect, GameStarted)]
    ended = [effect.room_id for effect in theatre.effects if isinstance(effect, GameEnded)]
    assert len(started) > 5
    assert len(set(ended)) == len(ended)
    assert set(started) <= set(ended)
    results = {
        e.message.room_id: e.to for e in theatre.effects if isinstance(e, Send) and isinstance(e.message, Result)
    }
    goodbyes = {e.message.room_id: e.to for e in theatre.effects if isinstance(e, Send) and isinstance(e.message, Left)}
    assert all(goodbyes[room_id] == to for room_id, to in results.items())
