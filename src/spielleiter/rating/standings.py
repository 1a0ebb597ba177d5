"""The standings of a group: who stands where, by which criterion, and where only a lot can decide.

Three ways are in use (``Ranking``); the rule set has a default, and the season says which:

* by wins: games won, then the average of the secondary score over all games;
* by victory points: 2, 1, 0 for each game, then the average of the secondary score over all games;
* by encounters: encounter points (2, 1, 0 for each encounter), then victory points.

An encounter of which both teams have lost every game gives neither of them encounter points.

Teams equal in all of these share a rank. Where such a place decides something, a lot is drawn: its seed and its teams
are recorded, so that the draw can be repeated (see ``Lot``).

Laws: standings are a function of the games and not of their order; all arithmetic is exact; a team's rank is one more
than the number of teams that are better.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from spielleiter.errors import RatingError
from spielleiter.game import Criterion, Ranking, Text
from spielleiter.rating.formatting import number

HEADINGS: Mapping[str, Text] = {
    "rank": Text("Platz", "Rank"),
    "team": Text("Team", "Team"),
    "encounters": Text("Begegnungen", "Encounters"),
    "won": Text("Gewonnene Spiele", "Games won"),
    "drawn": Text("Unentschiedene Spiele", "Games drawn"),
    "lost": Text("Verlorene Spiele", "Games lost"),
    "victory_points": Text("Siegpunkte", "Victory points"),
    "average": Text("Schnitt", "Average"),
    "encounter_points": Text("Begegnungspunkte", "Encounter points"),
}
"""What stands above the columns; the average's own name is that of the game's secondary score."""
SHORT_HEADINGS: Mapping[str, Text] = {
    "encounters": Text("Beg.", "Enc."),
    "won": Text("S", "W"),
    "drawn": Text("U", "D"),
    "lost": Text("N", "L"),
    "victory_points": Text("SP", "VP"),
    "encounter_points": Text("BP", "EP"),
}


def columns(ranking: Ranking, *, secondary: bool, brief: bool = False) -> tuple[str, ...]:
    """The numbers that standings show: the criteria in their order, then the rest; ``brief``: the criteria alone."""
    rest = () if brief else ("encounters", "won", "drawn", "lost", "average")
    shown = dict.fromkeys((*(criterion.value for criterion in ranking.criteria), *rest))
    return tuple(name for name in shown if secondary or name != "average")


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One game that counts, with what each of its two teams gets for it."""

    encounter: str
    """Names the encounter; all its games are between the same two teams."""
    teams: tuple[str, str]
    victory_points: tuple[int, int]
    """2 and 0, 1 and 1, 0 and 2; or 0 and 0 where both are disqualified."""
    secondary: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if self.teams[0] == self.teams[1]:
            raise RatingError(f"encounter {self.encounter!r}: {self.teams[0]!r} cannot play against itself")
        if self.victory_points not in {(2, 0), (1, 1), (0, 2), (0, 0)}:
            raise RatingError(f"encounter {self.encounter!r}: a game cannot give {self.victory_points} victory points")


@dataclass(frozen=True, slots=True)
class Totals:
    """What a team has reached; the sums of two parts of a season add up."""

    encounters: int = 0
    """Finished ones."""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    secondary: int = 0
    """The sum of the secondary score over all games."""
    encounter_points: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def victory_points(self) -> int:
        """2 for each game won and 1 for each drawn."""
        return 2 * self.won + self.drawn

    @property
    def average(self) -> Fraction | None:
        """The secondary score per game, exact; ``None`` without a game."""
        return Fraction(self.secondary, self.games) if self.games else None

    def value(self, criterion: Criterion) -> Fraction:
        """What ``criterion`` compares; more is better. No game yet counts as an average of 0."""
        match criterion:
            case Criterion.WINS:
                return Fraction(self.won)
            case Criterion.ENCOUNTER_POINTS:
                return Fraction(self.encounter_points)
            case Criterion.VICTORY_POINTS:
                return Fraction(self.victory_points)
            case Criterion.AVERAGE:
                return self.average or Fraction(0)
            case Criterion.LOT:
                raise RatingError("a lot is drawn, not counted")

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.encounters + other.encounters,
            self.won + other.won,
            self.drawn + other.drawn,
            self.lost + other.lost,
            self.secondary + other.secondary,
            self.encounter_points + other.encounter_points,
        )


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot among tied teams. The seed decides, so the draw can be repeated, without this program too.

    The teams are ordered by the SHA-256 of the line "seed:team" in UTF-8, the smallest first. The order in which the
    teams are named plays no part.
    """

    teams: frozenset[str]
    seed: str

    def __post_init__(self) -> None:
        if len(self.teams) < 2:
            raise RatingError(f"a lot needs at least two teams, not {sorted(self.teams)}")

    @property
    def order(self) -> tuple[str, ...]:
        """The teams as drawn, the best first."""
        return tuple(sorted(self.teams, key=lambda team: hashlib.sha256(f"{self.seed}:{team}".encode()).digest()))

    @property
    def text(self) -> Text:
        """What was drawn, in one sentence."""
        return Text(
            f"Los mit dem Startwert {self.seed}: {' vor '.join(self.order)}.",
            f"Lot with the seed {self.seed}: {' before '.join(self.order)}.",
        )


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One team of the standings."""

    rank: int
    """Equal teams share the best of their places: 1, 2, 2, 4."""
    team: str
    totals: Totals
    shared: bool
    """Whether another team has the same rank."""
    decided_by: Criterion | None
    """What puts the row above before this one; ``None`` at the top and for a shared rank."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Teams with one rank of which only some can have a place that decides: a lot must be drawn."""

    teams: frozenset[str]
    first: int
    last: int
    """The places that the teams share out among them."""
    cuts: tuple[int, ...]
    """The places after which it matters on which side a team is."""

    @property
    def text(self) -> Text:
        """What must be drawn, in one sentence."""
        names = ", ".join(sorted(self.teams, key=_alphabetical))
        cuts = ", ".join(map(str, self.cuts))
        return Text(
            f"Gleichauf auf den Plätzen {self.first} bis {self.last}: {names}; Platz {cuts} entscheidet das Los.",
            f"Level on places {self.first} to {self.last}: {names}; place {cuts} is decided by lot.",
        )


@dataclass(frozen=True, slots=True)
class Standings:
    """All rows, the best first; within a shared rank by the alphabet."""

    ranking: Ranking
    rows: tuple[StandingsRow, ...]
    unused_lots: tuple[Lot, ...] = ()
    """Lots whose teams are no longer exactly those that are tied, as after a corrected result: they decide nothing."""

    def ties(self, cuts: Iterable[int]) -> tuple[Tie, ...]:
        """The lots that must be drawn so that it is clear who is before and who behind each of the places ``cuts``.

        For eight qualified teams: ``ties([8])``. For the order in a bracket of eight: ``ties(range(1, 9))``.
        """
        wanted = sorted(set(cuts))
        found = []
        for rank, rows in groupby(self.rows, key=lambda row: row.rank):
            teams = frozenset(row.team for row in rows)
            last = rank + len(teams) - 1
            between = tuple(cut for cut in wanted if rank <= cut < last)
            if between:
                found.append(Tie(teams, rank, last, between))
        return tuple(found)


def count(games: Iterable[ScoredGame], teams: Collection[str], unfinished: Collection[str] = ()) -> dict[str, Totals]:
    """The totals of every one of ``teams``, in the order given; games of other teams raise ``RatingError``.

    The games of ``unfinished`` encounters count, but they give no encounter points yet.
    """
    if len(set(teams)) != len(teams):
        raise RatingError("two teams have the same name")
    rows: dict[str, list[int]] = {team: [0, 0, 0, 0, 0, 0] for team in teams}
    wins: dict[str, dict[str, int]] = {}
    draws: dict[str, int] = {}
    for game in games:
        won = wins.setdefault(game.encounter, dict.fromkeys(game.teams, 0))
        draws[game.encounter] = draws.get(game.encounter, 0) + (game.victory_points == (1, 1))
        for team, points, secondary in zip(game.teams, game.victory_points, game.secondary, strict=True):
            if team not in won:
                raise RatingError(f"encounter {game.encounter!r} is between {' and '.join(won)}, not {team!r}")
            row = rows.get(team)
            if row is None:
                raise RatingError(f"encounter {game.encounter!r}: {team!r} is not a team of these standings")
            won[team] += points == 2
            row[3 - points] += 1
            row[4] += secondary
    for encounter, won in wins.items():
        if encounter not in unfinished:
            for team, points in encounter_points(won, draws[encounter]).items():
                rows[team][0] += 1
                rows[team][5] += points
    return {team: Totals(*row) for team, row in rows.items()}


def encounter_points(games_won: Mapping[str, int], drawn: int = 0) -> dict[str, int]:
    """2 for the team that has won more games of the encounter, 0 for the other, 1 each if they have won as many.

    Where both teams have lost every game, neither gets anything.
    """
    (first, first_won), (second, second_won) = games_won.items()
    if first_won == second_won == drawn == 0:
        return {first: 0, second: 0}
    points = 1 + (first_won > second_won) - (first_won < second_won)
    return {first: points, second: 2 - points}


def rank(totals: Mapping[str, Totals], ranking: Ranking, lots: Sequence[Lot] = ()) -> Standings:
    """The standings by ``totals``; a lot decides where its teams are exactly those that are tied."""
    by_teams: dict[frozenset[str], Lot] = {}
    for lot in lots:
        if by_teams.setdefault(lot.teams, lot) != lot:
            raise RatingError(f"two lots with different seeds were drawn among {', '.join(sorted(lot.teams))}")

    def worth(team: str) -> tuple[Fraction, ...]:
        return tuple(totals[team].value(criterion) for criterion in ranking.criteria)

    rows: list[StandingsRow] = []
    above: tuple[Fraction, ...] | None = None
    ordered = sorted(sorted(totals, key=_alphabetical), key=worth, reverse=True)
    for value, group in groupby(ordered, key=worth):
        tied = list(group)
        first = len(rows) + 1
        decided_by = None if above is None else _first_difference(ranking, above, value)
        drawn = by_teams.pop(frozenset(tied), None)
        for behind, team in enumerate(tied if drawn is None else drawn.order):
            place = first + behind if drawn else first
            why = decided_by if behind == 0 else Criterion.LOT if drawn else None
            rows.append(StandingsRow(place, team, totals[team], drawn is None and len(tied) > 1, why))
        above = value
    return Standings(ranking, tuple(rows), tuple(lot for lot in dict.fromkeys(lots) if lot.teams in by_teams))


def standings_after(
    games: Iterable[ScoredGame],
    teams: Collection[str],
    ranking: Ranking,
    *,
    unfinished: Collection[str] = (),
    lots: Sequence[Lot] = (),
) -> Standings:
    """The standings of ``teams`` after ``games``."""
    return rank(count(games, teams, unfinished), ranking, lots)


def explain(better: StandingsRow, worse: StandingsRow, ranking: Ranking) -> Text:
    """Why one row stands before another, in one sentence with the numbers."""
    for criterion in ranking.criteria:
        more, less = better.totals.value(criterion), worse.totals.value(criterion)
        if more != less:
            values = _distinguishable(more, less)
            return Text(
                f"{better.team} steht vor {worse.team}: {criterion.text.de} {values[0].de} gegen {values[1].de}.",
                f"{better.team} is before {worse.team}: {criterion.text.en} {values[0].en} against {values[1].en}.",
            )
    if better.rank == worse.rank:
        return Text(f"{better.team} und {worse.team} sind gleichauf.", f"{better.team} and {worse.team} are level.")
    return Text(
        f"{better.team} steht durch das Los vor {worse.team}; alle Zahlen sind gleich.",
        f"{better.team} is before {worse.team} by lot; all numbers are equal.",
    )


def _first_difference(ranking: Ranking, above: tuple[Fraction, ...], below: tuple[Fraction, ...]) -> Criterion:
    return next(criterion for criterion, a, b in zip(ranking.criteria, above, below, strict=True) if a != b)


def _distinguishable(one: Fraction, other: Fraction) -> tuple[Text, Text]:
    """Two different numbers with as many digits as it takes to see that they differ."""
    digits = 0 if one.denominator == other.denominator == 1 else 2
    while number(one, digits) == number(other, digits):
        digits += 1
    return number(one, digits), number(other, digits)


def _alphabetical(team: str) -> tuple[str, str]:
    return team.casefold(), team
