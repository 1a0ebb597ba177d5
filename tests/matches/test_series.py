"""The loop under a contest: games are played as long as somebody gives some out."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from spielleiter.matches.series import play_series


class Countdown:
    """Gives out some games, and remembers the threads in which it was asked."""

    def __init__(self, games: int) -> None:
        self.left = games
        self.played: list[Any] = []
        self.threads: set[str] = set()

    def next_game(self) -> Any:
        self.threads.add(threading.current_thread().name)
        if not self.left:
            return None
        self.left -= 1
        return f"game {self.left}"

    def record(self, task: Any, played: Any) -> None:
        self.threads.add(threading.current_thread().name)
        self.played.append((task, played))

    @property
    def exhausted(self) -> bool:
        return not self.left


class Instantly:
    """An executor that has played at once."""

    slots = 2

    async def play(self, task: Any) -> Any:
        await asyncio.sleep(0)
        return f"{task} played"


@pytest.mark.parametrize("own_thread", [False, True])
def test_every_game_is_played_and_its_result_returned(own_thread: bool) -> None:
    series, executor = Countdown(5), Instantly()
    with ThreadPoolExecutor(1, thread_name_prefix="store") as thread:
        asyncio.run(play_series(series, executor, thread=thread if own_thread else None))  # type: ignore[arg-type]
    assert sorted(series.played) == [(f"game {number}", f"game {number} played") for number in range(5)]
    assert series.threads == ({"store_0"} if own_thread else {threading.current_thread().name})
