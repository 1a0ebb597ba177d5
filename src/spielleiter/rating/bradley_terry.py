"""Bradley-Terry: one strength for each of many players, on the Elo scale, from all games together.

The model: a player d Elo stronger than another scores 1 / (1 + 10^(-d/400)) on average. A draw is half a win for both.
The strengths are those that make the results most likely (Newton's method; the problem is concave, so there is one
answer). The intervals come from the information in the games, times the scatter that the pairs really show: draws and
cancelled luck of the start make them narrower, results that contradict the model wider.

Every player gets a weak prior: one imagined drawn game against an average player. So players who have won every game
and groups that never met still get finite numbers; that they rest on the prior is said in the notes. ``prior=0`` gives
the plain maximum likelihood, and a ``RatingError`` where it does not exist.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Literal

from spielleiter.errors import RatingError
from spielleiter.game import Text
from spielleiter.rating.elo import ELO_PER_LOGIT, TRUSTED_PAIRS, Z95, logistic
from spielleiter.rating.formatting import number
from spielleiter.rating.linear import Matrix, cholesky, inverse, solve
from spielleiter.rating.pairs import Tally

MAX_STEPS = 200
PRECISION = 1e-6
"""The fit is done when no rating moves by more than this, in logits; the next step would be about its square.

Less would never be reached: after a million games rounding alone moves a rating that only a weak prior holds by 1e-7.
"""


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of one player, in Elo above the average of all or above the anchor's zero."""

    player: str
    elo: float
    margin: float
    """The ± of the 95 % interval."""
    games: int
    score: float | None
    """The share of the points; ``None`` without a game."""
    bound: Literal["lower", "upper"] | None
    """All won: the truth lies above; all lost: below. The number itself then rests on the prior."""

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.elo - self.margin

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.elo + self.margin


@dataclass(frozen=True, slots=True)
class Difference:
    """How far apart two rated players are, with the ± of the 95 % interval and the LOS of the first."""

    elo: float
    margin: float
    superiority: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """All players, the strongest first, and what a reader should know about the numbers."""

    ratings: tuple[Rating, ...]
    notes: tuple[Text, ...]
    dispersion: float
    """How much the results scatter, measured by independent games without draws."""
    steps: int
    """Newton steps until the fit stood still."""
    anchors: tuple[str, ...]
    """The players whose Elo was given; without any the average of all is 0."""
    _places: Mapping[str, int] = field(repr=False)
    _covariance: Matrix = field(repr=False)

    def of(self, player: str) -> Rating:
        """The rating of ``player``."""
        for rating in self.ratings:
            if rating.player == player:
                return rating
        raise RatingError(f"{player!r} has no rating")

    def difference(self, player: str, opponent: str) -> Difference:
        """How much stronger ``player`` is than ``opponent``; sharper than their two intervals put side by side."""
        elo = self.of(player).elo - self.of(opponent).elo
        deviation = _deviation(self._covariance, self._places[player], self._places[opponent])
        # Between two anchors nothing is open.
        superiority = NormalDist().cdf(elo / deviation) if deviation else (elo > 0) + 0.5 * (elo == 0)
        return Difference(elo, Z95 * deviation, superiority)

    def explain(self, player: str) -> Text:
        """How strong ``player`` is, in one sentence."""
        rating = self.of(player)
        if not rating.games:
            return Text(f"{player} hat noch kein Spiel.", f"{player} has no game yet.")
        elo, margin = number(rating.elo, signed=True), number(rating.margin)
        if player in self.anchors:
            return Text(f"{player} hat {elo.de} Elo nach Vorgabe.", f"{player} has {elo.en} Elo by definition.")
        base = Text("0 ist der Durchschnitt", "0 is the average")
        if self.anchors:
            listed = ", ".join(self.anchors)
            base = Text(f"gemessen an {listed}", f"measured against {listed}")
        return Text(
            f"{player}: {elo.de} ± {margin.de} Elo nach {rating.games} Spielen (95 %; {base.de}).",
            f"{player}: {elo.en} ± {margin.en} Elo after {rating.games} games (95 %; {base.en}).",
        )


def rate(
    tallies: Mapping[tuple[str, str], Tally],
    *,
    players: Collection[str] = (),
    prior: float = 1.0,
    anchors: Mapping[str, float] | None = None,
) -> Ratings:
    """The ratings of all players in ``tallies`` and ``players``.

    ``anchors`` fix the Elo of some; the margins are then relative to them. Without any the average is 0. One anchor
    only says where zero is; from two on their distance is taken as known, whatever the games say of it.
    """
    if not (math.isfinite(prior) and prior >= 0):
        raise RatingError(f"a prior of {prior} games makes no sense: 0 or more")
    names = sorted({name for pair in tallies for name in pair} | set(players))
    if not names:
        raise RatingError("there are no players to rate")
    given = dict(anchors or {})
    if unknown := [name for name in given if name not in names]:
        raise RatingError(f"the anchor {unknown[0]!r} is not among the players")
    places = {name: place for place, name in enumerate(names)}
    meetings = _meetings(tallies, places)
    groups, blocks = _groups(len(names), meetings), _blocks(len(names), meetings)
    if prior == 0 and len(blocks) > 1:
        raise _not_comparable(names, blocks[0])
    # The prior is around 0: the average of all, or of the anchors where these are fixed.
    middle = sum(given.values()) / len(given) if given else 0.0
    fixed = {places[name]: (elo - middle) / ELO_PER_LOGIT for name, elo in given.items()} if len(given) > 1 else {}
    strengths, triangle, steps = _fit(len(names), meetings, prior, fixed)
    dispersion = _dispersion(meetings, strengths, len(names) - max(len(groups), len(fixed)))
    covariance = _in_elo(inverse(triangle), dispersion, fixed)
    zero, anchored = sum(strengths) / len(strengths), None
    if fixed:
        zero = -middle / ELO_PER_LOGIT
    elif given:
        [(name, elo)] = given.items()
        anchored = places[name]
        zero = strengths[anchored] - elo / ELO_PER_LOGIT
    ratings = []
    for name, place in places.items():
        elo = ELO_PER_LOGIT * (strengths[place] - zero)
        ratings.append(_rating(name, elo, Z95 * _deviation(covariance, place, anchored), *_total(meetings, place)))
    ratings.sort(key=lambda rating: (-rating.elo, rating.player))
    notes = tuple(_notes(ratings, _named(groups, names), _named(blocks, names)))
    return Ratings(tuple(ratings), notes, dispersion, steps, tuple(given), places, covariance)


@dataclass(frozen=True, slots=True)
class _Meeting:
    first: int
    second: int
    tally: Tally
    games: int
    points: float


def _meetings(tallies: Mapping[tuple[str, str], Tally], places: Mapping[str, int]) -> list[_Meeting]:
    """The tallies with numbers for names, in an order that does not depend on that of the mapping."""
    meetings = []
    for (first, second), tally in sorted(tallies.items(), key=lambda item: item[0]):
        if first == second:
            raise RatingError(f"games of {first!r} against itself cannot be rated")
        if tally.games:
            meetings.append(_Meeting(places[first], places[second], tally, tally.games, tally.victory_points / 2))
    return meetings


def _fit(
    size: int, meetings: list[_Meeting], prior: float, fixed: Mapping[int, float]
) -> tuple[list[float], Matrix, int]:
    """The most likely strengths in logits, the triangle of the information matrix there, and the steps it took.

    Those that are ``fixed`` stay; in the matrix they stand alone.
    """
    strengths = [fixed.get(place, 0.0) for place in range(size)]
    likelihood = _log_likelihood(strengths, meetings, prior)
    for steps in range(1, MAX_STEPS + 1):
        # Only differences show in games. With nothing that fixes the scale the mean is set to 0 by adding to the
        # curvature in the direction in which the likelihood is flat, which changes neither the answer nor what is later
        # taken relative to the mean.
        gradient, information = _derivatives(strengths, meetings, prior, flat=1.0 if prior == 0 and not fixed else 0.0)
        for place in fixed:
            gradient[place] = 0.0
            for other in range(size):
                information[place][other] = information[other][place] = float(other == place)
        triangle = cholesky(information)
        step = solve(triangle, gradient)
        length = 1.0
        while True:
            tried = [strength + length * move for strength, move in zip(strengths, step, strict=True)]
            reached = _log_likelihood(tried, meetings, prior)
            # Far from the top a whole step may overshoot; near it, rounding decides.
            if reached >= likelihood - 1e-9 * (1 + abs(likelihood)) or length < 1e-6:
                break
            length /= 2
        strengths, likelihood = tried, reached
        if max(map(abs, step), default=0.0) < PRECISION:
            return strengths, triangle, steps
    raise RatingError("the ratings do not settle: the results leave some of them without limit")


def _log_likelihood(strengths: list[float], meetings: list[_Meeting], prior: float) -> float:
    total = 0.0
    for meeting in meetings:
        ahead = strengths[meeting.first] - strengths[meeting.second]
        total += meeting.points * _log_logistic(ahead) + (meeting.games - meeting.points) * _log_logistic(-ahead)
    return total + prior / 2 * sum(_log_logistic(strength) + _log_logistic(-strength) for strength in strengths)


def _log_logistic(logit: float) -> float:
    return -math.log1p(math.exp(-logit)) if logit >= 0 else logit - math.log1p(math.exp(logit))


def _derivatives(
    strengths: list[float], meetings: list[_Meeting], prior: float, flat: float
) -> tuple[list[float], Matrix]:
    """The slope of the log likelihood, and its curvature (the Fisher information, plus ``flat``), with the prior."""
    size = len(strengths)
    expected = [logistic(strength) for strength in strengths]
    gradient = [prior * (0.5 - score) for score in expected]
    information = [[flat] * size for _ in range(size)]
    for place, score in enumerate(expected):
        information[place][place] += prior * score * (1 - score)
    for meeting in meetings:
        first, second = meeting.first, meeting.second
        score = logistic(strengths[first] - strengths[second])
        surprise = meeting.points - meeting.games * score
        gradient[first] += surprise
        gradient[second] -= surprise
        weight = meeting.games * score * (1 - score)
        information[first][first] += weight
        information[second][second] += weight
        information[first][second] -= weight
        information[second][first] -= weight
    return gradient, information


def _dispersion(meetings: list[_Meeting], strengths: list[float], fitted: int) -> float:
    """The scatter of all results around what the ratings expect; 1 for independent games without draws."""
    trials = sum(meeting.tally.trials for meeting in meetings)
    if trials <= fitted:
        return 1.0
    squares = model = 0.0
    for meeting in meetings:
        score = logistic(strengths[meeting.first] - strengths[meeting.second])
        squares += meeting.tally.squares(score)
        model += meeting.games * score * (1 - score)
    steady = TRUSTED_PAIRS / 2
    # The fit has followed the results with as many numbers as it had: the rest scatters less than the truth.
    return (squares * trials / (trials - fitted) + steady) / (model + steady)


def _in_elo(covariance: Matrix, dispersion: float, fixed: Collection[int]) -> Matrix:
    """The covariance, in Elo and with the scatter seen, of the ratings minus their mean, or against ``fixed`` ones."""
    size = len(covariance)
    if fixed:
        scale = ELO_PER_LOGIT**2 * dispersion
        return [
            [0.0 if i in fixed or j in fixed else scale * covariance[i][j] for j in range(size)] for i in range(size)
        ]
    rows = [sum(row) / size for row in covariance]
    whole = sum(rows) / size
    scale = ELO_PER_LOGIT**2 * dispersion
    return [[scale * (covariance[i][j] - rows[i] - rows[j] + whole) for j in range(size)] for i in range(size)]


def _deviation(covariance: Matrix, place: int, other: int | None) -> float:
    """The standard deviation of one rating, or of its difference to another."""
    variance = covariance[place][place]
    if other is not None:
        variance += covariance[other][other] - 2 * covariance[place][other]
    return math.sqrt(max(0.0, variance))


def _total(meetings: list[_Meeting], place: int) -> tuple[int, float]:
    """The games and points of one player."""
    games, points = 0, 0.0
    for meeting in meetings:
        if meeting.first == place:
            games, points = games + meeting.games, points + meeting.points
        elif meeting.second == place:
            games, points = games + meeting.games, points + meeting.games - meeting.points
    return games, points


def _rating(player: str, elo: float, margin: float, games: int, points: float) -> Rating:
    if not games:
        return Rating(player, elo, margin, 0, None, None)
    bound: Literal["lower", "upper"] | None = "lower" if points == games else "upper" if points == 0 else None
    return Rating(player, elo, margin, games, points / games, bound)


def _groups(size: int, meetings: list[_Meeting]) -> list[list[int]]:
    """The players sorted into groups that are connected by games."""
    met: list[set[int]] = [set() for _ in range(size)]
    for meeting in meetings:
        met[meeting.first].add(meeting.second)
        met[meeting.second].add(meeting.first)
    return _partition(met, met)


def _blocks(size: int, meetings: list[_Meeting]) -> list[list[int]]:
    """The players sorted into blocks in which points have gone, over some chain, from each player to each other.

    The most likely ratings are finite exactly when there is one such block (Ford's condition).
    """
    scored: list[set[int]] = [set() for _ in range(size)]
    conceded: list[set[int]] = [set() for _ in range(size)]
    for meeting in meetings:
        if meeting.points > 0:
            scored[meeting.first].add(meeting.second)
            conceded[meeting.second].add(meeting.first)
        if meeting.points < meeting.games:
            scored[meeting.second].add(meeting.first)
            conceded[meeting.first].add(meeting.second)
    return _partition(scored, conceded)


def _partition(forwards: list[set[int]], backwards: list[set[int]]) -> list[list[int]]:
    """The places sorted into classes that reach one another both ways."""
    classes: list[list[int]] = []
    seen: set[int] = set()
    for start in range(len(forwards)):
        if start not in seen:
            found = _reached(start, forwards) & _reached(start, backwards)
            seen |= found
            classes.append(sorted(found))
    return classes


def _reached(start: int, neighbours: list[set[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in neighbours[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def _named(classes: list[list[int]], names: list[str]) -> list[list[str]]:
    return [[names[place] for place in members] for members in classes]


def _not_comparable(names: list[str], block: list[int]) -> RatingError:
    inside = ", ".join(names[place] for place in block)
    outside = ", ".join(name for place, name in enumerate(names) if place not in block)
    return RatingError(
        f"without a prior {inside} cannot be compared with {outside}: "
        "points have not gone both ways between them; rate with a prior"
    )


def _notes(ratings: list[Rating], groups: list[list[str]], blocks: list[list[str]]) -> Iterator[Text]:
    """What a reader should know about these ratings, one sentence each."""
    playing = [group for group in groups if len(group) > 1]
    if len(playing) > 1:
        yield Text(
            f"Die Spieler bilden {len(playing)} Gruppen, die nie gegeneinander gespielt haben: "
            "nur innerhalb einer Gruppe sind die Zahlen vergleichbar.",
            f"The players form {len(playing)} groups that have never met: "
            "the numbers can be compared only within a group.",
        )
    one_sided = {rating.player for rating in ratings if rating.bound or not rating.games}
    for names, de, en in (
        ([r.player for r in ratings if not r.games], "Noch ohne Spiel, daher ohne Aussage", "No game yet, so unknown"),
        (
            [r.player for r in ratings if r.bound == "lower"],
            "Alle Spiele gewonnen, in Wahrheit also eher noch stärker",
            "Won every game, so rather stronger still",
        ),
        (
            [r.player for r in ratings if r.bound == "upper"],
            "Alle Spiele verloren, in Wahrheit also eher noch schwächer",
            "Lost every game, so rather weaker still",
        ),
    ):
        if names:
            yield Text(f"{de}: {', '.join(names)}.", f"{en}: {', '.join(names)}.")
    for group in playing:
        apart = ["/".join(block) for block in blocks if set(block) <= set(group) - one_sided]
        if len(apart) > 1:
            listed = ", ".join(apart)
            yield Text(
                f"Punkte gingen zwischen diesen nur in eine Richtung, der Abstand ist also eher größer: {listed}.",
                f"Points have gone only one way between these, so the distance is rather larger: {listed}.",
            )
