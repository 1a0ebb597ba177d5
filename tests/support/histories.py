"""Games as histories, without a referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from spielleiter import games
from spielleiter.game import Clock, Limits, MoveTiming
from spielleiter.records.history import History, Ply
from spielleiter.referee import GameStarted, MoveMade

STARTED = datetime(2026, 11, 15, 20, 30, tzinfo=UTC)


def begin(
    states: Sequence[Any], *, room: str = "room-1", names: tuple[str, str] = ("Ada", "Grace"), at: float = 0.0
) -> History:
    """A game that begins with the first of these states."""
    event = GameStarted(room, games.game_of(states[0]), names, states[0], at, (Limits(), Limits()))
    return History.begin(event, STARTED, Clock.READING)


def moves_between(states: Sequence[Any], at: float = 0.0, seconds: float = 0.5) -> Iterator[MoveMade]:
    """What the referee says of the moves from state to state, each of which took so many seconds."""
    for before, after in pairwise(states):
        timing = MoveTiming(at, None, at := at + seconds, Clock.READING)
        yield MoveMade("room-1", before.to_move, after.last_move, after, (), timing)


def ply_between(before: Any, after: Any) -> Ply:
    """The move that led from one state to the other."""
    return Ply(0, before.turn, before.to_move, "", move=after.last_move, before=before, state=after)


def history_of(states: Sequence[Any], seconds: float = 0.5) -> History:
    """A game with these states that has not ended."""
    history = begin(states)
    for made in moves_between(states, seconds=seconds):
        history.follow(made)
    return history
