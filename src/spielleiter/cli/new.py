"""``spielleiter new`` and ``spielleiter pack``: a player's first and last steps at home."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from spielleiter import games
from spielleiter.cli.check import exit_code, print_report, run_check
from spielleiter.cli.programs import Sandbox, SandboxOption
from spielleiter.cli.terminal import complete_key, console, errors, language
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.programs.entrants import START_SCRIPT, find_source
from spielleiter.programs.package import collect, game_folder, start_script

_START_ON_WINDOWS = """\
@echo off
rem Starts the player on Windows; the contest uses start.sh.
cd /d "%~dp0"
python player.py %*
"""


def new(
    name: Annotated[Path, typer.Argument(help="The folder to make.")],
    game: Annotated[str, typer.Option(help="The game to play.", autocompletion=complete_key)] = games.CURRENT_SEASON,
) -> None:
    """Make a folder with a player that is ready to run: it looks one move ahead."""
    chosen = games.load(game)
    if name.exists() and (not name.is_dir() or any(name.iterdir())):
        raise SettingsError(
            f"{name} gibt es schon; wähle einen anderen Namen.", f"{name} is already there; choose another name"
        )
    values = {
        "name": name.resolve().name,
        "key": chosen.key,
        "package": game_folder(chosen),
        "title_de": chosen.title.de,
        "title_en": chosen.title.en,
    }
    try:
        name.mkdir(parents=True, exist_ok=True)
        for file in ("player.py", "test_player.py", "README.md"):
            template = files("spielleiter.cli").joinpath("template", f"{file}.txt").read_text(encoding="utf-8")
            (name / file).write_text(Template(template).substitute(values), encoding="utf-8", newline="\n")
        start = name / START_SCRIPT
        start.write_text(start_script("player.py"), encoding="utf-8", newline="\n")
        start.chmod(0o755)
        (name / "start.bat").write_text(_START_ON_WINDOWS, encoding="ascii", newline="\r\n")
    except OSError as problem:
        reason = problem.strerror or problem
        raise SettingsError(f"{name} lässt sich nicht anlegen: {reason}.", f"cannot make {name}: {reason}") from None
    done = Text(
        f"{name} spielt {chosen.title.de}. Weiter: spielleiter check {name}",
        f"{name} plays {chosen.title.en}. Next: spielleiter check {name}",
    )
    console.print(done.to(language()), markup=False, soft_wrap=True)


def pack(
    player: Annotated[Path, typer.Argument(help="A Python file, or a folder with player.py or start.sh.", exists=True)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The ZIP to write.", dir_okay=False)] = Path(
        "player.zip"
    ),
    game: Annotated[
        str | None, typer.Option(help="The game to pack; default: what the player names.", autocompletion=complete_key)
    ] = None,
    include: Annotated[list[Path] | None, typer.Option(help="Another file or folder to pack; can be repeated.")] = None,
    checked: Annotated[bool, typer.Option("--check/--no-check", help="Check the ZIP afterwards.")] = True,
    sandbox: SandboxOption = Sandbox.AUTO,
) -> None:
    """Pack a player for the contest: a ZIP that runs without network, on a bare Python; then check it."""
    chosen = None if game is None else games.load(game)
    package = collect(find_source(str(player.absolute())), chosen, include or ())
    package.write(output)
    size = output.stat().st_size
    inside = ", ".join(package.games)
    packed = Text(
        f"{output}: {len(package.files) + 1} Dateien, {size / 1000:.0f} kB" + (f", Spiele: {inside}" if inside else ""),
        f"{output}: {len(package.files) + 1} files, {size / 1000:.0f} kB" + (f", games: {inside}" if inside else ""),
    )
    console.print(packed.to(language()), markup=False, soft_wrap=True)
    if package.foreign:
        missing = ", ".join(package.foreign)
        warning = Text(
            f"Nicht eingepackt und im Wettkampf nicht vorhanden: {missing}",
            f"Not packed, and not available in the contest: {missing}",
        )
        errors.print(warning.to(language()), style="bold red", markup=False)
    if not checked:
        return
    report = run_check(str(output), chosen, sandbox=sandbox)
    print_report(report)
    if code := exit_code(report):
        raise typer.Exit(code)
