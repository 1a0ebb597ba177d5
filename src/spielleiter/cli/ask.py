"""``spielleiter ask``: what a player does in one position, how long it takes, and what it prints."""

from __future__ import annotations

import asyncio
import json
from functools import reduce
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.text import Text as RichText

from spielleiter.cli.own_player import is_built_in, load_player, notes_of
from spielleiter.cli.positions import read_running_position
from spielleiter.cli.programs import EXIT_NEVER_STARTED, Sandbox, SandboxOption, choose_level
from spielleiter.cli.saved_test import check_testable, save_test
from spielleiter.cli.terminal import JsonOption, complete_player, console, errors, language, say, t, word
from spielleiter.coach.drill_run import ask_for_move, check_drillable
from spielleiter.errors import PlayerFailed
from spielleiter.game import AnyGame, Text
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.pages.notes import summary
from spielleiter.programs.entrants import resolve
from spielleiter.rating.formatting import number
from spielleiter.records.history import RecordedNotes
from spielleiter.text import NO_TEXT, printable, shell_word

_EXIT_NO_MOVE = 1


def ask(
    player: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Eine Python-Datei, ein JAR, ein Ordner oder ZIP mit start.sh, ein Befehl in Anführungszeichen oder ein "
        "eingebauter Spieler.",
        "A Python file, a JAR, a folder or ZIP with start.sh, a command in quotes, or a built-in player."))],
    position: Annotated[str, typer.Argument(help=t(
        "Eine Stellung in Anführungszeichen, der Schlüssel eines Spiels oder eine Aufzeichnung (mit --ply).",
        "A position in quotes, the key of a game, or a record (with --ply)."))],
    ply: Annotated[int | None, typer.Option(min=0, help=t(
        "Die Stellung einer Aufzeichnung nach so vielen Zügen; Standard: die vor dem letzten.",
        "The position of a record after this number of moves; default: that before the last."))] = None,
    seconds: Annotated[float | None, typer.Option(min=0.01, help=t(
        "Zeit für den Zug in Sekunden, mit --in-process; Standard: die des Spiels.",
        "Time for the move in seconds, with --in-process; default: that of the game."))] = None,
    in_process: Annotated[bool, typer.Option("--in-process", help=t(
        "Einen Python-Spieler in diesem Prozess fragen, ohne Uhr: Haltepunkte eines Debuggers wirken.",
        "Ask a Python player in this process, without a clock: breakpoints of a debugger work."))] = False,
    keep: Annotated[bool, typer.Option("--save-test", help=t(
        "Die Stellung als Test neben den Spieler schreiben (test_positions.py): Er muss dort rechtzeitig einen "
        "erlaubten Zug finden; tut er das schon, dann einen anderen.",
        "Write the position as a test beside the player (test_positions.py): it has to find a legal move there in "
        "time; if it does already, then another one."))] = False,
    sandbox: SandboxOption = Sandbox.AUTO,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    game, state = read_running_position(position, ply)
    if keep:
        check_testable(player)
    move, took, why, joined, printed = None, None, NO_TEXT, True, ""
    noted: RecordedNotes | None = None
    if in_process or is_built_in(player):
        asked, began = load_player(player), perf_counter()
        try:
            move = asked.choose(state, seconds or game.limits.soft)
        except PlayerFailed as problem:
            if not keep:
                raise
            why = problem.text
        took = perf_counter() - began
        noted = notes_of(asked, state.to_move)
        if move is not None and (violation := state.violation(move)) is not None:
            move, why = None, violation.value
    else:
        entrant = resolve(player)
        check_drillable(entrant)
        entrant.check_game(game)

        async def run() -> Any:
            return await ask_for_move(entrant, game, state, await choose_level(sandbox))

        trial = asyncio.run(run())
        joined, printed = trial.joined, printable(trial.log.decode("utf-8", "replace")).strip()
        took = next(iter(trial.times), None)
        found = [RecordedNotes(0, each.team, each.notes, each.problem) for each in trial.notes]
        noted = reduce(RecordedNotes.joined, found) if found else None
        if trial.moves:
            move = trial.moves[0]
        else:
            why = trial.side.failure if trial.side.failure.en else trial.reason
    _print_answer(game, state, move, took, why, printed, noted, as_json=as_json)
    if keep:
        _save_test(player, game, state, move, why)
    if move is None:
        raise typer.Exit(_EXIT_NO_MOVE if joined else EXIT_NEVER_STARTED)


def _save_test(player: str, game: AnyGame, state: Any, move: Any, why: Text) -> None:
    path, is_new = save_test(player, game, state, move, why.to(language()))
    run = f"cd {shell_word(path.parent)} && python3 -m unittest {path.stem}"
    done = Text(f"Test in {path}: {run}", f"test in {path}: {run}")
    there = Text(f"Den Test gibt es schon in {path}: {run}", f"the test is in {path} already: {run}")
    errors.print((done if is_new else there).to(language()), soft_wrap=True)


def _print_answer(
    game: AnyGame,
    state: Any,
    move: Any,
    took: float | None,
    why: Text,
    printed: str,
    noted: RecordedNotes | None,
    *,
    as_json: bool,
) -> None:
    written = None if move is None else game.notation.format_move(state, move)
    after = None if move is None else state.play(move)
    if as_json:
        data = {
            "game": game.key,
            "position": game.notation.format_state(state),
            "move": written,
            "seconds": None if took is None else round(took, 4),
            "why": why.to(language()),
            "after": None if after is None else game.notation.format_state(after),
            "printed": printed,
            "notes": [] if noted is None else [note.data for note in noted.notes],
        }
        console.print_json(json.dumps(data))
        return
    shown = state if after is None else after
    console.print(RichText.from_ansi(game.draw_text(shown, terminal_has_colors(), language())))
    if noted is not None and (line := summary(noted, language())):
        console.print(RichText(f"{word('Notizen:', 'notes:')} {line}", style="magenta"), soft_wrap=True)
    if printed:
        console.print(word("Ausgabe:", "printed:"), style="dim")
        console.print(RichText("\n".join(f"  {line}" for line in printed.splitlines())), soft_wrap=True)
    time = "" if took is None else f" ({number(took, 3).to(language())} s)"
    if written is None:
        say(Text(f"Kein Zug: {why.de}{time}", f"No move: {why.en}{time}"), "bold red")
    else:
        say(Text(f"Zug: {written}{time}", f"Move: {written}{time}"), "bold")
