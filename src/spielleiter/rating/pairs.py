"""The pair of games (same start, sides changed): the unit of all statistics.

A start may favour one side. The two games of a pair share that luck and cancel it, so they depend on each other, and
only the pair is an independent trial. Counted are the pairs that brought 0, ½, 1, 1½ and 2 points: the pentanomial.

Laws: the order of the games is irrelevant; changing the players' places mirrors every count; no game is dropped: one
without its partner is counted as unpaired and said to be so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from spielleiter.errors import RatingError
from spielleiter.game import Team, Text

Counts = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game that counts: who had which side, who won, and to which pair it belongs."""

    one: str
    """The player with the side ``Team.ONE``."""
    two: str
    winner: Team | None
    """``None`` is a draw."""
    pair: str
    """The same for the two games of one start, another for every other start."""

    def __post_init__(self) -> None:
        if self.one == self.two:
            raise RatingError(f"a game of {self.one!r} against itself cannot be rated")

    def victory_points(self, team: Team) -> int:
        """2 for a win of ``team``, 1 for a draw, 0 for a loss: points times two, to stay with integers."""
        if self.winner is None:
            return 1
        return 2 if self.winner is team else 0


@dataclass(frozen=True, slots=True)
class Results:
    """How many single games were won, drawn and lost, seen by one player."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __post_init__(self) -> None:
        if min(self.won, self.drawn, self.lost) < 0:
            raise RatingError(f"a count of games cannot be negative: {self.won}, {self.drawn}, {self.lost}")

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def victory_points(self) -> int:
        """The points times two."""
        return 2 * self.won + self.drawn

    @property
    def mirrored(self) -> Results:
        """The same games seen by the opponent."""
        return Results(self.lost, self.drawn, self.won)

    def __add__(self, other: Results) -> Results:
        return Results(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs brought 0, ½, 1, 1½ and 2 points."""

    counts: Counts = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if min(self.counts) < 0:
            raise RatingError(f"a count of pairs cannot be negative: {self.counts}")

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def victory_points(self) -> int:
        """The points times two."""
        return sum(half * count for half, count in enumerate(self.counts))

    @property
    def mean(self) -> Fraction:
        """The average of the points of a pair, 0 to 2."""
        return Fraction(self.victory_points, 2 * self._some_pairs())

    @property
    def score(self) -> Fraction:
        """The share of the points, 0 to 1."""
        return self.mean / 2

    @property
    def variance(self) -> Fraction:
        """The mean squared distance of a pair's points from their average (½ for fair coins, less the more certain)."""
        mean_square = Fraction(sum(half * half * count for half, count in enumerate(self.counts)), 4)
        return mean_square / self._some_pairs() - self.mean**2

    @property
    def mirrored(self) -> Pentanomial:
        """The same pairs seen by the opponent."""
        zero, half, one, one_and_half, two = self.counts
        return Pentanomial((two, one_and_half, one, half, zero))

    def __add__(self, other: Pentanomial) -> Pentanomial:
        a, b = self.counts, other.counts
        return Pentanomial((a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]))

    def _some_pairs(self) -> int:
        if not self.pairs:
            raise RatingError("no pair of games is finished yet: there is nothing to average")
        return self.pairs


@dataclass(frozen=True, slots=True)
class Tally:
    """All games of one player against another: whole pairs, and the games whose partner is missing."""

    pairs: Pentanomial = Pentanomial()
    unpaired: Results = Results()
    drawn_pairs: int = 0
    """How many of the pairs with one point were two draws and not a win and a loss."""

    def __post_init__(self) -> None:
        if not 0 <= self.drawn_pairs <= self.pairs.counts[2]:
            raise RatingError(f"{self.drawn_pairs} of {self.pairs.counts[2]} pairs with one point cannot be two draws")

    @property
    def results(self) -> Results:
        """Every single game, paired or not."""
        lost_both, half, one, one_and_half, won_both = self.pairs.counts
        shared = one - self.drawn_pairs
        return self.unpaired + Results(
            won=2 * won_both + one_and_half + shared,
            drawn=one_and_half + half + 2 * self.drawn_pairs,
            lost=2 * lost_both + half + shared,
        )

    @property
    def games(self) -> int:
        """The number of games, paired or not."""
        return 2 * self.pairs.pairs + self.unpaired.games

    @property
    def trials(self) -> int:
        """The number of independent trials: pairs, and games without a partner."""
        return self.pairs.pairs + self.unpaired.games

    @property
    def victory_points(self) -> int:
        """The points of all games, times two."""
        return self.pairs.victory_points + self.unpaired.victory_points

    @property
    def score(self) -> Fraction:
        """The share of the points over all games, 0 to 1."""
        if not self.games:
            raise RatingError("no game is finished yet: there is no score")
        return Fraction(self.victory_points, 2 * self.games)

    @property
    def mirrored(self) -> Tally:
        """The same games seen by the opponent."""
        return Tally(self.pairs.mirrored, self.unpaired.mirrored, self.drawn_pairs)

    def squares(self, score: float) -> float:
        """The sum of squared surprises: of each trial's points from those that ``score`` a game makes expected.

        A pair is one trial and a game without partner another, which is all that makes them different.
        """
        paired = sum(count * (half / 2 - 2 * score) ** 2 for half, count in enumerate(self.pairs.counts))
        single = self.unpaired
        return paired + single.won * (1 - score) ** 2 + single.drawn * (0.5 - score) ** 2 + single.lost * score**2

    @property
    def notice(self) -> Text | None:
        """What a reader should know about games without their partner, or ``None`` if all are paired."""
        alone = self.unpaired.games
        if not alone:
            return None
        de = "1 Spiel steht" if alone == 1 else f"{alone} Spiele stehen"
        en = "1 game stands" if alone == 1 else f"{alone} games stand"
        return Text(
            f"{de} ohne Gegenstück mit getauschten Seiten da: im Ergebnis mitgezählt, im SPRT nicht.",
            f"{en} without a partner with sides changed: counted in the score, not in the SPRT.",
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.pairs + other.pairs, self.unpaired + other.unpaired, self.drawn_pairs + other.drawn_pairs)


def cross_table(games: Iterable[PlayedGame]) -> dict[tuple[str, str], Tally]:
    """The tally of every two players who met, seen by the first of the key, which comes first in the alphabet.

    Two games of one pair with the same sides contradict each other: that raises ``RatingError``.
    """
    met: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for game in games:
        first, second = sorted((game.one, game.two))
        trial = met.setdefault((first, second), {}).setdefault(game.pair, {})
        if game.one in trial:
            raise RatingError(
                f"pair {game.pair!r} has two games with {game.one!r} as {Team.ONE.name} against {game.two!r}: "
                "give every pair a name of its own"
            )
        trial[game.one] = game.victory_points(Team.ONE if game.one == first else Team.TWO)
    return {players: _tally(trials.values()) for players, trials in sorted(met.items())}


def meeting(table: Mapping[tuple[str, str], Tally], player: str, opponent: str) -> Tally | None:
    """The games of two players in a cross table, seen by ``player``; ``None`` if they have not met."""
    if (player, opponent) in table:
        return table[player, opponent]
    other = table.get((opponent, player))
    return None if other is None else other.mirrored


def tally(games: Iterable[PlayedGame], player: str, opponent: str) -> Tally:
    """The games of ``player`` against ``opponent``, seen by ``player``; other players' games are ignored."""
    both = {player, opponent}
    table = cross_table(game for game in games if {game.one, game.two} == both)
    return meeting(table, player, opponent) or Tally()


def _tally(trials: Iterable[dict[str, int]]) -> Tally:
    """The tally of trials, each of one or two games: the half points by who had the first side."""
    pairs = [0, 0, 0, 0, 0]
    single = [0, 0, 0]
    drawn_pairs = 0
    for trial in trials:
        victory_points = list(trial.values())
        if len(victory_points) == 2:
            pairs[sum(victory_points)] += 1
            drawn_pairs += victory_points == [1, 1]
        else:
            single[victory_points[0]] += 1
    zero, half, one, one_and_half, two = pairs
    lost, drawn, won = single
    return Tally(Pentanomial((zero, half, one, one_and_half, two)), Results(won, drawn, lost), drawn_pairs)
