"""Positions from outside, typed, sent or recorded: which of them can be, and why the others cannot."""

from __future__ import annotations

from spielleiter.game import TEAMS, Team, Text
from spielleiter.games.hase_und_igel.rules import SALADS_AT_START, TURN_LIMIT, Hare, Hares
from spielleiter.games.hase_und_igel.track import LAST, LENGTH, LETTERS, Field

MAX_CARROTS = 9999
"""More than thirty turns can bring: no hedgehog is further away than ten fields (R2, R13)."""
MAX_CARDS = 30
"""One card can be bought in each round (R7, R21)."""


def why_impossible(letters: str, turn: int, hares: Hares) -> Text | None:
    """Why there is no such position, whatever the track of the season; ``None`` if there may be."""
    if len(letters) != LENGTH or any(letter not in LETTERS for letter in letters):
        return Text(
            f"Die Strecke hat {LENGTH} Felder aus {LETTERS}, nicht {len(letters)} (R1).",
            f"The track has {LENGTH} fields out of {LETTERS}, not {len(letters)} (R1).",
        )
    ends = Field.START.letter, Field.GOAL.letter
    if (letters[0], letters[LAST]) != ends or any(letter in ends for letter in letters[1:LAST]):
        return Text(
            "Die Strecke beginnt mit dem einzigen Start und endet mit dem einzigen Ziel (R1).",
            "The track begins with the only start and ends with the only goal (R1).",
        )
    if not 0 <= turn <= TURN_LIMIT:
        return Text(
            f"Die Zugnummer geht von 0 bis {TURN_LIMIT}, nicht {turn} (R21).",
            f"The turn goes from 0 to {TURN_LIMIT}, it is not {turn} (R21).",
        )
    for team in TEAMS:
        if (fault := _why_hare_impossible(team, hares[team], letters)) is not None:
            return fault
    one, two = (hare.position for hare in hares)
    if one == two and 0 < one < LAST:
        return Text(
            f"Beide Hasen stehen auf Feld {one}, das geht nur auf Start und Ziel (R6).",
            f"Both hares are on field {one}, which only start and goal allow (R6).",
        )
    if turn & 1 and two == LAST:
        return Text(
            "TWO ist im Ziel, dann war die Runde und mit ihr das Spiel schon zu Ende (R21).",
            "TWO is in the goal: then the round was over, and the game with it (R21).",
        )
    return None


def _why_hare_impossible(team: Team, hare: Hare, letters: str) -> Text | None:
    name = team.name
    if not 0 <= hare.position <= LAST:
        return Text(
            f"{name} steht auf Feld {hare.position}, es gibt 0 bis {LAST} (R1).",
            f"{name} is on field {hare.position}, there are 0 to {LAST} (R1).",
        )
    if not 0 <= hare.salads <= SALADS_AT_START:
        return Text(
            f"{name} hat 0 bis {SALADS_AT_START} Salate, nicht {hare.salads} (R4).",
            f"{name} has 0 to {SALADS_AT_START} salads, not {hare.salads} (R4).",
        )
    if not 0 <= hare.carrots <= MAX_CARROTS:
        return Text(
            f"{name} hat 0 bis {MAX_CARROTS} Karotten, nicht {hare.carrots} (R4).",
            f"{name} has 0 to {MAX_CARROTS} carrots, not {hare.carrots} (R4).",
        )
    if len(hare.cards) > MAX_CARDS:
        return Text(
            f"{name} hat höchstens {MAX_CARDS} Karten, nicht {len(hare.cards)} (R7).",
            f"{name} has at most {MAX_CARDS} cards, not {len(hare.cards)} (R7).",
        )
    kind = Field(LETTERS.index(letters[hare.position]))
    if kind is Field.SALAD and not hare.salads and not hare.has_eaten:
        return Text(
            f"{name} muss auf Feld {hare.position} einen Salat fressen und hat keinen (R5, R6).",
            f"{name} has to eat a salad on field {hare.position} and has none (R5, R6).",
        )
    return None
