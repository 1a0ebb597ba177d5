"""Which level of isolation works here: found by trying, never by looking at versions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox.launch import LaunchSpec, start
from spielleiter.programs.sandbox.limits import Level, ResourceLimits

_TRIAL = LaunchSpec(("{python}", "-I", "-S", "-c", "print('free')"))


@dataclass(frozen=True, slots=True)
class Choice:
    """The level that is used, and why no better one is."""

    level: Level
    missed: tuple[tuple[Level, str], ...] = ()


async def choose(wanted: str = "auto") -> Choice:
    """The best level that works here, or exactly the one that is wanted. Raises ``SettingsError`` if that one fails."""
    known = [level.value for level in Level]
    if wanted != "auto":
        if wanted not in known:
            raise SettingsError(f"there is no sandbox {wanted!r}: known are auto, {', '.join(known)}")
        level = Level(wanted)
        problem = await _problem(level)
        if problem is not None:
            raise SettingsError(f"the sandbox {wanted} does not work here: {problem}")
        return Choice(level)
    missed: list[tuple[Level, str]] = []
    for level in Level:
        problem = await _problem(level)
        if problem is None:
            return Choice(level, tuple(missed))
        missed.append((level, problem))
    raise SettingsError(f"no program can be started here: {missed[-1][1]}")


async def _problem(level: Level) -> str | None:
    """Why ``level`` does not work here, or ``None`` if it does."""
    try:
        player = await start(_TRIAL, level, ResourceLimits(), address=("127.0.0.1", 1))
        if player.listener is not None:
            player.listener.close()
        player.go()
        try:
            async with asyncio.timeout(20):
                await player.wait()
        except TimeoutError:
            pass
        exit_status = await player.stop()
    except (SettingsError, OSError) as problem:
        return str(problem)
    if exit_status.code == 0 and exit_status.out.strip() == b"free":
        return None
    return exit_status.err.decode("utf-8", "replace").strip()[-300:] or f"the trial ended with code {exit_status.code}"
