"""Which games are played at the same time."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from spielleiter.matches import executor as executor_module
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.programs.entrants import Entrant, resolve
from spielleiter.programs.sandbox import Level
from tests.support.machine import Machine
from tests.support.players import task


def laptops(number: int) -> list[Entrant]:
    return [replace(resolve(f"manual:{name}"), reservation=f"code-{name}") for name in range(number)]


def test_a_manual_player_has_one_game_at_a_time_and_no_other_game_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players = laptops(6)
    now: set[str] = set()
    at_once: list[int] = []

    async def play(self: Any, game: Any, on_line: Any) -> Any:
        names = {entrant.name for entrant in game.entrants}
        assert not names & now
        now.update(names)
        at_once.append(len(now))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        now.difference_update(names)
        return game

    monkeypatch.setattr(LocalExecutor, "_play", play)

    async def run() -> None:
        async with LocalExecutor(ArenaSettings(level=Level.NONE), entrants=players) as executor:
            games = [task(one, two) for one, two in combinations(players, 2)]
            assert executor.slots >= len(games)
            await asyncio.gather(*map(executor.play, games))
            assert not any("games at once" in notice.en for notice in executor.notices)

    asyncio.run(run())
    assert len(at_once) == 15
    assert max(at_once) == 6


def test_without_manual_players_the_cores_decide() -> None:
    executor = LocalExecutor(ArenaSettings(level=Level.NONE), concurrency=3, entrants=[resolve("random")] * 4)
    assert executor.slots == 3


def test_a_game_in_this_process_that_nobody_waits_for_ends_after_its_move(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def long_game(game: Any, on_line: Any) -> None:
        thinking = threading.Event()
        try:
            for _ in range(6000):
                on_line("a move")
                thinking.wait(0.01)
        except InterruptedError:
            ended.append(game)
            raise

    monkeypatch.setattr(executor_module, "play_in_process", long_game)
    game = replace(task(resolve("random"), resolve("greedy")), in_process=True)

    async def run() -> None:
        async with LocalExecutor(ArenaSettings(level=Level.NONE), concurrency=1) as executor:
            begun = asyncio.Event()
            playing = asyncio.create_task(executor.play(game, lambda line: begun.set()))
            await begun.wait()
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing

    asyncio.run(run())  # It waits for its threads.
    assert ended == [game]


def crowd(monkeypatch: pytest.MonkeyPatch, games: int, cores: int) -> int:
    """The largest number of games that were played at once, if all may be."""
    now = most = 0

    async def play(self: Any, game: Any, cores: Any, on_line: Any) -> Any:
        nonlocal now, most
        now += 1
        most = max(most, now)
        for _ in range(10):
            await asyncio.sleep(0)
        now -= 1
        return game

    monkeypatch.setattr(Arena, "play", play)
    monkeypatch.setattr(executor_module, "available_cores", lambda: list(range(cores)))
    monkeypatch.setattr(executor_module, "assign_cores", lambda cores, games: [((), ())] * games)
    players = [resolve("random")] * 2

    async def run() -> None:
        async with LocalExecutor(ArenaSettings(level=Level.NONE), concurrency=games) as executor:
            await asyncio.gather(*(executor.play(task(*players)) for _ in range(2 * games)))

    asyncio.run(run())
    return most


def test_while_the_machine_is_busy_one_game_is_played_at_a_time(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert crowd(monkeypatch, games=3, cores=8) == 3
    machine.be_busy()
    assert crowd(monkeypatch, games=3, cores=8) == 1
