"""Elo: how much stronger one player is than another, how sure that is, and how many games would make it surer.

A difference of d Elo means an expected score of 1 / (1 + 10^(-d/400)).

The interval comes from the score test (Wilson). Its margin is the same to both sides on the Elo scale, never leaves the
possible scores, and still says something sensible at 0 % and 100 %, where the usual formula breaks down. How much the
results scatter is measured on pairs, so draws and the luck of the start, which a pair cancels, make it narrower.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from spielleiter.errors import RatingError
from spielleiter.game import Text
from spielleiter.rating.formatting import number, percent
from spielleiter.rating.pairs import Tally

ELO_PER_LOGIT = 400 / math.log(10)
"""Elo in one unit of ln(score / (1 - score))."""
NORMALISED_PER_SIGMA = 800 / math.log(10)
"""Normalised Elo of a score one standard deviation of a game above one half; equals Elo where no game is drawn."""
Z95 = NormalDist().inv_cdf(0.975)
"""A normal value lies within so many standard deviations in 95 % of cases."""
TRUSTED_PAIRS = 2.0
"""Pairs of imagined independent games that steady the measured scatter: three equal pairs do not prove certainty.

Two were chosen by simulation: for 3 to 30 pairs, with draws, side bias or dependent games, the 95 % intervals then
cover the truth in 95 % of cases in the median. Up to ten pairs 90 % is possible, and less where pairs mostly go alike.
"""


def expected_score(elo: float) -> float:
    """The share of the points that a player ``elo`` stronger than the opponent can expect."""
    return logistic(elo / ELO_PER_LOGIT)


def logistic(logit: float) -> float:
    """1 / (1 + e^-logit), without overflow at either end."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    power = math.exp(logit)
    return power / (1 + power)


def elo_of_score(score: float) -> float:
    """The Elo difference that makes ``score`` expected; 0 and 1 have none, and raise ``RatingError``."""
    if not 0 < score < 1:
        raise RatingError(f"no Elo difference belongs to a score of {score}: it must lie between 0 and 1")
    return ELO_PER_LOGIT * (math.log(score) - math.log1p(-score))


def rule_of_thumb(games: int) -> float:
    """The 95 % margin in Elo that ``games`` of an even match without draws are good for, by the plain normal formula.

    It is 681 divided by the root of the number of games: for half the margin, four times the games.
    """
    if games < 1:
        raise RatingError("without a game there is no margin")
    return Z95 * 2 * ELO_PER_LOGIT / math.sqrt(games)


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """What a tally says about the difference in strength, in Elo, seen by the first player."""

    games: int
    score: float
    """One half as long as there is no game."""
    elo: float
    """Always a number: where every game went one way, half a point is granted to the other side."""
    low: float | None
    """Lower end of the 95 % interval, or ``None`` where the games set no limit (all lost, or none played)."""
    high: float | None
    """Upper end of the 95 % interval, or ``None`` where the games set no limit (all won, or none played)."""
    superiority: float
    """LOS: how likely it is that the first player is the stronger one at all, 0 to 1."""
    normalised: float | None
    """Normalised Elo: the difference measured by the scatter of a game; ``None`` while nothing scatters."""
    normalised_margin: float | None

    @property
    def margin(self) -> float | None:
        """The ± of the 95 % interval, or ``None`` where one of its ends is open."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2

    @property
    def bound(self) -> tuple[Literal["≥", "≤"], float] | None:
        """Where every game went one way, the only end of the 95 % interval: at least, or at most, so much.

        It is what is shown then: how large the difference itself is would be a matter of taste.
        """
        if self.low is not None and self.high is None:
            return "≥", self.low
        if self.high is not None and self.low is None:
            return "≤", self.high
        return None

    @property
    def decided(self) -> bool:
        """Whether the 95 % interval leaves no doubt who is stronger."""
        return (self.low is not None and self.low > 0) or (self.high is not None and self.high < 0)

    def explain(self, player: str, opponent: str) -> Text:
        """What is known, in one sentence."""
        if not self.games:
            return Text("Noch kein Spiel: über die Stärke ist nichts bekannt.", "No game yet: nothing is known.")
        if self.low is None or self.high is None:
            return self._explain_one_sided(player, opponent)
        elo, margin = number(abs(self.elo)), number((self.high - self.low) / 2)
        low, high = number(self.low, signed=True), number(self.high, signed=True)
        if not self.decided:
            shown = number(self.elo, signed=True)
            return Text(
                f"{player} gegen {opponent}: {shown.de} ± {margin.de} Elo; wer stärker ist, ist noch offen, "
                f"denn das 95-%-Intervall von {low.de} bis {high.de} enthält die Null.",
                f"{player} against {opponent}: {shown.en} ± {margin.en} Elo; who is stronger is still open, "
                f"because the 95 % interval from {low.en} to {high.en} contains zero.",
            )
        de, en = ("stärker", "stronger") if self.elo > 0 else ("schwächer", "weaker")
        return Text(
            f"{player} ist {elo.de} ± {margin.de} Elo {de} als {opponent} (95-%-Intervall {low.de} bis {high.de}).",
            f"{player} is {elo.en} ± {margin.en} Elo {en} than {opponent} (95 % interval {low.en} to {high.en}).",
        )

    def explain_plainly(self, player: str, opponent: str, points: str) -> Text:
        """What the games say, without a number but the ``points`` of ``player``."""
        if not self.games:
            return self.explain(player, opponent)
        de, en = f"{points} von {self.games} Punkten", f"{points} of {self.games} points"
        if self.decided:
            stronger, weaker = (player, opponent) if self.elo > 0 else (opponent, player)
            return Text(
                f"{stronger} ist stärker als {weaker}: {de} für {player} sind kaum noch Zufall.",
                f"{stronger} is stronger than {weaker}: {en} for {player} can hardly be luck.",
            )
        return Text(
            f"{player} hat {de} gegen {opponent} geholt. Wer stärker ist, bleibt offen: Das kann noch Glück sein.",
            f"{player} got {en} against {opponent}. Who is stronger remains open: this may still be luck.",
        )

    def _explain_one_sided(self, player: str, opponent: str) -> Text:
        """The sentence for a player who has won or lost every game: one end of the interval is open."""
        won_all = self.high is None
        winner, loser = (player, opponent) if won_all else (opponent, player)
        end = self.low if won_all else self.high
        assert end is not None
        sure = end if won_all else -end
        elo = number(abs(sure))
        games_de = {1: "das einzige Spiel", 2: "beide Spiele"}.get(self.games, f"alle {self.games} Spiele")
        games_en = {1: "the only game", 2: "both games"}.get(self.games, f"all {self.games} games")
        if sure > 0:
            return Text(
                f"{winner} hat {games_de} gewonnen: mindestens {elo.de} Elo stärker als {loser} (95 %); "
                "wie viel mehr, lässt sich so nicht sagen.",
                f"{winner} has won {games_en}: at least {elo.en} Elo stronger than {loser} (95 %); "
                "these games do not show how much more.",
            )
        return Text(
            f"{winner} hat {games_de} gewonnen, aber das beweist noch wenig: auch {elo.de} Elo schwächer als {loser} "
            "würde dazu passen (95 %).",
            f"{winner} has won {games_en}, but that proves little yet: even {elo.en} Elo weaker than {loser} "
            "would fit (95 %).",
        )

    def explain_superiority(self, player: str) -> Text:
        """The LOS in one sentence."""
        share = percent(self.superiority)
        return Text(
            f"Mit {share.de} Wahrscheinlichkeit ist {player} der stärkere Spieler (LOS), wie knapp auch immer.",
            f"{player} is the stronger player with a probability of {share.en} (LOS), by however little.",
        )


def estimate(tally: Tally) -> EloEstimate:
    """The Elo difference that ``tally`` shows, with its 95 % interval, LOS and normalised Elo."""
    games = tally.games
    if not games:
        return EloEstimate(0, 0.5, 0.0, None, None, 0.5, None, None)
    score = float(tally.score)
    # Where every game went one way nothing shows whether the two of a pair depend on each other: a pair counts as one.
    worth = games / scatter(tally) if 0 < score < 1 else float(tally.trials)
    elo = elo_of_score(_inside(score, games))
    low: float | None
    high: float | None
    if score == 1.0:
        low, high = elo_of_score(worth / (worth + Z95**2)), None
    elif score == 0.0:
        low, high = None, elo_of_score(Z95**2 / (worth + Z95**2))
    else:
        margin = _margin(score, worth)
        low, high = elo - margin, elo + margin
    # The same variance as the interval has at a score of one half: above 97.5 % exactly when the interval is above 0.
    superiority = NormalDist().cdf((score - 0.5) * 2 * math.sqrt(worth))
    variance = tally.squares(score) / games
    normalised = NORMALISED_PER_SIGMA * (score - 0.5) / math.sqrt(variance) if variance > 1e-12 else None
    normalised_margin = None if normalised is None else Z95 * NORMALISED_PER_SIGMA / math.sqrt(games)
    return EloEstimate(games, score, elo, low, high, superiority, normalised, normalised_margin)


def scatter(tally: Tally) -> float:
    """How much the results scatter, measured by independent games without draws: 1 like those, less is more certain.

    Draws and a start's luck that the pairs cancel make it smaller; pairs that always go alike make it up to 2.
    """
    score = float(tally.score)
    steady = TRUSTED_PAIRS / 2
    return (tally.squares(score) + steady) / (tally.games * score * (1 - score) + steady)


def more_games(tally: Tally, margin: float) -> int:
    """How many more games, in whole pairs, until the margin is ±``margin`` Elo, if things go on as they are.

    Without a game yet, an even match without draws is assumed.
    """
    if not margin > 0:
        raise RatingError(f"a margin of {margin} Elo can never be reached: it must be positive")
    games = tally.games
    score, scattered = (float(tally.score), scatter(tally)) if games else (0.5, 1.0)
    score = _inside(score, games)
    # The margin solved for the games: margin = 2 asinh(z / (2 sqrt(worth s (1 - s)))).
    worth = (Z95 / (2 * math.sinh(margin / ELO_PER_LOGIT / 2))) ** 2 / (score * (1 - score))
    missing = worth * scattered - games
    return max(0, 2 * math.ceil(missing / 2))


def explain_more_games(tally: Tally, margin: float) -> Text:
    """How many more games until ±``margin`` Elo, in one sentence."""
    more = more_games(tally, margin)
    shown = number(margin)
    if not more:
        return Text(f"Auf ±{shown.de} Elo genau ist das schon.", f"This is precise to ±{shown.en} Elo already.")
    return Text(
        f"Noch etwa {more} Spiele ({more // 2} Paare) bis ±{shown.de} Elo; für die halbe Spanne viermal so viele.",
        f"About {more} more games ({more // 2} pairs) until ±{shown.en} Elo; half the margin takes four times as many.",
    )


def _inside(score: float, games: int) -> float:
    """``score``, but with half a point of one more game granted to who has none; only 0 and 1 are changed by that."""
    return min(max(score, 0.5 / (games + 1)), (games + 0.5) / (games + 1))


def _margin(score: float, worth: float) -> float:
    """The ± in Elo of the Wilson interval at ``score`` after independent games without draws ``worth`` so many."""
    return ELO_PER_LOGIT * 2 * math.asinh(Z95 / (2 * math.sqrt(worth * score * (1 - score))))
