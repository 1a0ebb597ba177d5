"""Plays conversations with the lobby without any I/O, and knows the recorded ones of the reference servers.

A recorded message is what one side sent, byte for byte; texts for people stand there as ``(text)``.
"""

from __future__ import annotations

import re
import tarfile
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter.errors import RemoteProtocolError
from spielleiter.game import AnyGame
from spielleiter.game.element import Element
from spielleiter.games import all_games, load
from spielleiter.referee import Arrival, Effects, GameEnded, HangUp, Lobby, LobbySettings, RequestLater, Send
from spielleiter.wire import ClientConnection, ServerConnection, encode
from spielleiter.wire.messages import Memento, MoveRequest

PASSWORD = "examplepassword"
OFFICIAL = {game.year: game.key for game in all_games().values() if game.official}
SEASONS = sorted(OFFICIAL)
Cut = Callable[[bytes], Iterator[bytes]]


# --- the recordings ---------------------------------------------------------------------------------------------------


@cache
def _recordings() -> dict[str, bytes]:
    """All recorded files by season and name; a season that came later has an archive of its own."""
    found: dict[str, bytes] = {}
    for path in sorted((Path(__file__).parents[1] / "wire" / "data").glob("recordings*.tar.xz")):
        with tarfile.open(path) as archive:
            files = {member.name: archive.extractfile(member) for member in archive}
            found |= {name: file.read() for name, file in files.items() if file is not None}
    return found


def recorded(year: int, name: str, direction: str) -> bytes:
    """The bytes of one direction (``c2s`` or ``s2c``) of a recorded connection."""
    return _recordings()[f"{year}/{name}.{direction}.txt"]


@cache
def _names(year: int) -> list[str]:
    found = (re.fullmatch(rf"{year}/(.+)\.c2s\.txt", path) for path in _recordings())
    return sorted(match[1] for match in found if match)


def connections(year: int, scenario: str) -> list[str]:
    """The names of the recorded connections that begin with ``scenario`` and a separator."""
    return [name for name in _names(year) if re.fullmatch(re.escape(scenario) + r"[-_.][^-_.]+", name)]


def roles(year: int, scenario: str) -> dict[str, str]:
    """The recorded connections of a scenario by a letter: administrator a, players 1 and 2, observer o, stranger x.

    A scenario that is only one connection has it under ``*``.
    """
    names = connections(year, scenario)
    letters = {"admin": "a", "observer": "o", "red": "1", "blue": "2", "p1": "1", "p2": "2", "p3": "3", "x": "x"}
    found = {letters[last]: name for name in names if (last := re.split(r"[-_.]", name)[-1]) in letters}
    return found or {"*": scenario}


def messages(stream: bytes) -> list[bytes]:
    """The stream cut before each message; the opening goes with the first, the closing is one of its own."""
    cuts, depth, opened = [], 0, False
    tags = rb"<!--.*?-->|<\?.*?\?>|<(/?)([^\s/>]+)(?:\"[^\"]*\"|'[^']*'|[^>\"'])*?(/?)>"
    for tag in re.finditer(tags, stream, re.DOTALL):
        if tag[2] is None:
            continue
        if not opened:
            opened = True
            continue
        depth += -1 if tag[1] else 0 if tag[3] else 1
        if depth <= 0:
            cuts.append(tag.end())
    return [stream[a:b] for a, b in zip([0, *cuts], cuts, strict=False) if stream[a:b].strip()]


def without_texts(message: bytes) -> bytes:
    """A message of a server as the recordings keep it, without the decoration that we leave out."""
    message = message.replace(b"\n          <line>------------</line>", b"")
    return re.sub(rb' (reason|message)="[^"]+"', rb' \1="(text)"', message)


def recorded_start(game: AnyGame, stream: bytes) -> Any:
    """The first position in what a server said."""
    client = ClientConnection(game.codec.dialect)
    client.receive_data(stream)
    first = next(event for event in client.events() if isinstance(event, Memento))
    assert isinstance(first.state, Element)
    return game.codec.read_state(first.state)


def recorded_ids(stream: bytes) -> list[str]:
    """The names that a server invented, in the order in which ours asks for them: codes, then their room."""
    ids: list[str] = []
    for prepared in re.finditer(
        rb'<prepared roomId="([^"]*)"(/>|.*?</prepared>)|<joined roomId="([^"]*)"', stream, re.DOTALL
    ):
        ids += [code.decode() for code in re.findall(rb"<reservation>(.*?)</", prepared[2] or b"")]
        ids.append((prepared[1] or prepared[3]).decode())
    return ids


# --- the stage --------------------------------------------------------------------------------------------------------


def whole(data: bytes) -> Iterator[bytes]:
    """All in one piece."""
    yield data


def single_bytes(data: bytes) -> Iterator[bytes]:
    """Each byte alone."""
    return (data[i : i + 1] for i in range(len(data)))


class Theatre:
    """A lobby, its connections and a clock that only the test moves."""

    def __init__(
        self,
        *games: AnyGame,
        start: Any = None,
        ids: list[str] | None = None,
        cut: Cut = whole,
        settings: LobbySettings | None = None,
    ) -> None:
        games = games or tuple(load(OFFICIAL[year]) for year in SEASONS)
        rng = Random(1)
        fresh = (f"id-{n}" for n in count(1))
        known = deque(ids or [])
        self.now = 1000.0
        self.effects: Effects = []
        self.heard: dict[str, list[bytes]] = {}
        self.asked: dict[str, int] = {}
        self.lobby = Lobby(
            games,
            default=games[0],
            new_start=lambda game: game.new_state(rng) if start is None else start,
            new_id=lambda: known.popleft() if known else next(fresh),
            settings=settings or LobbySettings(password=PASSWORD),
        )
        self._connections: dict[str, ServerConnection] = {}
        self._cut = cut

    def say(self, name: str, data: bytes | str, *, stamp: float | None = None) -> list[bytes]:
        """Let a client send bytes; returns what it heard because of them."""
        connection = self._connection(name)
        before = len(self.heard[name])
        self.asked[name] = 0
        for piece in self._cut(data.encode() if isinstance(data, str) else data):
            connection.receive_data(piece)
            try:
                for event in connection.events():
                    self.perform(self.lobby.received(name, event, Arrival(self.now, stamp)))
            except RemoteProtocolError as error:
                self.perform(self.lobby.broken(name, error, self.now))
        return self.heard[name][before:]

    def hang_up(self, name: str) -> None:
        """Let a client close its socket."""
        connection = self._connection(name)
        connection.receive_data(b"")
        for event in connection.events():
            self.perform(self.lobby.received(name, event, Arrival(self.now)))
        self.perform(self.lobby.disconnected(name, self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        self.perform(self.lobby.time_passed(self.now))

    def perform(self, effects: Effects) -> None:
        """Do what the lobby wants, as a server would."""
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Send):
                data = encode(effect.message)
                for name in effect.to:
                    self._connection(str(name)).send_encoded(data)
                    self._flush(str(name))
                    self.asked[str(name)] += isinstance(effect.message, MoveRequest)
            elif isinstance(effect, HangUp):
                self._connection(str(effect.connection)).close()
                self._flush(str(effect.connection))
        for effect in effects:
            if isinstance(effect, RequestLater):
                self.now = max(self.now, effect.due)
                self.perform(self.lobby.request_due(effect.room_id, effect.due, self.now))

    def closed(self, name: str) -> bool:
        """Whether the server has ended this connection."""
        return self._connection(name).closed

    def _flush(self, name: str) -> None:
        data = self._connection(name).data_to_send()
        if data:
            self.heard[name].append(data)

    def _connection(self, name: str) -> ServerConnection:
        self.heard.setdefault(name, [])
        self.asked.setdefault(name, 0)
        if name not in self._connections:
            self._connections[name] = ServerConnection()
        return self._connections[name]


# --- games on this stage ----------------------------------------------------------------------------------------------

OFFICIAL_GAMES = [load(OFFICIAL[year]) for year in SEASONS]
every_season = pytest.mark.parametrize("game", OFFICIAL_GAMES, ids=str)


def first_move(state: Any, game: AnyGame, room_id: str = "room") -> str:
    """A legal move as a client sends it."""
    return f'<room roomId="{room_id}">{game.codec.write_move(state.legal_moves()[0])}</room>'


def illegal_move(game: AnyGame, room_id: str = "room") -> str:
    """A well-formed move off the board: its first number is too large."""
    move = game.codec.write_move(game.new_state(Random(3)).legal_moves()[0])
    return f'<room roomId="{room_id}">{re.sub(r"=.[0-9]+.", "=" + chr(34) + "99" + chr(34), move, count=1)}</room>'


def prepared(game: AnyGame, *, pause: bool = False, start: Any = None, **settings: Any) -> Theatre:
    """A running game between Alice and Bob, watched by an administrator; the room is called ``room``."""
    theatre = Theatre(
        game, start=start, ids=["code-1", "code-2", "room"], settings=LobbySettings(password=PASSWORD, **settings)
    )
    theatre.say("admin", authenticate())
    slots = "".join(f'<slot displayName="{name}" canTimeout="true" reserved="true"/>' for name in ("Alice", "Bob"))
    paused = "true" if pause else "false"
    theatre.say(
        "admin", f'<prepare gameType="{game.wire_name}" pause="{paused}">{slots}</prepare><observe roomId="room"/>'
    )
    theatre.say("alice", '<protocol><joinPrepared reservationCode="code-1"/>')
    theatre.say("bob", '<protocol><joinPrepared reservationCode="code-2"/>')
    return theatre


def authenticate() -> str:
    return f'<protocol><authenticate password="{PASSWORD}"/>'


def end(theatre: Theatre) -> GameEnded:
    [ended] = [effect for effect in theatre.effects if isinstance(effect, GameEnded)]
    return ended


def causes(theatre: Theatre) -> tuple[str, str]:
    one, two = end(theatre).result.teams
    return one.cause.value, two.cause.value


def saw_the_result(theatre: Theatre, *names: str) -> bool:
    """Whether the last two things that each of them heard are the result and that the room is left."""
    return all(
        b'<data class="result">' in theatre.heard[name][-2] and b"<left " in theatre.heard[name][-1] for name in names
    )
