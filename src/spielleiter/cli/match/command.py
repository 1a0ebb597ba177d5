"""``spielleiter match``: thousands of games between player programs, with statistics that do not fool anybody."""

from __future__ import annotations

import asyncio
import json
import shlex
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from spielleiter import games
from spielleiter.cli.match.config import ConfigOption, configured_players, players_with_options
from spielleiter.cli.match.manual import (
    Doors,
    HostOption,
    PortOption,
    WaitOption,
    announce_arrivals,
    announce_invitations,
    check_cluster,
)
from spielleiter.cli.match.view import LiveView, PlainView, QuietView, View, print_summary
from spielleiter.cli.programs import EXIT_ALWAYS_CRASHED, EXIT_NEVER_STARTED, Sandbox, SandboxOption, choose_level
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import complete_key, console, errors, language, say
from spielleiter.errors import SettingsError
from spielleiter.feeds import Feed, FeedServer
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import Executor, LocalExecutor
from spielleiter.matches.invitations import with_reservations
from spielleiter.matches.match import Match, MatchEnd, Stop
from spielleiter.matches.openings import Openings, Order, read_positions
from spielleiter.matches.pairings import Format
from spielleiter.matches.plan import (
    FEED,
    MatchPlan,
    SprtPlan,
    claim_folder,
    plan_from_json,
    read_plan,
    stored_entrants,
)
from spielleiter.matches.summary import Summary, summarise
from spielleiter.programs.entrants import EntrantKind
from spielleiter.programs.sandbox import AUTO, Level, ResourceLimits

_DEFAULT_GAMES = 100


def match(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            help="Built-in names (expert, random:seed=3), Python files, folders or ZIPs with start.sh, commands in "
            "quotes, or 'manual:NAME' for somebody who joins from another machine."
        ),
    ] = None,
    config: ConfigOption = None,
    game: Annotated[
        str | None, typer.Option(help="The game; default: that of the current season.", autocompletion=complete_key)
    ] = None,
    number: Annotated[
        int | None, typer.Option("--games", help="Games of each encounter, an even number; default: 100.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(help="Play until it is clear whether the first is stronger: 0,30 tests 0 against 30 Elo."),
    ] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="How the players meet; default: duel for two.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss match.")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Games in parallel; default: half the cores.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Time for a move in seconds; default: the game's.")] = None,
    openings: Annotated[str, typer.Option(help="Start positions: a seed, or a file with one in each line.")] = "0",
    random_moves: Annotated[int, typer.Option(min=0, max=60, help="Number of random opening moves.")] = 0,
    order: Annotated[
        Order, typer.Option(help="Order of the start positions of a file; random: shuffled by --seed.")
    ] = Order.FILE,
    seed: Annotated[int, typer.Option(help="Seed of --order random and of --random-moves.")] = 0,
    options: Annotated[
        list[str] | None,
        typer.Option("--set", help="Option of a player by its place, as in 1:depth=3; can be repeated."),
    ] = None,
    name: Annotated[list[str] | None, typer.Option(help="Name of a player, in their order; can be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="Output folder; default: a new one.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Resume the match in this folder.")] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    memory: Annotated[int, typer.Option(min=50, help="Memory limit of a player, in megabytes.")] = 1500,
    ponder: Annotated[
        bool, typer.Option("--ponder/--no-ponder", help="Whether players may think in their opponent's time.")
    ] = True,
    cluster: Annotated[
        str | None, typer.Option(help="Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here.")
    ] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 13050,
    wait: WaitOption = 600.0,
    in_process: Annotated[
        bool, typer.Option("--in-process", help="Built-in players only, without processes: fast, for tests.")
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Let 'spielleiter web --follow FOLDER' show the running games."),
    ] = False,
    replay_busy: Annotated[
        bool,
        typer.Option("--replay-busy", help="Replay games lost on time while other programs used the machine."),
    ] = False,
    recover: Annotated[
        bool,
        typer.Option("--recover", help="Go on though a player fails to start again and again: it loses these games."),
    ] = False,
    report: Annotated[bool, typer.Option(help="Write report.html, results.csv and games.txt at the end.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="JSON output.")] = False,
) -> None:
    """Play a match: every opening twice with sides swapped, games in parallel, resumable, with error bars.

    Exit code 0: the match was played. 2: it cannot be played as asked for. 3: a player never started, or the match was
    stopped because one does not. 4: a player crashed or left in each of its games. 130: interrupted.
    """
    if resume is not None:
        given = {"players": players, "--game": game, "--games": number, "--sprt": sprt, "--format": form,
                 "--seconds": seconds, "--rounds": rounds, "--name": name, "--out": out, "--set": options,
                 "--no-ponder": not ponder}  # fmt: skip
        # What a file says cannot be left out one by one.
        if clash := ["--config"] if config else [what for what, value in given.items() if value]:
            raise SettingsError(
                f"--resume setzt ein Match so fort, wie es geplant war: lass {', '.join(clash)} weg.",
                f"--resume goes on with a match as it was planned: leave out {', '.join(clash)}",
            )
        stored = read_plan(resume)
        plan = plan_from_json(stored, stored_entrants(stored))
        folder = resume
    else:
        if players:
            entrants = players_with_options(players, name or (), options or ())
        elif config is not None:
            entrants = configured_players(config)
        else:
            raise SettingsError(
                "Nenne mindestens zwei Spieler, oder --resume ORDNER.", "name at least two players, or --resume FOLDER"
            )
        key = game or games.CURRENT_SEASON
        plan = MatchPlan(
            game=games.load(key).key,
            entrants=entrants,
            format=form or (Format.DUEL if len(entrants) == 2 else Format.ROUND_ROBIN),
            games=number if number is not None or sprt is not None else _DEFAULT_GAMES,
            sprt=None if sprt is None else _sprt(sprt),
            openings=_openings(openings, order, seed, random_moves, key),
            seconds=seconds,
            rounds=rounds,
            ponder=ponder,
            in_process=in_process,
        )
        folder = out or Path(time.strftime("match-%Y%m%d-%H%M%S"))
    _check_fit(plan, cluster)
    claim_folder(folder, plan, resume=resume is not None)
    plan = replace(plan, entrants=with_reservations(folder, plan.entrants))
    resource_limits = ResourceLimits(memory=memory * 1_000_000)
    doors = Doors(host, port, wait)
    view: View = QuietView() if as_json else LiveView(plan) if console.is_terminal else PlainView(plan)
    try:
        interrupt_on_every_signal()
        end = asyncio.run(
            _play(
                plan, folder, view, sandbox, resource_limits, concurrency, cluster,
                watch=watch, replay_busy=replay_busy, recover=recover, doors=doors,
            )
        )  # fmt: skip
    except KeyboardInterrupt:
        again = f"--resume {folder}" + (" --replay-busy" if replay_busy else "")
        errors.print(
            Text(f"Unterbrochen; weiter mit {again}", f"Interrupted; go on with {again}").to(language()), markup=False
        )
        raise typer.Exit(130) from None
    if code := _show_end(plan, folder, view, end, report=report, as_json=as_json):
        raise typer.Exit(code)


def _check_fit(plan: MatchPlan, cluster: str | None) -> None:
    kinds = {entrant.kind for entrant in plan.entrants}
    if plan.in_process and kinds != {EntrantKind.BUILT_IN}:
        raise SettingsError(
            "--in-process gibt es nur für eingebaute Spieler.", "--in-process is for built-in players only"
        )
    if cluster is not None:
        check_cluster(plan.entrants)


def _sprt(text: str) -> SprtPlan:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise SettingsError(
            f"--sprt erwartet zwei Elo-Zahlen wie 0,30, nicht {text!r}.",
            f"--sprt takes two numbers of Elo, as in 0,30, not {text!r}",
        ) from None
    return SprtPlan(elo0, elo1)


def _openings(text: str, order: Order, seed: int, random_moves: int, key: str) -> Openings:
    if text.lstrip("-").isdecimal():
        return Openings(seed=int(text), random_moves=random_moves)
    positions = read_positions(Path(text), games.load(key))
    return Openings(seed=seed, positions=order.arrange(positions, seed), random_moves=random_moves)


async def _play(
    plan: MatchPlan,
    folder: Path,
    view: View,
    sandbox: str,
    resource_limits: ResourceLimits,
    concurrency: int | None,
    cluster: str | None,
    *,
    watch: bool,
    replay_busy: bool,
    recover: bool,
    doors: Doors,
) -> MatchEnd:
    executor: Executor
    # One ZIP is what its author tries out; several are those of other people, too.
    untrusted = len({entrant.digest for entrant in plan.entrants if entrant.kind is EntrantKind.ZIP}) > 1
    if cluster is not None:
        from spielleiter.matches.cluster import DaskExecutor

        wanted = Level.BUBBLEWRAP.value if untrusted and sandbox == AUTO else sandbox
        executor = DaskExecutor(cluster, sandbox=wanted, resource_limits=resource_limits)
    else:
        level = Level.NONE
        if not plan.in_process:
            level = await choose_level(sandbox, untrusted=untrusted)
        settings = doors.open_to(ArenaSettings(level=level, resource_limits=resource_limits), plan.entrants)
        executor = LocalExecutor(
            settings, concurrency=concurrency, entrants=plan.entrants, on_arrival=announce_arrivals(plan.entrants)
        )
    async with executor, AsyncExitStack() as stack:
        if isinstance(executor, LocalExecutor):
            announce_invitations(executor.address, plan.entrants, seconds=plan.seconds)
        feed = Feed() if watch else None
        if feed is not None:
            server = await stack.enter_async_context(FeedServer(feed))
            stack.enter_context(server.address.written_to(folder / FEED))
            command = f"spielleiter web --follow {shlex.quote(str(folder))}"
            view.notice(Text(f"Zuschauen: {command}", f"To watch: {command}"))
        running = Match(
            plan,
            folder,
            executor,
            replay_busy=replay_busy,
            recover=recover,
            on_row=lambda row: view.row(row, running),
            on_start=view.start,
            feed=feed,
        )
        for notice in executor.notices:
            view.notice(notice)
        with view:
            view.begin(running)
            return await running.run()


def _show_end(plan: MatchPlan, folder: Path, view: View, end: MatchEnd, *, report: bool, as_json: bool) -> int:
    """Show how the match ended: the exit code."""
    summary = summarise(plan, end.rows, view.sprt, len(end.replaced))
    code, why = _exit_code(summary, end)
    if report:
        from spielleiter.pages.match_report import write_report

        write_report(folder, plan, end.rows, summary, end.notices, language(), replaced=end.replaced)
    if as_json:
        data: dict[str, Any] = {"folder": str(folder), "stop": end.stop.name, "reason": end.reason.to(language())}
        data["exit_code"] = code
        data |= summary.to_json() | {"notices": [notice.to(language()) for notice in end.notices]}
        console.print_json(json.dumps(data))
        return code
    print_summary(summary, end, folder, report=report)
    if code:
        say(Text(f"{why.de} (Exit-Code {code}).", f"{why.en} (exit code {code})."), "bold red")
    return code


def _exit_code(summary: Summary, end: MatchEnd) -> tuple[int, Text]:
    """The exit code, and what it says about the players."""
    if absent := [standing.name for standing in summary.standings if standing.never_started]:
        names = ", ".join(absent)
        return EXIT_NEVER_STARTED, Text(f"Nie gestartet: {names}", f"Never started: {names}")
    if end.stop is Stop.NO_START:
        return EXIT_NEVER_STARTED, Text("Vorzeitig beendet", "Stopped early")
    if broken := [standing.name for standing in summary.standings if standing.always_crashed]:
        names = ", ".join(broken)
        return EXIT_ALWAYS_CRASHED, Text(f"In jedem Spiel abgestürzt: {names}", f"Crashed in every game: {names}")
    return 0, end.reason
