"""Games that are shown live without anybody playing them."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from spielleiter import games
from spielleiter.feeds.live import Audience, LiveGame, LiveGames, Source
from spielleiter.game import TEAMS, Cause, GameResult, TeamResult, random_game
from spielleiter.referee import GameEnded
from tests.support import histories

SOURCE = Source(Audience.EVERYBODY, lambda room_id: None)


def course(key: str = "piranhas-2026", seed: int = 1) -> list[Any]:
    """All positions of a random game."""
    return list(random_game(games.load(key).new_state(Random(seed)), Random(seed)))


def begin(live: LiveGames, room: str, states: list[Any], names: tuple[str, str] = ("Ada", "Grace")) -> LiveGame:
    """A game at its start."""
    history = histories.begin(states, room=room, names=names, at=1.0)
    begun = LiveGame(room, history, 1.0, asked=time.monotonic(), source=SOURCE)
    live.begin(begun)
    return begun


def move_to(live: LiveGames, game: LiveGame, states: list[Any], ply: int) -> None:
    """Play the moves until ``ply``."""
    for made in list(histories.moves_between(states, 1.0))[len(game.history.plies) : ply]:
        game.asked = time.monotonic()
        game.history.follow(made)
        live.grown(game)


def end(live: LiveGames, game: LiveGame, states: list[Any]) -> None:
    """The game ends by its rules."""
    outcome = states[-1].outcome
    one, two = (TeamResult(Cause.REGULAR, states[-1].points(team)) for team in TEAMS)
    result = GameResult((one, two), outcome.winner, outcome.reason.text, outcome.reason.name)
    game.history.follow(GameEnded(game.room_id, result, states[-1], 100.0))
    live.grown(game)
