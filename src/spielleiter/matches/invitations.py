"""The reservations of those who join a match manually: one for all games of a player, the same when it is resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spielleiter.errors import WRITE, SettingsError, refusing
from spielleiter.programs.entrants import Entrant, EntrantKind, new_reservation

INVITATIONS = "invitations.json"


def with_reservations(folder: Path, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The same players; those who join manually have the reservations that are stored in the match's folder."""
    if not any(entrant.kind is EntrantKind.MANUAL for entrant in entrants):
        return tuple(entrants)
    path = folder / INVITATIONS
    codes = _read(path)
    for entrant in entrants:
        if entrant.kind is EntrantKind.MANUAL:
            codes.setdefault(entrant.name, new_reservation())
    _write(path, codes)
    return tuple(
        replace(entrant, reservation=codes[entrant.name]) if entrant.kind is EntrantKind.MANUAL else entrant
        for entrant in entrants
    )


def _read(path: Path) -> dict[str, str]:
    try:
        return {str(name): str(code) for name, code in json.loads(path.read_text(encoding="utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as problem:
        raise SettingsError(
            f"{path}: lässt sich nicht lesen: {problem}", f"{path}: cannot be read: {problem}"
        ) from None


def _write(path: Path, codes: dict[str, str]) -> None:
    with refusing(SettingsError, path, WRITE):
        # A reader of it could play as another player.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(codes, file, ensure_ascii=False, indent=1)
