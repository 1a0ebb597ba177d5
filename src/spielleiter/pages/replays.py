"""Games to step through without a server, packed small: for the exported site and the match report.

Pictures of one game repeat themselves: each piece of SVG is stored once, and a position as what differs from the one
before it. Some games share their pieces (a volume), which are compressed as a whole. A game takes 2 to 10 KB instead of
2 MB, and a page unpacks only the volume of its game. The script ``volumes.js`` unpacks what is packed here.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from spielleiter.errors import SpielleiterError
from spielleiter.game import AnyGame, Look
from spielleiter.pages.boards import strict_svg
from spielleiter.records.history import History, RecordedNotes

GAMES_IN_VOLUME = 24
_LARGE = 1200
_LONG = 300


def read_or_last(read: Callable[[], History] | None, game: AnyGame, final: str) -> History:
    """The game that ``read`` finds in a record; its last position alone if that is missing or damaged."""
    if read is not None:
        with suppress(SpielleiterError, zlib.error):
            return read().replayed()
    return History(game_key=game.key, id="", start=final, names=("", ""))


def pack(
    histories: Iterable[tuple[object, History]],
    game: AnyGame,
    noted: Callable[[RecordedNotes], str] | None = None,
) -> str:
    """Some games by their ids as one volume: compressed JSON in base64. Raises ``RecordError`` if one is impossible.

    ``noted`` puts what a player noted for a move into words, where those who get the games may see it.
    """
    numbers = _Numbers()
    games: dict[object, dict[str, Any]] = {}
    for id_, history in histories:
        before: list[int] = []
        frames = []
        for state in history.states:
            after = [numbers[piece] for piece in _pieces(strict_svg(game.draw(state, Look())))]
            frames.append(_change(before, after))
            before = after
        moves = [[move.text, move.seconds] for move in history.moves]
        games[id_] = {"frames": frames, "moves": moves}
        if noted is not None and history.notes:
            found = (history.notes_at(move.ply) for move in history.moves)
            games[id_]["notes"] = ["" if each is None else noted(each) for each in found]
    volume = json.dumps({"pieces": list(numbers), "games": games}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(volume.encode(), 7)).decode()


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
            number
            for at, (old, new) in enumerate(zip(before, after, strict=True))
            if old != new
            for number in (at, new)
        ]
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [[start, len(before) - start - end, *after[start : len(after) - end]]]
