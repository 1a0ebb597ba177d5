"""A script for the lobby: what clients say, what the operator does, and how time passes.

A line that begins with ``@`` says what happens next (see ``_Stage.act``); what follows it up to the next such line is
sent by whoever spoke last: ``@say 2`` lets connection 2 speak. Ids of rooms and reservations are id0, id1, ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

from spielleiter.errors import MessageError, RemoteProtocolError
from spielleiter.game import AnyGame, Team, Text
from spielleiter.referee import Arrival, Effects, HangUp, Lobby, LobbySettings, RequestLater, Send
from spielleiter.referee.room import Seat
from spielleiter.wire import ClientConnection, ServerConnection, encode
from spielleiter.wire.messages import Unreadable

_ACT = re.compile(rb"^@([a-z]+) ?([^\n]*)\n?", re.MULTILINE)
_MAX_ACTS = 300


def play_script(script: bytes, games: Sequence[AnyGame], default: AnyGame, size: int) -> None:
    """Do what the script says; bytes arrive in pieces of ``size``. Two players sit at a table of ``default`` before."""
    stage = _Stage(games, default, size, reserved_only=script.startswith(b"@reserved"))
    stage.say(2, b"<protocol><join/>")
    stage.say(1, b"<protocol><join/>")
    first, *rest = _ACT.split(script)
    stage.say(stage.speaker, first)
    for at in range(0, min(len(rest), 3 * _MAX_ACTS), 3):
        word, argument, said = rest[at : at + 3]
        stage.act(word.decode(), argument.decode("utf-8", "replace").strip())
        stage.say(stage.speaker, said)
    stage.end()


class _Stage:
    """A lobby with connections on both ends: whatever the lobby says has to be understood."""

    def __init__(self, games: Sequence[AnyGame], default: AnyGame, size: int, *, reserved_only: bool) -> None:
        numbers = iter(range(10**6))
        self._lobby = Lobby(
            games,
            default=default,
            new_start=lambda chosen: chosen.new_state(Random(1)),
            new_id=lambda: f"id{next(numbers)}",
            settings=LobbySettings(password="p", max_rooms=4, max_seats=2, reserved_only=reserved_only),
        )
        self._game, self._size, self._now = default, size, 0.0
        self._servers: dict[int, ServerConnection] = {}
        self._clients: dict[int, ClientConnection] = {}
        self._due: list[RequestLater] = []
        self.speaker = 1

    def say(self, number: int, data: bytes) -> None:
        """A client sends bytes, which come in pieces; who was cut off before comes again."""
        for at in range(0, len(data), self._size):
            if number not in self._servers:
                self._servers[number], self._clients[number] = ServerConnection(), ClientConnection()
                self._clients[number].receive_data(b"<protocol>")
                self._lobby.connected(number, f"10.0.0.{number % 2}")
            self._now += 0.01
            server = self._servers[number]
            server.receive_data(data[at : at + self._size])
            try:
                for event in server.events():
                    self._perform(self._lobby.received(number, event, Arrival(self._now)))
            except RemoteProtocolError as error:
                self._perform(self._lobby.broken(number, error, self._now))

    def act(self, word: str, argument: str) -> None:
        """Something happens that no client says."""
        lobby, now = self._lobby, self._now
        acts: dict[str, Callable[[], Effects | None]] = {
            "left": lambda: self._leave(_number(argument)),
            "time": lambda: self._wait(_number(argument)),
            "sent": lambda: lobby.request_sent(argument, now),
            "due": lambda: [effect for due in self._due for effect in lobby.request_due(due.room_id, due.due, now)],
            "cancel": lambda: lobby.cancel(argument, now),
            "resign": lambda: lobby.resign(argument, Team.ONE, now),
            "adjudicate": lambda: lobby.adjudicate(argument, Team.TWO, Text("klar", "clear"), now),
            "pause": lambda: lobby.pause(argument, True, now),
            "resume": lambda: lobby.pause(argument, False, now),
            "step": lambda: lobby.step(argument, now),
            "invite": lambda: lobby.invite(argument, "Guest"),
            "open": lambda: self._open(argument),
            "stop": lambda: lobby.stop(now),
        }
        if word == "say":
            self.speaker = _number(argument) % 5
        elif word in acts:
            self._perform(acts[word]() or [])

    def end(self) -> None:
        """Time runs out and the server stops; nothing may be left."""
        for number in self._servers:
            self._lobby.is_idle(number)
        self._perform(self._wait(10**6))
        assert self._lobby.next_deadline() is None
        self._perform(self._lobby.stop(self._now))
        assert not self._lobby.rooms

    def _leave(self, number: int) -> Effects:
        self._servers.pop(number, None)
        return self._lobby.disconnected(number, self._now, "gone")

    def _wait(self, seconds: float) -> Effects:
        self._now += seconds
        return self._lobby.time_passed(self._now)

    def _open(self, code: str) -> Effects:
        with suppress(MessageError):
            room = self._lobby.open_room(self._game, (Seat(Team.ONE, code=code), Seat(Team.TWO)))
            return self._lobby.admit(room.room_id, self._now)
        return []

    def _perform(self, effects: Effects) -> None:
        for effect in effects:
            match effect:
                case Send(to, message):
                    data = encode(message)
                    for number in to:
                        assert isinstance(number, int)
                        _hear(self._clients[number], data)
                case HangUp(number):
                    assert isinstance(number, int)
                    self._servers.pop(number, None)
                case RequestLater():
                    self._due = [*self._due[-3:], effect]


def _hear(client: ClientConnection, data: bytes) -> None:
    """What the lobby says to a client can be read by it."""
    client.receive_data(data)
    for event in client.events():
        assert not isinstance(event, Unreadable), data


def _number(text: str) -> int:
    """The number that a script says, in bounds; 0 if it says none."""
    with suppress(ValueError):
        value = float(text)
        return 0 if math.isnan(value) else int(min(max(value, 0), 10**4))
    return 0
