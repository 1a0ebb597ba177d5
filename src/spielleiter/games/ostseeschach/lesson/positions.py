"""The positions of the lesson."""

from __future__ import annotations

from spielleiter.games.ostseeschach.notation import OstseeschachNotation
from spielleiter.games.ostseeschach.rules import Rules, State

START = "rmshhsmr/8/8/8/8/8/8/RMSHHSMR"
HERZMUSCHEL = "4r3/8/8/8/3H4/8/8/8"
MOEWE = "4r3/8/8/8/3M4/8/8/8"
SEESTERN = "4r3/8/8/8/3S4/8/8/8"
ROBBE = "4r3/8/8/8/3R4/8/8/8"
CAPTURE = "4r3/8/8/4m3/3S4/8/6H1/8"
THREE_HIGH = "4r3/8/8/4s3/3M+h3/8/6H1/8"
"""The gull on d4 stands on a tower and can capture on e4."""
GOAL = "4r3/2H5/8/8/8/8/6M1/8"

STARFISH = "r5h1/8/8/2m1H3/3S4/8/8/6R1"
SEAL = "1h4r1/8/8/2s5/3M4/1R6/8/5H2"
BUILD = "r3h3/8/2m5/4s3/4M3/6R1/1H6/8"
TALL = "s4r2/8/8/3m+2h1/6M1/2R5/8/8"
LAST_LINE = "1r4s1/5H2/2R5/8/7m/3S4/8/8"
DOUBLE = "3r2h1/2S+2M2/8/4s3/8/8/1R6/8"
SECOND_AMBER = "r2s3m/8/5h2/2R5/8/3S1m2/8/6M1"
RACE = "4R3/8/2H5/8/6h1/1m3S2/8/8"


def position(rules: Rules, board: str, turn: int = 20, ambers: str = "0-0") -> State:
    """The position with this board: the lines from 8 to 1, as a notation writes them."""
    return OstseeschachNotation(rules).parse_state(f"{rules.key} {board} {ambers} {turn}")
