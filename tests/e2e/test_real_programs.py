"""What contestants' programs do and expect, each as a tiny program: it plays, or ``check`` names the fix."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.results import MatchGame
from spielleiter.programs.check import CheckReport, CheckSettings, check_program
from spielleiter.programs.check.trial import Patience
from spielleiter.programs.entrants import Entrant, resolve
from spielleiter.programs.sandbox import Level
from tests.support.hostile import works
from tests.support.players import GAME, task

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux"),
    pytest.mark.sandbox,
]
LEVEL = Level.BUBBLEWRAP

START = '#!/bin/sh\nexec python3 player.py "$@"\n'
PLAYER = """
import os, socket, sys
from pathlib import Path
{before}
from spielleiter.client import play
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""

RESOLVE_IN_C = """
#include <netdb.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    struct addrinfo hints, *found;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    int problem = getaddrinfo("127.0.0.1", "13050", &hints, &found);
    if (problem) fprintf(stderr, "%s\\n", gai_strerror(problem));
    return problem != 0;
}
"""


def make(folder: Path, *, before: str = "", start: str = START) -> Path:
    """A folder with a player that does something ``before`` it plays."""
    folder.mkdir(exist_ok=True)
    (folder / "player.py").write_text(PLAYER.format(before=before))
    script = folder / "start.sh"
    script.write_text(start)
    script.chmod(0o755)
    return folder


def make_resolver_in_c(folder: Path) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    make(folder, start='#!/bin/sh\n./resolve && exec python3 player.py "$@"\n')
    (folder / "resolve.c").write_text(RESOLVE_IN_C)
    subprocess.run(["gcc", "-o", folder / "resolve", folder / "resolve.c"], check=True)
    return folder


def doing(before: str) -> Callable[[Path], Path]:
    return lambda folder: make(folder, before=before)


RESOLVE = 'socket.getaddrinfo("127.0.0.1", "13050", socket.AF_INET, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)'
PROGRAMS: dict[str, Callable[[Path], Path]] = {
    "resolves a number as boost::asio does": doing(RESOLVE),
    "resolves a number as boost::asio does, in C": make_resolver_in_c,
    "connects to localhost": doing('sys.argv = [word.replace("127.0.0.1", "localhost") for word in sys.argv]'),
}
each_program = pytest.mark.parametrize("name", PROGRAMS)


def check(entrant: Entrant) -> CheckReport:
    works(LEVEL)
    patience = Patience(to_end=2.0, pause=0.1)
    settings = CheckSettings(level=LEVEL, game=games.load(GAME), slowdown=1.0, patience=patience, moves_with_incident=3)
    return asyncio.run(check_program(entrant, settings))


def play_match_game(entrant: Entrant) -> MatchGame:
    works(LEVEL)

    async def run() -> MatchGame:
        async with Arena(ArenaSettings(level=LEVEL)) as arena:
            return (await arena.play(task(entrant, random_player()))).row

    return asyncio.run(run())


@cache
def random_player() -> Entrant:
    return resolve("random")


@each_program
def test_it_plays_in_check_and_in_a_match(name: str, tmp_path: Path) -> None:
    entrant = resolve(str(PROGRAMS[name](tmp_path / "program")))
    report = check(entrant)
    assert report.passed, [(found.key, found.detail.en) for found in report.findings]
    side = play_match_game(entrant).sides[0]
    assert (side.fault, side.exit_code) == (None, 0), side
