"""Games to step through, packed small for a site without a server.

Pictures of one game repeat themselves: each piece of SVG is kept once, and a position is told by what differs from the
one before it. Some games share their pieces (a volume), which are compressed as a whole. A game takes 2 to 10 KB
instead of 2 MB, and a page loads only the volume of its game.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spielleiter.errors import SpielleiterError
from spielleiter.game import AnyGame, Look, Team
from spielleiter.records.reader import parse_record

GAMES_IN_VOLUME = 24
_LARGE = 1200
_LONG = 300
_LOOK = Look(theme="auto", size=640)


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move, and how long it took where somebody measured."""

    team: Team
    text: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Replay:
    """One game: its positions and what was played between them."""

    states: tuple[Any, ...]
    moves: tuple[MoveView, ...]
    limit: float | None = None
    """The seconds that a move may take, where they are known."""


def read_replay(data: bytes, final: str, game: AnyGame, place: str) -> Replay:
    """The game of a record as the store keeps it, or its last position where there is no readable one."""
    try:
        record = parse_record(zlib.decompress(data), place)
        moves = tuple(
            MoveView(move.team, move.move, None if move.timing is None else move.timing.elapsed)
            for move in record.moves
        )
        limits = [limit.soft for limit in record.limits if limit is not None]
        return Replay(tuple(record.states()), moves, max(limits, default=None))
    except (SpielleiterError, zlib.error):
        # A damaged record must not cost the site; ``contest verify`` tells of it.
        return Replay((game.notation.parse_state(final),), ())


class _Numbers(dict[str, int]):
    """Gives each new piece the next number."""

    def __missing__(self, piece: str) -> int:
        self[piece] = number = len(self)
        return number


def _pieces(svg: str) -> list[str]:
    """A picture cut into groups, what is large into shapes, and long paths into their parts; joined it is the picture.

    The fewer pieces, the quicker; but what changes from position to position should be a piece of its own.
    """
    found: list[str] = []
    for group in _cut(svg, "<g "):
        if len(group) < _LARGE:
            found.append(group)
            continue
        for shape in _cut(group, "<"):
            if len(shape) < _LONG:
                found.append(shape)
            else:
                found += _cut(shape, "M")
    return found


def _cut(text: str, mark: str) -> list[str]:
    """The text cut before each mark."""
    head, *parts = text.split(mark)
    cut = [mark + part for part in parts]
    return [head, *cut] if head else cut


def _change(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """What differs: places and pieces in turn; or, if the length differs, ``[[start, cut, *put in]]``."""
    if len(before) == len(after):
        return [
            told for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new for told in (at, new)
        ]
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [[start, len(before) - start - end, *after[start : len(after) - end]]]


def pack(replays: Iterable[tuple[int, Replay]], draw: Callable[[Any, Look], str]) -> str:
    """Some games as one volume: compressed JSON in base64."""
    numbers = _Numbers()
    games = {}
    for id_, replay in replays:
        before: list[int] = []
        frames = []
        for state in replay.states:
            after = [numbers[piece] for piece in _pieces(draw(state, _LOOK))]
            frames.append(_change(before, after))
            before = after
        games[id_] = frames
    told = json.dumps({"pieces": list(numbers), "games": games}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(told.encode(), 7)).decode()


def unpack(volume: str) -> dict[int, list[str]]:
    """All pictures of all games of a volume, as the page puts them together."""
    told = json.loads(zlib.decompress(base64.b64decode(volume)))
    found = {}
    for id_, frames in told["games"].items():
        parts: list[int] = []
        pictures = []
        for change in frames:
            if change and isinstance(change[0], list):
                start, cut, *new = change[0]
                parts = parts[:start] + new + parts[start + cut :]
            else:
                parts = list(parts)
                for at, piece in zip(change[::2], change[1::2], strict=True):
                    parts[at] = piece
            pictures.append("".join(told["pieces"][part] for part in parts))
        found[int(id_)] = pictures
    return found
