"""A player of the kit in this very process, so that a debugger stops in its ``choose``.

Its file is run as if it was started; only ``play`` does not connect, but hands over what it was given.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any, NoReturn, cast

from spielleiter import client, players
from spielleiter.client.player_runner import PlayerRunner
from spielleiter.errors import ProgramError, SettingsError
from spielleiter.game import AnyPlayer, Team
from spielleiter.game.note import PlayerNote
from spielleiter.programs.entrants import PYTHON_ENTRIES
from spielleiter.records.history import RecordedNotes


class _HandedOver(BaseException):
    """``play`` was called. Not an ``Exception``, which the player's code might catch."""

    def __init__(self, player: Any) -> None:
        self.player = player


class _OwnPlayer:
    """What was given to ``play``, a function or an object, as every other player is called."""

    def __init__(self, player: Any) -> None:
        self._runner = PlayerRunner(player)

    def choose(self, state: Any, seconds: float) -> Any:
        return self._runner.answer_here(state, seconds)

    @property
    def notes(self) -> tuple[PlayerNote, ...]:
        """What it noted for its last move."""
        return self._runner.notes


def notes_of(player: AnyPlayer, team: Team) -> RecordedNotes | None:
    """What a player noted for its last move, in this process; ``None`` if nothing."""
    notes = player.notes if isinstance(player, _OwnPlayer) else ()
    return RecordedNotes(0, team, notes) if notes else None


def is_built_in(text: str) -> bool:
    """Whether ``text`` names a player of the package."""
    return text.partition(":")[0] in players.BUILT_IN or text.startswith(f"{players.NETWORK}:")


def short_name(text: str) -> str:
    """What a player is called on the screen: that of a file or folder without its path."""
    return text if is_built_in(text) else Path(text).resolve().stem


def load_player(text: str) -> AnyPlayer:
    """The built-in player, or that of a Python file or of a folder with one. Raises ``SpielleiterError``."""
    path = Path(text)
    if is_built_in(text) or not path.exists():
        return players.load(text)
    file = python_file(path)
    if file is None:
        raise ProgramError(
            f"{text}: in diesem Prozess spielen nur Python-Dateien; andere Programme: spielleiter match.",
            f"{text}: only Python files play in this process; for other programs: spielleiter match",
        )
    return cast(AnyPlayer, _OwnPlayer(_given_to_play(file.resolve())))


def python_file(path: Path) -> Path | None:
    """The Python file of a player, which is ``path`` or in that folder; ``None`` if there is none."""
    if path.is_dir():
        return next((path / entry for entry in PYTHON_ENTRIES if (path / entry).is_file()), None)
    return path if path.suffix == ".py" else None


def _given_to_play(file: Path) -> Any:
    def hand_over(player: Any, *given: Any, **named: Any) -> NoReturn:
        raise _HandedOver(player)

    real, arguments, path = client.play, sys.argv, list(sys.path)
    client.play = hand_over
    sys.argv, sys.path[:0] = [str(file)], [str(file.parent)]
    try:
        runpy.run_path(str(file), run_name="__main__")
    except _HandedOver as handed:
        sys.path[:] = [str(file.parent), *path]  # It may import more while it plays.
        return handed.player
    finally:
        client.play, sys.argv = real, arguments
    raise SettingsError(
        f"{file.name} ruft play(...) nicht auf: Am Ende fehlt play(MyPlayer()).",
        f"{file.name} does not call play(...): play(MyPlayer()) is missing at its end",
    )
