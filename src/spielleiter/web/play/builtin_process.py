"""A built-in player as a process of its own: ``python -m spielleiter.web.play.builtin_process HOST PORT GAME NAME``.

It reads reservation codes from its input, one a line, and plays a game with each. So it thinks without disturbing the
game master, whose clocks run in the same process as the pages; and a new game need not wait for a new process.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from typing import Any

from spielleiter import games, players
from spielleiter.game import AnyGame, AnyPlayer, Element
from spielleiter.wire import ClientConnection
from spielleiter.wire.messages import JoinPrepared, Left, Memento, MoveRequest, RoomMessage, ServerMessage


def play(connection: socket.socket, code: str, game: AnyGame, player: AnyPlayer) -> None:
    """One game with the place that ``code`` opens, until the room is left or the server is gone."""
    talk = ClientConnection(game.codec.dialect)
    talk.send(JoinPrepared(code))
    state: Any = None
    for message in _messages(connection, talk):
        match message:
            case Memento(_, told):
                assert isinstance(told, Element)
                state = game.codec.read_state(told)
            case MoveRequest(room_id):
                move = player.choose(state, game.limits.soft)
                talk.send(RoomMessage(room_id, game.codec.write_move(move)))
            case Left():
                return


def _messages(connection: socket.socket, talk: ClientConnection) -> Iterator[ServerMessage]:
    while True:
        connection.sendall(talk.data_to_send())
        data = connection.recv(1 << 16)
        if not data:
            return
        talk.receive_data(data)
        yield from talk.events()  # type: ignore[misc]  # Close and Unreadable mean nothing to the caller.


def main() -> None:
    """Play a game for each line of standard input."""
    host, port, key, name = sys.argv[1:]
    game = games.load(key)
    for line in sys.stdin:
        player = players.load(name)
        with socket.create_connection((host, int(port)), timeout=None) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            play(connection, line.strip(), game, player)


if __name__ == "__main__":
    main()
