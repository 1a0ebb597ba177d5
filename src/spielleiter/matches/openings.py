"""Where games start: positions drawn from a seed, or read from a file. Each is played twice, with sides swapped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from random import Random

from spielleiter import games
from spielleiter.errors import READ, NotationError, SettingsError, refusing
from spielleiter.game import AnyGame, Text

_MAX_ATTEMPTS = 100
_MAX_FILE_SIZE = 50_000_000


class Order(StrEnum):
    """The order in which the positions of a file are played."""

    FILE = "file"
    RANDOM = "random"

    def arrange(self, positions: tuple[str, ...], seed: int) -> tuple[str, ...]:
        """The positions in this order; the same seed gives the same one everywhere."""
        if self is Order.FILE:
            return positions
        return tuple(Random(f"{seed}/order").sample(positions, len(positions)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """An endless book of start positions. The same values give the same positions everywhere."""

    seed: int = 0
    positions: tuple[str, ...] = ()
    """Positions to start from, used again from the first one when they run out; empty: the seed draws them."""
    random_moves: int = 0
    """Number of random legal moves that are played first."""

    def position(self, game: AnyGame, number: int) -> str:
        """The start position with this number, in notation."""
        for attempt in range(_MAX_ATTEMPTS):
            rng = Random(f"{self.seed}/{number}/{attempt}")
            if self.positions:
                state = game.notation.parse_state(self.positions[number % len(self.positions)])
            else:
                state = game.new_state(rng)
            for _ in range(self.random_moves):
                moves = state.legal_moves()
                if not moves:
                    break
                state = state.play_unchecked(rng.choice(moves))
            if state.outcome is None:
                return game.notation.format_state(state)
        raise SettingsError(
            f"Nach {self.random_moves} zufälligen Zügen ist jedes Spiel vorbei: wähle weniger.",
            f"after {self.random_moves} random moves every game is over: choose fewer",
        )


def choose_openings(text: str, order: Order, seed: int, random_moves: int, key: str) -> Openings:
    """The openings of a seed or a file. Raises ``SettingsError``."""
    if text.lstrip("-").isdecimal():
        return Openings(seed=int(text), random_moves=random_moves)
    positions = read_positions(Path(text), games.load(key))
    return Openings(seed=seed, positions=order.arrange(positions, seed), random_moves=random_moves)


def read_positions(path: Path, game: AnyGame) -> tuple[str, ...]:
    """The positions of a file, one in a line; empty lines and lines that begin with # are ignored.

    Raises ``SettingsError`` with the line that is wrong.
    """
    with refusing(SettingsError, path, READ):
        if path.stat().st_size > _MAX_FILE_SIZE:
            size = _MAX_FILE_SIZE // 10**6
            raise SettingsError(f"{path}: größer als {size} MB.", f"{path}: larger than {size} MB")
        lines = path.read_text(encoding="utf-8").splitlines()
    positions = []
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line.startswith("#"):
            continue
        if (wrong := _why_unusable(line, game)) is not None:
            raise SettingsError(f"{path}, Zeile {number}: {wrong.de}", f"{path}, line {number}: {wrong.en}")
        positions.append(line)
    if not positions:
        raise SettingsError(f"{path}: darin sind keine Stellungen.", f"{path}: there are no positions in it")
    return tuple(positions)


def _why_unusable(line: str, game: AnyGame) -> Text | None:
    """Why a game cannot start from a line, or ``None`` if it can."""
    if line.split()[0] != game.key:
        return Text(
            f"erwartet wird eine Stellung von {game.key}, da steht {line[:40]!r}.",
            f"expected a position of {game.key}, found {line[:40]!r}",
        )
    try:
        state = game.notation.parse_state(line)
    except NotationError as problem:
        return Text(str(problem), str(problem))
    if state.outcome is None:
        return None
    end = state.outcome.describe()
    return Text(f"das Spiel ist dort schon vorbei: {end.de}", f"the game is over there: {end.en}")
