"""Positions as SVG for pages: without inline styles, which a strict page forbids, and in the reader's theme."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

from markupsafe import Markup

from spielleiter import games
from spielleiter.game import AnyGame, Look

_STYLE = re.compile(r"<style>@media\(prefers-color-scheme:dark\)\{svg\.sl-board\{(.*?)\}\}</style>")
_TITLE = re.compile(r"<title>[^<]*</title>")
_SIZE = re.compile(r' width="[0-9]+" height="[0-9]+"')


def board(game: AnyGame, state: Any, *, flipped: bool = False, look: Look | None = None) -> Markup:
    """The picture of a position, as wide as its place on the page."""
    svg = strict_svg(game.draw(state, look or Look(flipped=flipped)))
    return Markup(f'<div class="board" data-game="{family(game)}">{svg}</div>')  # noqa: S704 - drawn by ourselves


def picture(svg: str, game: AnyGame) -> Markup:
    """Another picture of a game, treated like a board."""
    return Markup(f'<div class="picture" data-game="{family(game)}">{strict_svg(svg)}</div>')  # noqa: S704


def strict_svg(svg: str) -> str:
    """``svg`` without its own style and size; ``dark_colors`` has the style for all of them.

    Screen readers pass it over: what it shows is said by the grid of squares, the list of moves and the status.
    """
    bare = _SIZE.sub("", _STYLE.sub("", svg, count=1), count=1)
    return _TITLE.sub("", bare, count=1).replace('role="img"', 'aria-hidden="true"', 1)


def family(game: AnyGame) -> str:
    """The name of the game without its season: the same colours for all its rule sets."""
    return game.family


@cache
def dark_colors() -> str:
    """The style sheet with the dark colours of every game's pictures, taken from the pictures themselves."""
    rules = []
    for name, game in {family(game): game for game in games.all_games().values()}.items():
        found = _STYLE.search(game.draw(game.new_state(Random(0)), Look()))
        if found:
            rules.append(f'[data-game="{name}"] svg{{{found[1]}}}')
    return "@media(prefers-color-scheme:dark){\n" + "\n".join(rules) + "\n}\n"


def move_look(game: AnyGame, state: Any, move: Any, look: Look, color: str = "arrow") -> Look:
    """``look`` with ``move`` drawn on the board."""
    return look if game.board_input is None else game.board_input.show_move(state, move, look, color)


def input_kind(game: AnyGame) -> str:
    """How people play the game, as scripts and style sheets name it."""
    return "none" if game.board_input is None else game.board_input.kind
