"""Records as a feed carries them: played quickly in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any

from spielleiter import games
from spielleiter.contest.run import feeds
from spielleiter.contest.store import Store
from spielleiter.feeds import Feed, FeedServer
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


class ScriptedRun:
    """A run of a season that plays what a test says, and when: the pages find it in the store and follow it."""

    def __init__(self, site: Any) -> None:
        self._site = site
        self._feed = Feed()

    def write(self, game_id: str, lines: tuple[str, ...]) -> None:
        """More lines of the record of a game."""
        self._site.do(lambda: write(self._feed, game_id, lines))

    def until_shown(self, game_id: str, plies: int) -> None:
        """Wait until the pages know so many moves of a game."""
        live = self._site.web_app.live

        async def wait() -> None:
            while (found := live.get(game_id)) is None or len(found.history.plies) < plies:
                await live.channel.wait(live.channel.version)

        self._site.do(wait)


@contextmanager
def scripted_run(site: Any, store: Store) -> Iterator[ScriptedRun]:
    """A run whose games a test plays, while the block runs; in the thread of the pages, but over a real connection."""
    run = ScriptedRun(site)
    server = FeedServer(run._feed)
    site.do(server.__aenter__)
    try:
        with feeds.announced(store, server.address):
            yield run
    finally:
        site.do(lambda: server.__aexit__(None, None, None))
