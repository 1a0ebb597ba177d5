"""``spielleiter rate``: one rating list from several matches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.cli.match.view import short_number
from spielleiter.cli.terminal import JsonOption, console, language, say, t
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.lab.match_ratings import MatchRatings, rate_matches
from spielleiter.rating.formatting import number, percent
from spielleiter.rating.pairs import meeting


def rate(
    matches: Annotated[list[Path], typer.Argument(exists=True, help=t(
        "Ordner von Matches, oder Texte mit Spielen (games.txt).",
        "Folders of matches, or texts of games (games.txt)."))],
    anchor: Annotated[list[str] | None, typer.Option(help=t(
        "Die Elo-Zahl eines Spielers festlegen, wie in expert=2000; mehrfach möglich.",
        "Fix the Elo of a player, as in expert=2000; can be repeated."))] = None,
    merge_names: Annotated[bool, typer.Option("--merge-names", help=t(
        "Alle Versionen eines Spielers als einen bewerten.", "Rate all versions of a player as one."))] = False,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    found = rate_matches(matches, _anchors(anchor or ()), merge_names=merge_names)
    if as_json:
        console.print_json(json.dumps(found.to_json()))
        return
    console.print(_rating_table(found))
    console.print(_cross_table(found))
    for note in found.notes:
        say(note)


def _anchors(texts: Sequence[str]) -> dict[str, float]:
    anchors = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        try:
            anchors[name] = float(elo)
        except ValueError:
            name = ""
        if not name:
            raise SettingsError(
                f"--anchor erwartet Name und Elo wie in expert=2000, nicht {text!r}.",
                f"--anchor takes name and Elo, as in expert=2000, not {text!r}",
            )
    return anchors


def _table(*headings: Text | str) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for at, heading in enumerate(headings):
        shown = heading if isinstance(heading, str) else heading.to(language())
        table.add_column(shown, justify="right" if at else "left", overflow="fold", no_wrap=at > 0)
    return table


def _rating_table(found: MatchRatings) -> Table:
    table = _table(Text("Spieler", "player"), "Elo", "±", Text("Punkte", "points"), Text("Spiele", "games"), "%", "LOS")
    ratings = found.ratings.ratings
    for place, rating in enumerate(ratings):
        # How sure it is that this player is before the next one.
        los = found.superiority(rating.player, ratings[place + 1].player) if place + 1 < len(ratings) else None
        score = rating.score or 0.0
        table.add_row(
            RichText(f"{place + 1} {rating.player}"),
            number(rating.elo, signed=True).to(language()),
            number(rating.margin).to(language()),
            short_number(score * rating.games),
            str(rating.games),
            number(100 * score, 1).to(language()),
            "" if los is None else percent(los).to(language()),
        )
    return table


def _cross_table(found: MatchRatings) -> Table:
    """Who beats whom: the points of the player in the row against the one in the column."""
    names = [rating.player for rating in found.ratings.ratings]
    table = _table(Text("Punkte gegen", "points against"), *(str(place) for place in range(1, len(names) + 1)))
    for place, name in enumerate(names, 1):
        cells = []
        for other in names:
            tally = None if name == other else meeting(found.cross, name, other)
            cells.append("" if tally is None else f"{short_number(tally.victory_points / 2)}/{tally.games}")
        table.add_row(RichText(f"{place} {name}"), *cells)
    return table
