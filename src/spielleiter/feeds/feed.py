"""The growing records of the games that are being played here, in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spielleiter.records.writer import is_start_line

MAX_LINE_SIZE = 1 << 20
"""Bytes; as in the file of a record."""


@dataclass(frozen=True, slots=True)
class FeedLine:
    """A line of the record of one game; an empty one says that the game is no longer played here."""

    game_id: str
    line: str
    age: float = 0.0
    """Seconds since it was written, on the writer's clock: clocks need not be compared."""

    def encode(self) -> bytes:
        """The bytes on the network. Neither an id of a game nor JSON contains a tab or a line break."""
        return f"{self.game_id}\t{self.age:.3f}\t{self.line}\n".encode("utf-8", "replace")

    @classmethod
    def decode(cls, data: bytes) -> FeedLine:
        """The line that ``encode`` wrote. Raises ``ValueError``."""
        game_id, age, line = data.decode().removesuffix("\n").split("\t")
        return cls(game_id, line, float(age))


class Feed:
    """The lines of the games that are being played; for one event loop."""

    def __init__(self) -> None:
        self._games: dict[str, list[tuple[float, str]]] = {}
        self._listeners: list[Callable[[FeedLine], None]] = []

    def write(self, game_id: str, line: str) -> None:
        """One more line of a game's record. Returns at once: players may be waiting."""
        if is_start_line(line):
            self.drop(game_id)  # Played again from its start, as after the loss of a worker.
        self._games.setdefault(game_id, []).append((time.monotonic(), line))
        self._tell(FeedLine(game_id, line))

    def drop(self, game_id: str) -> None:
        """The game has ended, or is not played here any more: what was written of it is forgotten. Idempotent."""
        if self._games.pop(game_id, None) is not None:
            self._tell(FeedLine(game_id, ""))

    def lines(self) -> Iterator[FeedLine]:
        """Everything that was written of the games that are being played."""
        now = time.monotonic()
        for game_id, lines in self._games.items():
            for written, line in lines:
                yield FeedLine(game_id, line, now - written)

    def subscribe(self, listener: Callable[[FeedLine], None]) -> Callable[[], None]:
        """Call ``listener`` with every new line; the result unsubscribes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, line: FeedLine) -> None:
        for listener in tuple(self._listeners):
            listener(line)
