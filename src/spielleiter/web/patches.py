"""The difference of two versions of a part of a page, so that a move is sent as a move and not as a whole board.

A text is cut after every ``>``; a patch is a list of changes ``[first piece, number of pieces, new pieces]``, in the
order of the text and counted in the old one. ``static/live.js`` applies it.
"""

from __future__ import annotations

from difflib import SequenceMatcher

Patch = list[tuple[int, int, list[str]]]

_MAX_COMPARED = 600
"""Pieces: what differs in more places is sent whole, for comparing takes longer the more there are."""


def make_patch(before: str, after: str) -> Patch | None:
    """What leads from one text to the other; ``None`` if it is better to send the new one."""
    old, new = before.split(">"), after.split(">")
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(old_middle), len(new_middle)) > _MAX_COMPARED:
        return None
    patch: Patch = [
        (head + i, j - i, new_middle[k:m])
        for kind, i, j, k, m in SequenceMatcher(None, old_middle, new_middle, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    size = sum(12 + sum(len(piece) + 3 for piece in pieces) for _, _, pieces in patch)
    return patch if size < len(after) else None


def apply_patch(before: str, patch: Patch) -> str:
    """The text to which the patch leads."""
    pieces = before.split(">")
    for first, number, new in reversed(patch):
        pieces[first : first + number] = new
    return ">".join(pieces)
