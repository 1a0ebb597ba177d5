"""The application: one table of all commands, whose modules are imported when one of them runs.

``--help`` and ``--version`` import none of them. Every option can be set in the environment under its own long name,
after the names of its command: ``--games`` of ``match`` is ``SPIELLEITER_MATCH_GAMES``.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from errno import ENOSPC
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from spielleiter import __version__
from spielleiter.cli.terminal import console, errors, language, set_language
from spielleiter.errors import IllegalMove, Refused, SettingsError, SpielleiterError
from spielleiter.text import Language, Text, choose_language, printable, show_every_text

_PREFIX = "SPIELLEITER"


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Where a command is found, and the line about it in the overview."""

    module: str
    attribute: str
    """A function, or a ``typer.Typer`` with commands of its own."""
    help: str


COMMANDS = {
    "play": CommandEntry(
        "play", "play",
        "Play in the browser; or, if a game is named or there is no screen, watch two players in the terminal.",
    ),
    "web": CommandEntry(
        "web", "web", "Play, watch and understand games in the browser: game master and pages in one."
    ),
    "serve": CommandEntry("serve", "serve", "Run the game master: player programs connect to it and play."),
    "new": CommandEntry("new", "new", "Make a folder with a player that is ready to run: it looks one move ahead."),
    "check": CommandEntry(
        "check", "check",
        "Check a player program before the upload: play some games, and list what works and what does not.",
    ),
    "pack": CommandEntry(
        "new", "pack",
        "Pack a player for the contest: a ZIP that needs only Python and no network; then check it.",
    ),
    "match": CommandEntry(
        "match.command", "match",
        "Play a match: every opening twice with sides swapped, games in parallel, resumable, with error bars.",
    ),
    "openings": CommandEntry(
        "lab.openings", "openings",
        "Make start positions for matches: random moves, balanced by the engine, without symmetric duplicates.",
    ),
    "rate": CommandEntry(
        "lab.rate", "rate", "Rate all players of several matches together: Elo with intervals, and who beats whom."
    ),
    "tune": CommandEntry(
        "lab.tune", "tune", "Tune the numbers of a player by SPSA, then test the result against the start by SPRT."
    ),
    "bisect": CommandEntry(
        "lab.bisect", "bisect",
        "Play two commits of a player against each other, and find the one that made it weaker.",
    ),
    "contest": CommandEntry(
        "contest.commands", "contest_app",
        "A whole season: teams, matchdays, standings, final; safe against any interruption.",
    ),
    "replay": CommandEntry("replay", "replay", "Look at recorded games, verify, analyse and convert them."),
    "coach": CommandEntry(
        "coach.command", "coach",
        "Show what a player should improve first: faults, time, results, and its ten costliest moves with better ones.",
    ),
    "drill": CommandEntry(
        "coach.drill", "drill", "Ask a player for one move in each position of a drill, and compare with the last time."
    ),
    "games": CommandEntry("positions", "list_games", "List the games and rule sets."),
    "rules": CommandEntry(
        "positions", "print_rules",
        "Explain the rules of a game, with boards as text; the pages have the same with pictures and exercises.",
    ),
    "show": CommandEntry("positions", "show", "Draw a position, say who is to move, and give its notation."),
    "perft": CommandEntry(
        "positions", "count_moves", "Count the move sequences from a position, or compare with known counts."
    ),
    "conform": CommandEntry(
        "proof", "conform", "Replay games recorded from the reference servers and compare every ply with our rules."
    ),
    "engine": CommandEntry(
        "engine", "describe_engine",
        "Show the version and speed of the native engine, or why it is not available (exit code 1).",
    ),
}  # fmt: skip


def load_command(name: str) -> TyperCommand | TyperGroup:
    """The command itself. Raises ``SettingsError`` if a package that it needs is not installed."""
    entry = COMMANDS[name]
    try:
        found: Any = getattr(import_module(f"spielleiter.cli.{entry.module}"), entry.attribute)
    except ImportError as problem:
        raise _broken_install(problem) from problem
    command: Any
    if isinstance(found, typer.Typer):
        command = typer.main.get_group(found)
        command.name = name
    else:
        alone = typer.Typer(add_completion=False)
        alone.command(name)(found)
        command = typer.main.get_command(alone)
    _name_environment(command, f"{_PREFIX}_{name.upper()}")
    return command  # type: ignore[no-any-return]


def _broken_install(problem: ImportError) -> SettingsError:
    """What to do when a module is missing, of this package or another, or is of a version that does not fit."""
    repair = f"{sys.executable} -m pip install --force-reinstall spielleiter"
    if isinstance(problem, ModuleNotFoundError):
        return SettingsError(
            f"{problem.name} fehlt, die Installation ist unvollständig: {repair}",
            f"{problem.name} is missing, the installation is incomplete: {repair}",
        )
    return SettingsError(
        f"Die Installation passt nicht zusammen ({problem}): {repair}",
        f"the installation does not fit together ({problem}): {repair}",
    )


def _name_environment(command: Any, prefix: str) -> None:
    """Give every option the name of its long form in the environment, unless several commands share its name there."""
    for option in command.params:
        if isinstance(option, TyperOption):
            long = next(text for text in option.opts if text.startswith("--"))
            option.envvar = option.envvar or f"{prefix}_{long[2:].replace('-', '_').upper()}"
            option.show_envvar = False
    for name, below in getattr(command, "commands", {}).items():
        _name_environment(below, f"{prefix}_{name.replace('-', '_').upper()}")


class _LazyGroup(TyperGroup):
    """The group of all commands: known by name and help text, loaded when one of them is called or completed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: TyperCommand(name, help=entry.help) for name, entry in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        command = found and load_command(args[0])
        if command and language() == "de":
            from spielleiter.cli.german import translate

            translate(command)
        return name, command, rest

    def main(self, args: Sequence[str] | None = None, *others: Any, **settings: Any) -> Any:
        words = _language_first(sys.argv[1:] if args is None else args)
        set_language(_chosen_language(words))
        try:
            if language() == "en":
                return super().main(words, *others, **settings)
            from spielleiter.cli.german import german_typer, translate

            translate(self)
            with german_typer():
                return super().main(words, *others, **settings)
        finally:
            choose_language(None)  # What was chosen counts for this command; others may follow in one process.


def _language_first(arguments: Sequence[str]) -> list[str]:
    """The arguments with every --lang before the command: people also write it behind."""
    chosen, others = list[str](), list[str]()
    words = iter(arguments)
    for word in words:
        if word == "--":
            others += [word, *words]
        elif word.startswith("--lang="):
            chosen = [word]
        elif word == "--lang" and (value := next(words, None)) is not None:
            chosen = [word, value]
        else:
            others.append(word)
    return chosen + others


def _chosen_language(arguments: Sequence[str]) -> Language | None:
    """What --lang says, first of all. Typer would read it too late: after its help and its errors."""
    name, _, value = (arguments[0] if arguments else "").partition("=")
    chosen = value or next(iter(arguments[1:2]), "")
    return next((known for known in get_args(Language) if name == "--lang" and known == chosen), None)


app = typer.Typer(
    name="spielleiter",
    cls=_LazyGroup,
    help="The Software-Challenge: games, game master, players, matches, contest.",
    epilog="Every option can be set in the environment: --games of match is SPIELLEITER_MATCH_GAMES.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class _Lang(StrEnum):
    DE = "de"
    EN = "en"


def _print_version(wanted: bool) -> None:
    if wanted:
        python = ".".join(map(str, sys.version_info[:3]))
        console.print(f"spielleiter {__version__} (Python {python}, {Path(__file__).parent.parent})", soft_wrap=True)
        own = {Path(sys.argv[0]).parent.resolve(), Path(sys.executable).parent.resolve()}
        others = {str(found) for found in _on_path() if found.parent.resolve() not in own}
        if others:
            where = ", ".join(sorted(others))
            several = Text(
                f"Auf dem PATH liegt noch ein anderes: {where}. Nenne das gemeinte mit seinem Ordner, oder: "
                f"{sys.executable} -m spielleiter",
                f"There is another one on the PATH: {where}. Call the one you mean with its folder, or: "
                f"{sys.executable} -m spielleiter",
            )
            errors.print(several.to(language()), markup=False, soft_wrap=True)
        raise typer.Exit


def _on_path() -> Iterator[Path]:
    """Every command ``spielleiter`` that the shell could start."""
    for folder in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        if (found := shutil.which("spielleiter", path=folder)) is not None:
            yield Path(found)


@app.callback()
def _shared_options(
    lang: Annotated[
        _Lang | None,
        typer.Option(
            envvar=f"{_PREFIX}_LANG", show_envvar=False, help="Language of the output; default: the system's."
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of all commands; the language is read before them (``_chosen_language``)."""


def sentence(problem: SpielleiterError) -> str:
    """What an error says, in the language of the person at the terminal."""
    if isinstance(problem, IllegalMove):
        return f"{problem.move}: {problem.reason.value.to(language())}"
    return problem.text.to(language()) if isinstance(problem, Refused) else str(problem)


def main() -> None:
    """Run the command line; an error that we raise on purpose is one line, never a traceback."""
    show_every_text()
    try:
        try:
            app(prog_name="spielleiter")
        finally:
            sys.stdout.flush()  # here, where a full disk can still be reported
    except SpielleiterError as problem:
        print(printable(f"spielleiter: {sentence(problem)}"), file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has seen enough.
        _close_output()
        sys.exit(0)
    except OSError as problem:
        if problem.errno != ENOSPC:
            raise
        _close_output()
        where = "" if problem.filename is None else f"{problem.filename}: "
        full = Text(
            f"{where}Der Datenträger ist voll, die Ausgabe ist nicht vollständig.",
            f"{where}the disk is full, the output is not complete",
        )
        print(f"spielleiter: {full.to(language())}", file=sys.stderr)  # noqa: T201
        sys.exit(2)


def _close_output() -> None:
    """Point stdout elsewhere, so that closing it at exit is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
