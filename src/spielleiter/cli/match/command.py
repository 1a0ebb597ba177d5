"""``spielleiter match``: thousands of games between player programs, with statistics that do not fool anybody."""

from __future__ import annotations

import asyncio
import json
import shlex
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from spielleiter import games
from spielleiter.cli.match.view import LiveView, PlainView, QuietView, View, print_summary
from spielleiter.cli.sandbox import Sandbox, SandboxOption, choose_level
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import complete_key, console, errors, language
from spielleiter.errors import SettingsError
from spielleiter.feeds import Feed, FeedServer
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import Executor, LocalExecutor
from spielleiter.matches.match import Match, MatchEnd, Stop
from spielleiter.matches.openings import Openings, read_positions
from spielleiter.matches.pairings import Format
from spielleiter.matches.plan import FEED, MatchPlan, SprtPlan, claim_folder, plan_from_json, read_plan
from spielleiter.matches.summary import summarise
from spielleiter.programs.entrants import EntrantKind, resolve_all
from spielleiter.programs.sandbox import Level, ResourceLimits

_DEFAULT_GAMES = 100


def match(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            help="Built-in names (expert, random:seed=3), Python files, folders or ZIPs with start.sh, commands in "
            "quotes, or 'manual' for somebody who joins manually."
        ),
    ] = None,
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
    name: Annotated[list[str] | None, typer.Option(help="Name of a player, in their order; can be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="Output folder; default: a new one.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Resume the match in this folder.")] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    memory: Annotated[int, typer.Option(min=50, help="Memory limit of a player, in megabytes.")] = 1500,
    cluster: Annotated[
        str | None, typer.Option(help="Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here.")
    ] = None,
    in_process: Annotated[
        bool, typer.Option("--in-process", help="Built-in players only, without processes: fast, for tests.")
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Let 'spielleiter web --follow FOLDER' show the running games."),
    ] = False,
    report: Annotated[bool, typer.Option(help="Write report.html and results.csv at the end.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="JSON output.")] = False,
) -> None:
    """Play a match: every opening twice with sides swapped, games in parallel, resumable, with error bars.

    Exit code 0 if the match was played, 1 if it had to be stopped because a player does not start.
    """
    if resume is not None:
        given = {"players": players, "--game": game, "--games": number, "--sprt": sprt, "--format": form,
                 "--seconds": seconds, "--rounds": rounds, "--name": name, "--out": out}  # fmt: skip
        if clash := [what for what, value in given.items() if value]:
            raise SettingsError(
                f"--resume setzt ein Match so fort, wie es geplant war: lass {', '.join(clash)} weg.",
                f"--resume goes on with a match as it was planned: leave out {', '.join(clash)}",
            )
        stored = read_plan(resume)
        texts, names = ([player[key] for player in stored["players"]] for key in ("player", "name"))
        plan = plan_from_json(stored, resolve_all(texts, names))
        folder = resume
    else:
        if not players:
            raise SettingsError(
                "Nenne mindestens zwei Spieler, oder --resume ORDNER.", "name at least two players, or --resume FOLDER"
            )
        key = game or games.CURRENT_SEASON
        plan = MatchPlan(
            game=games.load(key).key,
            entrants=resolve_all(players, name or ()),
            format=form or (Format.DUEL if len(players) == 2 else Format.ROUND_ROBIN),
            games=number if number is not None or sprt is not None else _DEFAULT_GAMES,
            sprt=None if sprt is None else _sprt(sprt),
            openings=_openings(openings, random_moves, key),
            seconds=seconds,
            rounds=rounds,
            in_process=in_process,
        )
        folder = out or Path(time.strftime("match-%Y%m%d-%H%M%S"))
    _check_fit(plan, cluster)
    claim_folder(folder, plan, resume=resume is not None)
    resource_limits = ResourceLimits(memory=memory * 1_000_000)
    view: View = QuietView() if as_json else LiveView(plan) if console.is_terminal else PlainView(plan)
    try:
        interrupt_on_every_signal()
        end = asyncio.run(_play(plan, folder, view, sandbox, resource_limits, concurrency, cluster, watch))
    except KeyboardInterrupt:
        errors.print(
            Text(f"Unterbrochen; weiter mit --resume {folder}", f"Interrupted; go on with --resume {folder}").to(
                language()
            ),
            markup=False,
        )
        raise typer.Exit(130) from None
    _show_end(plan, folder, view, end, report=report, as_json=as_json)
    if end.stop is Stop.NO_START:
        raise typer.Exit(1)


def _check_fit(plan: MatchPlan, cluster: str | None) -> None:
    kinds = {entrant.kind for entrant in plan.entrants}
    if plan.in_process and kinds != {EntrantKind.BUILT_IN}:
        raise SettingsError(
            "--in-process gibt es nur für eingebaute Spieler.", "--in-process is for built-in players only"
        )
    if cluster is not None and EntrantKind.MANUAL in kinds:
        raise SettingsError(
            "Wer selbst beitritt („manual“), kann nicht auf einem Cluster mitspielen.",
            "a manual player cannot join a game on a cluster",
        )


def _sprt(text: str) -> SprtPlan:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise SettingsError(
            f"--sprt erwartet zwei Elo-Zahlen wie 0,30, nicht {text!r}.",
            f"--sprt takes two numbers of Elo, as in 0,30, not {text!r}",
        ) from None
    return SprtPlan(elo0, elo1)


def _openings(text: str, random_moves: int, key: str) -> Openings:
    if text.lstrip("-").isdecimal():
        return Openings(seed=int(text), random_moves=random_moves)
    return Openings(positions=read_positions(Path(text), games.load(key)), random_moves=random_moves)


async def _play(
    plan: MatchPlan,
    folder: Path,
    view: View,
    sandbox: str,
    resource_limits: ResourceLimits,
    concurrency: int | None,
    cluster: str | None,
    watch: bool,
) -> MatchEnd:
    executor: Executor
    if cluster is not None:
        from spielleiter.matches.cluster import DaskExecutor

        executor = DaskExecutor(cluster, sandbox=sandbox, resource_limits=resource_limits)
    else:
        level = Level.NONE
        if not plan.in_process:
            level = await choose_level(sandbox)
        if any(entrant.kind is EntrantKind.MANUAL for entrant in plan.entrants):
            concurrency = 1
        settings = ArenaSettings(level=level, resource_limits=resource_limits)
        executor = LocalExecutor(settings, concurrency=concurrency, announce=view.announce)
    async with executor, AsyncExitStack() as stack:
        feed = Feed() if watch else None
        if feed is not None:
            server = await stack.enter_async_context(FeedServer(feed))
            stack.enter_context(server.address.written_to(folder / FEED))
            command = f"spielleiter web --follow {shlex.quote(str(folder))}"
            view.notice(Text(f"Zuschauen: {command}", f"To watch: {command}"))
        running = Match(
            plan, folder, executor, on_row=lambda row: view.row(row, running), on_start=view.start, feed=feed
        )
        for notice in executor.notices:
            view.notice(notice)
        with view:
            view.begin(running)
            return await running.run()


def _show_end(plan: MatchPlan, folder: Path, view: View, end: MatchEnd, *, report: bool, as_json: bool) -> None:
    summary = summarise(plan, end.rows, view.sprt)
    if report:
        from spielleiter.pages.match_report import write_report

        write_report(folder, plan, end.rows, summary, end.notices, language())
    if as_json:
        data: dict[str, Any] = {"folder": str(folder), "stop": end.stop.name, "reason": end.reason.to(language())}
        data |= summary.to_json() | {"notices": [notice.to(language()) for notice in end.notices]}
        console.print_json(json.dumps(data))
        return
    print_summary(summary, end, folder, report=report)
