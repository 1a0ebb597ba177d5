"""Positions as SVG for pages: without inline styles, which a strict page forbids, and in the reader's theme."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from markupsafe import Markup

from spielleiter import games
from spielleiter.game import AnyGame, Arrow, Highlight, Language, Look, TeamColors
from spielleiter.game.drawing import CellValue
from spielleiter.game.note import find_cell
from spielleiter.pages.formatting import short_number
from spielleiter.records.history import RecordedNotes

_STYLE = re.compile(r"<style>@media\(prefers-color-scheme:dark\)\{svg\.sl-board\{(.*?)\}\}</style>")
_TITLE = re.compile(r"<title>[^<]*</title>")
_SIZE = re.compile(r' width="[0-9]+" height="[0-9]+"')


def board(game: AnyGame, state: Any, *, flipped: bool = False, look: Look | None = None) -> Markup:
    """The picture of a position, as wide as its place on the page."""
    svg = strict_svg(game.draw(state, look or Look(flipped=flipped)))
    return Markup(f'<div class="board" data-game="{game.family}">{svg}</div>')  # noqa: S704 - drawn by ourselves


def picture(svg: str, game: AnyGame) -> Markup:
    """Another picture of a game, treated like a board."""
    return Markup(f'<div class="picture" data-game="{game.family}">{strict_svg(svg)}</div>')  # noqa: S704


def strict_svg(svg: str) -> str:
    """``svg`` without its own style and size; ``game_colors`` has the style for all of them.

    Screen readers pass it over: what it shows is said by the grid of squares, the list of moves and the status.
    """
    bare = _SIZE.sub("", _STYLE.sub("", svg, count=1), count=1)
    return _TITLE.sub("", bare, count=1).replace('role="img"', 'aria-hidden="true"', 1)


@cache
def game_colors() -> str:
    """The style sheet with the colours of every game: of its teams, and the dark ones of its pictures."""
    light: list[str] = []
    dark: list[str] = []
    for name, game in {game.family: game for game in games.all_games().values()}.items():
        if game.team_colors is not None:
            for theme, rules in enumerate((light, dark)):
                rules.append(f'[data-family="{name}"]{{{_team_variables(game.team_colors, theme)}}}')
        # The pictures say themselves what is dark in them.
        found = _STYLE.search(game.draw(game.new_state(Random(0)), Look()))
        if found:
            dark.append(f'[data-game="{name}"] svg{{{found[1]}}}')
    return "\n".join((*light, "@media(prefers-color-scheme:dark){", *dark, "}\n"))


def _team_variables(teams: tuple[TeamColors, TeamColors], theme: int) -> str:
    """The first colour of each team for charts, and all of them for its chip."""
    variables = ""
    for name, colors in zip(("one", "two"), teams, strict=True):
        first, last = colors[0][theme], colors[-1][theme]
        variables += f"--{name}:{first};--{name}-chip:linear-gradient(135deg,{first} 50%,{last} 50%);"
    return variables


def move_look(game: AnyGame, state: Any, move: Any, look: Look, color: str = "arrow") -> Look:
    """``look`` with ``move`` drawn on the board."""
    return look if game.board_input is None else game.board_input.show_move(state, move, look, color)


def value_label(value: float, language: Language) -> str:
    """A number that a player noted, short enough for a cell."""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 3
    return short_number(float(f"{value:.2g}") if size >= 100_000 else round(value, digits) or 0.0, language)


def notes_look(game: AnyGame, noted: RecordedNotes, look: Look, language: Language) -> Look:
    """``look`` with what a player noted drawn on the board: values, squares, and arrows, the first one strongest."""
    board = game.board_input
    if board is None:
        return look
    values = {
        square: CellValue(square, value, value_label(value, language))
        for note in noted.notes
        for name, value in note.values
        if (square := find_cell(board, name)) is not None
    }
    squares = [find_cell(board, name) for note in noted.notes for name in note.squares]
    ways = [(find_cell(board, start), find_cell(board, end)) for note in noted.notes for start, end in note.arrows]
    arrows = dict.fromkeys((start, end) for start, end in ways if start is not None and end is not None)
    drawn = [Arrow(*way, "faint" if at else "arrow") for at, way in enumerate(arrows)]
    return replace(
        look,
        values=tuple(values.values()),
        highlights=(*look.highlights, *(Highlight(each) for each in dict.fromkeys(squares) if each is not None)),
        arrows=(*look.arrows, *reversed(drawn)),  # The first one on top.
    )


def input_kind(game: AnyGame) -> str:
    """How people play the game, as scripts and style sheets name it."""
    return "none" if game.board_input is None else game.board_input.hand
