"""Records as a feed carries them: played quickly in this process."""

from __future__ import annotations

from functools import cache
from random import Random

from spielleiter import games
from spielleiter.feeds import Feed
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.tasks import GameTask
from spielleiter.programs.entrants import resolve_all

GAME = "piranhas-2026"


@cache
def record_lines(seed: int = 1, names: tuple[str, str] = ("Ada", "Grace")) -> tuple[str, ...]:
    """The lines of the record of a whole game between random players."""
    game = games.load(GAME)
    one, two = resolve_all([f"random:seed={seed}", f"random:seed={seed + 1}"], names)
    start = game.notation.format_state(game.new_state(Random(seed)))
    lines: list[str] = []
    play_in_process(GameTask(id="game", game=GAME, start=start, entrants=(one, two), limits=game.limits), lines.append)
    return tuple(lines)


def write(feed: Feed, game_id: str, lines: tuple[str, ...]) -> None:
    """Write lines of a record to a feed."""
    for line in lines:
        feed.write(game_id, line)
