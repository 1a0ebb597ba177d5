"""``spielleiter lab``: a queue of tests that is played and watched in the browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text as RichText

from spielleiter import games
from spielleiter.cli.match.command import parse_sprt
from spielleiter.cli.match.view import duel_line
from spielleiter.cli.programs import (
    ConcurrencyOption,
    CoresOption,
    MemoryOption,
    OpeningsOption,
    RandomMovesOption,
    Sandbox,
    SandboxOption,
    SecondsOption,
)
from spielleiter.cli.terminal import JsonOption, complete_key, complete_player, console, language, say, t, word
from spielleiter.cli.web import serve_pages
from spielleiter.errors import SettingsError, SpielleiterError
from spielleiter.game import Text
from spielleiter.lab.findings import read_findings
from spielleiter.lab.queue import LabQueue, QueuedTest, WantedTest, problem_text
from spielleiter.matches.executor import parse_cores
from spielleiter.matches.openings import Order, choose_openings
from spielleiter.matches.play_settings import PlaySettings
from spielleiter.matches.summary import Summary
from spielleiter.text import shell_word

lab_app = typer.Typer(no_args_is_help=True)

FolderArgument = Annotated[Path, typer.Argument(file_okay=False, help=t(
    "Der Ordner der Warteschlange: alle Tests mit ihren Spielen.",
    "The folder of the queue: all tests with their games."))]  # fmt: skip


@lab_app.command(help=t(
    "Die Warteschlange spielen und im Browser zeigen. Nach Strg-C oder einem Absturz geht derselbe Befehl weiter.",
    "Play the queue and show it in the browser. After Ctrl-C or a crash the same command goes on."))  # fmt: skip
def serve(
    folder: FolderArgument,
    host: Annotated[str, typer.Option(help=t(
        "Adresse, unter der die Seiten zu erreichen sind; 0.0.0.0 für alle Netze, mit Schlüsseln.",
        "Address to listen on; 0.0.0.0 for all networks, with keys."))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port der Seiten; 0 für irgendeinen freien.", "Port of the pages; 0 for any free one."))] = 8050,
    game_port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port des Spielleiters.", "Port of the game master."))] = 13050,
    cluster: Annotated[str | None, typer.Option(help=t(
        "Auf einem Dask-Cluster spielen: tcp://HOST:PORT, oder local:4 für vier Worker auf diesem Rechner.",
        "Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here."))] = None,
    browser: Annotated[bool, typer.Option(help=t(
        "Die Seiten im Browser öffnen.", "Open the pages in the browser."))] = True,
    sandbox: SandboxOption = Sandbox.AUTO,
    memory: MemoryOption = 1500,
) -> None:  # fmt: skip
    from spielleiter.web.lab.laboratory import LabSettings

    play = PlaySettings(sandbox=sandbox, memory=memory, cluster=cluster)
    serve_pages(
        host=host, port=port, game_port=game_port, browser=browser, sandbox=sandbox,
        laboratory=LabSettings(folder=folder, play=play),
    )  # fmt: skip


@lab_app.command(help=t(
    "Einen Test ans Ende der Warteschlange stellen; gespielt wird er von „lab serve“.",
    "Put a test at the end of the queue; 'lab serve' plays it."))  # fmt: skip
def submit(
    folder: FolderArgument,
    new: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Die neue Version: ein Spieler wie bei „match“, oder ORDNER@COMMIT.",
        "The new version: a player as for 'match', or FOLDER@COMMIT."))],
    old: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Die alte Version.", "The old version."))],
    game: Annotated[str, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das der laufenden Saison.",
        "The game; default: that of the current season."))] = games.CURRENT_SEASON,
    sprt: Annotated[str, typer.Option(help=t(
        "Der Test, wie bei „match“; leer: alle Paare.", "The test, as for 'match'; empty: all pairs."))] = "0,10",
    pairs: Annotated[int | None, typer.Option(help=t(
        "Paare von Spielen mit getauschten Seiten; mit einem SPRT höchstens so viele.",
        "Pairs of games with sides swapped; the most with an SPRT."))] = None,
    seconds: SecondsOption = None,
    nodes: Annotated[int | None, typer.Option(min=1, help=t(
        "Knoten je Zug, für jeden Spieler mit der Option nodes.",
        "Nodes per move, for every player that has the option nodes."))] = None,
    openings: OpeningsOption = "0",
    random_moves: RandomMovesOption = 4,
    in_process: Annotated[bool, typer.Option("--in-process", help=t(
        "Nur eingebaute Spieler, ohne eigene Prozesse: schnell.",
        "Built-in players only, without processes: fast."))] = False,
    concurrency: ConcurrencyOption = None,
    cores: CoresOption = None,
    note: Annotated[str, typer.Option(help=t(
        "Was an der neuen Version neu ist.", "What is new in the new version."))] = "",
) -> None:  # fmt: skip
    if not sprt and pairs is None:
        raise SettingsError("Ohne --sprt braucht ein Test --pairs.", "without --sprt a test needs --pairs")
    key = games.load(game).key
    test = LabQueue(folder).submit(
        WantedTest(
            versions=(new, old),
            game=key,
            sprt=parse_sprt(sprt) if sprt else None,
            pairs=pairs,
            openings=choose_openings(openings, Order.FILE, 0, random_moves, key),
            seconds=seconds,
            nodes=nodes,
            in_process=in_process,
            concurrency=concurrency,
            cores=None if cores is None else parse_cores(cores),
            note=note,
        )
    )
    say(Text(f"Test {test.number} wartet.", f"Test {test.number} waits."))


@lab_app.command("list", help=t(
    "Alle Tests mit ihrem Stand auflisten, den neuesten zuerst.",
    "List all tests and where they stand, the newest first."))  # fmt: skip
def list_tests(folder: FolderArgument, as_json: JsonOption = False) -> None:
    queue = LabQueue(folder)
    found = [(test, *_summary(queue, test)) for test in queue.tests]
    if as_json:
        data = [
            test.to_json()
            | {"running": queue.is_running(test), "summary": None if summary is None else summary.to_json()}
            for test, summary, _ in found
        ]
        console.print_json(json.dumps(data))
        return
    if not found:
        how = f"spielleiter lab submit {shell_word(folder)}"
        say(Text(f"{folder}: noch kein Test. Der erste kommt mit {how} NEU ALT.",
                 f"{folder}: no test yet. Submit the first one with {how} NEW OLD."))  # fmt: skip
        return
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("", word("Versionen", "versions"), word("Stand", "state"), word("Ergebnis", "result")):
        table.add_column(heading, overflow="fold")
    for test, summary, problem in found:
        names = test.players if summary is None else summary.names
        result = problem.to(language()) or ("" if summary is None else duel_line(summary))
        state = word("läuft", "running") if queue.is_running(test) else test.state.text.to(language())
        table.add_row(str(test.number), RichText(" – ".join(names)), state, RichText(result))
    console.print(table)


def _summary(queue: LabQueue, test: QueuedTest) -> tuple[Summary | None, Text]:
    """What the games of a test show, and what is wrong with it."""
    try:
        return read_findings(queue.match_folder(test.number)).summary, test.problem
    except SpielleiterError as problem:
        return None, test.problem if test.problem.en else problem_text(problem)
