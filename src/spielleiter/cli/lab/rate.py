"""``spielleiter rate``: one rating list from several matches, or the curve of the versions of a player."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text as RichText

from spielleiter import games
from spielleiter.cli.lab.versions import is_player_folder, rate_versions
from spielleiter.cli.match.run import RunSettings
from spielleiter.cli.match.view import short_number
from spielleiter.cli.programs import (
    ConcurrencyOption,
    OpeningsOption,
    RandomMovesOption,
    Sandbox,
    SandboxOption,
    SecondsOption,
)
from spielleiter.cli.terminal import JsonOption, complete_key, console, language, say, t
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.lab.match_ratings import MatchRatings, rate_matches
from spielleiter.lab.versions import VersionPlan, find_versions
from spielleiter.matches.openings import Order, choose_openings
from spielleiter.rating.formatting import number, percent
from spielleiter.rating.pairs import meeting

_OF_VERSIONS = frozenset({
    "versions", "game", "number_", "seconds", "openings", "random_moves", "out", "sandbox", "concurrency",
})  # fmt: skip
"""The options that say how the commits of a player play."""


def rate(
    context: typer.Context,
    matches: Annotated[list[Path], typer.Argument(exists=True, help=t(
        "Ordner von Matches, oder Texte mit Spielen (games.txt); oder der Ordner eines Spielers in Git: Dann spielen "
        "seine Commits gegeneinander.",
        "Folders of matches, or texts of games (games.txt); or the folder of a player in git: its commits then play "
        "each other."))],
    anchor: Annotated[list[str] | None, typer.Option(help=t(
        "Die Elo-Zahl eines Spielers festlegen, wie in expert=2000; mehrfach möglich. Bei Commits: ihr Gegner, "
        "Standard greedy=0.",
        "Fix the Elo of a player, as in expert=2000; can be repeated. Of commits: their opponent, default "
        "greedy=0."))] = None,
    merge_names: Annotated[bool, typer.Option("--merge-names", help=t(
        "Alle Versionen eines Spielers als einen bewerten.", "Rate all versions of a player as one."))] = False,
    versions: Annotated[int, typer.Option(min=2, max=200, help=t(
        "Die letzten so vielen Commits des Spielers.", "This number of the last commits of the player."))] = 10,
    game: Annotated[str, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel der Commits; Standard: das der laufenden Saison.",
        "The game of the commits; default: that of the current season."))] = games.CURRENT_SEASON,
    number_: Annotated[int, typer.Option("--games", min=2, help=t(
        "Spiele jeder Begegnung zweier Commits, eine gerade Zahl.",
        "Games of each encounter of two commits, an even number."))] = 10,
    seconds: SecondsOption = None,
    openings: OpeningsOption = "0",
    random_moves: RandomMovesOption = 4,
    out: Annotated[Path | None, typer.Option(help=t(
        "Ordner für die Spiele der Commits; wenn es ihn gibt, geht es darin weiter. Standard: SPIELER-ratings daneben.",
        "Output folder for the games of the commits; if it exists, they are resumed. Default: PLAYER-ratings beside "
        "it."))] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    concurrency: ConcurrencyOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    if len(matches) == 1 and is_player_folder(matches[0]):
        player = matches[0].resolve()
        folder = (out or player.with_name(f"{player.name}-ratings")).resolve()
        found_versions, notes = find_versions(player, versions, folder)
        plan = VersionPlan(
            game=games.load(game).key,
            folder=folder,
            versions=found_versions,
            anchors=_anchors(anchor or ("greedy=0",)),
            games=number_,
            openings=choose_openings(openings, Order.FILE, 0, random_moves, game),
            seconds=seconds,
            notes=notes,
        )
        settings = RunSettings(sandbox=sandbox, concurrency=concurrency)
        rate_versions(plan, player.name, settings, as_json=as_json)
        return
    _refuse_options_of_versions(context)
    found = rate_matches(matches, _anchors(anchor or ()), merge_names=merge_names)
    if as_json:
        console.print_json(json.dumps(found.to_json()))
        return
    console.print(_rating_table(found))
    console.print(_cross_table(found))
    for note in found.notes:
        say(note)


def _refuse_options_of_versions(context: typer.Context) -> None:
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if parameter.name in _OF_VERSIONS and source is not None and source.name == "COMMANDLINE":
            raise SettingsError(
                f"{parameter.opts[0]} gibt es nur mit dem Ordner eines Spielers: Matches sind schon gespielt.",
                f"{parameter.opts[0]} is for the folder of a player: matches are played already",
            )


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
