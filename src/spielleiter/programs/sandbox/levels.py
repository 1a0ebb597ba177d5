"""Which level of isolation works here: found by trying, never by looking at versions."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.programs.sandbox.launch import PYTHON, LaunchSpec, start
from spielleiter.programs.sandbox.limits import Level, ResourceLimits

AUTO = "auto"
"""Instead of a level: the best one that works."""
_TRIAL = LaunchSpec((PYTHON, "-I", "-S", "-c", "print('free')"))
_TRIAL_TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Choice:
    """The level that is used, and why no better one is."""

    level: Level
    missed: tuple[tuple[Level, Text], ...] = ()


async def choose(wanted: str = AUTO, *, untrusted: bool = False) -> Choice:
    """The best level that works here, or exactly the one that is wanted. Raises ``SettingsError`` if that one fails.

    For ``untrusted`` programs of several people a level below bubblewrap has to be wanted by its name.
    """
    if untrusted and wanted == AUTO:
        problem = await _problem(Level.BUBBLEWRAP)
        if problem is not None:
            raise _no_isolation(problem)
        return Choice(Level.BUBBLEWRAP)
    if wanted != AUTO:
        level = _level(wanted)
        problem = await _problem(level)
        if problem is not None:
            raise SettingsError(
                f"Die Sandbox {wanted} funktioniert hier nicht: {problem.de}",
                f"the sandbox {wanted} does not work here: {problem.en}",
            )
        return Choice(level)
    missed: list[tuple[Level, Text]] = []
    for level in Level:
        problem = await _problem(level)
        if problem is None:
            return Choice(level, tuple(missed))
        missed.append((level, problem))
    last = missed[-1][1]
    raise SettingsError(
        f"Hier lässt sich kein Programm starten: {last.de}", f"no program can be started here: {last.en}"
    )


def _no_isolation(problem: Text) -> SettingsError:
    weaker = ", ".join(level.value for level in Level if level is not Level.BUBBLEWRAP)
    return SettingsError(
        f"Programme anderer Leute laufen nur in bubblewrap, und das geht hier nicht: {problem.de} Installiere es"
        f" (apt install bubblewrap), oder nimm eine schwächere Sandbox ({weaker}) ausdrücklich in Kauf:"
        ' sandbox = "landlock" in season.toml, --sandbox landlock bei match.',
        f"other people's programs run in bubblewrap only, and that does not work here: {problem.en}. Install it (apt"
        f" install bubblewrap), or accept a weaker sandbox ({weaker}) explicitly: sandbox ="
        ' "landlock" in season.toml, --sandbox landlock with match',
    )


def _level(name: str) -> Level:
    known = [level.value for level in Level]
    if name not in known:
        listed = ", ".join((AUTO, *known))
        raise SettingsError(
            f"Eine Sandbox {name!r} gibt es nicht: es gibt {listed}.",
            f"there is no sandbox {name!r}: expected one of {listed}",
        )
    return Level(name)


async def _problem(level: Level) -> Text | None:
    """Why ``level`` does not work here, or ``None`` if it does."""
    try:
        player = await start(_TRIAL, level, ResourceLimits(), address=("127.0.0.1", 1))
        if player.listener is not None:
            player.listener.close()
        player.go()
        with suppress(TimeoutError):
            async with asyncio.timeout(_TRIAL_TIMEOUT):
                await player.wait()
        exit_status = await player.stop()
    except SettingsError as problem:
        return problem.text
    except OSError as problem:
        return Text(str(problem), str(problem))
    if exit_status.code == 0 and exit_status.out.strip() == b"free":
        return None
    said = exit_status.err.decode("utf-8", "replace").strip()[-300:]
    if said:
        return Text(said, said)
    return Text(f"Die Probe endete mit Code {exit_status.code}.", f"the trial ended with code {exit_status.code}")
