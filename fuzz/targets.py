"""What is fuzzed: one function for each kind of input. Nothing may come out but the errors that the readers promise.

The first byte says whether the rest is the input itself, or edits of a seed (see ``edits``). The seeds are in
``fuzz/seeds``, a folder for each target; ``tests/test_fuzz.py`` runs every target over its seeds.
"""

from __future__ import annotations

import asyncio
import io
import logging
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from fuzz.edits import Choices, edited
from spielleiter import games
from spielleiter.contest.season.file import parse_season
from spielleiter.errors import (
    NotationError,
    PageError,
    ProgramError,
    RecordError,
    Refused,
    RemoteProtocolError,
    SettingsError,
    UnknownGame,
)
from spielleiter.programs.archive import ArchiveLimits, list_zip, unpack_zip
from spielleiter.records.game_list import game_line, parse_games
from spielleiter.records.reader import parse_record
from spielleiter.records.record import GameRecord
from spielleiter.records.replay_xml import parse_replay
from spielleiter.records.variations import check_variations, parse_variations
from spielleiter.records.verify import verify_record
from spielleiter.referee import Arrival, Lobby, LobbySettings
from spielleiter.server.properties import parse_properties
from spielleiter.web.analysis.board import Path as AnalysisPath
from spielleiter.web.contest.forms import check_token, field, secret_field
from spielleiter.web.play.board_input import FIELDS, handler
from spielleiter.wire import ClientConnection, ServerConnection

SEEDS = Path(__file__).parent / "seeds"
GAMES = [game for game in games.all_games().values() if not game.official]
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)
PLAIN, EDITS = b"\x00", b"\x01"


@cache
def seeds(target: str) -> list[bytes]:
    """The documents in the folder of a target."""
    return [path.read_bytes() for path in sorted((SEEDS / target).iterdir())]


def document(target: str, data: bytes) -> bytes:
    """The input that ``data`` stands for: itself, or an edited seed."""
    choices = Choices(data)
    if choices.number(2) == 0:
        return choices.rest()
    seed = choices.pick(seeds(target))
    return edited(seed.decode("utf-8", "replace"), choices).encode("utf-8", "replace")


def pieces(data: bytes, size: int) -> list[bytes]:
    """The data cut as a network might cut it."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def fuzz_lobby(data: bytes) -> None:
    """Two players sit at a table; the first one sends whatever comes."""
    size = len(data) % 97 + 1
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
    stream = [(2, b"<protocol><join/>"), (1, b"<protocol><join/>")]
    stream += [(1, piece) for piece in pieces(document("lobby", data), size)]
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


def fuzz_client(data: bytes) -> None:
    """A server that says anything."""
    client = ClientConnection()
    for piece in pieces(document("client", data), len(data) % 97 + 1):
        client.receive_data(piece)
        try:
            for event in client.events():
                state = getattr(event, "state", None)
                if state is not None:
                    for game in GAMES:
                        _read_state(game, state)
        except RemoteProtocolError:
            return


def _read_state(game: Any, state: Any) -> None:
    try:
        game.codec.read_state(state).legal_moves()
    except RemoteProtocolError:
        return


def fuzz_notation(data: bytes) -> None:
    """Positions and moves."""
    text = document("notation", data).decode("utf-8", "replace")
    position, _, move = text.partition("\n")
    try:
        game, state = games.parse_position(position)
    except (NotationError, UnknownGame):
        game = GAMES[len(data) % len(GAMES)]
        state = game.new_state(Random(1))
    try:
        state.violation(game.notation.parse_move(state, move))
    except NotationError:
        return


def fuzz_records(data: bytes) -> None:
    """Files that should be records of ours."""
    try:
        _replay(parse_record(document("records", data), "fuzz"))
    except RecordError:
        return


def fuzz_replays(data: bytes) -> None:
    """Files that should be replays of a reference server."""
    try:
        _replay(parse_replay(document("replays", data), "fuzz", official=len(data) % 2 == 0))
    except RecordError:
        return


def fuzz_game_lists(data: bytes) -> None:
    """Texts that should be lists of games."""
    try:
        for record in parse_games(document("game_lists", data), "fuzz"):
            game_line(record)
    except RecordError:
        return


def fuzz_links(data: bytes) -> None:
    """What a link to the analysis board says: a position, moves, and variations."""
    position, moves, tree = [*document("links", data).decode("utf-8", "replace").split("\n", 2), "", ""][:3]
    try:
        path = AnalysisPath.of({"position": position, "moves": moves})
        check_variations(path.game, path.states, parse_variations(tree))
    except Refused:
        return


def _replay(record: GameRecord) -> None:
    verify_record(record)
    for state in record.states():
        state.legal_moves()


def fuzz_zip(data: bytes) -> None:
    """Archives: bytes that should be one, or members of all kinds with some bytes changed afterwards."""
    choices = Choices(data)
    content = choices.rest() if choices.number(2) == 0 else _archive(choices)
    try:
        unpack_zip(content, list_zip(content, "fuzz", ArchiveLimits(size=1 << 20, files=20, depth=4)), "fuzz")
    except ProgramError:
        return


_NAMES = ("a", "player.py", "A", "..", ".", "", "C:", "a\\b", "\x00", "con", "ä", "x" * 300, "start.sh", "/")


def _archive(choices: Choices) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Two members of one name are what we want.
        for _ in range(choices.number(25)):
            name = "/".join(choices.pick(_NAMES) for _ in range(1 + choices.number(6)))
            member = zipfile.ZipInfo(name or "a")
            member.external_attr = choices.pick((0, 0o100644, 0o120777, 0o040755, 0o010644, 0o104755)) << 16
            member.compress_type = choices.pick((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
            with archive.open(member, "w", force_zip64=choices.number(8) == 1) as inside:
                inside.write(choices.rest(choices.number(64)) * (1 + choices.number(4) ** 8))
    content = bytearray(file.getvalue())
    while choices.left:
        content[choices.number(min(len(content), 1 << 16))] = choices.number(256)
    return bytes(content)


def fuzz_season(data: bytes) -> None:
    """Season files."""
    try:
        parse_season(document("season", data).decode("utf-8", "replace"))
    except SettingsError:
        return


def fuzz_properties(data: bytes) -> None:
    """A server.properties."""
    try:
        parse_properties(document("properties", data).decode("utf-8", "replace"), "fuzz")
    except SettingsError:
        return


def fuzz_forms(data: bytes) -> None:
    """What a browser sends: the body of a form, and the fields of a move on the board."""
    body = document("forms", data)
    kind = b"multipart/form-data; boundary=x" if body.startswith(b"--") else b"application/x-www-form-urlencoded"

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def read() -> dict[str, str]:
        headers = [(b"content-type", kind)]
        request = Request({"type": "http", "headers": headers, "state": {"browser": "b"}, "app": None}, receive)
        with suppress(PageError):
            await check_token(request)
        await secret_field(request, "password")
        fields = {name: await field(request, name) for name in FIELDS}
        await request.close()
        return fields

    try:
        fields = _loop().run_until_complete(read())
    except HTTPException:
        return
    for game in GAMES:
        assert game.board_input is not None
        try:
            handler(game, game.board_input).find_move(fields)(game.new_state(Random(1)))
        except (Refused, ValueError, KeyError):
            continue


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "lobby": fuzz_lobby,
    "client": fuzz_client,
    "notation": fuzz_notation,
    "records": fuzz_records,
    "replays": fuzz_replays,
    "game_lists": fuzz_game_lists,
    "links": fuzz_links,
    "zip": fuzz_zip,
    "season": fuzz_season,
    "properties": fuzz_properties,
    "forms": fuzz_forms,
}

READERS = {
    "lobby": ("wire.framing", "wire.reader", "referee.lobby"),
    "client": ("wire.reader", "games.piranhas.wire", "games.blokus.wire", "games.ostseeschach.wire"),
    "notation": ("games.piranhas.notation", "games.blokus.notation", "games.ostseeschach.notation"),
    "records": ("records.reader", "records.verify"),
    "replays": ("records.replay_xml", "records.verify"),
    "game_lists": ("records.game_list",),
    "links": ("records.variations",),
    "zip": ("programs.archive",),
    "season": ("contest.season.file", "toml_values"),
    "properties": ("server.properties",),
    "forms": ("web.contest.forms", "web.play.board_input"),
}
"""The modules whose coverage says how far a target reaches."""
