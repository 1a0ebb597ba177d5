"""A wall clock that jumps, as the contest sees it; the monotonic clock goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from unittest.mock import patch


class WallClock:
    """By how much the clock is wrong; set it at any time."""

    error = timedelta()

    def now(self, zone: tzinfo | None = None) -> datetime:
        return datetime.now(zone) + self.error


@contextmanager
def wrong_clock() -> Iterator[WallClock]:
    """The clock by which a season and the games in this process are dated."""
    clock = WallClock()
    with (
        patch("spielleiter.contest.store.database.datetime", clock),
        patch("spielleiter.matches.in_process.datetime", clock),
    ):
        yield clock
