"""Games to step through, packed small: pictures of one game repeat themselves, so each piece of SVG is kept once.

A picture is cut where shapes and paths begin; a frame is then a list of numbers into a dictionary of such pieces.
Some games share a dictionary (a volume), which is compressed as a whole; the page unpacks a volume when a game of it is
looked at. Piranhas takes about 2 KB a game instead of 2 MB.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielleiter.errors import SpielleiterError
from spielleiter.game import AnyGame, Look
from spielleiter.matches.results import MatchGame
from spielleiter.records.load import open_any

GAMES_IN_VOLUME = 20
_CUT = re.compile(r"(?=<)|(?=M)")
_LOOK = Look(theme="auto", size=460)


@dataclass(frozen=True, slots=True)
class Replay:
    """One game: its positions and what was played between them."""

    id: str
    states: tuple[Any, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Volume:
    """Some games, packed."""

    ids: tuple[str, ...]
    data: str
    """Compressed JSON in base64: the pieces, and for each game its frames and moves."""


def load_replay(row: MatchGame, folder: Path, game: AnyGame) -> Replay:
    """The game from its record, or its last position where there is no readable one."""
    if row.record:
        try:
            record = open_any(folder / row.record)
            return Replay(row.id, tuple(record.states()), tuple(move.move for move in record.moves))
        except SpielleiterError:
            pass  # A record that is damaged must not cost the report.
    return last_position(row, game)


def last_position(row: MatchGame, game: AnyGame) -> Replay:
    """The end of a game alone."""
    return Replay(row.id, (game.notation.parse_state(row.final),), ())


def pack_volumes(replays: Iterable[Replay], game: AnyGame) -> list[Volume]:
    """All games in volumes."""
    volumes: list[Volume] = []
    waiting: list[Replay] = []
    for replay in replays:
        waiting.append(replay)
        if len(waiting) == GAMES_IN_VOLUME:
            volumes.append(_pack(waiting, game))
            waiting = []
    if waiting:
        volumes.append(_pack(waiting, game))
    return volumes


def _pack(replays: Sequence[Replay], game: AnyGame) -> Volume:
    pieces: dict[str, int] = {}
    games = {}
    for replay in replays:
        frames = [
            [pieces.setdefault(piece, len(pieces)) for piece in _CUT.split(game.draw(state, _LOOK)) if piece]
            for state in replay.states
        ]
        games[replay.id] = {"frames": frames, "moves": replay.moves}
    told = json.dumps({"pieces": list(pieces), "games": games}, separators=(",", ":"), ensure_ascii=False)
    packed = base64.b64encode(zlib.compress(told.encode(), 9)).decode()
    return Volume(tuple(replay.id for replay in replays), packed)
