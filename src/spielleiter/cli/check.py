"""``spielleiter check``: the list of ticks and crosses in the terminal."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.status import Status
from rich.text import Text as RichText

from spielleiter import games
from spielleiter.cli.programs import (
    EXIT_NEVER_STARTED,
    ForOption,
    PythonOption,
    Sandbox,
    SandboxOption,
    choose_level,
    print_failure,
    write_logs,
)
from spielleiter.cli.terminal import complete_key, complete_player, console, errors, language, say, t
from spielleiter.errors import ProgramError, SettingsError
from spielleiter.game import AnyGame, Text
from spielleiter.programs import targets
from spielleiter.programs.check import CheckReport, CheckSettings, Finding, FirstVerdict, Mark, check_program
from spielleiter.programs.entrants import Entrant, EntrantKind, entrant_from_zip, find_source, resolve, with_python
from spielleiter.programs.package import collect
from spielleiter.programs.targets import Target
from spielleiter.programs.wheels import newer_than, refuse_unfit

_EXIT_CROSS = 1
_STYLES = {Mark.GOOD: "bold green", Mark.BAD: "bold red", Mark.NOTE: "bold yellow", Mark.UNKNOWN: "dim"}


def check(
    player: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Eine Python-Datei, ein JAR, ein Ordner oder ZIP mit start.sh, oder ein Befehl in Anführungszeichen.",
        "A Python file, a JAR, a folder or ZIP with start.sh, or a command in quotes."))],
    game: Annotated[str | None, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das, was er spielen will.", "The game to play; default: the one it asks for."))] = None,
    slowdown: Annotated[float | None, typer.Option(min=1, help=t(
        "Um wie viel langsamer der Rechner des Wettbewerbs ist; Standard: gemessen.",
        "How much slower the contest's machine is; default: measured."))] = None,
    for_target: ForOption = None,
    python: PythonOption = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    quick: Annotated[bool, typer.Option("--quick", help=t(
        "Nur die ersten Züge auf jeder Seite, ein paar Sekunden.",
        "Only the first moves on each side, a few seconds."))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=t("Ausgabe als JSON.", "JSON output."))] = False,
) -> None:  # fmt: skip
    chosen = None if game is None else games.load(game)
    if for_target is not None and python is not None:
        raise SettingsError(
            "--for legt auch das Python fest: lass --python weg.", "--for decides the Python, too: leave out --python"
        )
    if for_target is not None:
        entrant = packed_for(player, chosen, targets.load(for_target))
    else:
        entrant = with_python(resolve(player), python or "")
    report = run_check(entrant, chosen, slowdown=slowdown, sandbox=sandbox, quick=quick)
    if as_json:
        console.print_json(json.dumps(_as_json(report)))
    else:
        print_report(report)
    if code := exit_code(report):
        raise typer.Exit(code)


def exit_code(report: CheckReport) -> int:
    """What a command returns that has checked a program."""
    return 0 if report.passed else _EXIT_CROSS if report.started else EXIT_NEVER_STARTED


def packed_for(player: str, game: AnyGame | None, target: Target) -> Entrant:
    """The player as its ZIP for the target plays, with that Python and its own files only.

    Raises ``SettingsError`` if this machine does not have that Python.
    """
    source = find_source(player)
    if source.kind is EntrantKind.ZIP:
        entrant = resolve(player)
        paths = () if entrant.files is None else tuple(entrant.files.paths())
        refuse_unfit(paths, target)
        newer = newer_than(paths, target)
        need = entrant.python_need
        if need is not None and not (need.or_newer or need.is_met_by(target.python)):
            raise ProgramError(
                f"{entrant.name} braucht Python {need} ({need.reason.de}), {target.name} hat {target.python}.",
                f"{entrant.name} needs Python {need} ({need.reason.en}), but {target.name} has {target.python}",
            )
    else:
        package = collect(source, game, target=target)
        entrant, newer = entrant_from_zip(package.to_bytes(), source.name), package.newer
    for line in newer:
        errors.print(line.to(language()), style="bold yellow", markup=False, soft_wrap=True)
    entrant = replace(entrant, python=target.need)
    if (problem := entrant.python_choice.problem) is not None:
        raise SettingsError(problem.de, problem.en)
    return entrant


def run_check(
    entrant: Entrant,
    game: AnyGame | None,
    *,
    slowdown: float | None = None,
    sandbox: Sandbox = Sandbox.AUTO,
    quick: bool = False,
) -> CheckReport:
    """The report on the player program, with its first verdict and its progress shown on a terminal."""

    async def run() -> CheckReport:
        settings = CheckSettings(level=await choose_level(sandbox), game=game, slowdown=slowdown, quick=quick)
        with Status("", console=errors) as status:
            return await check_program(
                entrant,
                settings,
                lambda text: status.update(text.to(language()) + " …"),
                lambda verdict: None if quick else _print_first(verdict),
            )

    return asyncio.run(run())


def _print_first(verdict: FirstVerdict) -> None:
    """The first verdict, while the rest is tried; not where the output is read by a program."""
    more = Text("; jetzt der Rest", "; now the rest")
    text = verdict.text
    errors.print(f"{Mark.GOOD.value} {text.to(language())}{more.to(language())} …", style="dim", markup=False)


def _write_logs(report: CheckReport) -> dict[str, Path]:
    if all(finding.fix is None for finding in report.findings):
        return {}
    return write_logs({trial.plan.name: trial.log for trial in report.trials})


def print_report(report: CheckReport) -> None:
    """Print the list; under each cross and note why, with the path of the log."""
    entrant, logs = report.entrant, _write_logs(report)
    console.print(f"{entrant.name} ({entrant.kind.text.to(language())}), {report.game.key}", markup=False)
    for finding in report.findings:
        line = RichText()
        line.append(f"{finding.mark.value} ", _STYLES[finding.mark])
        line.append(finding.title.to(language()))
        if detail := finding.detail.to(language()):
            line.append(f": {detail}", "dim" if finding.fix is None else "")
        console.print(line, soft_wrap=True)
        if finding.fix is not None:
            print_failure(finding.failure, logs.get(finding.trial))
        if finding.fix is not None:
            console.print(RichText(f"  → {finding.fix.to(language())}"), soft_wrap=True)
    say(_last_line(report), "bold green" if report.passed else "bold red")


def _last_line(report: CheckReport) -> Text:
    name, code = report.entrant.name, exit_code(report)
    if report.passed and report.quick:
        return Text(
            "So weit in Ordnung; alles prüft „spielleiter check“ ohne --quick.",
            "All is well so far; 'spielleiter check' without --quick tries the rest.",
        )
    if report.passed:
        notes = sum(finding.mark is Mark.NOTE for finding in report.findings)
        if not notes:
            return Text("Alles in Ordnung.", "All is well.")
        which = Text("einem Hinweis", "one note") if notes == 1 else Text(f"{notes} Hinweisen", f"{notes} notes")
        return Text(f"Bestanden, mit {which.de} (~).", f"Passed, with {which.en} (~).")
    if not report.started:
        return Text(
            f"{name} ist in kein Spiel gekommen (Exit-Code {code}).", f"{name} never joined a game (exit code {code})."
        )
    crosses = sum(finding.mark is Mark.BAD for finding in report.findings)
    if not crosses:
        return Text(
            f"Nicht alles ließ sich prüfen; versuche es noch einmal (Exit-Code {code}).",
            f"Not everything could be tried; try again (exit code {code}).",
        )
    return Text(f"Nicht bestanden: {crosses} ✗ (Exit-Code {code}).", f"Not passed: {crosses} ✗ (exit code {code}).")


def _as_json(report: CheckReport) -> dict[str, Any]:
    logs = _write_logs(report)
    return {
        "program": report.entrant.name,
        "kind": report.entrant.kind.name,
        "game": report.game.key,
        "passed": report.passed,
        "quick": report.quick,
        "exit_code": exit_code(report),
        "slowdown": round(report.slowdown, 2),
        "findings": [_finding(finding) for finding in report.findings],
        "trials": [
            {
                "form": trial.plan.form.name,
                "team": trial.plan.team.name,
                "incident": trial.plan.incident.name,
                "slowdown": round(trial.plan.slowdown, 2),
                "joined_after": trial.side.joined_after,
                "times": [round(seconds, 6) for seconds in trial.times],
                "cause": None if trial.cause is None else trial.cause.value,
                "reason": trial.reason.to(language()),
                "exit_code": trial.side.exit_code,
                "output": trial.side.output,
                "peak_memory": trial.side.peak_memory,
                "failure": trial.side.failure.to(language()),
                "log": str(logs.get(trial.plan.name, "")),
            }
            for trial in report.trials
        ],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "check": finding.key,
        "mark": finding.mark.name,
        "title": finding.title.to(language()),
        "detail": finding.detail.to(language()),
        "fix": None if finding.fix is None else finding.fix.to(language()),
        "failure": finding.failure.to(language()),
    }
