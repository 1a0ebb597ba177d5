"""What commands that start player programs share: options, exit codes, and how a failure is shown."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer
from rich.text import Text as RichText

from spielleiter import games, players
from spielleiter.cli.terminal import console, errors, language, t
from spielleiter.errors import ProgramError
from spielleiter.game import AnyGame, Text
from spielleiter.pressure import busy_warning, is_busy
from spielleiter.programs import targets
from spielleiter.programs.entrants import Entrant, EntrantKind, find_source
from spielleiter.programs.package import keys_in
from spielleiter.programs.sandbox import Choice, Level, choose
from spielleiter.programs.temporary import kept_folder

EXIT_NEVER_STARTED = 3
EXIT_ALWAYS_CRASHED = 4


def complete_target(incomplete: str) -> list[str]:
    """The targets that begin so, for the shell."""
    return [name for name in targets.TARGETS if name.startswith(incomplete)]


class Sandbox(StrEnum):
    """The values of ``--sandbox``."""

    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    LIMITS = "limits"
    NONE = "none"


SandboxOption = Annotated[Sandbox, typer.Option("--sandbox", help=t(
    "Stufe der Sandbox; auto: die beste, die hier geht.",
    "Sandbox level; auto: the best that works here."))]  # fmt: skip
ForOption = Annotated[str | None, typer.Option("--for", autocompletion=complete_target, help=t(
    f"Für dieses Image des Wettbewerbs: {', '.join(targets.TARGETS)}.",
    f"For this image of the contest: {', '.join(targets.TARGETS)}."))]  # fmt: skip
PythonOption = Annotated[str | None, typer.Option(help=t(
    "Mit diesem Python starten, etwa 3.12; Standard: was seine Dateien zeigen.",
    "Start it with this Python, such as 3.12; default: what its files show."))]  # fmt: skip
SecondsOption = Annotated[float | None, typer.Option(help=t(
    "Zeit für einen Zug in Sekunden; Standard: die des Spiels.",
    "Time for a move in seconds; default: the game's."))]  # fmt: skip
OpeningsOption = Annotated[str, typer.Option(help=t(
    "Startstellungen: ein Startwert, oder eine Datei mit einer in jeder Zeile.",
    "Start positions: a seed, or a file with one in each line."))]  # fmt: skip
RandomMovesOption = Annotated[int, typer.Option(min=0, max=60, help=t(
    "Anzahl zufälliger Züge am Anfang.", "Number of random opening moves."))]  # fmt: skip
MemoryOption = Annotated[int, typer.Option(min=50, help=t(
    "Speicher, den ein Spieler haben darf, in Megabyte.", "Memory limit of a player, in megabytes."))]  # fmt: skip
ConcurrencyOption = Annotated[int | None, typer.Option(help=t(
    "Spiele gleichzeitig; Standard: halb so viele wie Kerne.",
    "Games in parallel; default: half the cores."))]  # fmt: skip

CoresOption = Annotated[str | None, typer.Option(help=t(
    "Prozessorkerne für die Spieler, wie in 2-5,7: jeder bekommt einen für sich; Standard: alle.",
    "Processor cores for the players, as in 2-5,7: each gets one of its own; default: all."))]  # fmt: skip


def named_game(entrants: Iterable[Entrant]) -> AnyGame:
    """The one game that these players name in their files, or were packed for; else that of the current season."""
    keys = {key for entrant in entrants for key in entrant.made_for or _named_keys(entrant)}
    return games.load(keys.pop() if len(keys) == 1 else games.CURRENT_SEASON)


def _named_keys(entrant: Entrant) -> tuple[str, ...]:
    if entrant.kind not in (EntrantKind.FOLDER, EntrantKind.PYTHON_FILE):
        return ()
    try:
        return keys_in(path for path in find_source(entrant.text).all_files().values() if path.suffix == ".py")
    except ProgramError:  # A syntax error shows when it is started.
        return ()


def warn_if_weaker(names: Iterable[str], game: AnyGame) -> None:
    """Say which of these built-in players search ``game`` in Python here, and why."""
    known = {base: players.BUILT_IN.get(base) for base in (name.partition(":")[0] for name in names)}
    weaker = {base: why for base, player in known.items() if player is not None and (why := player.why_weaker(game))}
    for base, why in weaker.items():
        errors.print(f"{base}: {why.to(language())}", markup=False, soft_wrap=True)
    if weaker:
        best = Text("Der stärkste Spieler ist hier solid.", "The strongest player here is solid.")
        errors.print(best.to(language()), markup=False, soft_wrap=True)


def warn_of_missing_pythons(entrants: Iterable[Entrant]) -> None:
    """Say which players need a Python that is not on this machine, and how it gets there."""
    for entrant in entrants:
        if (problem := entrant.python_choice.problem) is not None:
            errors.print(f"{entrant.name}: {problem.to(language())}", style="yellow", markup=False, soft_wrap=True)


async def choose_level(wanted: str, *, untrusted: bool = False) -> Level:
    """The level to use; says why it is not the best one. Raises ``SettingsError`` if the wanted one does not work.

    ``untrusted`` programs are those of several people: a weaker level than bubblewrap must be wanted by name.
    """
    choice = await choose(wanted, untrusted=untrusted)
    explain_level(choice)
    return choice.level


def explain_level(choice: Choice) -> None:
    """Say why the sandbox that was chosen is not the best one."""
    level = choice.level
    if choice.missed:
        better, why = choice.missed[0]
        warning = Text(
            f"Sandbox: {level.value} ({level.text.de}); {better.value} geht hier nicht: {why.de}",
            f"Sandbox: {level.value} ({level.text.en}); {better.value} does not work here: {why.en}",
        )
        style = "yellow" if level in (Level.LIMITS, Level.NONE) else ""
        errors.print(warning.to(language()), markup=False, soft_wrap=True, style=style)


class BusyWarning:
    """A red line if this machine is busy while games are played, not more often than once a minute."""

    def __init__(self) -> None:
        self._next = 0.0

    def notice(self, pressure: float | None) -> None:
        """Take note of the pressure now, or in a game that has just ended."""
        if pressure is not None and is_busy(pressure) and time.monotonic() >= self._next:
            self._next = time.monotonic() + 60
            errors.print(busy_warning(pressure).to(language()), style="bold red", markup=False, soft_wrap=True)


def write_logs(logs: Mapping[str, bytes]) -> dict[str, Path]:
    """Write what a program printed into files of a new folder, to be read after the command: their paths by name."""
    if not any(logs.values()):
        return {}
    folder = kept_folder("logs")
    paths = {name: folder / f"{quote(name, safe=' ')}.log" for name, log in logs.items() if log}
    for name, path in paths.items():
        path.write_bytes(logs[name])
    return paths


def print_failure(failure: Text, log: Path | None, indent: str = "  ") -> None:
    """Under a cross or a crash: why the program failed, and the path of its whole log."""
    if failure.en:
        console.print(RichText(f"{indent}! {failure.to(language())}", "red"), soft_wrap=True)
    if log is not None:
        console.print(RichText(f"{indent}  {Text('Ausgabe', 'log').to(language())}: {log}", "dim"), soft_wrap=True)
