"""``spielleiter games | rules | show | perft``: the games, their rules, and what is possible in a position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich import box
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text as RichText

from spielleiter import games
from spielleiter.cli.proof import check_perft
from spielleiter.cli.terminal import WIDE, JsonOption, complete_key, console, language, t
from spielleiter.errors import RecordError, SettingsError
from spielleiter.game import TEAMS, AnyGame, Look, perft
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.records.load import open_any
from spielleiter.text import Text

Position = Annotated[str, typer.Argument(autocompletion=complete_key, help=t(
    "Eine Stellung in der Notation des Spiels, in Anführungszeichen; oder der Schlüssel eines Spiels, für eine "
    "Startstellung.",
    "A position in the game's notation, in quotes; or the key of a game, for a start position."))]  # fmt: skip
_COLUMNS = (Text("Schlüssel", "key"), Text("Spiel", "game"), Text("Name im Protokoll", "wire name"))
_CURRENT = Text("laufende Saison", "current season")
_PACKAGE = Text("Paket", "package")

_TEXT_WIDTH = 80
"""Longer lines are hard to read."""

Seed = Annotated[int, typer.Option(help=t("Startwert der Startstellung.", "Seed of the start position."))]


def read_position(text: str, seed: int) -> tuple[AnyGame, Any]:
    """The game and state that a command's argument means: a position, or the start of a game."""
    if len(text.split()) == 1:
        game = games.load(text.strip())
        return game, game.new_state(Random(seed))
    return games.parse_position(text)


def read_running_position(text: str, ply: int | None) -> tuple[AnyGame, Any]:
    """The game and a state that can be played on: that of ``text``, or of the record in this file after ``ply`` moves.

    Without ``ply`` it is the one before the last move of the record. Raises ``SettingsError`` or ``RecordError``.
    """
    if Path(text).is_file():
        record = open_any(Path(text))
        at = max(0, len(record.states) - 2) if ply is None else ply
        if at >= len(record.states):
            raise RecordError(
                f"{text}: Zug {at} gibt es nicht, die Aufzeichnung hat {len(record.states) - 1}",
                f"{text}: there is no ply {at}, the record has {len(record.states) - 1}",
            )
        game, state = record.game, record.states[at]
    elif ply is not None:
        raise SettingsError("--ply gibt es nur mit einer Aufzeichnung.", "--ply is for a record only")
    else:
        game, state = read_position(text, 0)
    if state.outcome is not None:
        raise SettingsError("In dieser Stellung ist das Spiel zu Ende.", "the game is over in this position")
    return game, state


def list_games(as_json: JsonOption = False) -> None:
    known = games.all_games().values()
    if as_json:
        rows = [
            {"key": game.key, "year": game.year, "wire_name": game.wire_name, "title": game.title.to(language()),
             "official": game.official, "current": game.key == games.CURRENT_SEASON, "package": _origin(game)}
            for game in known
        ]  # fmt: skip
        console.print_json(json.dumps(rows))
        return
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    key, title, wire_name = (column.to(language()) for column in _COLUMNS)
    wide = console.width >= WIDE
    for column in (key, title, wire_name) if wide else (key, f"{title}\n  {wire_name}"):
        # A key is what people copy: it is never cut, whatever else has to be.
        width = max(len(game.key) for game in known) if column is key else None
        table.add_column(column, no_wrap=column in (key, wire_name), min_width=width, overflow="fold")
    for game in known:
        current = f" ← {_CURRENT.to(language())}" if game.key == games.CURRENT_SEASON else ""
        origin = f" ({_PACKAGE.to(language())} {_origin(game)})" if games.plugin_of(game) is not None else ""
        shown = game.title.to(language()) + current + origin
        table.add_row(*((game.key, shown, game.wire_name) if wide else (game.key, f"{shown}\n  {game.wire_name}")))
    console.print(table)


def _origin(game: AnyGame) -> str:
    """The package that one installs for this game."""
    plugin = games.plugin_of(game)
    return "spielleiter" if plugin is None else plugin.package


def print_rules(
    key: Annotated[str, typer.Argument(autocompletion=complete_key, help=t(
        "Der Schlüssel eines Spiels.", "The key of a game."))] = games.CURRENT_SEASON,
    short: Annotated[bool, typer.Option("--short", help=t("Nur die Kurzfassung.", "Only the short form."))] = False,
) -> None:  # fmt: skip
    game = games.load(key)
    if game.lesson is None:
        raise SettingsError(f"Zu {key} gibt es keine Anleitung.", f"there is no lesson for {key}")
    lesson, width = game.lesson(), min(console.width, _TEXT_WIDTH)
    console.print(game.title.to(language()), style="bold", markup=False)
    if short:
        console.print(Markdown(lesson.summary.to(language())), width=width)
        return
    drawn: Any = None
    for section in lesson.sections:
        console.print()
        console.print(section.title.to(language()).upper(), style="bold", markup=False)
        console.print(Markdown(section.text.to(language())), width=width)
        for shown in section.illustrations:
            if shown.draw is not None:
                continue
            console.print()
            if shown.state != drawn:  # One board is enough for several captions; its frames and arrows are in words.
                drawn = shown.state
                console.print(RichText.from_ansi(game.draw_text(drawn, terminal_has_colors(), language())))
            console.print(shown.caption.to(language()), markup=False, width=width)
    exercises = Text(
        f"{len(lesson.questions)} Übungen dazu gibt es im Browser: spielleiter web, dann /learn/{key}",
        f"{len(lesson.questions)} exercises are in the browser: spielleiter web, then /learn/{key}",
    )
    console.print()
    console.print(exercises.to(language()), markup=False, width=width)


def show(
    position: Position,
    seed: Seed = 0,
    play: Annotated[list[str] | None, typer.Option("--play", "-m", help=t(
        "Ein Zug, der vorher gespielt wird; mehrfach möglich.", "A move to play first; repeatable."))] = None,
    moves: Annotated[bool, typer.Option(help=t("Die erlaubten Züge auflisten.", "List the legal moves."))] = False,
    svg: Annotated[Path | None, typer.Option(dir_okay=False, help=t(
        "Das Brett als SVG in diese Datei schreiben.", "Write the board as SVG to this file."))] = None,
    dark: Annotated[bool, typer.Option(help=t(
        "Die Farben für dunkle Seiten nehmen.", "Use the colours for dark pages."))] = False,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    game, state = read_position(position, seed)
    for text in play or ():
        state = state.play(game.notation.parse_move(state, text))
    if svg is not None:
        svg.write_text(game.draw(state, Look(theme="dark" if dark else "light")), encoding="utf-8")
    if as_json:
        console.print_json(json.dumps(_position_json(game, state, with_moves=moves)))
        return
    console.print(RichText.from_ansi(game.draw_text(state, terminal_has_colors(), language())))
    console.print()
    for team in TEAMS:
        parts = ", ".join(
            f"{part.text.to(language())} {value}" for part, value in zip(game.scores, state.points(team), strict=True)
        )
        console.print(f"{game.team_name(team).to(language())} ({team.name}): {parts}")
    if moves:
        legal = state.legal_moves()
        console.print(
            f"{len(legal)}: " + "  ".join(game.notation.format_move(state, move) for move in legal), soft_wrap=True
        )
    console.print(game.notation.format_state(state), soft_wrap=True)


def _position_json(game: AnyGame, state: Any, *, with_moves: bool) -> dict[str, Any]:
    """What ``show`` shows, for programs."""
    outcome = state.outcome
    shown: dict[str, Any] = {
        "game": game.key,
        "position": game.notation.format_state(state),
        "turn": state.turn,
        "to_move": state.to_move.name,
        "over": outcome is not None,
        "winner": None if outcome is None or outcome.winner is None else outcome.winner.name,
        "scores": {team.name: scores_json(game, state.points(team)) for team in TEAMS},
    }
    if with_moves:
        shown["moves"] = [game.notation.format_move(state, move) for move in state.legal_moves()]
    return shown


def scores_json(game: AnyGame, points: Sequence[int]) -> dict[str, int]:
    """The parts of a score by their names on the wire."""
    return {part.name: value for part, value in zip(game.scores, points, strict=False)}


def count_moves(
    position: Annotated[str | None, typer.Argument(autocompletion=complete_key, help=t(
        "Eine Stellung in Anführungszeichen; oder der Schlüssel eines Spiels.",
        "A position in quotes; or the key of a game."))] = None,
    depth: Annotated[int, typer.Argument(min=0, help=t("Tiefe in Zügen.", "Depth in moves."))] = 3,
    seed: Seed = 0,
    divide: Annotated[bool, typer.Option(help=t(
        "Die Zahl für jeden ersten Zug zeigen.", "Show the count for each first move."))] = False,
    check: Annotated[list[Path] | None, typer.Option(exists=True, dir_okay=False, help=t(
        "Mit einer Datei bekannter Zahlen vergleichen; mehrfach möglich.",
        "Compare with a file of known counts; repeatable."))] = None,
) -> None:  # fmt: skip
    if check:
        check_perft(check)
        return
    if position is None:
        raise SettingsError(
            "Nenne eine Stellung oder den Schlüssel eines Spiels, oder --check DATEI.",
            "give a position or the key of a game, or --check FILE",
        )
    game, state = read_position(position, seed)
    if divide and depth:
        moves = state.legal_moves() if game.counted_moves is None else game.counted_moves(state)
        for move in moves:
            count = perft(state.play_unchecked(move), depth - 1, game.counted_moves)
            console.print(f"{game.notation.format_move(state, move)}: {count}")
    console.print(perft(state, depth, game.counted_moves))
