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
from itertools import chain
from typing import Any

from spielleiter.errors import SpielleiterError
from spielleiter.game import AnyGame, Look
from spielleiter.game.drawing import Shape, Svg
from spielleiter.pages.boards import strict_svg
from spielleiter.records.history import History, RecordedNotes

GAMES_IN_VOLUME = 24
_COMPRESSION = 5


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
    pieces = _Pieces()
    games: dict[object, dict[str, Any]] = {}
    for id_, history in histories:
        before: list[_Shape] = []
        frames = []
        for state in history.states:
            after = pieces.shapes(game.draw(state, Look()))
            frames.append(_change(before, after))
            before = after
        moves = [[move.text, move.seconds] for move in history.moves]
        games[id_] = {"frames": frames, "moves": moves}
        if noted is not None and history.notes:
            found = (history.notes_at(move.ply) for move in history.moves)
            games[id_]["notes"] = ["" if each is None else noted(each) for each in found]
    volume = json.dumps({"pieces": pieces.texts, "games": games}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(volume.encode(), _COMPRESSION)).decode()


_Shape = tuple[int, ...]
"""The numbers of the pieces of a shape; the same shape is the same object."""


class _Pieces:
    """All pieces of some pictures. Most of a picture was in the one before it, so a shape is looked up as a whole."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._shapes: dict[Shape, _Shape] = {}

    @property
    def texts(self) -> list[str]:
        """The pieces by their numbers."""
        return list(self._numbers)

    def shapes(self, svg: str) -> list[_Shape]:
        """A picture; its pieces joined are the picture."""
        if isinstance(svg, Svg):
            shapes: Sequence[Shape] = (strict_svg(svg.start), *svg.shapes, "</svg>")
        else:
            shapes = _cut(strict_svg(svg), "<")
        known = self._shapes
        return [known.get(shape) or self._new_shape(shape) for shape in shapes]

    def _new_shape(self, shape: Shape) -> _Shape:
        parts = (shape,) if isinstance(shape, str) else shape
        numbers = self._numbers
        found = self._shapes[shape] = tuple([numbers.setdefault(part, len(numbers)) for part in parts])
        return found


def _cut(text: str, mark: str) -> list[str]:
    """The text cut before each mark."""
    head, *parts = text.split(mark)
    cut = [mark + part for part in parts]
    return [head, *cut] if head else cut


def _change(before: Sequence[_Shape], after: Sequence[_Shape]) -> list[Any]:
    """What differs: places and pieces in turn, ``[at, piece, ...]``; or splices, ``[[start, cut, *put in], ...]``."""
    if len(before) != len(after):
        return [_splice(0, list(chain.from_iterable(before)), list(chain.from_iterable(after)))]
    at, pairs, splices = 0, [], []
    for old, new in zip(before, after, strict=True):
        if old is not new:
            if len(old) == len(new):
                pairs += [(at + place, new[place]) for place in range(len(new)) if old[place] != new[place]]
            else:
                splices.append(_splice(at, old, new))
        at += len(new)
    if not splices:
        return list(chain.from_iterable(pairs))
    return sorted([*splices, *([place, 1, piece] for place, piece in pairs)])


def _splice(at: int, before: Sequence[int], after: Sequence[int]) -> list[int]:
    """What to cut out from which place on, and what to put in; places count from the beginning of the new picture."""
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [at + start, len(before) - start - end, *after[start : len(after) - end]]
