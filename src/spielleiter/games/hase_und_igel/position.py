"""Positions from outside, typed, sent or recorded: which of them can be, and why the others cannot."""

from __future__ import annotations

from typing import NamedTuple

from spielleiter.game import TEAMS, Team, Text
from spielleiter.games.hase_und_igel.moves import TEAM_TEXTS
from spielleiter.games.hase_und_igel.rules import SALADS_AT_START, TURN_LIMIT, Hare, Hares
from spielleiter.games.hase_und_igel.track import LAST, LENGTH, LETTERS, Field

MAX_CARROTS = 9999
"""More than thirty turns can bring: no hedgehog is further away than ten fields (R2, R13)."""
MAX_CARDS = 30
"""One card can be bought in each round (R7, R21)."""


class Impossible(NamedTuple):
    """Why there is no such position."""

    text: Text
    word: int
    """The word of the notation that is wrong: 1 the track, 2 and 3 the hares, 4 the turn."""


def why_impossible(letters: str, turn: int, hares: Hares) -> Impossible | None:
    """Why there is no such position, whatever the track of the season; ``None`` if there may be."""
    if len(letters) != LENGTH or any(letter not in LETTERS for letter in letters):
        return _track(
            f"Die Strecke hat {LENGTH} Felder aus {LETTERS}, nicht {len(letters)} (R1).",
            f"The track has {LENGTH} fields out of {LETTERS}, not {len(letters)} (R1).",
        )
    ends = Field.START.letter, Field.GOAL.letter
    if (letters[0], letters[LAST]) != ends or any(letter in ends for letter in letters[1:LAST]):
        return _track(
            "Die Strecke beginnt mit dem einzigen Start und endet mit dem einzigen Ziel (R1).",
            "The track begins with the only start and ends with the only goal (R1).",
        )
    if not 0 <= turn <= TURN_LIMIT:
        text = Text(
            f"Die Zugnummer geht von 0 bis {TURN_LIMIT}, nicht {turn} (R21).",
            f"The turn goes from 0 to {TURN_LIMIT}, it is not {turn} (R21).",
        )
        return Impossible(text, 4)
    for team in TEAMS:
        if (text_of_hare := _why_hare_impossible(team, hares[team], letters)) is not None:
            return Impossible(text_of_hare, 2 + team)
    one, two = (hare.position for hare in hares)
    if one == two and 0 < one < LAST:
        text = Text(
            f"Beide Hasen stehen auf Feld {one}, das geht nur auf Start und Ziel (R6).",
            f"Both hares are on field {one}, which only start and goal allow (R6).",
        )
        return Impossible(text, 3)
    if turn & 1 and two == LAST:
        text = Text(
            "Der blaue Hase ist im Ziel, dann war die Runde und mit ihr das Spiel schon zu Ende (R21).",
            "Blue's hare is in the goal: then the round was over, and the game with it (R21).",
        )
        return Impossible(text, 3)
    return None


def _track(de: str, en: str) -> Impossible:
    return Impossible(Text(de, en), 1)


def _why_hare_impossible(team: Team, hare: Hare, letters: str) -> Text | None:
    name = f"Der Hase von {TEAM_TEXTS[team].de}", f"{TEAM_TEXTS[team].en}'s hare"
    if not 0 <= hare.position <= LAST:
        return Text(
            f"{name[0]} steht auf Feld {hare.position}, es gibt 0 bis {LAST} (R1).",
            f"{name[1]} is on field {hare.position}, there are 0 to {LAST} (R1).",
        )
    if not 0 <= hare.salads <= SALADS_AT_START:
        return Text(
            f"{name[0]} hat 0 bis {SALADS_AT_START} Salate, nicht {hare.salads} (R4).",
            f"{name[1]} has 0 to {SALADS_AT_START} salads, not {hare.salads} (R4).",
        )
    if not 0 <= hare.carrots <= MAX_CARROTS:
        return Text(
            f"{name[0]} hat 0 bis {MAX_CARROTS} Karotten, nicht {hare.carrots} (R4).",
            f"{name[1]} has 0 to {MAX_CARROTS} carrots, not {hare.carrots} (R4).",
        )
    if len(hare.cards) > MAX_CARDS:
        return Text(
            f"{name[0]} hat höchstens {MAX_CARDS} Karten, nicht {len(hare.cards)} (R7).",
            f"{name[1]} has at most {MAX_CARDS} cards, not {len(hare.cards)} (R7).",
        )
    kind = Field(LETTERS.index(letters[hare.position]))
    if kind is Field.SALAD and not hare.salads and not hare.has_eaten:
        return Text(
            f"{name[0]} muss auf Feld {hare.position} einen Salat fressen und hat keinen (R5, R6).",
            f"{name[1]} has to eat a salad on field {hare.position} and has none (R5, R6).",
        )
    return None
