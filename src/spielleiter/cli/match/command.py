"""``spielleiter match``: thousands of games between player programs, with statistics that do not fool anybody."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from spielleiter import games
from spielleiter.analysis.adjudication import parse_adjudication
from spielleiter.cli.match.config import ConfigOption, configured_players, players_with_options
from spielleiter.cli.match.manual import (
    Doors,
    HostOption,
    PortOption,
    WaitOption,
)
from spielleiter.cli.match.run import RunSettings, run_match
from spielleiter.cli.programs import Sandbox, SandboxOption
from spielleiter.cli.terminal import complete_key
from spielleiter.errors import SettingsError
from spielleiter.matches.openings import Openings, Order, read_positions
from spielleiter.matches.pairings import Format
from spielleiter.matches.plan import (
    MatchPlan,
    SprtPlan,
    plan_from_json,
    read_plan,
    stored_entrants,
)
from spielleiter.programs.entrants import with_options

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
    clock: Annotated[
        str | None,
        typer.Option(help="Time of each side for a whole game, and what each move adds: 60+0.5; instead of --seconds."),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, help="Nodes for a move, for players with the option nodes; for each of them."),
    ] = None,
    openings: Annotated[str, typer.Option(help="Start positions: a seed, or a file with one in each line.")] = "0",
    random_moves: Annotated[int, typer.Option(min=0, max=60, help="Number of random opening moves.")] = 0,
    order: Annotated[
        Order, typer.Option(help="Order of the start positions of a file; random: shuffled by --seed.")
    ] = Order.FILE,
    seed: Annotated[int, typer.Option(help="Seed of --order random and of --random-moves.")] = 0,
    adjudicate: Annotated[
        str | None,
        typer.Option(help="End games early that seem decided: win=0.98,moves=6 or lead=20,moves=8; off by default."),
    ] = None,
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

    Exit code 0: the match was played. 2: wrong input. 3: a player never started, or the match was stopped because one
    does not. 4: a player crashed or left in each of its games. 130: interrupted.
    """
    if resume is not None:
        given = {"players": players, "--game": game, "--games": number, "--sprt": sprt, "--format": form,
                 "--seconds": seconds, "--clock": clock, "--nodes": nodes, "--rounds": rounds, "--name": name,
                 "--out": out, "--set": options, "--no-ponder": not ponder, "--adjudicate": adjudicate}  # fmt: skip
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
        if nodes is not None:
            entrants = tuple(with_options(entrant, {"nodes": str(nodes)}) for entrant in entrants)
        key = game or games.CURRENT_SEASON
        for entrant in entrants:
            entrant.check_game(games.load(key))
        plan = MatchPlan(
            game=games.load(key).key,
            entrants=entrants,
            format=form or (Format.DUEL if len(entrants) == 2 else Format.ROUND_ROBIN),
            games=number if number is not None or sprt is not None else _DEFAULT_GAMES,
            sprt=None if sprt is None else parse_sprt(sprt),
            openings=choose_openings(openings, order, seed, random_moves, key),
            seconds=seconds,
            clock=None if clock is None else parse_clock(clock),
            rounds=rounds,
            ponder=ponder,
            in_process=in_process,
            adjudication=None if adjudicate is None else parse_adjudication(adjudicate),
        )
        folder = out or Path(time.strftime("match-%Y%m%d-%H%M%S"))
    settings = RunSettings(
        sandbox=sandbox,
        memory=memory,
        concurrency=concurrency,
        cluster=cluster,
        watch=watch,
        replay_busy=replay_busy,
        recover=recover,
        doors=Doors(host, port, wait),
    )
    _, code = run_match(plan, folder, settings, resume=resume is not None, report=report, as_json=as_json)
    if code:
        raise typer.Exit(code)


def parse_clock(text: str) -> tuple[float, float]:
    """The seconds of a game and those that each move adds, as in ``60+0.5``. Raises ``SettingsError``."""
    seconds, _, increment = text.partition("+")
    try:
        return float(seconds), float(increment or 0)
    except ValueError:
        raise SettingsError(
            f"--clock erwartet Sekunden wie 60 oder 60+0.5, nicht {text!r}.",
            f"--clock takes seconds, as in 60 or 60+0.5, not {text!r}",
        ) from None


def parse_sprt(text: str) -> SprtPlan:
    """The test that ``0,30`` stands for. Raises ``SettingsError``."""
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise SettingsError(
            f"--sprt erwartet zwei Elo-Zahlen wie 0,30, nicht {text!r}.",
            f"--sprt takes two numbers of Elo, as in 0,30, not {text!r}",
        ) from None
    return SprtPlan(elo0, elo1)


def choose_openings(text: str, order: Order, seed: int, random_moves: int, key: str) -> Openings:
    """The openings of a seed or a file. Raises ``SettingsError``."""
    if text.lstrip("-").isdecimal():
        return Openings(seed=int(text), random_moves=random_moves)
    positions = read_positions(Path(text), games.load(key))
    return Openings(seed=seed, positions=order.arrange(positions, seed), random_moves=random_moves)
