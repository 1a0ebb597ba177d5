"""``spielleiter drill``: a player goes through a drill, and the result is shown like that of a test run."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.status import Status
from rich.text import Text as RichText

from spielleiter.cli.programs import EXIT_NEVER_STARTED, Sandbox, SandboxOption, choose_level
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import JsonOption, complete_key, complete_player, console, errors, language, say, t
from spielleiter.coach.drill import Drill, DrillRun, add_run, last_run, read_drill
from spielleiter.coach.drill_run import DrillAnswer, ask_built_in, ask_program, check_drillable
from spielleiter.game import Text
from spielleiter.programs.entrants import Entrant, EntrantKind, resolve

_EXIT_FAILED = 1
_EXIT_INTERRUPTED = 130


def drill(
    player: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Eine Python-Datei, ein JAR, ein Ordner oder ZIP mit start.sh, ein Befehl in Anführungszeichen oder ein "
        "eingebauter Spieler.",
        "A Python file, a JAR, a folder or ZIP with start.sh, a command in quotes, or a built-in player."))],
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help=t(
        "Eine Übungsdatei, die coach geschrieben hat.", "A drill that coach has written."))],
    game: Annotated[str | None, typer.Option(autocompletion=complete_key, help=t(
        "Übungen eines anderen Spiels ablehnen.", "Refuse drills of another game."))] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    exercises, entrant = read_drill(file, game), resolve(player)
    check_drillable(entrant)
    last = last_run(file, entrant.name)
    interrupt_on_every_signal()
    try:
        answers = _ask(entrant, exercises, sandbox, quiet=as_json, last=last)
    except KeyboardInterrupt:
        errors.print(Text("Unterbrochen.", "Interrupted.").to(language()))
        raise typer.Exit(_EXIT_INTERRUPTED) from None
    run = DrillRun(
        datetime.now(UTC),
        entrant.name,
        frozenset(answer.exercise.id for answer in answers if answer.is_solved),
        frozenset(answer.exercise.id for answer in answers if not answer.is_solved),
    )
    add_run(file, run)
    code = _exit_code(answers)
    if as_json:
        console.print_json(json.dumps(_as_json(entrant, exercises, answers, run, last, code)))
    else:
        _print_summary(entrant, answers, run, last)
    if code:
        raise typer.Exit(code)


def _exit_code(answers: list[DrillAnswer]) -> int:
    if not any(answer.joined for answer in answers):
        return EXIT_NEVER_STARTED
    return 0 if all(answer.is_solved for answer in answers) else _EXIT_FAILED


def _ask(entrant: Entrant, drill: Drill, sandbox: Sandbox, *, quiet: bool, last: DrillRun | None) -> list[DrillAnswer]:
    """All answers; each is shown as it comes, unless ``quiet``."""
    answers: list[DrillAnswer] = []
    total = len(drill.exercises)

    def take(answer: DrillAnswer) -> None:
        answers.append(answer)
        if not quiet:
            _print_answer(len(answers), answer, last)
        status.update(f"{len(answers)} / {total} …")

    async def ask() -> None:
        level = await choose_level(sandbox)
        async for answer in ask_program(entrant, drill, level):
            take(answer)

    with Status(f"0 / {total} …", console=errors) as status:
        if entrant.kind is EntrantKind.BUILT_IN:
            for answer in ask_built_in(entrant, drill):
                take(answer)
        else:
            asyncio.run(ask())
    return answers


def _change(answer: DrillAnswer, last: DrillRun | None) -> Text | None:
    """What is new about the answer since the last time."""
    if last is not None and answer.is_solved and answer.exercise.id in last.failed:
        return Text("neu gelöst", "newly solved")
    if last is not None and not answer.is_solved and answer.exercise.id in last.solved:
        return Text("nicht mehr gelöst", "broken")
    return None


def _print_answer(number: int, answer: DrillAnswer, last: DrillRun | None) -> None:
    line = RichText()
    line.append("✓ " if answer.is_solved else "✗ ", "bold green" if answer.is_solved else "bold red")
    line.append(f"{number:2}. ")
    if answer.move is not None:
        line.append(answer.move)
    else:
        line.append(answer.why.to(language()) or Text("kein Zug", "no move").to(language()), "red")
    if not answer.is_solved:
        wanted = ", ".join(answer.exercise.acceptable)
        line.append(f" ({Text('richtig', 'acceptable').to(language())}: {wanted})")
    if (change := _change(answer, last)) is not None:
        line.append(f" – {change.to(language())}", "green" if answer.is_solved else "red")
    move = Text("Zug", "move").to(language())
    line.append(f"  {answer.exercise.source}, {move} {answer.exercise.ply}", "dim")
    console.print(line, soft_wrap=True)


def _print_summary(entrant: Entrant, answers: list[DrillAnswer], run: DrillRun, last: DrillRun | None) -> None:
    solved, total = sum(answer.is_solved for answer in answers), len(answers)
    changes = _changes(run, last)
    say(
        Text(
            f"{entrant.name}: {solved} von {total} gelöst{changes.de}.",
            f"{entrant.name}: {solved} of {total} solved{changes.en}.",
        ),
        "bold green" if solved == total else "bold red",
    )


def _changes(run: DrillRun, last: DrillRun | None) -> Text:
    if last is None:
        return Text("", "")
    new, broken = len(run.newly_solved(last)), len(run.broken(last))
    day = last.at.astimezone()
    return Text(
        f"; seit {day:%d.%m.%Y %H:%M} neu gelöst: {new}, nicht mehr gelöst: {broken}",
        f"; since {day:%Y-%m-%d %H:%M} newly solved: {new}, broken: {broken}",
    )


def _as_json(
    entrant: Entrant, drill: Drill, answers: list[DrillAnswer], run: DrillRun, last: DrillRun | None, code: int
) -> dict[str, Any]:
    return {
        "player": entrant.name,
        "game": drill.game,
        "solved": len(run.solved),
        "total": len(answers),
        "exit_code": code,
        "last_run": None if last is None else last.at.isoformat(timespec="seconds"),
        "newly_solved": [] if last is None else sorted(run.newly_solved(last)),
        "broken": [] if last is None else sorted(run.broken(last)),
        "answers": [
            {
                "exercise": answer.exercise.id,
                "position": answer.exercise.position,
                "solved": answer.is_solved,
                "move": answer.move,
                "acceptable": list(answer.exercise.acceptable),
                "seconds": None if answer.seconds is None else round(answer.seconds, 4),
                "why": answer.why.to(language()),
            }
            for answer in answers
        ],
    }
