"""The positions of the lesson, in the letters of 2026; in 2019 the same fish have no sizes."""

from __future__ import annotations

import re

from spielleiter.games.piranhas.notation import PiranhasNotation
from spielleiter.games.piranhas.rules import Rules, State

START = "1mmssmmsl1/L8L/S4K3S/L8M/S8M/S8S/L8S/S3K4M/S8M/1sslsslsl1"
IN_THE_WAY = "10/10/10/1SSK3s2/10/10/1Ms3L3/10/10/10"
"""B6 may pass C6 and the kraken, B3 may not pass C3."""
SWARMS = "10/6sm2/1SM4s2/3L6/2K7/5s4/6SSm1/3l2K3/4s5/10"
UNITED = "10/10/3s6/2SMK5/4S5/2LS3s2/6K3/1s8/7m2/10"
"""All red fish are in one swarm, and it is Blue's turn."""

LINE = "10/5s4/10/2K7/1S3S1s2/10/10/5K4/2s4S2/10"
ALL_WAYS = "10/1s7S/3s6/6K3/3S2s3/2K7/1S5s2/10/3S3s2/10"
HUNGRY = "10/2s4S2/10/3K2s3/1S8/5S1s2/2S7/6K3/3s6/10"
BARRED = "10/4s5/10/6K3/S1K4s2/10/1S8/4s2S2/10/10"
HEAVIEST = "10/1LL7/1L8/5K1s2/8s1/3K6/5SS3/4S1S3/5S4/7s2"
"""The swarm at the top weighs more, the one below has more fish."""
UNITE = "10/1s6s1/3SS5/4M1K3/1s6Ss/2K2s4/10/6s3/3s6/10"
BREAK = "10/10/1s4K3/3S6/3MS5/5S1s2/6L1s1/2K7/10/3s6"
FINAL = "10/10/2SS6/2SSK5/10/6l3/5K1l2/10/10/10"


def position(rules: Rules, board: str, turn: int = 20) -> State:
    """The position with this board: the rows from 9 to 0, as a notation writes them."""
    if not rules.weighted:
        board = re.sub("[SML]", "R", re.sub("[sml]", "B", board))
    first_union = " -" if rules.weighted else ""
    return PiranhasNotation(rules).parse_state(f"{rules.key} {board} {turn}{first_union}")
