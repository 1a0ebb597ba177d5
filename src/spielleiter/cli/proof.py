"""``spielleiter conform`` and ``perft --check``: our rules compared with what the reference servers did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from spielleiter import games
from spielleiter.cli.terminal import console, errors, language, say, t
from spielleiter.game import Text, perft
from spielleiter.records.reference import (
    Comparison,
    RecordedGame,
    Replay,
    read_perft_cases,
    read_recorded_games,
    replay,
)


def conform(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help=t(
        "Dateien mit aufgezeichneten Spielen (.jsonl, .jsonl.gz).", "Files of recorded games (.jsonl, .jsonl.gz)."))],
    by_document: Annotated[bool, typer.Option(help=t(
        "Stattdessen nach den Regeldokumenten nachspielen und zählen, wie die Ergebnisse abweichen.",
        "Replay by the rule documents instead, and count how the results differ."))] = False,
) -> None:  # fmt: skip
    first: tuple[RecordedGame, Replay] | None = None
    for path in files:
        counts: Counter[Comparison] = Counter()
        plies = 0
        for recorded in track(
            read_recorded_games(path), path.name, console=errors, transient=True, disable=not errors.is_terminal
        ):
            result = replay(recorded, recorded.load_game(by_document=by_document))
            counts[result.comparison] += 1
            plies += len(recorded.data["moves"])
            explained = by_document and result.comparison is not Comparison.DIFFERENT_RULES
            if result.comparison is not Comparison.SAME and not explained and first is None:
                first = recorded, result
        found = ", ".join(f"{number} {comparison.value.to(language())}" for comparison, number in counts.most_common())
        played = counts.total()
        say(
            Text(
                f"{path.name}: {played} Spiele, {plies} Züge: {found}",
                f"{path.name}: {played} games, {plies} plies: {found}",
            )
        )
    if first is not None:
        _print_difference(*first)
        raise typer.Exit(1)


def _print_difference(recorded: RecordedGame, result: Replay) -> None:
    kind, detail = result.comparison.value, result.detail
    console.print()
    say(
        Text(
            f"Erster Unterschied: {recorded.place}: {kind.de}: {detail.de}",
            f"First difference: {recorded.place}: {kind.en}: {detail.en}",
        ),
        "bold red",
    )
    game, state = games.parse_position(result.position)
    console.print(game.draw_text(state, False, language()), markup=False)
    console.print(result.position, soft_wrap=True)


def check_perft(files: list[Path]) -> None:
    """Count every position of ``files`` and compare. Exit code 1 on any difference."""
    wrong = 0
    for path in files:
        cases = read_perft_cases(path)
        for case in track(cases, path.name, console=errors, transient=True, disable=not errors.is_terminal):
            found = tuple(perft(case.state, depth, case.game.counted_moves) for depth in range(1, len(case.counts) + 1))
            if found != case.counts:
                wrong += 1
                say(
                    Text(
                        f"{case.name}: gezählt {found}, bekannt {case.counts}",
                        f"{case.name}: counted {found}, known {case.counts}",
                    ),
                    "bold red",
                )
                console.print(case.game.notation.format_state(case.state), soft_wrap=True)
        positions, sequences = len(cases), sum(sum(case.counts) for case in cases)
        say(
            Text(
                f"{path.name}: {positions} Stellungen, {sequences} Zugfolgen",
                f"{path.name}: {positions} positions, {sequences} sequences",
            )
        )
    if wrong:
        raise typer.Exit(1)
