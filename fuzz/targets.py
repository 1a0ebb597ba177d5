"""What is fuzzed: one function for each kind of input. Nothing may come out but the errors that the readers promise.

The first byte says whether the rest is the input itself, or edits of a seed (see ``edits``). The seeds are in
``fuzz/seeds``, a folder for each target; ``tests/test_fuzz.py`` runs every target over its seeds.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import tempfile
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
from fuzz.lobby_script import play_script
from spielleiter import games
from spielleiter.coach.drill import read_drill, write_drill
from spielleiter.contest.season.file import parse_season, read_text
from spielleiter.contest.season.team_list import read_team_list, write_team_list
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
from spielleiter.feeds.feed import FeedLine
from spielleiter.game import AnyGame, Element, Language
from spielleiter.game.note import MAX_NOTES, MAX_OUTPUT
from spielleiter.game.note_reader import read_notes, read_printed
from spielleiter.lab.parameter_file import read_parameters
from spielleiter.matches.results import MatchGame, last_attempts, read_rows
from spielleiter.pages.board_input import input_data, legal_move
from spielleiter.programs.archive import ArchiveLimits, list_zip, unpack_zip
from spielleiter.programs.entrants import Entrant, EntrantKind, entrant_from_zip, game_folder
from spielleiter.programs.failure import explain_failure, last_error
from spielleiter.programs.sandbox import Breach, ExitStatus, ProgramFile
from spielleiter.programs.start_script import lint_start_script
from spielleiter.records.game_list import game_list, parse_games, read_games
from spielleiter.records.load import open_any, state_at
from spielleiter.records.reader import RecordReader, parse_record
from spielleiter.records.replay_xml import parse_replay, replay_bytes
from spielleiter.records.variations import check_variations, format_variations, parse_variations
from spielleiter.records.verify import verify_record
from spielleiter.records.writer import record_lines
from spielleiter.server.properties import read_properties
from spielleiter.values import parse_json
from spielleiter.web.analysis.board import Path as AnalysisPath
from spielleiter.web.analysis.editor import check_setup
from spielleiter.web.season.forms import check_token, field, moment_of, secret_field
from spielleiter.wire import ClientConnection
from spielleiter.wire.framing import parse_element

SEEDS = Path(__file__).parent / "seeds"
GAMES = [game for game in games.all_games().values() if not game.official]
FOLDERS = sorted({game_folder(game) for game in GAMES})
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)
PLAIN, EDITS = b"\x00", b"\x01"


@cache
def seeds(target: str) -> dict[str, bytes]:
    """The documents in the folder of a target, by their names."""
    return {path.name: path.read_bytes() for path in sorted((SEEDS / target).iterdir())}


def document(target: str, data: bytes) -> bytes:
    """The input that ``data`` stands for: itself, or an edited seed."""
    choices = Choices(data)
    if choices.number(2) == 0:
        return choices.rest()
    texts = _texts(target)
    return edited(choices.pick(texts), choices, texts).encode("utf-8", "replace")


@cache
def _texts(target: str) -> list[str]:
    return [seed.decode("utf-8", "replace") for seed in seeds(target).values()]


def content(target: str, data: bytes) -> bytes:
    """What the reader of a target gets to see."""
    return _archive_bytes(data) if target == "zip" else document(target, data)


def on_disk(data: bytes) -> Path:
    """A file with these bytes; the next call overwrites it."""
    path = Path(_folder().name) / "input"
    path.write_bytes(data)
    return path


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="spielleiter-fuzz-")


def pieces(data: bytes, size: int) -> list[bytes]:
    """The data cut as a network might cut it."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def fuzz_lobby(data: bytes) -> None:
    """Clients that say whatever comes, and an operator who does whatever comes."""
    play_script(document("lobby", data), GAMES, GAMES[len(data) % len(GAMES)], len(data) % 97 + 1)


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


def _read_state(game: AnyGame, shown: Element) -> None:
    try:
        state = game.codec.read_state(shown)
        state.legal_moves()
        game.notation.parse_state(game.notation.format_state(state))
    except (RemoteProtocolError, NotationError):
        return
    # What is a position can also be said.
    written = game.codec.state_writer(("One", "Two"))(state, ("a hint",))
    assert game.codec.read_state(parse_element(written)) == state
    for move in state.legal_moves()[:3]:
        assert game.codec.read_move(parse_element(game.codec.write_move(move))) == move


def fuzz_notation(data: bytes) -> None:
    """Positions and moves."""
    text = document("notation", data).decode("utf-8", "replace")
    position, _, move = text.partition("\n")
    try:
        game, state = games.parse_position(position)
        assert game.notation.parse_state(game.notation.format_state(state)) == state
    except (NotationError, UnknownGame):
        game = GAMES[len(data) % len(GAMES)]
        state = game.new_state(Random(1))
    try:
        read = game.notation.parse_move(state, move)
    except NotationError:
        return
    if state.violation(read) is None:
        assert game.notation.parse_move(state, game.notation.format_move(state, read)) == read


def fuzz_records(data: bytes) -> None:
    """Files that should be records, of ours or of a reference server."""
    _read_record(document("records", data), turn=len(data) % 60, official=False)


def fuzz_replays(data: bytes) -> None:
    """Files that should be replays of a reference server."""
    _read_record(document("replays", data), turn=len(data) % 60, official=len(data) % 2 == 0)


def _read_record(data: bytes, *, turn: int, official: bool) -> None:
    try:
        record = open_any(on_disk(data), official=official)
        verification = verify_record(record)
        for state in record.states:
            state.legal_moves()
        with suppress(RecordError):
            state_at(record, turn)
    except RecordError:
        return
    if verification.is_sound:
        # What is sound can be written in every form, and is read again as the same game.
        listed = game_list([record]).encode("utf-8", "replace")
        lines = "".join(f"{line}\n" for line in record_lines(record)).encode()
        for again in (parse_record(lines), parse_replay(replay_bytes(record)), *parse_games(listed, "fuzz")):
            # Positions, not texts: "C1-b2" and "c1-b2" are the same move.
            assert again.states == record.states


def fuzz_game_lists(data: bytes) -> None:
    """Texts that should be lists of games."""
    try:
        found = list(read_games(on_disk(document("game_lists", data))))
    except RecordError:
        return
    again = list(parse_games(game_list(found).encode("utf-8", "replace"), "fuzz"))
    assert [record.moves for record in again] == [record.moves for record in found]


def fuzz_links(data: bytes) -> None:
    """What a link to the analysis board says: a position, moves, and variations."""
    position, moves, tree = [*document("links", data).decode("utf-8", "replace").split("\n", 2), "", ""][:3]
    try:
        path = AnalysisPath.of({"position": position, "moves": moves})
        variations = parse_variations(tree)
        check_variations(path.game, path.states, variations)
    except Refused:
        return
    assert parse_variations(format_variations(variations)) == variations


def fuzz_zip(data: bytes) -> None:
    """Archives: bytes that should be one, or members of all kinds with some bytes changed afterwards."""
    packed = _archive_bytes(data)
    with suppress(ProgramError):
        unpack_zip(packed, list_zip(packed, "fuzz", ArchiveLimits(size=1 << 20, files=20, depth=4)), "fuzz")
    with suppress(ProgramError):
        entrant_from_zip(packed, "fuzz")


def _archive_bytes(data: bytes) -> bytes:
    choices = Choices(data)
    return choices.rest() if choices.number(2) == 0 else _archive(choices)


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
    with suppress(SettingsError):
        parse_season(read_text(on_disk(document("season", data))))


def fuzz_properties(data: bytes) -> None:
    """A server.properties."""
    with suppress(SettingsError):
        read_properties(on_disk(document("properties", data)))


def fuzz_parameters(data: bytes) -> None:
    """Files that say what to tune."""
    with suppress(SettingsError):
        read_parameters(on_disk(document("parameters", data)), _tuned())


@cache
def _tuned() -> Entrant:
    return Entrant(name="player", text="player", kind=EntrantKind.ZIP, command=("./start.sh",), files=None)


def fuzz_drills(data: bytes) -> None:
    """Files that should be drills of the coach."""
    path = on_disk(document("drills", data))
    try:
        drill = read_drill(path)
    except (SettingsError, RecordError):
        return
    write_drill(path, drill)
    assert read_drill(path, drill.game).exercises == drill.exercises


def fuzz_results(data: bytes) -> None:
    """Files that should be the results of a match."""
    try:
        rows = [row for row, _ in read_rows(on_disk(document("results", data)))]
    except RecordError:
        return
    for row in last_attempts(rows):
        assert parse_json(json.dumps(row.to_json()).encode(), "row", RecordError).read(MatchGame) == row
        assert len(row.untimely) == len(row.names) == len(row.victory_points) == 2


def fuzz_feeds(data: bytes) -> None:
    """What a server that should be a feed of games says: lines of growing records."""
    growing: dict[str, RecordReader] = {}
    for said in document("feeds", data).splitlines(keepends=True):
        try:
            line = FeedLine.decode(said)
            if line.line:
                growing.setdefault(line.game_id, RecordReader()).read_line(line.line.encode())
        except (ValueError, RecordError):
            return
        assert FeedLine.decode(line.encode()).line == line.line
    assert all(reader.history is not None for reader in growing.values())


_NOTED_GAMES = ("piranhas-2026", "blokus-2027", "hase-und-igel-2025", "pinguine-2023")


def fuzz_output(data: bytes) -> None:
    """What a program printed before it ended: its error is named in one line that is safe to show."""
    choices, printed = Choices(data[-8:]), document("output", data)
    code = choices.pick((None, 0, 1, 126, 127, -6, -9, -11, -99, 255))
    breach = choices.pick((None, *Breach))
    script = ProgramFile("start.sh", printed[:200], executable=choices.number(2) == 1)
    lint_start_script(script)
    status = ExitStatus(code, breach, b"" if choices.number(2) else printed, printed, 0, 0.0)
    why = explain_failure(status, script if choices.number(2) else None)
    for text in (why.de, why.en, last_error(printed).en):
        assert text.isprintable()
    game = games.load(choices.pick(_NOTED_GAMES))
    notes, problem, rest = read_printed(b"", printed, game)
    assert len(notes) <= MAX_NOTES
    assert len(rest) <= MAX_OUTPUT
    assert problem is None or (problem.de + problem.en).isprintable()
    for note in notes:
        assert read_notes([note.line], game) == ((note,), None)


def fuzz_forms(data: bytes) -> None:
    """What a browser sends: the body of a form, the fields of a move, a position that was set up, a date, teams."""
    body = document("forms", data)
    kind = b"multipart/form-data; boundary=x" if body.startswith(b"--") else b"application/x-www-form-urlencoded"

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def read() -> dict[str, str]:
        headers = [(b"content-type", kind), (b"accept-language", b"de;q=0.5, en")]
        request = Request({"type": "http", "headers": headers, "state": {"browser": "b"}, "app": None}, receive)
        with suppress(PageError):
            await check_token(request)
        await secret_field(request, "password")
        with suppress(PageError):
            await check_setup(request)
        fields = {name: await field(request, name) for name in ("picks", "text", "game", "ply", "when", "teams")}
        await request.close()
        return fields

    try:
        fields = _loop().run_until_complete(read())
    except HTTPException:
        return
    with suppress(Refused):
        moment = moment_of(fields["when"])
        assert moment is None or moment.tzinfo is not None
    with suppress(Refused):
        listed = read_team_list(fields["teams"]).teams
        assert read_team_list(write_team_list(listed)).teams == listed
    game = {game.key: game for game in GAMES}.get(fields["game"], GAMES[0])
    states = _states(game)
    state = states[len(fields["ply"]) * 7 % len(states)]
    language: Language = "de" if len(body) % 2 else "en"
    with suppress(Refused):
        state = state.play(legal_move(game, state, fields))
    json.dumps(input_data(game, state, language, flipped=len(body) % 3 == 0, mine=state.outcome is None, ply=1))


@cache
def _states(game: AnyGame) -> list[Any]:
    """All states of a game that is played at random."""
    states, rng = [game.new_state(Random(1))], Random(2)
    while states[-1].outcome is None:
        states.append(states[-1].play_unchecked(rng.choice(states[-1].legal_moves())))
    return states


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
    "parameters": fuzz_parameters,
    "drills": fuzz_drills,
    "results": fuzz_results,
    "feeds": fuzz_feeds,
    "output": fuzz_output,
    "forms": fuzz_forms,
}

READERS = {
    "lobby": ("wire.framing", "wire.reader", "referee.lobby", "referee.reservations", "referee.room"),
    "client": ("wire.reader", *(f"games.{folder}.wire" for folder in FOLDERS)),
    "notation": tuple(f"games.{folder}.notation" for folder in FOLDERS),
    "records": ("records.reader", "records.load", "records.verify"),
    "replays": ("records.replay_xml", "records.verify"),
    "game_lists": ("records.game_list",),
    "links": ("records.variations",),
    "zip": ("programs.archive",),
    "season": ("contest.season.file", "values"),
    "properties": ("server.properties",),
    "parameters": ("lab.parameter_file", "values"),
    "drills": ("coach.drill",),
    "results": ("matches.results",),
    "feeds": ("feeds.feed", "records.reader"),
    "output": ("programs.failure", "programs.start_script"),
    "forms": ("web.season.forms", "pages.board_input", "web.analysis.editor"),
}
"""The modules whose coverage says how far a target reaches."""

NO_READERS = {
    "coach.drill": {"make_drill", "DrillRun", "history_path", "last_run", "add_run"},
    "contest.season.file": {"example"},
    "feeds.feed": {"Feed"},
    "lab.parameter_file": {"option_text"},
    "matches.results": {"Fault", "LineFile", "ResultFile", "_lock", "is_being_written"},
    "records.game_list": {"write_games"},
    "records.load": {"is_record_name"},
    "records.verify": {"Summary", "record_files", "verify_file", "sentence"},
    "web.analysis.editor": {"edit_page"},
    "web.season.forms": {"form_token", "act_and_redirect"},
}
"""Functions and classes of these modules that read nothing foreign; their lines do not count."""
