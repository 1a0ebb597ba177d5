"""The positions of the lesson: one track, and the two hares as a notation writes them."""

from __future__ import annotations

from spielleiter.games.hase_und_igel.notation import HaseUndIgelNotation
from spielleiter.games.hase_und_igel.rules import Rules, State

TRACK = "0CHMC2H1CHSICHCI1M2I2CSCIHCCM2I1CHH2CICH2CSI1MC2CHICCH2MISHC1CHCG"

START = "0:68:5:-:-", "0:68:5:-:-"
RUNNING = "1:30:5:-:-", "14:40:4:-:-"
BACK = "36:4:3:-:-", "28:40:2:-:-"
SALAD = "22:35:4:-:-", "28:40:4:-:-"
MARKET = "23:45:3:-:-", "21:40:3:-:-"
CHAIN = "31:50:2:EF:-", "35:30:2:-:-"
"""Red can run to the hare field 39 and fall back to 34, which is one too."""
POSITION_FIELDS = "47:30:1:-:-", "60:20:0:-:-"

COST = "8:60:5:-:-", "12:50:5:-:-"
REACH = "20:14:3:-:-", "23:50:3:-:-"
BUY = "14:40:3:-:-", "20:40:3:-:-"
HURRY = "12:5:3:H:-", "20:60:3:-:-"
TWO_CARDS = "12:20:2:EH:-", "32:30:2:-:-"
HEDGEHOG = "41:2:2:-:-", "52:40:1:-:-"
GOAL = "61:26:0:-:-", "55:50:0:-:-"
BOTH_HOME = "64:7:0:-:-", "64:4:0:-:-"


def position(rules: Rules, hares: tuple[str, str], turn: int = 20) -> State:
    """The position of these hares on the track of the lesson."""
    one, two = hares
    return HaseUndIgelNotation(rules).parse_state(f"{rules.key} {TRACK} {one} {two} {turn}")
