"""Coverage-guided fuzzing of everything that reads what strangers send: ``make fuzz``.

The first byte chooses what is fuzzed, the second the size of the pieces into which the rest is cut. Nothing may come
out but the errors that the readers promise. New findings land in fuzz/corpus; the tests do the same in small.
"""

from __future__ import annotations

import sys
from random import Random

import atheris

with atheris.instrument_imports(include=["spielleiter"]):
    from spielleiter import games
    from spielleiter.errors import NotationError, RecordError, RemoteProtocolError, UnknownGame
    from spielleiter.records.reader import parse_record
    from spielleiter.records.replay_xml import parse_replay
    from spielleiter.referee import Arrival, Lobby, LobbySettings
    from spielleiter.wire import ClientConnection, ServerConnection

GAMES = [game for game in games.all_games().values() if not game.official]


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def fuzz_lobby(data: bytes, size: int) -> None:
    """Two players sit at a table; the first one sends whatever comes."""
    numbers = iter(range(10**6))
    game = GAMES[size % len(GAMES)]
    lobby = Lobby(
        GAMES,
        default=game,
        new_start=lambda chosen: chosen.new_state(Random(1)),
        new_id=lambda: f"id{next(numbers)}",
        settings=LobbySettings(password="p"),
    )
    peers = {1: ServerConnection(), 2: ServerConnection()}
    stream = [(2, b"<protocol><join/>"), (1, b"<protocol><join/>")] + [(1, piece) for piece in pieces(data, size)]
    for at, (number, piece) in enumerate(stream):
        peers[number].receive_data(piece)
        try:
            for event in peers[number].events():
                lobby.received(number, event, Arrival(at / 100))
        except RemoteProtocolError as error:
            lobby.broken(number, error, at / 100)
            break
    lobby.time_passed(1e9)
    lobby.disconnected(2, 1e9)


def fuzz_client(data: bytes, size: int) -> None:
    """A server that says anything."""
    client = ClientConnection()
    game = GAMES[size % len(GAMES)]
    for piece in pieces(data, size):
        client.receive_data(piece)
        try:
            for event in client.events():
                state = getattr(event, "state", None)
                if state is not None:
                    game.codec.read_state(state)
        except RemoteProtocolError:
            return


def fuzz_notation(data: bytes, size: int) -> None:
    """Positions and moves."""
    text = data.decode("utf-8", "replace")
    try:
        game, state = games.parse_position(text)
    except (NotationError, UnknownGame):
        game = GAMES[size % len(GAMES)]
        state = game.new_state(Random(1))
    try:
        state.violation(game.notation.parse_move(state, text))
    except NotationError:
        return


def fuzz_records(data: bytes, size: int) -> None:
    """Files that should be records."""
    try:
        record = parse_replay(data, "fuzz") if size % 2 else parse_record(data, "fuzz")
        for state in record.states():
            state.legal_moves()
    except RecordError:
        return


TARGETS = (fuzz_lobby, fuzz_client, fuzz_notation, fuzz_records)


def fuzz(data: bytes) -> None:
    """One input."""
    if len(data) > 2:
        TARGETS[data[0] % len(TARGETS)](data[2:], data[1] + 1)


if __name__ == "__main__":
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()
