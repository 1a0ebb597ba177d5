"""A file of events: a line of JSON for each, on the disk before it counts, and read again after a restart."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any, Generic, TypeVar

from spielleiter.atomic_files import atomic_write
from spielleiter.errors import READ, WRITE, RecordError, refusing
from spielleiter.matches.results import LineFile, json_line
from spielleiter.values import parse_json

_MAX_SIZE = 64 << 20
EventT = TypeVar("EventT")


class EventFile(Generic[EventT]):
    """The events of one file; one process at a time."""

    def __init__(self, path: Path, kinds: Mapping[str, type[EventT]]) -> None:
        """``kinds`` are the dataclasses by their names.

        Raises ``RecordError`` if another process has it, or if it is damaged.
        """
        self._path, self._kinds = path, kinds
        self.events: list[EventT] = []
        self._file = LineFile(path)
        try:
            size = 0
            for event, end in self._read():
                self.events.append(event)
                size = end
            self._file.go_on_after(size)
        except BaseException:
            self._file.close()
            raise

    def append(self, event: EventT) -> None:
        """Store an event. Raises ``RecordError`` if the disk does not take it."""
        self._file.append(_data(event))
        self.events.append(event)

    def rewrite(self, events: Sequence[EventT]) -> None:
        """Store these events only; killed at any time, the file has the old ones or these. Raises ``RecordError``."""
        lines = b"".join(json_line(_data(event)) for event in events)
        self._file.close()
        try:
            with refusing(RecordError, self._path, WRITE), atomic_write(self._path) as draft:
                draft.write_bytes(lines)
            self.events = list(events)
        finally:
            self._file = LineFile(self._path)
            self._file.go_on_after(self._path.stat().st_size)

    def close(self) -> None:
        """Let others have the file."""
        self._file.close()

    def _read(self) -> Iterator[tuple[EventT, int]]:
        """The events, each with where it ends; an unfinished last line was never answered, and is dropped."""
        path, end = self._path, 0
        with refusing(RecordError, path, READ), path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > _MAX_SIZE:
                raise RecordError(
                    f"{path}: größer als {_MAX_SIZE >> 20} MiB.", f"{path}: larger than {_MAX_SIZE >> 20} MiB"
                )
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                end += len(line)
                values = parse_json(line, f"{path}:{number}", RecordError)
                kind = values.choice("event", dict(self._kinds))
                yield values.read(kind, besides=("event",)), end


def _data(event: Any) -> dict[str, Any]:
    return {"event": type(event).__name__, **asdict(event, dict_factory=_plain)}


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value.value if isinstance(value, Enum) else value for name, value in pairs}
