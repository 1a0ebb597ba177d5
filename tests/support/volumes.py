"""Unpacks the volumes of ``spielleiter.pages.replays`` as ``volumes.js`` does."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any


def unpack(data: str) -> dict[str, dict[str, Any]]:
    """All games of a volume by their ids: ``pictures`` and ``moves``."""
    volume = json.loads(zlib.decompress(base64.b64decode(data)))
    found = {}
    for id_, game in volume["games"].items():
        parts: list[int] = []
        pictures = []
        for change in game["frames"]:
            if change and isinstance(change[0], list):
                for start, cut, *new in change:
                    parts = parts[:start] + new + parts[start + cut :]
            else:
                parts = list(parts)
                for at, piece in zip(change[::2], change[1::2], strict=True):
                    parts[at] = piece
            pictures.append("".join(volume["pieces"][part] for part in parts))
        found[id_] = {"pictures": pictures, "moves": game["moves"]}
    return found
