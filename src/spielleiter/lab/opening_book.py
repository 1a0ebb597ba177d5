"""Makes opening books: positions after random moves, balanced by the engine, no two of them the same by symmetry.

Laws: the same settings give the same book on every machine (the engine counts nodes, not seconds); every position is
reachable and not over; no two positions are turned or mirrored images of each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from spielleiter.analysis import Analyst
from spielleiter.errors import SettingsError
from spielleiter.game import AnyGame
from spielleiter.search import Budget

_ATTEMPTS_PER_POSITION = 200
"""Positions that are looked at for each one that is found, on average; then the demands are too high."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSettings:
    """What a book is made of."""

    number: int = 100
    moves: int = 6
    """Random moves from the start of a game."""
    balance: float | None = 0.1
    """How far the winning chance of a position may be from one half; ``None``: the engine is not asked."""
    nodes: int = 20_000
    """Nodes of the engine for a position."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.balance is not None and not 0 < self.balance <= 0.5:
            raise SettingsError(
                f"Die Gewinnchance darf um mehr als 0 und höchstens 0,5 von der Hälfte abweichen, nicht um "
                f"{self.balance:g}.",
                f"the winning chance may differ from one half by more than 0 and at most 0.5, not {self.balance:g}",
            )


def make_book(game: AnyGame, settings: BookSettings) -> Iterator[tuple[str, float | None]]:
    """The positions of a book, each with the winning chance of the first team where the engine was asked.

    Raises ``EngineMissing``, and ``SettingsError`` when there are no more such positions to be found.
    """
    analyst, rng = Analyst(), Random(f"{game.key}/{settings.seed}")
    seen: set[bytes] = set()
    found = 0
    for _ in range(settings.number * _ATTEMPTS_PER_POSITION):
        state = _random_position(game, settings.moves, rng)
        if state is None or (image := canonical_image(game, state)) in seen:
            continue
        seen.add(image)
        chance = None
        if settings.balance is not None:
            judged = analyst.judge(game, state, Budget(nodes=settings.nodes))
            if judged is None or abs(judged.win_probability - 0.5) > settings.balance:
                continue
            chance = judged.win_probability
        found += 1
        yield game.notation.format_state(state), chance
        if found == settings.number:
            return
    raise SettingsError(
        f"Nur {found} von {settings.number} Stellungen gefunden: erlaube mehr Züge (--moves) oder eine größere "
        "Abweichung (--balance).",
        f"found only {found} of {settings.number} positions: allow more moves (--moves) or a larger deviation "
        "(--balance)",
    )


def _random_position(game: AnyGame, moves: int, rng: Random) -> Any:
    """A position after so many random moves, or ``None`` if the game was over before."""
    state = game.new_state(rng)
    for _ in range(moves):
        if state.outcome is not None:
            return None
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state if state.outcome is None else None


def canonical_image(game: AnyGame, state: Any) -> bytes:
    """The same for positions that are turned or mirrored images of each other, also with the teams exchanged.

    It is made of what the team to move sees. Not every turn is a symmetry of every game: two positions that only look
    like images are taken for one, which costs a book nothing.
    """
    encoding = game.encoding
    rows, columns = encoding.size
    seen = encoding.plane_bytes(state, state.to_move)
    planes = [seen[at : at + rows * columns] for at in range(0, len(seen), rows * columns)]
    return min(b"".join(_turned(plane, rows, columns, turn) for plane in planes) for turn in range(8))


def _turned(plane: bytes, rows: int, columns: int, turn: int) -> bytes:
    """A plane in one of its eight images: by quarter turns, from 4 on mirrored first."""
    grid = [plane[at : at + columns] for at in range(0, rows * columns, columns)]
    if turn >= 4:
        grid = [row[::-1] for row in grid]
    for _ in range(turn % 4):
        grid = [bytes(column) for column in zip(*grid[::-1], strict=True)]
    return b"".join(grid)
