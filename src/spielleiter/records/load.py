"""Any record that we know, by what is in the file: our own format, or a replay of a reference server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spielleiter.errors import RecordError
from spielleiter.records.history import History
from spielleiter.records.reader import parse_record, read_bounded
from spielleiter.records.replay_xml import parse_replay

_ENDINGS = (".jsonl", ".jsonl.gz", ".xml", ".xml.gz")


def is_record_name(name: str) -> bool:
    """Whether a file of this name should be a record."""
    return name.endswith(_ENDINGS)


def open_any(path: Path, *, official: bool = True) -> History:
    """The record in a file of our own, or of a reference server's replay. Raises ``RecordError``.

    A replay that names no rule set was refereed by the ``official`` one, unless you know better.
    """
    data = read_bounded(path)
    if data.lstrip()[:1] in (b"<", b"\xef"):
        return parse_replay(data, str(path), official=official)
    return parse_record(data, str(path))


def state_at(record: History, turn: int) -> Any:
    """The first state of the record at this turn or later, to go on from. Raises ``RecordError`` if there is none."""
    state: Any = None  # There is always one.
    for state in record.states:
        if state.turn >= turn:
            if state.outcome is not None:
                end = state.outcome.describe()
                raise RecordError(
                    f"{record.place}: bei Zug {state.turn} ist das Spiel zu Ende: {end.de}",
                    f"{record.place}: at turn {state.turn} the game is over: {end.en}",
                )
            return state
    raise RecordError(
        f"{record.place}: es gibt keinen Zug {turn}, die Aufzeichnung endet mit Zug {state.turn}",
        f"{record.place}: there is no turn {turn}, the record ends with turn {state.turn}",
    )
