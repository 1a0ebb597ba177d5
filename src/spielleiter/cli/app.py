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
from spielleiter.cli.help_language import translate, typer_speaks
from spielleiter.cli.terminal import console, errors, language, set_language, t
from spielleiter.errors import IllegalMove, Refused, SettingsError, SpielleiterError, plugin_warnings_shown
from spielleiter.text import Language, Text, choose_language, printable, show_every_text

_PREFIX = "SPIELLEITER"


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Where a command is found, and its help; the first paragraph is the line in the overview."""

    module: str
    attribute: str
    """A function, or a ``typer.Typer`` with commands of its own."""
    help: str


COMMANDS = {
    "play": CommandEntry("play", "play", t(
        "Im Browser spielen; oder, wenn ein Spiel genannt ist oder es keinen Bildschirm gibt, zwei Spielern im "
        "Terminal zusehen.",
        "Play in the browser; or, if a game is named or there is no screen, watch two players in the terminal.")),
    "web": CommandEntry("web", "web", t(
        "Im Browser spielen, zusehen und Spiele verstehen: Spielleiter und Seiten in einem.",
        "Play, watch and understand games in the browser: game master and pages in one.")),
    "class": CommandEntry("classroom", "classroom", t(
        "Eine Klasse oder einen Spieleabend leiten: Alle kommen mit einem Code und ihrem Namen herein, du stellst "
        "Aufgaben, paarst Spielrunden und lässt abgegebene Spieler ein Turnier spielen.\n\n"
        "Nach Strg-C oder einem Neustart des Rechners geht derselbe Befehl dort weiter. --forget löscht alles.",
        "Run a class or an evening of games: all come in with a code and their name, you set tasks, pair rounds of "
        "games, and let the players that were handed in play a tournament.\n\n"
        "After Ctrl-C or a restart of the machine the same command goes on from there. --forget deletes everything.")),
    "serve": CommandEntry("serve", "serve", t(
        "Den Spielleiter starten: Spielerprogramme verbinden sich mit ihm und spielen.\n\n"
        "Die Optionen können auch in einer TOML-Datei (--config), in der Umgebung (SPIELLEITER_SERVE_PORT) oder "
        "in einer server.properties des Referenzservers in diesem Ordner stehen.",
        "Run the game master: player programs connect to it and play.\n\n"
        "Options can also be set in a TOML file (--config), in the environment (SPIELLEITER_SERVE_PORT), or in a "
        "server.properties of the reference server in this folder.")),
    "new": CommandEntry("new", "new", t(
        "Einen Ordner mit einem fertigen Spieler anlegen: Er schaut einen Zug voraus.",
        "Make a folder with a player that is ready to run: it looks one move ahead.")),
    "new-game": CommandEntry("new_game", "new_game", t(
        "Ein neues Spiel anlegen: ein kleines, das alle Gesetze einhält und sofort gespielt werden kann; du ersetzt es "
        "Regel für Regel.\n\n"
        "Ohne --checkout entsteht ein eigenes Paket, etwa für das Spiel einer Schule: pip install -e, und alle Befehle "
        "und Seiten kennen es. Mit --checkout entsteht der Ordner des Spiels der nächsten Saison im Quelltext von "
        "Spielleiter (CONTRIBUTING.md).",
        "Make a new game: a small one that keeps all laws and can be played at once; you replace it rule by rule.\n\n"
        "Without --checkout it is a package of its own, as for the game of a school: pip install -e, and all commands "
        "and pages know it. With --checkout it is the folder of next season's game in the sources of spielleiter "
        "(CONTRIBUTING.md).")),
    "check": CommandEntry("check", "check", t(
        "Ein Spielerprogramm vor dem Hochladen prüfen: einige Spiele spielen und auflisten, was funktioniert und "
        "was nicht.\n\n"
        "Exit-Code 0: alles in Ordnung. 1: Eine Prüfung ist fehlgeschlagen, oder etwas ließ sich nicht prüfen. 2: "
        "falsche Eingabe. 3: Das Programm ist keinem Spiel beigetreten.",
        "Check a player program before the upload: play some games, and list what works and what does not.\n\n"
        "Exit code 0: all is well. 1: a check failed, or something could not be tried. 2: wrong input. 3: the "
        "program never joined a game.")),
    "watch": CommandEntry("watch", "watch", t(
        "Nach jedem Speichern eines Spielers einige schnelle Spiele zeigen: das Spielfeld Zug um Zug, den ersten "
        "Fehler mit Datei und Zeile, und was die Änderung gegen die vorige Version bringt.\n\n"
        "Strg-C beendet das Beobachten.",
        "After every save of a player show a few quick games: the board move by move, the first fault with file and "
        "line, and what the change gains against the version before.\n\n"
        "Ctrl-C stops watching.")),
    "pack": CommandEntry("new", "pack", t(
        "Einen Spieler für den Wettbewerb einpacken: ein ZIP, das nur Python und kein Netz braucht; danach wird es "
        "geprüft.",
        "Pack a player for the contest: a ZIP that needs only Python and no network; then check it.")),
    "match": CommandEntry("match.command", "match", t(
        "Ein Match spielen: jede Startstellung zweimal mit getauschten Seiten, mehrere Spiele gleichzeitig, "
        "fortsetzbar, mit Fehlerbalken.\n\n"
        "Exit-Code 0: Das Match ist gespielt. 2: falsche Eingabe. 3: Ein Spieler ist nie gestartet, oder das "
        "Match wurde beendet, weil einer nicht startet. 4: Ein Spieler ist in jedem seiner Spiele abgestürzt oder "
        "hat es verlassen. 130: unterbrochen.",
        "Play a match: every opening twice with sides swapped, games in parallel, resumable, with error bars.\n\n"
        "Exit code 0: the match was played. 2: wrong input. 3: a player never started, or the match was stopped "
        "because one does not. 4: a player crashed or left in each of its games. 130: interrupted.")),
    "openings": CommandEntry("lab.openings", "openings", t(
        "Startstellungen für Matches erzeugen: zufällige Züge, von der Engine als ausgeglichen beurteilt, ohne "
        "Dopplungen durch Symmetrie.",
        "Make start positions for matches: random moves, balanced by the engine, without symmetric duplicates.")),
    "rate": CommandEntry("lab.rate", "rate", t(
        "Alle Spieler mehrerer Matches zusammen bewerten, oder die Commits eines Spielers: Elo mit Intervallen.\n\n"
        "Von Matches: wer wen schlägt. Vom Ordner eines Spielers in Git: Seine letzten Commits spielen gegeneinander, "
        "und ihre Stärke wird eine Kurve; fortsetzbar.",
        "Rate all players of several matches together, or the commits of a player: Elo with intervals.\n\n"
        "Of matches: who beats whom. Of the folder of a player in git: its last commits play each other, and their "
        "strength becomes a curve; resumable.")),
    "tune": CommandEntry("lab.tune", "tune", t(
        "Die Zahlen eines Spielers mit SPSA einstellen und das Ergebnis mit SPRT gegen den Ausgangswert testen.\n\n"
        "Exit-Code 0: Laut Test ist der eingestellte Spieler stärker, oder es gab keinen Test. 1: Er ist es laut "
        "Test nicht. 2: falsche Eingabe. 130: unterbrochen; --resume setzt fort.",
        "Tune the numbers of a player by SPSA, then test the result against the start by SPRT.\n\n"
        "Exit code 0: the test says that the tuned player is stronger, or there was none. 1: it does not. 2: "
        "wrong input. 130: interrupted; --resume continues.")),
    "bisect": CommandEntry("lab.bisect", "bisect", t(
        "Zwei Commits eines Spielers gegeneinander spielen lassen, und den finden, der ihn schwächer gemacht hat.\n\n"
        "Exit-Code 0: Der neue Commit ist nicht schwächer. 1: Er ist es, oder es blieb offen. 2: falsche Eingabe.",
        "Play two commits of a player against each other, and find the one that made it weaker.\n\n"
        "Exit code 0: the new commit is not weaker. 1: it is, or that stayed open. 2: wrong input.")),
    "lab": CommandEntry("lab.queue", "lab_app", t(
        "Eine Warteschlange von Tests zweier Versionen, im Browser: einstellen, zusehen, anhalten, fortsetzen, und der "
        "Verlauf jedes Spielers.",
        "A queue of tests of two versions, in the browser: submit, watch, stop, resume, and the history of every "
        "player.")),
    "contest": CommandEntry("contest.commands", "contest_app", t(
        "Eine ganze Saison: Teams, Spieltage, Tabellen, Finale; sicher gegen jede Unterbrechung.",
        "A whole season: teams, matchdays, standings, final; safe against any interruption.")),
    "replay": CommandEntry("replay", "replay", t(
        "Aufgezeichnete Spiele ansehen, prüfen, analysieren und umwandeln.",
        "Look at recorded games, verify, analyse and convert them.")),
    "coach": CommandEntry("coach.command", "coach", t(
        "Zeigen, was ein Spieler zuerst verbessern sollte: Fehler, Zeit, Ergebnisse und seine zehn teuersten Züge "
        "mit besseren.\n\n"
        "Strg-C hält die Engine an: Dann steht im Bericht, was bis dahin gefunden wurde (Exit-Code 130).",
        "Show what a player should improve first: faults, time, results, and its ten costliest moves with better "
        "ones.\n\n"
        "Ctrl-C stops the engine: the report then has what was found so far (exit code 130).")),
    "drill": CommandEntry("coach.drill", "drill", t(
        "Einen Spieler in jeder Stellung einer Übungsdatei nach einem Zug fragen und mit dem letzten Mal "
        "vergleichen.\n\n"
        "Exit-Code 0: alle gelöst. 1: nicht alle. 2: Die Übung lässt sich nicht spielen. 3: Das Programm kam in "
        "kein Spiel. 130: unterbrochen, der Verlauf bleibt unverändert.",
        "Ask a player for one move in each position of a drill, and compare with the last time.\n\n"
        "Exit code 0: all are solved. 1: some are not. 2: it cannot be played. 3: the program never joined a "
        "game. 130: interrupted, nothing is written to the history.")),
    "ask": CommandEntry("ask", "ask", t(
        "Einen Spieler in einer Stellung nach seinem Zug fragen: Zug, Zeit und was er ausgibt.\n\n"
        "Exit-Code 0: Er hat gezogen. 1: kein erlaubter Zug. 2: falsche Eingabe. 3: Das Programm kam in kein Spiel.",
        "Ask a player for its move in one position: the move, the time, and what it prints.\n\n"
        "Exit code 0: it has moved. 1: no legal move. 2: wrong input. 3: the program never joined a game.")),
    "games": CommandEntry("positions", "list_games", t(
        "Die Spiele und Regelwerke auflisten.", "List the games and rule sets.")),
    "rules": CommandEntry("positions", "print_rules", t(
        "Die Regeln eines Spiels erklären, mit Spielfeldern als Text; die Seiten haben dasselbe mit Bildern und "
        "Übungen.",
        "Explain the rules of a game, with boards as text; the pages have the same with pictures and exercises.")),
    "export": CommandEntry("export", "export_app", t(
        "Die Werkstatt mit Regeln, Übungen, Rätseln und Spielen gegen den Computer als Ordner für jeden Webspace "
        "schreiben, ohne Server.",
        "Write the workshop with rules, exercises, puzzles and games against the computer as a folder for any web "
        "space, without a server.")),
    "docs": CommandEntry("docs", "docs", t(
        "Die Dokumentation lesen: im Terminal oder im Browser, ohne Netz.",
        "Read the documentation: in the terminal or the browser, without a network.")),
    "show": CommandEntry("positions", "show", t(
        "Eine Stellung zeichnen, sagen, wer am Zug ist, und ihre Notation angeben.",
        "Draw a position, say who is to move, and give its notation.")),
    "perft": CommandEntry("positions", "count_moves", t(
        "Die Zugfolgen ab einer Stellung zählen oder mit bekannten Zahlen vergleichen.",
        "Count the move sequences from a position, or compare with known counts.")),
    "conform": CommandEntry("proof", "conform", t(
        "Aufgezeichnete Spiele der Referenzserver nachspielen und jeden Zug mit unseren Regeln vergleichen.\n\n"
        "Gibt eine Zusammenfassung und den ersten Unterschied aus; Exit-Code 1 bei jedem Unterschied.",
        "Replay games recorded from the reference servers and compare every ply with our rules.\n\n"
        "Prints a summary and the first difference; exit code 1 on any difference.")),
    "engine": CommandEntry("engine", "engine_app", t(
        "Version und Geschwindigkeit der nativen Engine zeigen, oder warum es sie nicht gibt (Exit-Code 1); mit serve "
        "analysiert sie für andere Programme.",
        "Show the version and speed of the native engine, or why it is not available (exit code 1); with serve it "
        "analyses for other programs.")),
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
    command.help = entry.help
    _name_environment(command, f"{_PREFIX}_{name.replace('-', '_').upper()}")
    translate(command, language())
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
        return name, found and load_command(args[0]), rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            errors.print(Text("Abgebrochen.", "Interrupted.").to(language()))
            raise typer.Exit(130) from None

    def main(self, args: Sequence[str] | None = None, *others: Any, **settings: Any) -> Any:
        words = _language_first(sys.argv[1:] if args is None else args)
        set_language(_chosen_language(words))
        try:
            translate(self, language())
            with typer_speaks(language()), plugin_warnings_shown(_say_left_out):
                return super().main(words, *others, **settings)
        finally:
            choose_language(None)  # What was chosen counts for this command; others may follow in one process.


def _say_left_out(problem: Text) -> None:
    """Name a game or player of another package that cannot be used."""
    errors.print(f"spielleiter: {problem.to(language())}", style="yellow", markup=False, soft_wrap=True)


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
    help=t(
        "Die Software-Challenge: Spiele, Spielleiter, Spieler, Matches, Wettbewerb.",
        "The Software-Challenge: games, game master, players, matches, contest.",
    ),
    epilog=t(
        "Jede Option lässt sich als Umgebungsvariable setzen: --games von match ist SPIELLEITER_MATCH_GAMES.",
        "Every option can be set in the environment: --games of match is SPIELLEITER_MATCH_GAMES.",
    ),
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
    lang: Annotated[_Lang | None, typer.Option(envvar=f"{_PREFIX}_LANG", show_envvar=False, help=t(
        "Sprache der Ausgaben; Standard: die des Systems.", "Language of the output; default: the system's."))] = None,
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help=t(
        "Zeigt die Version.", "Show the version."))] = False,
) -> None:  # fmt: skip
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
