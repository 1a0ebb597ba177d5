"""What a server says, put together by hand."""

from __future__ import annotations

from random import Random
from typing import Any

from spielleiter.client.session import Action, Session
from spielleiter.game import AnyGame
from spielleiter.games import load
from spielleiter.wire import encode
from spielleiter.wire.messages import Join, Joined, Memento, MoveRequest, Request, ServerMessage, Welcome

ROOM = "r1"


class ScriptedServer:
    """Says one message after the other to a session, and collects what the session wants done."""

    def __init__(self, key: str = "piranhas-2026", join: Any = None, game: AnyGame | None = None) -> None:
        self.game = load(key)
        self.state = self.game.new_state(Random(7))
        self.session = Session(join or Join(), game)
        self.session.data_to_send()
        self.now = 100.0
        self._write = self.game.codec.state_writer(("Ada", "Bob"))
        self.say_raw(b"<protocol>")

    def say_raw(self, data: bytes | str) -> list[Action]:
        self.session.receive_data(data.encode() if isinstance(data, str) else data, self.now)
        return list(self.session.actions())

    def say(self, message: ServerMessage | Request) -> list[Action]:
        return self.say_raw(encode(message))

    def hang_up(self) -> list[Action]:
        self.session.receive_data(b"", self.now)
        return list(self.session.actions())

    def begin(self, color: str = "ONE") -> list[Action]:
        return self.say(Joined(ROOM)) + self.say(Welcome(ROOM, color)) + self.show(self.state)

    def show(self, state: Any) -> list[Action]:
        self.state = state
        return self.say(Memento(ROOM, self._write(state, ())))

    def ask(self) -> list[Action]:
        return self.say(MoveRequest(ROOM, self.game.codec.dialect.move_request))
