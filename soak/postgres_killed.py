"""PostgreSQL killed in mid-season and started again, beside two organisers."""

from __future__ import annotations

from random import Random

from soak.postgres import PostgresServer, server_folder
from soak.scenario import Deadline, Findings
from soak.seasons import ASSERTED, DisturbedSeason, undisturbed
from tests.support.contest_organiser import Organiser


def run(deadline: Deadline) -> Findings:
    findings, rng = Findings(f"{ASSERTED}; each loss of the server is one clear line"), Random(1)
    kills = seasons = refusals = 0
    undisturbed()
    with server_folder() as folder:
        server = PostgresServer.create(folder / "one")
        try:
            while not (deadline.is_past and seasons):
                seasons += 1
                season = DisturbedSeason(folder, server.store(), findings)
                kills += _play(season, server, rng, deadline)
                season.finish()
                refusals += len(season.refusals)
        finally:
            server.kill()
    findings.done = f"{kills} kills in {seasons} seasons with two organisers; {refusals} of their runs ended"
    return findings


def _play(season: DisturbedSeason, server: PostgresServer, rng: Random, deadline: Deadline) -> int:
    """Kill the server in turn while the organisers play and while they begin; how often."""
    for kills in range(1, 9):
        organisers = [season.organiser() for _ in range(2)]
        hear_of_games(organisers[0], rng.randrange(0, 12))
        server.kill()
        if kills % 2:
            server.start()  # At once: an organiser may not even notice before its next game.
        for organiser in organisers:
            organiser.give_up()
            season.ended(organiser)
        if not kills % 2:
            late = season.organiser()
            assert late.give_up(), "an organiser began without a server"
            season.ended(late)
            server.start()
        season.check_recorded()
        season.prove()
        if deadline.is_past:
            break
    return kills


def hear_of_games(organiser: Organiser, number: int) -> None:
    """Wait until an organiser has recorded so many games, or has ended."""
    try:
        organiser.begun()
        for _ in range(number):
            organiser.heard_of_a_game()
    except EOFError:
        return
