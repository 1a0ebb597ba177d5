"""``spielleiter tune``: find better numbers for a player by games, and test what was found."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from spielleiter import games
from spielleiter.cli.match.command import parse_sprt, refuse_planned_options
from spielleiter.cli.match.run import RunSettings, open_executor, run_match
from spielleiter.cli.programs import (
    ConcurrencyOption,
    MemoryOption,
    OpeningsOption,
    RandomMovesOption,
    Sandbox,
    SandboxOption,
    SecondsOption,
)
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import complete_key, complete_player, console, errors, language, say, t
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.lab.parameter_file import option_text, read_parameters
from spielleiter.lab.tuning import PAIRS, PLAN, TEST, Tuning, TuningPlan, explain
from spielleiter.matches.openings import Order, choose_openings
from spielleiter.matches.plan import PLAN as MATCH_PLAN
from spielleiter.matches.plan import claim_folder, read_plan, stored_entrants
from spielleiter.pages.match_report.tuning import write_tuning_report
from spielleiter.programs.entrants import resolve
from spielleiter.rating.sprt import Verdict

EXIT_NOT_BETTER = 1
_SETTABLE = frozenset({"resume", "test", "test_games", "sandbox", "memory", "concurrency"})
"""The options that a run that is resumed takes as they are now given."""


def tune(
    context: typer.Context,
    player: Annotated[str | None, typer.Argument(autocompletion=complete_player, help=t(
        "Der Spieler, wie bei „match“.", "The player, as in 'match'."))] = None,
    params: Annotated[Path | None, typer.Option(dir_okay=False, help=t(
        "TOML-Datei mit einem Abschnitt für jeden Parameter.", "TOML file with a section for each parameter."))] = None,
    game: Annotated[str | None, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das der laufenden Saison.", "The game; default: that of the current season."))] = None,
    pairs: Annotated[int, typer.Option(help=t("Paare von Spielen.", "Pairs of games."))] = 1000,
    seconds: SecondsOption = None,
    openings: OpeningsOption = "0",
    random_moves: RandomMovesOption = 4,
    seed: Annotated[int, typer.Option(help=t("Startwert des Laufs.", "Seed of the run."))] = 0,
    test: Annotated[str, typer.Option(help=t(
        "Der Test des Ergebnisses gegen den Ausgangswert: 0,10 testet 0 gegen 10 Elo; '' für keinen.",
        "The test of the result against the start: 0,10 tests 0 against 10 Elo; '' for none."))] = "0,10",
    test_games: Annotated[int, typer.Option(help=t(
        "Höchstzahl der Spiele des Tests (gerade).",
        "Maximum number of test games (even)."))] = 4000,
    out: Annotated[Path | None, typer.Option(help=t(
        "Ordner für das Ergebnis; Standard: ein neuer.", "Output folder; default: a new one."))] = None,
    resume: Annotated[Path | None, typer.Option(help=t(
        "Den Lauf in diesem Ordner fortsetzen.", "Resume the run in this folder."))] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    memory: MemoryOption = 1500,
    concurrency: ConcurrencyOption = None,
    in_process: Annotated[bool, typer.Option("--in-process", help=t(
        "Nur eingebaute Spieler, ohne eigene Prozesse: schnell, für Tests.",
        "Built-in players only, without processes: fast, for tests."))] = False,
) -> None:  # fmt: skip
    sprt = parse_sprt(test) if test else None
    if resume is not None:
        stored = read_plan(resume, PLAN)
        refuse_planned_options(context, _SETTABLE, stored)
        plan, folder = TuningPlan.from_json(stored, stored_entrants(stored)[0]), resume
    else:
        if player is None or params is None:
            raise SettingsError(
                "Nenne einen Spieler und --params DATEI, oder --resume ORDNER.",
                "name a player and --params FILE, or --resume FOLDER",
            )
        key = games.load(game or games.CURRENT_SEASON).key
        entrant = resolve(player)
        parameters, form = read_parameters(params, entrant)
        plan = TuningPlan(
            game=key,
            player=entrant,
            parameters=parameters,
            form=form,
            pairs=pairs,
            seed=seed,
            openings=choose_openings(openings, Order.FILE, seed, random_moves, key),
            seconds=seconds,
            in_process=in_process,
        )
        folder = out or Path(time.strftime("tune-%Y%m%d-%H%M%S"))
    claim_folder(folder, plan, resume=resume is not None, name=PLAN, results=PAIRS)
    settings = RunSettings(sandbox=sandbox, memory=memory, concurrency=concurrency)
    try:
        interrupt_on_every_signal()
        run = asyncio.run(_tune(plan, folder, settings))
    except KeyboardInterrupt:
        again = f"spielleiter tune --resume {folder}"
        errors.print(
            Text(f"Unterbrochen; weiter mit: {again}", f"Interrupted; go on with: {again}").to(language()), markup=False
        )
        raise typer.Exit(130) from None
    tuned = _show(run, folder)
    if sprt is not None:
        test_plan = plan.test_plan(tuned, sprt, test_games)
        resumed = (folder / TEST / MATCH_PLAN).exists()
        summary, _ = run_match(test_plan, folder / TEST, settings, resume=resumed)
        if summary.sprt is None or summary.sprt.verdict is not Verdict.H1:
            raise typer.Exit(EXIT_NOT_BETTER)


async def _tune(plan: TuningPlan, folder: Path, settings: RunSettings) -> Tuning:
    executor = await open_executor([plan.player], settings, in_process=plan.in_process)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=plan.pairs)

        def show(run: Tuning) -> None:
            now = ", ".join(
                f"{parameter.name} {value:.4g}" for parameter, value in zip(plan.parameters, run.values, strict=True)
            )
            bar.update(task, completed=len(run.played), description=now)

        async with executor:
            run = Tuning(plan, folder, executor, show)
            await run.run()
    return run


def _show(run: Tuning, folder: Path) -> tuple[float, ...]:
    """Print and write what was found: the tuned values."""
    plan = run.plan
    optima = run.optima()
    sentences = explain(plan, optima)
    tuned = tuple(optimum.tuned for optimum in optima)
    for sentence in sentences:
        say(sentence)
    if run.faults:
        listed = {fault.text: number for fault, number in run.faults.items()}
        say(
            Text(
                "Verloren durch eigene Fehler: " + ", ".join(f"{games} × {text.de}" for text, games in listed.items()),
                "Lost by faults of its own: " + ", ".join(f"{games} × {text.en}" for text, games in listed.items()),
            ),
            "yellow",
        )
    report = write_tuning_report(folder, plan, run.played, sentences, language())
    values = {
        parameter.name: option_text(parameter, value) for parameter, value in zip(plan.parameters, tuned, strict=True)
    }
    (folder / "tuned.json").write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    console.print(str(report), markup=False, soft_wrap=True)
    return tuned
