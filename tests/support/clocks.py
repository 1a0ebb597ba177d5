"""A wall clock that jumps, as the contest sees it; the monotonic clock goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from typing import TypeVar
from unittest.mock import patch


class WallClock:
    """By how much the clock is wrong; set it at any time."""

    error = timedelta()

    def now(self, zone: tzinfo | None = None) -> datetime:
        return datetime.now(zone) + self.error


ClockT = TypeVar("ClockT", bound=WallClock)


@contextmanager
def wrong_clock(clock: ClockT) -> Iterator[ClockT]:
    """``clock``, by which a season and the games in this process are dated."""
    with (
        patch("spielleiter.contest.store.database.datetime", clock),
        patch("spielleiter.players.direct_game.datetime", clock),
    ):
        yield clock
