"""The notes of a record apart from it, for public records: those of a side stand behind what its program printed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Team
from spielleiter.records.history import History, RecordedNotes
from spielleiter.records.reader import RecordReader
from spielleiter.records.writer import event_line, start_line
from spielleiter.values import parse_json

_START = b'{"event":"notes"'
"""How the line of notes begins that we write."""
_MARK = b"\n--- notes ---\n"
"""Stands between what a program printed and its notes."""


def split_notes(record: bytes) -> tuple[bytes, tuple[bytes, bytes]]:
    """A record as we write it without its notes, and the lines with those of ONE and of TWO."""
    public, private = bytearray(), (bytearray(), bytearray())
    for line in record.splitlines(keepends=True):
        if line.startswith(_START):
            with suppress(RecordError, KeyError):
                private[Team[parse_json(line, "record", RecordError).text("team")]].extend(line)
        else:
            public += line
    one, two = private
    return bytes(public), (bytes(one), bytes(two))


def join_log(printed: bytes, notes: bytes) -> bytes:
    """What is kept for the people of one side only: what their program printed, and the lines of its notes."""
    return printed + _MARK + notes if notes else printed


def split_log(log: bytes) -> tuple[bytes, bytes]:
    """What a program printed, and the lines of its notes."""
    printed, mark, notes = log.rpartition(_MARK)
    return (printed, notes) if mark and notes.startswith(_START) else (log, b"")


def with_notes(history: History, notes: bytes) -> History:
    """The game with notes that were kept apart from it; without those that cannot be read."""
    reader = RecordReader(history.place)
    reader.read_line(start_line(history).encode())
    for move in history.moves:
        reader.read_line(event_line(move).encode())
    found: list[RecordedNotes] = []
    with suppress(RecordError):
        for line in notes.splitlines():
            event = reader.read_line(line)
            found += [event] if isinstance(event, RecordedNotes) else []
    # Only a copy: other visitors see the same game.
    seen = history.seen_by(TEAMS) if not found else replace(history, notes=(*history.notes, *found))
    return seen.replayed()
