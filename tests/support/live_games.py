"""Games that are shown live without anybody playing them."""

from __future__ import annotations

import time
from itertools import pairwise
from random import Random
from typing import Any

from spielleiter import games
from spielleiter.game import TEAMS, Cause, GameResult, Limits, TeamResult, random_game
from spielleiter.web.live import Audience, LiveGame, LiveGames, Source

SOURCE = Source(Audience.EVERYBODY, lambda room_id: None)


def course(key: str = "piranhas-2026", seed: int = 1) -> list[Any]:
    """All positions of a random game."""
    return list(random_game(games.load(key).new_state(Random(seed)), Random(seed)))


def begin(live: LiveGames, room: str, states: list[Any], names: tuple[str, str] = ("Ada", "Grace")) -> LiveGame:
    """A game at its start."""
    game = games.game_of(states[0])
    begun = LiveGame(room, game, names, (Limits(), Limits()), states[0], 1.0, asked=time.monotonic(), source=SOURCE)
    live.begin(begun)
    return begun


def move_to(live: LiveGames, game: LiveGame, states: list[Any], ply: int) -> None:
    """Play the moves until ``ply``."""
    for before, after in list(pairwise(states))[len(game.plies) : ply]:
        game.asked = time.monotonic()
        live.move(game, before.to_move, after.last_move, after, 0.5, ())


def end(live: LiveGames, game: LiveGame, states: list[Any]) -> None:
    """The game ends by its rules."""
    outcome = states[-1].outcome
    one, two = (TeamResult(Cause.REGULAR, states[-1].points(team)) for team in TEAMS)
    live.end(game, GameResult((one, two), outcome.winner, outcome.reason.text, outcome), None)
