"""Friendly encounters: arranged by teams, played in the background, resumed after a restart."""

from __future__ import annotations

import logging

from spielleiter.contest.run import programs
from spielleiter.contest.run.conductor import Conductor
from spielleiter.errors import ContestError
from spielleiter.web.season.workers import Workers

log = logging.getLogger("spielleiter.web")


class FriendlyGames:
    """The friendly encounters that are being played."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._contest = workers.contest
        self._playing: set[int] = set()
        """Also those that wait for it."""
        self._stuck: set[int] = set()

    async def challenge(self, first: str, second: str, who: str) -> str:
        """Arrange a friendly encounter and play it in the background: its key. Raises ``ContestError``."""

        def arrange() -> tuple[int, str]:
            if self._playing.intersection(programs.unfinished_friendlies(self._contest, first)):
                raise ContestError(
                    "Die letzte Herausforderung deines Teams wird noch gespielt: warte das ab.",
                    "Your team's last challenge is still being played: wait for its end.",
                )
            id_, key = programs.arrange_friendly(self._contest, first, second, who=who)
            self._playing.add(id_)
            return id_, key

        id_, key = await self._workers.in_worker(arrange)
        self._workers.spawn(self._play(id_))
        return key

    def resume(self) -> None:
        """Go on with friendly encounters that were interrupted."""
        for id_ in programs.unfinished_friendlies(self._contest):
            self._workers.spawn(self._play(id_))

    def is_stuck(self, encounter: int) -> bool:
        """Whether an encounter stopped by an error on our side; it is tried again at the next start."""
        return encounter in self._stuck

    async def _play(self, id_: int) -> None:
        self._playing.add(id_)
        try:
            async with self._workers.conductor(lambda: self._new_conductor(id_)) as conductor:
                await self._workers.play(conductor)
        except Exception as problem:  # Whatever it is, it can be played another time.
            self._stuck.add(id_)
            log.error("a friendly encounter stopped", exc_info=problem)
        finally:
            self._playing.discard(id_)
            self._workers.publish(self._workers.channel)

    def _new_conductor(self, id_: int) -> Conductor:
        def on_game(*_: object) -> None:
            self._workers.publish(self._workers.channel)

        return Conductor(self._contest, only=id_, on_game=on_game)
