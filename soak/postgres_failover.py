"""PostgreSQL failing over in mid-season: its server is killed, its standby takes over and gets a standby of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

from soak.postgres import PostgresServer, server_folder, several_urls
from soak.postgres_killed import hear_of_games
from soak.scenario import Deadline, Findings
from soak.seasons import ASSERTED, DisturbedSeason, undisturbed


def run(deadline: Deadline) -> Findings:
    findings, rng = Findings(f"{ASSERTED}, though its server is gone for good"), Random(1)
    failovers = seasons = 0
    undisturbed()
    with server_folder() as folder:
        servers = _Pair(folder)
        try:
            while not (deadline.is_past and seasons):
                seasons += 1
                servers.primary.store()
                season = DisturbedSeason(folder, servers.url, findings)
                for _ in range(3):
                    organisers = [season.organiser() for _ in range(2)]
                    hear_of_games(organisers[0], rng.randrange(2, 20))
                    servers.fail_over()
                    failovers += 1
                    for organiser in organisers:
                        organiser.give_up()
                        season.ended(organiser)
                    season.check_recorded()
                    season.prove()
                    if deadline.is_past:
                        break
                season.finish()
        finally:
            servers.kill()
    findings.done = f"{failovers} failovers to a synchronous standby in {seasons} seasons with two organisers"
    return findings


class _Pair:
    """A server and its standby, which take turns in two folders: so the URL of the store stays the same."""

    def __init__(self, folder: Path) -> None:
        self.primary = PostgresServer.create(folder / "one")
        self._standby = self.primary.standby(folder / "two")
        self.url = several_urls(self.primary, self._standby)

    def fail_over(self) -> None:
        lost, self.primary = self.primary, self._standby
        lost.kill()
        self.primary.promote()
        shutil.rmtree(lost.data)
        self._standby = self.primary.standby(lost.folder)

    def kill(self) -> None:
        for server in (self.primary, self._standby):
            server.kill()
