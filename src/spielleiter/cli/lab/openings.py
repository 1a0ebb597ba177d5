"""``spielleiter openings``: make a file of start positions for matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from spielleiter import games
from spielleiter.cli.terminal import complete_key, console, errors, language, t
from spielleiter.game import Text
from spielleiter.lab.opening_book import BookSettings, make_book
from spielleiter.records.writer import write_new_file

_DEFAULT = BookSettings()


def openings(
    out: Annotated[Path, typer.Argument(dir_okay=False, help=t(
        "Eine neue Datei, für „match --openings“.", "A new file, for 'match --openings'."))],
    game: Annotated[str, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel.", "The game."))] = games.CURRENT_SEASON,
    number: Annotated[int, typer.Option(min=1, max=100000, help=t(
        "Anzahl der Stellungen.", "Number of positions."))] = _DEFAULT.number,
    moves: Annotated[int, typer.Option(min=0, max=60, help=t(
        "Zufällige Züge vom Anfang an.", "Random moves from the start."))] = _DEFAULT.moves,
    balance: Annotated[float, typer.Option(help=t(
        "Wie weit die Gewinnchance von der Hälfte abweichen darf; 0.5: die Engine wird nicht gefragt.",
        "How far the winning chance may be from one half; 0.5: the engine is not asked."))] = _DEFAULT.balance or 0.5,
    nodes: Annotated[int, typer.Option(min=1, help=t(
        "Knoten der Engine je Stellung.", "Nodes of the engine for a position."))] = _DEFAULT.nodes,
    seed: Annotated[int, typer.Option(help=t(
        "Startwert der zufälligen Züge.", "Seed of the random moves."))] = _DEFAULT.seed,
) -> None:  # fmt: skip
    rules = games.load(game)
    settings = BookSettings(
        number=number, moves=moves, balance=None if balance == 0.5 else balance, nodes=nodes, seed=seed
    )
    found = track(
        make_book(rules, settings),
        total=number,
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
        description=Text("Stellungen", "positions").to(language()),
    )
    judged = f", balance {balance:g} by {nodes} nodes" if settings.balance is not None else ""
    lines = [
        f"# {number} positions of {rules.key}, {moves} random moves, seed {seed}{judged}",
        *(it for it, _ in found),
    ]
    write_new_file(out, "".join(f"{line}\n" for line in lines).encode())
    console.print(str(out), markup=False, soft_wrap=True)
