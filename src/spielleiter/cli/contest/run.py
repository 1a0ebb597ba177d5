"""``spielleiter contest init | run``: write a season file, and play the season."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    open_contest,
    open_executor,
    read_until,
)
from spielleiter.cli.contest.view import ContestView, advice
from spielleiter.cli.match.manual import HostOption, JoinSettings, PortOption, WaitOption, announce_invitations
from spielleiter.cli.programs import print_failure, write_logs
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import console, errors, language, say, t
from spielleiter.contest.run import feeds
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest, os_user
from spielleiter.contest.run.first_programs import leave_out, submit_first_programs, what_to_do
from spielleiter.contest.run.programs import active_entrants
from spielleiter.contest.season.file import create_season_file, example
from spielleiter.contest.season.next import Blocker
from spielleiter.errors import ContestError
from spielleiter.feeds import Feed, FeedServer
from spielleiter.game import Text
from spielleiter.matches.series import play_series


def init(season: SeasonOption = SEASON) -> None:
    create_season_file(season, example(language()))
    command = "spielleiter contest run" + ("" if season == SEASON else f" --season {season}")
    say(
        Text(
            f"{season} ist geschrieben. Die ganze Saison spielen: {command}",
            f"{season} is written. Play the whole season: {command}",
        )
    )


def run(
    until: Annotated[str | None, typer.Option(metavar="PHASE[:DAY]", help=t(
        "Nach einer Phase (championship) oder einem ihrer Spieltage (championship:3) anhalten.",
        "Stop after a phase (championship) or one of its days (championship:3)."))] = None,
    ahead: Annotated[bool, typer.Option("--ahead", help=t(
        "Nicht auf die Termine der Spieltage warten.", "Do not wait for the dates of matchdays."))] = False,
    concurrency: Annotated[int | None, typer.Option(help=t(
        "Spiele gleichzeitig; Standard: halb so viele wie Kerne.",
        "Number of games at the same time; default: half the cores."))] = None,
    cluster: Annotated[str | None, typer.Option(help=t(
        "Auf einem Dask-Cluster spielen: tcp://HOST:PORT, oder local:4 für vier Worker auf diesem Rechner.",
        "Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here."))] = None,
    live_host: Annotated[str, typer.Option(metavar="HOST", help=t(
        "Adresse dieses Rechners, unter der die Seiten seine Spiele verfolgen.",
        "Address of this machine at which the pages follow its games."))] = "127.0.0.1",
    without: Annotated[list[str] | None, typer.Option(metavar="TEAM", help=t(
        "Team, dessen Programm nicht spielt: ohne es beginnen. Mehrfach möglich.",
        "Team whose program does not play: begin without it. Can be repeated."))] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 13050,
    wait: WaitOption = 600.0,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        leave_out(contest, without or (), who=os_user())
        goal = None if until is None else read_until(until, contest.season)
        for note in contest.season.notes:
            errors.print(note.to(language()), style="yellow", markup=False, soft_wrap=True)
        view = ContestView(contest)
        try:
            with Conductor(contest, until=goal, ahead=ahead, on_game=view.game, on_state=view.state) as conductor:
                interrupt_on_every_signal()
                asyncio.run(
                    _run(contest, conductor, view, concurrency, cluster, live_host, JoinSettings(host, port, wait))
                )
        except KeyboardInterrupt:
            say(Text("Unterbrochen. Mit demselben Befehl geht es weiter.", "Interrupted; the same command goes on."))
            raise typer.Exit(130) from None
        view.summary()
        state = conductor.state
        if state is not None and state.blocker not in (Blocker.GAMES, Blocker.NOTHING):
            say(state.text(contest.season), "bold")
            if (hint := advice(state)) is not None:
                say(hint)


async def _run(
    contest: Contest,
    conductor: Conductor,
    view: ContestView,
    concurrency: int | None,
    cluster: str | None,
    live_host: str,
    join_settings: JoinSettings,
) -> None:
    entrants = active_entrants(contest)
    executor = await open_executor(contest, concurrency, cluster, entrants=entrants, join_settings=join_settings)
    async with executor:
        announce_invitations(executor, entrants)
        for notice in executor.notices:
            errors.print(notice.to(language()), style="yellow", markup=False, soft_wrap=True)
        if unplayable := await submit_first_programs(contest, executor, say):
            logs = write_logs({each.team: each.log.encode() for each in unplayable})
            for each in unplayable:
                console.print(f"✗ {each.team}: {each.player}", style="red", markup=False, soft_wrap=True)
                print_failure(each.why, logs.get(each.team))
            what = what_to_do(unplayable)
            raise ContestError(what.de, what.en)
        feed = Feed()
        async with FeedServer(feed, live_host) as server:
            with feeds.announced(contest.store, server.address), view:
                await play_series(conductor, executor, feed=feed)
