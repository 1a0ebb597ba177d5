"""Starting real programs in the sandbox, and looking for what they leave behind."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox import (
    PYTHON,
    Choice,
    ExitStatus,
    LaunchSpec,
    Level,
    ProgramFile,
    ProgramFiles,
    ResourceLimits,
    SandboxedProcess,
    choose,
    start,
)
from spielleiter.programs.sandbox.promises import Attack, Promise, promises

HELD: dict[Attack, set[Level]] = defaultdict(set)
"""The levels in which a test is the attack, as far as test modules have been imported."""


def against(attack: Attack, *only: Level, also: Iterable[Level] = ()) -> pytest.MarkDecorator:
    """The test is this attack: it gets each ``level`` that promises something, or only some, and some that do not."""
    promising = [level for level in Level if promises(level, cgroup=True)[attack] is not Promise.OPEN]
    held = [level for level in promising if not only or level in only]
    HELD[attack].update(held)
    return pytest.mark.parametrize("level", [*held, *also], ids=lambda level: level.value)


ISOLATING = (Level.BUBBLEWRAP, Level.LANDLOCK)
LIMITING = (*ISOLATING, Level.LIMITS)


def works(level: Level) -> None:
    """Skip the test where the level does not work, with the machine's reason."""
    try:
        asyncio.run(_choice(level))
    except SettingsError as problem:
        pytest.skip(str(problem))


_choices: dict[Level, Choice | SettingsError] = {}


async def _choice(level: Level) -> Choice:
    if level not in _choices:
        try:
            _choices[level] = await choose(level.value)
        except SettingsError as problem:
            _choices[level] = problem
    found = _choices[level]
    if isinstance(found, SettingsError):
        raise found
    return found


def python_files(**sources: str) -> ProgramFiles:
    """Python files, packed."""
    files = (ProgramFile(f"{name}.py", dedent(source).encode(), True) for name, source in sources.items())
    return ProgramFiles.of(files, "test")


@dataclass
class Run:
    """What a program did."""

    exit_status: ExitStatus
    survivors: list[int]
    most: int
    """The greatest number of its processes that were seen at once; 0 where nobody counted."""

    @property
    def out(self) -> str:
        return self.exit_status.out.decode()


def alive(token: str) -> list[int]:
    """The processes that carry ``token`` in their command line."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                if token.encode() in Path(f"/proc/{entry}/cmdline").read_bytes():
                    found.append(int(entry))
            except OSError:
                continue
    return found


def run(
    source: str,
    level: Level,
    resource_limits: ResourceLimits | None = None,
    *,
    seconds: float = 90,
    until: Callable[[SandboxedProcess], bool] | None = None,
    address: tuple[str, int] = ("127.0.0.1", 9),
    report_leftovers: bool = False,
    arguments: tuple[str, ...] = (),
    private: tuple[Path, ...] = (),
    count: bool = False,
) -> Run:
    """Run a Python program until it ends, until ``until`` says so, or until its time is up; then stop it.

    With ``count`` its processes are counted on the way, which costs as much as many of these programs.
    """
    works(level)
    token = f"token-{uuid.uuid4()}"
    spec = LaunchSpec((PYTHON, "player.py"), ("{host}", "{port}", *arguments, token), python_files(player=source))

    async def play() -> Run:
        player = await start(
            spec,
            level,
            resource_limits or ResourceLimits(),
            address=address,
            report_leftovers=report_leftovers,
            private=private,
        )
        most = 0
        try:
            player.go()
            async with asyncio.timeout(seconds):
                if until is None and not count:
                    await player.wait()
                while player.running and not (until and until(player)):
                    most = max(most, len(alive(token)) if count else 0)
                    await asyncio.sleep(0.02)
                most = max(most, len(alive(token)) if count else 0)  # It may have been too quick for the first look.
        except TimeoutError:
            pass
        finally:
            if player.listener is not None:
                player.listener.close()
            exit_status = await player.stop()
        return Run(exit_status, alive(token), most)

    found = asyncio.run(play())
    assert found.survivors == [], f"left behind after the game: {found.survivors}"
    return found
