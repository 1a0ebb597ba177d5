"""Ratings over several matches: one strength for each player, from all their games together.

A player is known by its name. Where one name stands for different programs in different matches (a player that was
changed in between), each program is rated for itself, as ``name@digest``, unless names are to be merged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielleiter.errors import RatingError, SettingsError
from spielleiter.game import Text
from spielleiter.matches.plan import RESULTS, read_plan
from spielleiter.matches.results import last_attempts, read_rows
from spielleiter.rating import bradley_terry
from spielleiter.rating.bradley_terry import Ratings
from spielleiter.rating.elo import estimate
from spielleiter.rating.pairs import PlayedGame, Tally, cross_table, meeting
from spielleiter.records.game_list import read_games
from spielleiter.text import did_you_mean

_SHOWN_DIGEST = 6
_PAIR_ID = re.compile(r"^(.*\d+v\d+-\d{5})[ab]$")
"""The id of a game of a match, and that of its pair; see ``matches.pairings``."""


@dataclass(frozen=True, slots=True)
class MatchRatings:
    """What several matches together say."""

    game: str
    games: int
    ratings: Ratings
    cross: Mapping[tuple[str, str], Tally]
    notes: tuple[Text, ...]

    def to_json(self) -> dict[str, Any]:
        """The ratings as JSON."""
        return {
            "game": self.game,
            "games": self.games,
            "players": [
                {"name": rating.player, "elo": round(rating.elo, 1), "margin": round(rating.margin, 1),
                 "games": rating.games, "score": rating.score}
                for rating in self.ratings.ratings
            ],
            "meetings": [
                {"player": player, "opponent": opponent, "won": tally.results.won, "drawn": tally.results.drawn,
                 "lost": tally.results.lost, "superiority": round(self.superiority(player, opponent), 4)}
                for (player, opponent), tally in self.cross.items()
            ],
            "notes": [{"de": note.de, "en": note.en} for note in self.notes],
        }  # fmt: skip

    def superiority(self, player: str, opponent: str) -> float:
        """How likely it is that ``player`` is the stronger of the two, by all games.

        Two players without other opponents have the LOS that ``match`` shows.
        """
        tally = meeting(self.cross, player, opponent)
        is_fixed = {player, opponent} <= set(self.ratings.anchors)
        if tally is not None and _is_alone(self.cross, player, opponent) and not is_fixed:
            return estimate(tally).superiority
        return self.ratings.difference(player, opponent).superiority


def _is_alone(cross: Mapping[tuple[str, str], Tally], player: str, opponent: str) -> bool:
    """Whether the two have had no other opponents."""
    both = {player, opponent}
    return all(both == set(pair) or both.isdisjoint(pair) for pair in cross)


@dataclass(frozen=True, slots=True)
class _Source:
    """The games of one match, with the digests of its players where they are known."""

    place: str
    key: str
    games: tuple[PlayedGame, ...]
    digests: Mapping[str, str]


def rate_matches(
    paths: Sequence[Path], anchors: Mapping[str, float] | None = None, *, merge_names: bool = False
) -> MatchRatings:
    """Rate the players of these folders of matches and texts of games. Raises ``SettingsError`` or ``RecordError``."""
    sources = [source for path in paths for source in _read(path)]
    keys = sorted({source.key for source in sources})
    if len(keys) != 1:
        listed = ", ".join(keys) or "-"
        raise SettingsError(
            f"Bewertet wird ein Spiel auf einmal, hier sind: {listed}.", f"one game is rated at a time, found: {listed}"
        )
    played, notes = _with_programs(sources, merge_names=merge_names)
    cross = cross_table(played)
    names = sorted({name for pair in cross for name in pair})
    if not names:
        raise SettingsError("In diesen Matches zählt noch kein Spiel.", "no game of these matches counts yet")
    for name in anchors or {}:
        if name not in names:
            hint = did_you_mean(name, names)
            raise SettingsError(f"--anchor {name}: {hint.de}.", f"--anchor {name}: {hint.en}")
    try:
        ratings = bradley_terry.rate(cross, anchors=anchors)
    except RatingError as problem:
        raise SettingsError(str(problem), str(problem)) from None
    bounds = [
        estimate(tally).explain(*pair)
        for pair, tally in cross.items()
        if _is_alone(cross, *pair) and estimate(tally).bound is not None
    ]
    return MatchRatings(keys[0], len(played), ratings, cross, (*notes, *ratings.notes, *bounds))


def _read(path: Path) -> list[_Source]:
    """The matches of a path; a text of games may have several games in it."""
    if path.is_dir():
        plan = read_plan(path)
        rows = last_attempts(row for row, _ in read_rows(path / RESULTS))
        games = tuple(PlayedGame(*row.names, row.winner, f"{path}/{row.pair}") for row in rows if row.counts)
        return [_Source(str(path), plan["game"], games, {each["name"]: each["digest"] for each in plan["players"]})]
    found: dict[str, list[PlayedGame]] = {}
    for record in read_games(path):
        if record.result is not None:
            pair = _PAIR_ID.sub(r"\1", record.id)
            game = PlayedGame(*record.names, record.result.winner, f"{path}/{pair}")
            found.setdefault(record.game_key, []).append(game)
    return [_Source(str(path), key, tuple(games), {}) for key, games in found.items()]


def _with_programs(sources: Sequence[_Source], *, merge_names: bool) -> tuple[list[PlayedGame], list[Text]]:
    """All games, with a name of its own for each program; and what a reader should know about the names."""
    digests: dict[str, set[str]] = {}
    for source in sources:
        for name, digest in source.digests.items():
            digests.setdefault(name, set()).add(digest)
    changed = sorted(name for name, known in digests.items() if len(known) > 1)
    notes = []
    if changed:
        listed = ", ".join(changed)
        notes.append(
            Text(f"Zwischen den Matches geändert, hier als einer bewertet: {listed}.",
                 f"Changed between the matches, rated as one here: {listed}.")
            if merge_names
            else Text(f"Zwischen den Matches geändert, daher einzeln bewertet: {listed}.",
                      f"Changed between the matches, so each version is rated for itself: {listed}.")
        )  # fmt: skip

    def renamed(name: str, source: _Source) -> str:
        if merge_names or name not in changed or name not in source.digests:
            return name
        return f"{name}@{source.digests[name][:_SHOWN_DIGEST]}"

    played = [
        PlayedGame(renamed(game.one, source), renamed(game.two, source), game.winner, game.pair)
        for source in sources
        for game in source.games
    ]
    return played, notes
