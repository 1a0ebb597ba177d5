"""Recorded games for the pages: those that this game master has written, and those that people bring."""

from __future__ import annotations

import gzip
import io
import secrets
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter.errors import RecordError
from spielleiter.records.history import History
from spielleiter.records.load import is_record_name, open_any
from spielleiter.records.reader import MAX_FILE_SIZE, parse_record
from spielleiter.records.replay_xml import parse_replay

_MAX_LOADED = 40
_MAX_LISTED = 100
_MAX_PLIES = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A recorded game, and where it is found."""

    key: str
    title: str
    history: History
    is_brought: bool = False
    """Whether a visitor has brought it: who knows its key has the whole file."""
    home: str = ""
    """The address of the page that it belongs to, if there is one."""


ExtraSource = Callable[[str], tuple[bytes, str, str] | None]
"""For a key a record, its name, and the address of the page that it belongs to; ``None`` if there is none."""


class Library:
    """Finds recorded games by their key. A key is never used as a path: it is looked up among the names that exist."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.extra_source: ExtraSource = lambda key: None
        """Where other records come from, as those of a season; a thread may ask."""
        self._loaded: OrderedDict[str, Entry] = OrderedDict()
        self._listed: dict[tuple[float, int, str], tuple[str, History | None]] = {}
        # Pages are made in several threads, since reading may take long; only what is quick happens under the lock.
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def newest(self) -> list[tuple[str, History | None]]:
        """The newest records on the disk with their keys; ``None`` for what cannot be read."""
        with self._reading:  # Callers that wait here find everything read.
            known, found = self._listed, {}
            for modified, size, path in self._newest_files():
                file = (modified, size, path.name)
                found[file] = known.get(file) or (path.name, _read(path))
            self._listed = found
        return list(found.values())

    def _newest_files(self) -> list[tuple[float, int, Path]]:
        """The newest files that should be records, with their times and sizes."""
        if self._folder is None or not self._folder.is_dir():
            return []
        found = []
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # Removed while we look.
                if is_record_name(path.name) and path.is_file() and not path.is_symlink():
                    status = path.stat()
                    found.append((status.st_mtime, status.st_size, path))
        return sorted(found, reverse=True)[:_MAX_LISTED]

    def get(self, key: str) -> Entry | None:
        """The recorded game of this key, ``None`` if there is none. Raises ``RecordError`` if it is broken."""
        with self._lock:
            if key in self._loaded:
                self._loaded.move_to_end(key)
                return self._loaded[key]
        if (found := self.extra_source(key)) is not None:
            data, title, home = found
            with self._reading:
                entry = _entry(key, title, parse_record(data, title), home)
            self._remember(entry)
            return entry
        path = self.path_of(key)
        if path is None:
            return None
        with self._reading:
            entry = _entry(key, path.name, open_any(path))
        if entry.history.is_finished:  # One that is being written will have more moves tomorrow.
            self._remember(entry)
        return entry

    def path_of(self, key: str) -> Path | None:
        """The file of our own with this key, ``None`` if there is none."""
        if self._folder is None or not self._folder.is_dir() or not is_record_name(key):
            return None
        names = (path for path in self._folder.iterdir() if path.name == key)
        return next((path for path in names if path.is_file() and not path.is_symlink()), None)

    def path_of_room(self, room_id: str) -> Path | None:
        """The record that was written of a room, ``None`` if there is none."""
        if self._folder is None or not self._folder.is_dir():
            return None
        return next((path for path in self._folder.iterdir() if path.name.endswith(f"_{room_id}.jsonl")), None)

    def of_room(self, room_id: str) -> str | None:
        """The key of the record that was written of a room."""
        path = self.path_of_room(room_id)
        return None if path is None else path.name

    def add(self, data: bytes, name: str) -> Entry:
        """Take in an uploaded file. Raises ``RecordError``."""
        title = Path(name.replace("\\", "/")).name[:120] or "record"
        if len(data) > MAX_FILE_SIZE:
            raise _too_large(title)
        data = _unpacked(data, title)
        if not data.strip():
            raise RecordError(
                f"{title}: die Datei ist leer; erwartet wird die Aufzeichnung eines Spiels.",
                f"{title}: the file is empty; expected the record of a game",
            )
        parse = parse_replay if data.lstrip()[:1] in (b"<", b"\xef") else parse_record
        with self._reading:  # One after the other: the game master's clocks run in this process too.
            entry = replace(_entry(secrets.token_urlsafe(12), title, parse(data, title)), is_brought=True)
        self._remember(entry)
        return entry

    def open(self, path: Path, *, official: bool = True) -> Entry:
        """Take in a file of this machine. Raises ``RecordError``."""
        entry = _entry(secrets.token_urlsafe(12), path.name, open_any(path, official=official))
        self._remember(entry)
        return entry

    def _remember(self, entry: Entry) -> None:
        with self._lock:
            self._loaded[entry.key] = entry
            while len(self._loaded) > _MAX_LOADED:
                self._loaded.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Listed:
    """A record in the list; ``None`` if it cannot be read."""

    key: str
    history: History | None
    plies: int = 0
    """Its moves, with those of the records that it goes on from."""


def worth_listing(records: list[tuple[str, History | None]]) -> list[Listed]:
    """The ``records`` that are worth a look, the newest first.

    A game in which nothing happened is not among them, nor one that goes on in another record after a move was taken
    back: a table opens a new room then (see ``play.tables``).
    """
    kept: list[Listed] = []
    later: list[tuple[int, History]] = []
    """What began after the record that is looked at: its place in ``kept``, and the game."""
    for key, history in records:
        if history is None:
            kept.append(Listed(key, None))
        elif not history.moves and history.offender is None:
            continue
        elif (found := _continued(history, later)) is not None:
            place, before = found
            kept[place] = replace(kept[place], plies=kept[place].plies + before)
            later.append((place, history))
        else:
            later.append((len(kept), history))
            kept.append(Listed(key, history, len(history.moves)))
    return kept


def _continued(history: History, later: list[tuple[int, History]]) -> tuple[int, int] | None:
    """Where in the list an undecided game goes on, and after how many of its moves; ``None`` if it does not."""
    result = history.result
    if result is None or result.winner is not None or result.regular:
        return None
    for place, other in reversed(later):
        if (other.game_key, other.names) != (history.game_key, history.names):
            continue
        with suppress(RecordError):
            positions = [history.game.notation.format_state(state) for state in history.states]
            if other.start in positions:
                return place, positions.index(other.start)
    return None


def _read(path: Path) -> History | None:
    try:
        return open_any(path)
    except RecordError:
        return None


def _too_large(title: str) -> RecordError:
    limit = MAX_FILE_SIZE >> 20
    return RecordError(
        f"{title}: größer als {limit} MiB: keine Aufzeichnung eines Spiels.",
        f"{title}: larger than {limit} MiB: no record of a game",
    )


def _unpacked(data: bytes, title: str) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            unpacked = packed.read(MAX_FILE_SIZE + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise RecordError(f"{title}: lässt sich nicht entpacken.", f"{title}: cannot be unpacked: {problem}") from None
    if len(unpacked) > MAX_FILE_SIZE:
        raise _too_large(title)
    return unpacked


def _entry(key: str, title: str, history: History, home: str = "") -> Entry:
    if len(history.moves) > _MAX_PLIES:
        raise RecordError(
            f"{title}: mehr als {_MAX_PLIES} Züge: kein Spiel von uns.",
            f"{title}: more than {_MAX_PLIES} moves: no game of ours",
        )
    return Entry(key, title, history.replayed(), home=home)
