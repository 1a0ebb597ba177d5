"""The versions of a player against each other and against a known opponent: one rating for each commit.

Every version meets the two before it, which shows small steps, and the opponent, which keeps the curve from drifting.
Each encounter is a match in a folder of its own: what was played stays, and one more commit costs its own games only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spielleiter.errors import ProgramError, SettingsError
from spielleiter.game import Text
from spielleiter.lab.commits import Commit, check_out, commits_of
from spielleiter.lab.match_ratings import MatchRatings, rate_matches
from spielleiter.matches.executor import Executor
from spielleiter.matches.match import Match
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import PLAN, MatchPlan, claim_folder
from spielleiter.matches.results import MatchGame
from spielleiter.programs.entrants import Entrant, resolve
from spielleiter.rating.bradley_terry import Rating

_NEIGHBOURS = 2
_PLAYERS, _GAMES = "players", "encounters"


@dataclass(frozen=True, slots=True)
class Version:
    """A commit with the player that it is."""

    commit: Commit
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class VersionCurve:
    """How strong each version is, the oldest first."""

    versions: tuple[tuple[Version, Rating], ...]
    ratings: MatchRatings
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionPlan:
    """What is played: which versions, against whom, and how often."""

    game: str
    folder: Path
    """Where everything is written."""
    versions: tuple[Version, ...]
    anchors: Mapping[str, float]
    """The opponents whose Elo is given."""
    games: int
    """Games of each encounter."""
    openings: Openings
    seconds: float | None = None
    notes: tuple[Text, ...] = ()

    def encounters(self) -> list[tuple[Path, MatchPlan]]:
        """The matches, each with its folder."""
        pairs: list[tuple[Entrant, Entrant]] = []
        opponents = [resolve(name) for name in self.anchors]
        entrants = [version.entrant for version in self.versions]
        for at, entrant in enumerate(entrants):
            others = (*entrants[max(0, at - _NEIGHBOURS) : at], *opponents)
            pairs += [(entrant, other) for other in others]
        return [
            (
                self.folder / _GAMES / f"{one.name}-{two.name.replace(':', '-').replace('/', '-')}",
                MatchPlan(
                    game=self.game,
                    entrants=(one, two),
                    games=self.games,
                    openings=self.openings,
                    seconds=self.seconds,
                ),
            )
            for one, two in pairs
        ]

    async def play(self, executor: Executor, on_row: Callable[[MatchGame], None]) -> None:
        """Play what is missing; may be cancelled at any time. Raises ``SettingsError`` for games of another plan."""
        for folder, plan in self.encounters():
            claim_folder(folder, plan, resume=(folder / PLAN).exists())
            # A version that does not start loses its games: that is how strong it is.
            match = Match(plan, folder, executor, recover=True, on_row=on_row)
            for row in match.rows:
                on_row(row)
            await match.run()

    def rate(self) -> VersionCurve:
        """The ratings by all games that are there. Raises ``SettingsError``."""
        found = rate_matches([folder for folder, _ in self.encounters()], self.anchors)
        rated = tuple((version, found.ratings.of(version.entrant.name)) for version in self.versions)
        return VersionCurve(rated, found, (*self.notes, *found.notes))


def find_versions(player: Path, number: int, folder: Path) -> tuple[tuple[Version, ...], tuple[Text, ...]]:
    """The last ``number`` commits of a player's folder as players in ``folder``; and which of them are none.

    Raises ``SettingsError`` if there are fewer than two.
    """
    versions: list[Version] = []
    notes: list[Text] = []
    for commit in commits_of(player, number):
        try:
            entrant = check_out(player, commit, folder / _PLAYERS)
        except (ProgramError, SettingsError) as problem:
            notes.append(Text(f"Ohne {commit.name}: {problem.text.de}", f"Left out {commit.name}: {problem.text.en}"))
            continue
        if not _is_known(entrant, versions):
            versions.append(Version(commit, entrant))
    if len(versions) < 2:
        raise SettingsError(
            f"{player}: mindestens zwei Commits mit einem Spieler werden verglichen, gefunden: {len(versions)}.",
            f"{player}: at least two commits with a player are compared, found: {len(versions)}",
        )
    return tuple(versions), tuple(notes)


def _is_known(entrant: Entrant, versions: Sequence[Version]) -> bool:
    return any(version.entrant.digest == entrant.digest for version in versions)
