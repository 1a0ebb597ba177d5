"""How a program would do on a slower machine: this one is measured, and the program is throttled accordingly.

Multiplying the times of moves would be wrong for every player that looks at the clock. So the program really gets
less of the processor: it is stopped and continued many times a second. A player that plans by the clock is not late
then.
"""

from __future__ import annotations

import asyncio
import time

from spielleiter.programs.sandbox import SandboxedProcess

CONTEST_SPEED = 40.0
"""Rounds of the calibration a second on the machine that we assume for the contest: a core of an older server."""

_RUN_SECONDS = 0.004
"""How long the program runs between two stops."""


def measure_speed() -> float:
    """How many rounds of the calibration one core of this machine does in a second; the best of some."""
    return 1 / min(_round() for _ in range(15))


def _round() -> float:
    """Processor seconds for the kind of work that players do: numbers, bits, lists, dictionaries."""
    begin = time.process_time()
    seen: dict[int, int] = {}
    board, score = 0x5555_AAAA_3333_CCCC, 0
    for number in range(60_000):
        board = (board * 6364136223846793005 + 1442695040888963407) & 0xFFFF_FFFF_FFFF_FFFF
        score += (board & 0x00FF_00FF_00FF_00FF).bit_count()
        if board & 7 == 0:
            seen[board >> 48] = score
        if number % 16 == 0:
            score -= sum([board & 1, score & 3, number & 5])
    return time.process_time() - begin


def slowdown(speed: float) -> float:
    """How many times slower than a machine of this speed the contest's is assumed to be; at least 1."""
    return max(1.0, speed / CONTEST_SPEED)


async def throttle(process: SandboxedProcess, factor: float) -> None:
    """Let the program run for only one part in ``factor`` of the time, until it ends or this is cancelled."""
    if factor <= 1:
        return
    try:
        while process.running:
            process.freeze(False)
            begin = time.monotonic()
            await asyncio.sleep(_RUN_SECONDS)
            process.freeze(True)
            # A late timer let it run for longer: so it has to wait for longer.
            await asyncio.sleep((time.monotonic() - begin) * (factor - 1))
    finally:
        process.freeze(False)
