"""``spielleiter new`` and ``spielleiter pack``: a player's first and last steps at home."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from spielleiter import games
from spielleiter.cli.check import exit_code, print_report, run_check
from spielleiter.cli.programs import ForOption, Sandbox, SandboxOption
from spielleiter.cli.terminal import complete_key, console, errors, language, say, t
from spielleiter.errors import WRITE, SettingsError, refusing
from spielleiter.game import AnyGame, Text
from spielleiter.programs import targets
from spielleiter.programs.entrants import find_source, resolve
from spielleiter.programs.kit_folder import kit_files, which_rules
from spielleiter.programs.package import Package, collect
from spielleiter.programs.raw_players import BUILD_SCRIPT, ProgrammingLanguage, raw_player_files, rules_folder
from spielleiter.programs.start_script import START_SCRIPT
from spielleiter.text import shell_word


def new(
    name: Annotated[Path, typer.Argument(help=t("Der neue Ordner.", "The folder to make."))],
    game: Annotated[str, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel, das er spielt.", "The game to play."))] = games.CURRENT_SEASON,
    in_language: Annotated[ProgrammingLanguage | None, typer.Option("--language", help=t(
        "Ein Spieler ohne unseren Baukasten; Standard: Python mit dem Baukasten, das ist leichter.",
        "A player without our kit; default: Python with the kit, which is easier."))] = None,
) -> None:  # fmt: skip
    chosen = games.load(game)
    if name.exists() and (not name.is_dir() or any(name.iterdir())):
        raise SettingsError(
            f"{name} gibt es schon; wähle einen anderen Namen.", f"{name} is already there; choose another name"
        )
    with refusing(SettingsError, name, WRITE):
        name.mkdir(parents=True, exist_ok=True)
        folder, texts = name.resolve(), language()
        if in_language is None:
            _write(folder, kit_files(folder.name, chosen, texts))
        else:
            _write(folder, raw_player_files(chosen, in_language, texts))
    check = f"spielleiter check {shell_word(name)}"
    steps = f"{shell_word(f'{name}/build.sh')} && {check}" if (name / BUILD_SCRIPT).exists() else check
    done = Text(f"{name} spielt {chosen.title.de}. Weiter: {steps}", f"{name} plays {chosen.title.en}. Next: {steps}")
    console.print(done.to(language()), markup=False, soft_wrap=True)
    if (which := which_rules(chosen)) is not None:
        console.print(which.to(language()), markup=False, soft_wrap=True)
    if in_language is not None:
        _say_what_is_missing(name, chosen, in_language)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """A player's files, with scripts that can be started."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
        if name in (START_SCRIPT, BUILD_SCRIPT):
            (folder / name).chmod(0o755)


def _say_what_is_missing(folder: Path, game: AnyGame, programming_language: ProgrammingLanguage) -> None:
    """What is missing before the first game: rules still to be written, a compiler that is not installed."""
    missing: list[Text] = []
    if rules_folder(game, programming_language) is None:
        file = folder / programming_language.player_file
        missing.append(Text(
            f"Die Regeln von {game.title.de} gibt es in {programming_language.label} noch nicht: Was ein Zug ist, "
            f"schreibst du in {file}. Was zu lesen und zu senden ist, zeigt „spielleiter docs protocol“.",
            f"There are no rules of {game.title.en} in {programming_language.label} yet: what a move is, you write in "
            f"{file}. 'spielleiter docs protocol' shows what to read and to send.",
        ))  # fmt: skip
    if tools := ", ".join(tool for tool in programming_language.tools if shutil.which(tool) is None):
        missing.append(Text(
            f"Dafür fehlt hier noch {tools}: siehe {folder}/README.md.",
            f"This needs {tools}, which is not on this machine: see {folder}/README.md.",
        ))  # fmt: skip
    for text in missing:
        errors.print(text.to(language()), markup=False, soft_wrap=True)


def _print_package(package: Package, output: Path) -> None:
    """What was packed, what was not, and what to choose on the upload page."""
    size, inside = output.stat().st_size, ", ".join(package.games)
    number = len(package.files) + len(package.vendored.files or ()) + 1
    packed = Text(
        f"{output}: {number} Dateien, {size / 1000:.0f} kB" + (f", Spiele: {inside}" if inside else ""),
        f"{output}: {number} files, {size / 1000:.0f} kB" + (f", games: {inside}" if inside else ""),
    )
    console.print(packed.to(language()), markup=False, soft_wrap=True)
    if package.vendored.packages:
        packages = ", ".join(package.vendored.packages)
        say(Text(f"Dazu eingepackt: {packages}", f"Packed with it: {packages}"))
    if package.foreign:
        missing = ", ".join(package.foreign)
        how = Text(
            "; schreib es in requirements.txt und packe mit --for",
            "; write it into requirements.txt and pack with --for",
        )
        warning = Text(
            f"Nicht eingepackt und im Wettbewerb nicht vorhanden: {missing}{how.de}",
            f"Not packed, and not available in the contest: {missing}{how.en}",
        )
        errors.print(warning.to(language()), style="bold red", markup=False, soft_wrap=True)
    for line in package.newer:
        errors.print(line.to(language()), style="bold yellow", markup=False, soft_wrap=True)
    if (target := package.target) is not None:
        main = f"{package.below}{START_SCRIPT}"
        chosen = Text(
            f"Beim Hochladen wählst du das Image {target.image.de} und die Hauptdatei {main}.",
            f"When you upload it, choose the image {target.image.en} and the main file {main}.",
        )
        console.print(chosen.to(language()), markup=False, soft_wrap=True)


def pack(
    player: Annotated[Path, typer.Argument(exists=True, help=t(
        "Eine Python-Datei, ein JAR oder ein Ordner mit player.py oder start.sh.",
        "A Python file, a JAR, or a folder with player.py or start.sh."))],
    output: Annotated[Path, typer.Option("--output", "-o", dir_okay=False, help=t(
        "Das ZIP, das geschrieben wird.", "The ZIP to write."))] = Path("player.zip"),
    game: Annotated[str | None, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel, das eingepackt wird; Standard: das, was der Spieler nennt.",
        "The game to pack; default: what the player names."))] = None,
    include: Annotated[list[Path] | None, typer.Option(help=t(
        "Noch eine Datei oder ein Ordner zum Einpacken; mehrfach möglich.",
        "Another file or folder to pack; can be repeated."))] = None,
    for_target: ForOption = None,
    checked: Annotated[bool, typer.Option("--check/--no-check", help=t(
        "Das ZIP danach prüfen.", "Check the ZIP afterwards."))] = True,
    sandbox: SandboxOption = Sandbox.AUTO,
) -> None:  # fmt: skip
    if output.suffix.lower() != ".zip":  # It is known by this name, and a player.py must not be lost by a slip.
        raise SettingsError(
            f"-o {output}: der Name muss auf .zip enden.", f"-o {output}: the name has to end with .zip"
        )
    chosen = None if game is None else games.load(game)
    target = None if for_target is None else targets.load(for_target)
    source = find_source(str(player.absolute()))
    with console.status("pip …") if target is not None else nullcontext():
        package = collect(source, chosen, include or (), target)
    package.write(output)
    _print_package(package, output)
    if not checked:
        return
    entrant = resolve(str(output))
    if target is not None and (problem := entrant.python_choice.problem) is not None:
        untried = Text(
            f"Nicht geprüft: {problem.de}, und dann: spielleiter check {shell_word(output)} --for {target.name}",
            f"Not checked: {problem.en}, and then: spielleiter check {shell_word(output)} --for {target.name}",
        )
        errors.print(untried.to(language()), style="bold yellow", markup=False, soft_wrap=True)
        return
    report = run_check(entrant, chosen, sandbox=sandbox)
    print_report(report)
    if code := exit_code(report):
        raise typer.Exit(code)
