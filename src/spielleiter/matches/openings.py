"""Where games start: positions drawn from a seed, or read from a file. Each is played twice, with sides changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from spielleiter.errors import NotationError, SettingsError
from spielleiter.game import AnyGame

_MOST_TRIES = 100
_LARGEST_FILE = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """A book of start positions without an end. The same values give the same positions everywhere."""

    seed: int = 0
    positions: tuple[str, ...] = ()
    """Positions to start from, used again from the first one when they run out; empty: the seed draws them."""
    opening: int = 0
    """So many random legal moves are played first."""

    def position(self, game: AnyGame, number: int) -> str:
        """The start position with this number, in notation."""
        for attempt in range(_MOST_TRIES):
            rng = Random(f"{self.seed}/{number}/{attempt}")
            if self.positions:
                state = game.notation.parse_state(self.positions[number % len(self.positions)])
            else:
                state = game.new_state(rng)
            for _ in range(self.opening):
                moves = state.legal_moves()
                if not moves:
                    break
                state = state.play_unchecked(rng.choice(moves))
            if state.outcome is None:
                return game.notation.format_state(state)
        raise SettingsError(f"after {self.opening} random moves every game is over: choose a shorter opening")


def read_positions(path: Path, game: AnyGame) -> tuple[str, ...]:
    """The positions of a file, one in a line; empty lines and lines that begin with # are passed over.

    Raises ``SettingsError`` with the line that is wrong.
    """
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise SettingsError(f"{path}: larger than {_LARGEST_FILE // 10**6} MB")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is no UTF-8 text"
        raise SettingsError(f"{path}: cannot be read: {reason}") from None
    positions = []
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line.startswith("#"):
            continue
        if line.split()[0] != game.key:
            raise SettingsError(f"{path}, line {number}: expected a position of {game.key}, found {line[:40]!r}")
        try:
            state = game.notation.parse_state(line)
        except NotationError as problem:
            raise SettingsError(f"{path}, line {number}: {problem}") from None
        if state.outcome is not None:
            raise SettingsError(f"{path}, line {number}: the game is over there: {state.outcome.describe().en}")
        positions.append(line)
    if not positions:
        raise SettingsError(f"{path}: there are no positions in it")
    return tuple(positions)
