"""All commands of ``spielleiter contest``, in the order in which a season needs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from spielleiter.cli.contest import archive, people, programs, rulings, run, schedule, standings
from spielleiter.cli.terminal import t

contest_app = typer.Typer(no_args_is_help=True)

_COMMANDS: dict[str, tuple[Callable[..., Any], str]] = {
    "init": (run.init, t(
        "Eine kommentierte Saisondatei mit eingebauten Spielern schreiben: eine kleine Saison, die sofort "
        "spielbar ist.",
        "Write a commented season file with built-in players: a small season that can be played at once.")),
    "run": (run.run, t(
        "Alles spielen, was ansteht; fortsetzbar. Mehrere Läufe können sich eine Datenbank teilen.\n\n"
        "Eine Saison, deren Datei Programme nennt, die nicht spielen können, beginnt nicht. Ein Team, das mit "
        "--without ausgelassen wird, hat kein Programm; seine Spiele werden so entschieden, wie es in der "
        "Saisondatei steht.",
        "Play everything that is due; resumable. Several runs may share one store.\n\n"
        "A season whose file names programs that cannot play does not begin; a team that is left out with "
        "--without has no program, and its games are decided as the season file says.")),
    "status": (schedule.status, t(
        "Sagen, wie weit die Saison ist und worauf sie wartet.", "Say how far the season is and what it waits for.")),
    "schedule": (schedule.schedule, t(
        "Alle bekannten Begegnungen auflisten, Tag für Tag, mit ihren Ergebnissen.",
        "List all encounters that are known, day by day, with their results.")),
    "standings": (standings.standings, t(
        "Die Tabelle zeigen: wonach sie ordnet, Plätze und Zahlen; und wie sicher die Reihenfolge ist.",
        "Show the standings: how they rank, ranks and numbers; and how sure the order is.")),
    "bracket": (schedule.bracket, t(
        "Die K.-o.-Runde zeigen: Viertelfinale, Halbfinale, Spiel um Platz 3, Finale.",
        "Show the knock-out: quarter-finals, semi-finals, third place, final.")),
    "encounter": (schedule.encounter, t(
        "Eine Begegnung zeigen: ihre Spiele mit Ergebnissen, Gründen und Nebenwertungen.",
        "Show an encounter: its games with results, reasons and secondary scores.")),
    "submit": (programs.submit, t(
        "Das neue Programm eines Teams einreichen: zwei Spiele gegen random in der Sandbox. Exit-Code 1, wenn es "
        "scheitert.",
        "Submit a team's new program: two games against random in the sandbox. Exit code 1 if it fails.")),
    "activate": (programs.activate, t(
        "Ein Team ab dem nächsten Spieltag mit einem seiner Programme spielen lassen.",
        "Let a team play with one of its programs from the next matchday on.")),
    "programs": (programs.programs, t(
        "Die Programme eines Teams auflisten, mit dem, was die Prüfungen ergaben.",
        "List the programs of a team, with what their checks have found.")),
    "friendly": (programs.friendly, t(
        "Eine Freundschaftsbegegnung mit den aktiven Programmen spielen; sie zählt nie.",
        "Play a friendly encounter with the active programs; it never counts.")),
    "annul": (rulings.annul, t(
        "Ein Spiel oder eine Begegnung annullieren; es wird neu gespielt. Fragt vorher; „undo“ nimmt es zurück.",
        "Annul a game or an encounter; it will be played again. Asks first; 'undo' takes it back.")),
    "accept": (rulings.accept, t(
        "Spiele werten, die auf Zeit verloren gingen, während der Rechner überlastet war. Fragt vorher.",
        "Let games count that were lost on time on a busy machine. Asks first.")),
    "disqualify": (rulings.disqualify, t(
        "Ein Team in einem Spiel oder einer Begegnung disqualifizieren, oder in allem, was es noch nicht gespielt "
        "hat. Fragt vorher; „undo“ nimmt es zurück.",
        "Disqualify a team in a game or an encounter, or in all that it has not played yet. Asks; 'undo' takes it "
        "back.")),
    "undo": (rulings.undo, t(
        "Eine Entscheidung oder Löschung zurücknehmen, solange nichts darauf aufbaut.",
        "Undo a ruling, or bring back what was removed, while nothing was built on it.")),
    "draw-lot": (rulings.draw_lot, t(
        "Das Los ziehen, das über einen Platz entscheidet, wenn laut Saisondatei ein Mensch es tut.",
        "Draw the lot that decides a place, where the season file says that a person does it.")),
    "pause": (rulings.pause, t(
        "Jeden „run“ anhalten, sobald die laufenden Spiele zu Ende sind.",
        "Stop every 'run' after the games that are being played.")),
    "resume": (rulings.resume, t("„run“ nach einer Pause wieder erlauben.", "Allow 'run' again after a pause.")),
    "audit": (rulings.audit, t(
        "Auflisten, was Menschen entschieden haben: wer, wann, was und warum.",
        "List what people decided: who, when, what and why.")),
    "verify": (archive.verify, t(
        "Jedes Spiel aus seiner Aufzeichnung nachspielen und alles neu berechnen.\n\n"
        "Exit-Code 1 beim ersten Unterschied, 3, wenn es noch nichts zu beweisen gibt.",
        "Replay every game from its record and compute everything again.\n\n"
        "Exit code 1 at the first difference, 3 if there is nothing to prove yet.")),
    "export": (archive.export, t(
        "Seiten schreiben, die sich ohne Server öffnen lassen, alle Aufzeichnungen, und die Tabellen als CSV und "
        "JSON; nichts Privates.",
        "Write pages that open without a server, all records, and the standings as CSV and JSON; nothing private.")),
    "backup": (archive.backup, t(
        "Die ganze Datenbank in eine Datei kopieren, auch während gespielt wird; benutze sie mit --store DATEI.",
        "Copy the whole store into a file, also while the season is played; use it with --store FILE.")),
    "invite": (people.invite, t(
        "Einen Link ausgeben, mit dem eine Person ein Konto anlegen kann; er gilt einmal und zwei Wochen lang.",
        "Print a link with which one person can create an account; it works once, for two weeks.")),
}  # fmt: skip
for _name, (_function, _help) in _COMMANDS.items():
    contest_app.command(_name, help=_help)(_function)
