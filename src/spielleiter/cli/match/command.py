"""``spielleiter match``: thousands of games between player programs, with honest statistics."""

from __future__ import annotations

import time
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperArgument

from spielleiter import games
from spielleiter.analysis.adjudication import parse_adjudication
from spielleiter.cli.match.config import ConfigOption, configured_players, players_with_options
from spielleiter.cli.match.manual import (
    HostOption,
    JoinSettings,
    PortOption,
    WaitOption,
)
from spielleiter.cli.match.run import RunSettings, run_match
from spielleiter.cli.programs import (
    ConcurrencyOption,
    CoresOption,
    MemoryOption,
    OpeningsOption,
    RandomMovesOption,
    Sandbox,
    SandboxOption,
    SecondsOption,
    named_game,
    warn_if_weaker,
    warn_of_missing_pythons,
)
from spielleiter.cli.terminal import complete_key, complete_player, t
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.matches.executor import parse_cores
from spielleiter.matches.openings import Order, choose_openings
from spielleiter.matches.pairings import Format
from spielleiter.matches.plan import MatchPlan, plan_from_json, read_plan, started_with, stored_entrants
from spielleiter.programs.entrants import with_options
from spielleiter.rating.sprt import LIMITS, Sprt

_DEFAULT_GAMES = 100
_SETTABLE = frozenset({
    "resume", "sandbox", "memory", "concurrency", "cores", "cluster", "watch", "replay_busy", "recover", "host", "port",
    "wait", "report", "as_json", "stats",
})  # fmt: skip
"""The options that do not change what is played: a match that is resumed takes them as they are now given."""


def match(
    context: typer.Context,
    players: Annotated[list[str] | None, typer.Argument(autocompletion=complete_player, help=t(
        "Eingebaute Spieler (expert, random:seed=3), Python-Dateien, JARs, Ordner oder ZIPs mit start.sh, Befehle "
        "in Anführungszeichen, oder „manual:NAME“ für jemanden, der von einem anderen Rechner beitritt.",
        "Built-in names (expert, random:seed=3), Python files, JARs, folders or ZIPs with start.sh, commands in "
        "quotes, or 'manual:NAME' for a player that joins from another machine."))] = None,
    config: ConfigOption = None,
    game: Annotated[str | None, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das, das die Spieler nennen, sonst das der laufenden Saison.",
        "The game; default: the one that the players name, else that of the current season."))] = None,
    number: Annotated[int | None, typer.Option("--games", help=t(
        "Spiele jeder Begegnung, eine gerade Zahl; Standard: 100.",
        "Games of each encounter, an even number; default: 100."))] = None,
    sprt: Annotated[str | None, typer.Option(help=t(
        "Spielen, bis klar ist, ob der erste stärker ist: 0,30 prüft 0 gegen 30 Elo; dahinter, wenn gewünscht, die "
        "Irrtumsanteile und das Modell: 0,30,alpha=0.01,beta=0.05,model=normalised.",
        "Play until it is clear whether the first is stronger: 0,30 tests 0 against 30 Elo; then, if wanted, the error "
        "rates and the model: 0,30,alpha=0.01,beta=0.05,model=normalised."))] = None,
    form: Annotated[Format | None, typer.Option("--format", help=t(
        "Wer gegen wen spielt; Standard bei zweien: duel.", "How the players meet; default: duel for two."))] = None,
    rounds: Annotated[int | None, typer.Option(help=t(
        "Runden nach Schweizer System.", "Rounds of a Swiss match."))] = None,
    challengers: Annotated[int | None, typer.Option(min=1, help=t(
        "Gauntlet: So viele Spieler, die ersten, treten gegen alle anderen an; Standard: 1.",
        "Gauntlet: number of players, the first ones, that meet all others; default: 1."))] = None,
    concurrency: ConcurrencyOption = None,
    cores: CoresOption = None,
    seconds: SecondsOption = None,
    clock: Annotated[str | None, typer.Option(help=t(
        "Bedenkzeit jeder Seite für ein ganzes Spiel, und was jeder Zug hinzufügt: 60+0.5; statt --seconds.",
        "Time per side for the whole game plus increment per move: 60+0.5; instead of --seconds."))] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help=t(
        "Knoten je Zug, für jeden Spieler mit der Option nodes.",
        "Nodes per move, for every player that has the option nodes."))] = None,
    openings: OpeningsOption = "0",
    random_moves: RandomMovesOption = 0,
    order: Annotated[Order, typer.Option(help=t(
        "Reihenfolge der Startstellungen einer Datei; random: gemischt durch --seed.",
        "Order of the start positions of a file; random: shuffled by --seed."))] = Order.FILE,
    seed: Annotated[int, typer.Option(help=t(
        "Startwert von --order random, --random-moves und des Zufalls der eingebauten Spieler.",
        "Seed of --order random, of --random-moves, and of the chance of built-in players."))] = 0,
    adjudicate: Annotated[str | None, typer.Option(help=t(
        "Spiele vorzeitig werten, die entschieden scheinen: win=0.98,moves=6 oder lead=20,moves=8; Standard: nie. Auch "
        "Remis: win=0.98,draw=0.02,after=50.",
        "End games early that seem decided: win=0.98,moves=6 or lead=20,moves=8; off by default. Drawn games too: "
        "win=0.98,draw=0.02,after=50."))] = None,
    options: Annotated[list[str] | None, typer.Option("--set", help=t(
        "Option eines Spielers nach seinem Platz, wie in 1:depth=3; mehrfach möglich.",
        "Option of a player by its place, as in 1:depth=3; can be repeated."))] = None,
    python: Annotated[list[str] | None, typer.Option(help=t(
        "Python eines Spielers nach seinem Platz, wie in 1:3.12; Standard: was seine Dateien zeigen.",
        "Python of a player by its place, as in 1:3.12; default: what its files show."))] = None,
    name: Annotated[list[str] | None, typer.Option(help=t(
        "Name eines Spielers, in ihrer Reihenfolge; mehrfach möglich.",
        "Name of a player, in their order; can be repeated."))] = None,
    out: Annotated[Path | None, typer.Option(help=t(
        "Ordner für das Ergebnis; Standard: ein neuer.", "Output folder; default: a new one."))] = None,
    resume: Annotated[Path | None, typer.Option(help=t(
        "Das Match in diesem Ordner fortsetzen.", "Resume the match in this folder."))] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    memory: MemoryOption = 1500,
    ponder: Annotated[bool, typer.Option("--ponder/--no-ponder", help=t(
        "Ob Spieler in der Zeit des Gegners weiterdenken dürfen.",
        "Whether players may think in their opponent's time."))] = True,
    cluster: Annotated[str | None, typer.Option(help=t(
        "Auf einem Dask-Cluster spielen: tcp://HOST:PORT, oder local:4 für vier Worker auf diesem Rechner.",
        "Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here."))] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 13050,
    wait: WaitOption = 600.0,
    in_process: Annotated[bool, typer.Option("--in-process", help=t(
        "Nur eingebaute Spieler, ohne eigene Prozesse: schnell, für Tests.",
        "Built-in players only, without processes: fast, for tests."))] = False,
    watch: Annotated[bool, typer.Option("--watch", help=t(
        "Die laufenden Spiele für „spielleiter web --follow ORDNER“ zeigen.",
        "Let 'spielleiter web --follow FOLDER' show the running games."))] = False,
    replay_busy: Annotated[bool, typer.Option("--replay-busy/--no-replay-busy", help=t(
        "Spiele wiederholen, die durch die Zeit verloren gingen, während der Rechner überlastet war.",
        "Replay games lost on time while the machine was busy."))] = True,
    recover: Annotated[bool, typer.Option("--recover", help=t(
        "Weiterspielen, auch wenn ein Spieler immer wieder nicht startet; er verliert diese Spiele.",
        "Keep going if a player repeatedly fails to start; it forfeits those games."))] = False,
    report: Annotated[bool, typer.Option(help=t(
        "Am Ende report.html, results.csv und games.txt schreiben.",
        "Write report.html, results.csv and games.txt at the end."))] = True,
    stats: Annotated[bool, typer.Option("--stats", help=t(
        "Auch Elo, Fehlergrenzen und Verteilung der Zeiten zeigen.",
        "Also show Elo, error bars and the spread of times."))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=t("Ausgabe als JSON.", "JSON output."))] = False,
) -> None:  # fmt: skip
    if resume is not None:
        stored = read_plan(resume)
        refuse_planned_options(context, _SETTABLE, stored)
        plan = plan_from_json(stored, stored_entrants(stored))
        folder = resume
    else:
        if players:
            entrants = players_with_options(players, name or (), options or (), python or ())
        elif config is not None:
            entrants = configured_players(config)
        else:
            raise SettingsError(
                "Nenne mindestens zwei Spieler, oder --resume ORDNER.", "name at least two players, or --resume FOLDER"
            )
        if nodes is not None:
            entrants = tuple(with_options(entrant, {"nodes": str(nodes)}) for entrant in entrants)
        played = games.load(game) if game is not None else named_game(entrants)
        for entrant in entrants:
            entrant.check_game(played)
        warn_if_weaker((entrant.text for entrant in entrants), played)
        warn_of_missing_pythons(entrants)
        plan = MatchPlan(
            game=played.key,
            entrants=entrants,
            format=form or (Format.DUEL if len(entrants) == 2 else Format.ROUND_ROBIN),
            games=number if number is not None or sprt is not None else _DEFAULT_GAMES,
            sprt=None if sprt is None else parse_sprt(sprt),
            openings=choose_openings(openings, order, seed, random_moves, played.key),
            seconds=seconds,
            clock=None if clock is None else parse_clock(clock),
            rounds=rounds,
            challengers=challengers,
            player_seed=seed,
            ponder=ponder,
            in_process=in_process,
            adjudication=None if adjudicate is None else parse_adjudication(adjudicate),
        )
        folder = out or Path(time.strftime("match-%Y%m%d-%H%M%S"))
    settings = RunSettings(
        sandbox=sandbox,
        memory=memory,
        concurrency=concurrency,
        cores=None if cores is None else parse_cores(cores),
        cluster=cluster,
        watch=watch,
        replay_busy=replay_busy,
        recover=recover,
        join_settings=JoinSettings(host, port, wait),
    )
    _, code = run_match(
        plan,
        folder,
        settings,
        resume=resume is not None,
        report=report,
        as_json=as_json,
        stats=stats or plan.sprt is not None,
    )
    if code:
        raise typer.Exit(code)


def refuse_planned_options(context: typer.Context, but: Collection[str], stored: dict[str, Any]) -> None:
    """Raise ``SettingsError`` if an option is given that the ``stored`` plan decides: any except those in ``but``."""
    words = []
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        # What is in a file of options came with --config, which is refused itself.
        if name in but or source is None or source.name not in ("COMMANDLINE", "ENVIRONMENT"):
            continue
        if source.name == "ENVIRONMENT":
            words.append(Text(str(parameter.envvar), str(parameter.envvar)))
        elif isinstance(parameter, TyperArgument):
            words.append(Text("die Spieler", "the players"))
        else:
            off = context.params[name] is False and parameter.secondary_opts
            written = (parameter.secondary_opts if off else parameter.opts)[0]
            words.append(Text(written, written))
    if words:
        was, de, en = started_with(stored), ", ".join(word.de for word in words), ", ".join(word.en for word in words)
        raise SettingsError(
            f"--resume setzt fort, was geplant war: lass {de} weg. Begonnen wurde mit {was}",
            f"--resume continues what was planned: leave out {en}. It was started with {was}",
        )


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


def parse_sprt(text: str) -> Sprt:
    """The test that ``0,30`` or ``0,30,alpha=0.01,model=normalised`` stands for. Raises ``SettingsError``."""
    elo, settings = text.split(",")[:2], dict(part.partition("=")[::2] for part in text.split(",")[2:])
    try:
        elo0, elo1 = map(float, elo)
        named = settings.pop("model", "logistic")
        model = next(known for known in LIMITS if known == named)
        rates = {name: float(settings.pop(name)) for name in ("alpha", "beta") if name in settings}
    except (ValueError, StopIteration):
        settings = {"": ""}
    if settings:
        raise SettingsError(
            "--sprt erwartet zwei Elo-Zahlen wie 0,30, und dahinter höchstens alpha=ANTEIL, beta=ANTEIL und "
            f"model={'|'.join(LIMITS)}, nicht {text!r}.",
            "--sprt takes two numbers of Elo, as in 0,30, and then alpha=RATE, beta=RATE and "
            f"model={'|'.join(LIMITS)} at most, not {text!r}",
        )
    return Sprt(elo0, elo1, **rates, model=model)
