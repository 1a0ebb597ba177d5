"""A match that fits into the time there is: who meets whom, how many games, and how long a move may take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, log2
from random import Random

from spielleiter.errors import SettingsError
from spielleiter.game import AnyGame
from spielleiter.matches.pairings import Arrangement, Format

_START_SECONDS = 2.5
"""Until both programs of a game have started, joined, and ended again."""
_ROUND_ROBIN_SECONDS, _SWISS_SECONDS, _MIN_SECONDS = 0.25, 0.2, 0.05
"""Seconds per move: with less, fewer games are better than shorter moves; with less than the last, nothing fits."""
_MAX_GAMES = 20
"""Maximum for an encounter: more only make people wait."""
_MORE_ROUNDS = 2
"""Rounds of a Swiss match beyond those of a knock-out: they sort the middle of the table, too."""
_MIN_ROUNDS = 3
_SAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedMatch:
    """What is played, and how long that takes at most."""

    format: Format
    games: int
    """Games of each encounter."""
    rounds: int | None
    """Rounds of a Swiss match."""
    seconds: float
    """Seconds per move."""
    total: int
    """Games altogether."""
    duration: float
    """Seconds, if every player takes all of its time; mostly it is much less."""


def usual_plies(game: AnyGame) -> int:
    """About how many moves a game has, by some random ones."""
    longest = 0
    for seed in range(_SAMPLES):
        rng = Random(seed)
        state, plies = game.new_state(rng), 0
        while state.outcome is None:
            state, plies = state.play_unchecked(rng.choice(state.legal_moves())), plies + 1
        longest = max(longest, plies)
    return longest


def fit_match(players: int, seconds: float, slots: int, plies: int, usual: float) -> FittedMatch:
    """The best match of so many ``players`` that ends within ``seconds``, with ``slots`` games at the same time.

    A game has about so many ``plies``; a move gets its ``usual`` time, or less. Everybody against everybody if that
    fits, else a Swiss match. Raises ``SettingsError`` with how long it takes at least.
    """
    shapes = list(_shapes(players))
    for shape, wanted in shapes:
        total = shape.total() or 0
        per_move = _per_move(total, seconds, slots, plies)
        if per_move >= min(wanted, usual):
            chosen = min(usual, floor(per_move * 100) / 100)
            return FittedMatch(
                format=shape.format,
                games=2 * (shape.pairs or 1),
                rounds=shape.rounds,
                seconds=chosen,
                total=total,
                duration=_duration(total, chosen, slots, plies),
            )
    least = min(_duration(shape.total() or 0, _MIN_SECONDS, slots, plies) for shape, _ in shapes)
    minutes = ceil(least / 60)
    raise SettingsError(
        f"In dieser Zeit geht das nicht: {players} Spieler brauchen hier mindestens {minutes} Minuten.",
        f"there is not enough time: {players} players need at least {minutes} minutes here",
    )


def _shapes(players: int) -> Iterator[tuple[Arrangement, float]]:
    """Ways to hold it, the best first, each with the time that a move should have at least."""
    everybody = Format.DUEL if players == 2 else Format.ROUND_ROBIN
    for pairs in range(_MAX_GAMES // 2, 1, -1):  # More games of each encounter only with the usual time for a move.
        yield Arrangement(everybody, players, pairs), float("inf")
    yield Arrangement(everybody, players, 1), _ROUND_ROBIN_SECONDS
    if players < 4:
        yield Arrangement(everybody, players, 1), _MIN_SECONDS
        return
    max_rounds = min(ceil(log2(players)) + _MORE_ROUNDS, players - 1)
    for rounds in range(max_rounds, _MIN_ROUNDS - 1, -1):
        yield Arrangement(Format.SWISS, players, 1, rounds), _SWISS_SECONDS
    yield Arrangement(Format.SWISS, players, 1, _MIN_ROUNDS), _MIN_SECONDS


def _per_move(total: int, seconds: float, slots: int, plies: int) -> float:
    return (seconds / ceil(total / slots) - _START_SECONDS) / plies


def _duration(total: int, per_move: float, slots: int, plies: int) -> float:
    return ceil(total / slots) * (plies * per_move + _START_SECONDS)
