"""Optional stopping: how often testing after every game "finds" a winner between two equally strong players.

An ordinary 95 % test is wrong in 5 % of runs if it is made once, after a number of games fixed in advance. Testing
after every game and stopping at the first "significant" score gives chance many more opportunities.
"""

from __future__ import annotations

import math
from functools import lru_cache

from spielleiter.errors import RatingError
from spielleiter.game import Text
from spielleiter.rating.elo import Z95
from spielleiter.rating.formatting import percent

MAX_EXACT_GAMES = 1000
"""For longer matches the warning says "more than": the exact count takes time with the square of the games."""


def significant(ahead: int, games: int) -> bool:
    """Whether a lead of ``ahead`` wins after ``games`` looks significant to the ordinary two-sided 95 % test."""
    return abs(ahead) > Z95 * math.sqrt(games)


@lru_cache(maxsize=64)
def false_alarms(games: int, first_look: int = 1) -> float:
    """The share of runs in which equal players look different at least once, with a look after every game, exactly.

    The games are fair coins; looking starts after ``first_look`` games. ``first_look=games`` is the honest single look.
    """
    if not 1 <= first_look <= games:
        raise RatingError(f"looks from game {first_look} to game {games} are none")
    # The share of runs that have raised no alarm yet, by the lead; leads change by one with each game.
    quiet = {0: 1.0}
    for played in range(1, games + 1):
        after: dict[int, float] = {}
        for ahead, share in quiet.items():
            for lead in (ahead - 1, ahead + 1):
                if played < first_look or not significant(lead, played):
                    after[lead] = after.get(lead, 0.0) + share / 2
        quiet = after
    return 1 - sum(quiet.values())


def warning(played: int, planned: int) -> Text | None:
    """The warning beside an interval before the planned end, or ``None`` when all games are played."""
    if played >= planned:
        return None
    counted = min(planned, MAX_EXACT_GAMES)
    wrong = percent(false_alarms(counted), 0)
    often = wrong if planned == counted else Text(f"mehr als {wrong.de}", f"more than {wrong.en}")
    return Text(
        f"Zwischenstand ({played} von {planned} Spielen): wer nach jedem Spiel hinsieht und beim ersten klaren "
        f"Vorsprung aufhört, hält zwei gleich starke Spieler in {often.de} der Fälle für verschieden statt in 5 %.",
        f"Interim score ({played} of {planned} games): checking after every game and stopping at the first clear lead "
        f"mistakes two equal players for different in {often.en} of cases instead of 5 %.",
    )
