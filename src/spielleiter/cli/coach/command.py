"""``spielleiter coach``: what a player should improve first, in the terminal or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.progress import Progress
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.analysis import chance_text
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import JsonOption, console, errors, language, say, t
from spielleiter.coach.drill import drill_to_extend, make_drill, write_drill
from spielleiter.coach.own_games import read_own_games
from spielleiter.coach.report import MAX_COSTLY, CoachReport
from spielleiter.coach.study import CostlyMove, Study
from spielleiter.errors import EngineMissing
from spielleiter.game import Text
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.rating.pairs import Results

_MAX_OPENINGS = 5
_EXIT_INTERRUPTED = 130


def coach(
    sources: Annotated[list[Path], typer.Argument(exists=True, help=t(
        "Ordner von Matches, Aufzeichnungen oder Ordner von Aufzeichnungen.",
        "Folders of matches, records, or folders of records."))],
    player: Annotated[str, typer.Option(help=t(
        "Der Spieler, um den es geht, mit seinem Namen in diesen Spielen.",
        "The player to coach, by its name in these games."))],
    seconds: Annotated[float, typer.Option(min=1, help=t(
        "Sekunden, die die Engine rechnet, für alle Spiele zusammen.",
        "Seconds of engine time, all games together."))] = 60,
    drill: Annotated[Path | None, typer.Option(dir_okay=False, help=t(
        "Die teuren Stellungen in diese Übungsdatei schreiben, oder der vorhandenen hinzufügen.",
        "Write the costly positions to this drill, or add them to the one there."))] = None,
    boards: Annotated[bool, typer.Option(help=t(
        "Die Stellungen der teuersten Züge zeichnen.", "Draw the positions of the costliest moves."))] = True,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    own = read_own_games(sources, player)
    if drill is not None:
        drill_to_extend(drill, own.game.key, player)  # What is wrong with it should show before the engine works.
    study, interrupted = Study(own, seconds), False
    interrupt_on_every_signal()
    try:
        with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
            task = bar.add_task("coach", total=None)
            for done, total in study.steps():
                bar.update(task, completed=done, total=total)
    except KeyboardInterrupt:
        interrupted = True
    except EngineMissing as missing:
        own = replace(own, notices=(*own.notices, missing.text))
    report = CoachReport.of(own, study)
    if as_json:
        console.print_json(json.dumps({**report.to_json(language()), "interrupted": interrupted}))
    else:
        _print_report(report, boards=boards)
    if drill is not None:
        _write_drill(drill, report, quiet=as_json)
    if interrupted:
        errors.print(Text("Unterbrochen.", "Interrupted.").to(language()))
        raise typer.Exit(_EXIT_INTERRUPTED)


def _write_drill(path: Path, report: CoachReport, *, quiet: bool) -> None:
    drill = make_drill(report.game, report.player, report.costly)
    if not drill.exercises and not path.exists():
        text = Text(
            f"{path}: nicht geschrieben, es gibt keine Stellung zum Üben.",
            f"{path}: not written, there is no position to learn from.",
        )
        errors.print(text.to(language()), markup=False, soft_wrap=True)
        return
    number = len(write_drill(path, drill).exercises)
    if not quiet:
        say(
            Text(
                f"{path}: {number} Stellungen zum Üben. Weiter mit: spielleiter drill SPIELER {path}",
                f"{path}: {number} positions to learn from. Go on with: spielleiter drill PLAYER {path}",
            )
        )


def _print_report(report: CoachReport, *, boards: bool) -> None:
    say(
        Text(
            f"{report.player}, {report.game.title.de}: {report.played} Spiele, {_score(report.results).de}",
            f"{report.player}, {report.game.title.en}: {report.played} games, {_score(report.results).en}",
        ),
        "bold",
    )
    for notice in report.notices:
        say(notice, "yellow")
    _print_advice(report)
    _print_faults(report)
    _print_times(report)
    console.print(_results_table(report))
    _print_openings(report)
    _print_costly(report, boards=boards)


def _score(results: Results) -> Text:
    return Text(
        f"{results.won} gewonnen, {results.drawn} unentschieden, {results.lost} verloren",
        f"{results.won} won, {results.drawn} drawn, {results.lost} lost",
    )


def _heading(de: str, en: str) -> None:
    console.print()
    say(Text(de, en), "bold")


def _print_advice(report: CoachReport) -> None:
    advice = report.advice()
    _heading("Das zuerst:", "Improve first:")
    if not advice:
        say(Text("  Nichts Auffälliges gefunden.", "  Nothing stands out."))
    for number, text in enumerate(advice, 1):
        say(Text(f"  {number}. {text.de}", f"  {number}. {text.en}"))


def _print_faults(report: CoachReport) -> None:
    if report.faults or report.untimely:
        _heading("Eigene Schuld:", "Own faults:")
    for group in report.faults:
        say(Text(f"  {len(group.places)}× {group.text.de}", f"  {len(group.places)}× {group.text.en}"), "red")
        listed = ", ".join(group.places[:3]) + (", …" if len(group.places) > 3 else "")
        console.print(RichText(f"     {listed}", "dim"), soft_wrap=True)
    if report.untimely:
        say(
            Text(
                f"  {report.untimely}× auf Zeit verloren, als die Maschine zu beschäftigt war; das zählt hier nicht.",
                f"  {report.untimely}× lost on time while the machine was too busy; that does not count here.",
            )
        )


def _print_times(report: CoachReport) -> None:
    times = report.times
    if not times.moves:
        return
    _heading("Zeit pro Zug:", "Time per move:")
    median, p99, longest = (f"{seconds:.3f}" for seconds in (times.median, times.p99, times.max))
    de = f"  Median {median} s, 99 % bis {p99} s, höchstens {longest} s"
    en = f"  median {median} s, 99 % up to {p99} s, at most {longest} s"
    if report.limit is not None:
        share, limit = f"{100 * times.share:.0f}", f"{report.limit:g}"
        de, en = f"{de} ({share} % von {limit} s)", f"{en} ({share} % of {limit} s)"
    say(Text(de.replace(".", ","), en))


def _results_table(report: CoachReport) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(Text("Ergebnisse", "Results").to(language()))
    for column in (Text("gewonnen", "won"), Text("unentschieden", "drawn"), Text("verloren", "lost")):
        table.add_column(column.to(language()), justify="right")

    def add(label: Text, results: Results) -> None:
        table.add_row(label.to(language()), *map(str, (results.won, results.drawn, results.lost)))

    for name, results in report.opponents.items():
        add(Text(f"gegen {name}", f"against {name}"), results)
    for team, results in report.sides.items():
        side = report.game.team_name(team)
        add(Text(f"als {side.de}", f"as {side.en}"), results)
    return table


def _print_openings(report: CoachReport) -> None:
    lost = [opening for opening in report.openings if opening.results.games > 1 and not opening.results.victory_points]
    if not lost:
        return
    say(
        Text(
            f"Eröffnungen ohne einen Punkt: {len(lost)} von {len(report.openings)}",
            f"Openings without a point: {len(lost)} of {len(report.openings)}",
        ),
        "bold",
    )
    for opening in lost[:_MAX_OPENINGS]:
        console.print(RichText(f"  {', '.join(opening.places)}\n  {opening.position}", "dim"), soft_wrap=True)


def _print_costly(report: CoachReport, *, boards: bool) -> None:
    shown = report.costly[:MAX_COSTLY]
    if shown:
        _heading("Die teuersten Züge:", "The costliest moves:")
    for number, move in enumerate(shown, 1):
        _print_move(number, move, report, board=boards)
    if report.studied < report.studied_total:
        say(
            Text(
                f"Ganz angesehen: {report.studied} von {report.studied_total} Spielen; mehr mit --seconds.",
                f"Analysed in full: {report.studied} of {report.studied_total} games; more with --seconds.",
            ),
            "yellow",
        )


def _joined(moves: Sequence[Text]) -> Text:
    return Text(" → ".join(text.de for text in moves), " → ".join(text.en for text in moves))


def _print_move(number: int, move: CostlyMove, report: CoachReport, *, board: bool) -> None:
    what, before, after = move.move_class.text, chance_text(move.before), chance_text(move.after)
    say(
        Text(
            f"{number}. {move.words.de} – {what.de}, die Gewinnchance fällt von {before.de} auf {after.de}"
            f" (Zug {move.ply} gegen {move.game.opponent})",
            f"{number}. {move.words.en} – {what.en}, the winning chance falls from {before.en} to {after.en}"
            f" (move {move.ply} against {move.game.opponent})",
        )
    )
    if board:
        console.print(RichText.from_ansi(report.game.draw_text(move.played.before, terminal_has_colors(), language())))
    console.print(RichText(f"   {move.position}", "dim"), soft_wrap=True)
    better, answer = _joined(move.better_words), _joined(move.answer_words)
    say(Text(f"   besser: {better.de}", f"   better: {better.en}"), "green")
    if move.answer:
        say(Text(f"   danach: {answer.de}", f"   after it: {answer.en}"), "red")
    for reason in move.reasons:
        say(Text(f"   {reason.de}", f"   {reason.en}"))
    if move.why.en and not move.reasons:
        say(Text(f"   {move.why.de}", f"   {move.why.en}"))
    if move.noted.en:
        say(Text(f"   {move.noted.de}", f"   {move.noted.en}"), "magenta")
    console.print(
        RichText(f"   spielleiter replay show {move.game.history.place} --ply {move.ply - 1}\n", "dim"), soft_wrap=True
    )
