"""Writes docs/planes.md: what every plane of every game shows. ``python docs/planes.py`` writes it anew."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from spielleiter import games
from spielleiter.game import AnyGame

PAGE = Path(__file__).parent / "planes.md"
_HEAD = """\
# The planes of every game

What `game.encoding.observe(state, team)`, the environments of [`spielleiter.rl`](rl.md) and
`native.Batch` show of a position: an array of `uint8` with the shape (planes, rows, columns), seen
by one team. *Own* is what belongs to this team. Numbers are those of the first axis; a plane
without a range is 0 or 1. They never change: networks are trained on them. The notation of each
game is in its rules; tests compare planes and notation (`tests/games/*/test_encoding.py`).

Made by `python docs/planes.py`.
"""
_LEAST_RUN = 3
"""Planes that differ in their last word only, and are listed in one row."""


def planes_page() -> str:
    """The page."""
    known = [game for game in games.all_games().values() if games.plugin_of(game) is None and not game.official]
    return "\n".join([_HEAD, *map(_section, known)])


def _section(game: AnyGame) -> str:
    encoding = game.encoding
    shape = (len(encoding.planes), *encoding.size)
    rows = "\n".join(_rows(game))
    return (
        f"## {game.title.en}\n\n`{game.key}`: {shape}\n\n| planes | what they show | up to |\n|---|---|---|\n{rows}\n"
    )


def _rows(game: AnyGame) -> list[str]:
    rows, first = [], 0
    for (beginning, highest), group in groupby(
        game.encoding.planes, lambda plane: (plane.text.rpartition(" ")[0], plane.highest)
    ):
        words = [plane.text.rpartition(" ")[2] for plane in group]
        texts = [", ".join(words)] if len(words) >= _LEAST_RUN else words
        for text in texts:
            last = first + (len(words) if len(words) >= _LEAST_RUN else 1) - 1
            numbers = f"{first}" if first == last else f"{first} to {last}"
            rows.append(f"| {numbers} | {beginning} {text} | {highest} |")
            first = last + 1
    return rows


if __name__ == "__main__":
    PAGE.write_text(planes_page(), encoding="utf-8")
