"""The difference of two versions of a part of a page, so that a move is sent as a move and not as a whole board.

A text is cut after every ``>``; a patch is a list of changes ``[first piece, number of pieces, new pieces]``, in the
order of the text and counted in the old one. Among the new pieces ``[first, number]`` stands for those of the old text:
a fish that has moved looks as it did before. ``static/live.js`` applies it.
"""

from __future__ import annotations

from difflib import SequenceMatcher

Pieces = list[str | tuple[int, int]]
Patch = list[tuple[int, int, Pieces]]

_MAX_COMPARED = 600
"""Pieces: what differs in more places is sent whole, for comparing takes longer the more there are."""
_MAX_PLACES = 20
"""Places of one piece in the old text that are tried for the longest copy."""
_MIN_COPIED = 12
"""Characters: what is shorter is sent as it is."""


def make_patch(before: str, after: str) -> Patch | None:
    """What leads from one text to the other; ``None`` if it is better to send the new one."""
    old, new = before.split(">"), after.split(">")
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(old_middle), len(new_middle)) > _MAX_COMPARED:
        return None
    places: dict[str, list[int]] = {}
    for at, piece in enumerate(old):
        places.setdefault(piece, []).append(at)
    patch: Patch = [
        (head + i, j - i, _with_copies(new_middle[k:m], old, places))
        for kind, i, j, k, m in SequenceMatcher(None, old_middle, new_middle, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    size = sum(12 + sum(len(piece) + 3 if isinstance(piece, str) else 9 for piece in new) for _, _, new in patch)
    return patch if size < len(after) else None


def _with_copies(new: list[str], old: list[str], places: dict[str, list[int]]) -> Pieces:
    """New pieces, those replaced that stand in the old text one after the other."""
    found: Pieces = []
    at = 0
    while at < len(new):
        runs = [(_common(new, at, old, place), -place) for place in places.get(new[at], ())[:_MAX_PLACES]]
        length, place = max(runs, default=(0, 0))
        if length and sum(map(len, new[at : at + length])) >= _MIN_COPIED:
            found.append((-place, length))
            at += length
        else:
            found.append(new[at])
            at += 1
    return found


def _common(new: list[str], at: int, old: list[str], place: int) -> int:
    """How many pieces are the same from there on."""
    pairs = zip(new[at:], old[place:], strict=False)
    return next(
        (length for length, (one, other) in enumerate(pairs) if one != other), min(len(new) - at, len(old) - place)
    )


def apply_patch(before: str, patch: Patch) -> str:
    """The text to which the patch leads."""
    old = before.split(">")
    pieces = old.copy()
    for first, number, new in reversed(patch):
        pieces[first : first + number] = [
            text
            for piece in new
            for text in ([piece] if isinstance(piece, str) else old[piece[0] : piece[0] + piece[1]])
        ]
    return ">".join(pieces)
