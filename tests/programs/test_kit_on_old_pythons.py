"""The player kit runs on the Pythons of the contest, the oldest of which is 3.10."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.programs.check.trial import Patience, TrialPlan, run_trial
from spielleiter.programs.entrants import entrant_from_zip, find_source
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.package import collect, packable_files
from spielleiter.programs.python_imports import PACKAGE, parse
from spielleiter.programs.sandbox import choose
from spielleiter.programs.targets import TARGETS, Target
from spielleiter.server import GameMaster, MasterSettings
from tests.support.night import by_day
from tests.support.players import GAME, late_start
from tests.support.pythons import python

OLDEST = min(target.python for target in TARGETS.values())
each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)

PLAYS_ITSELF = """
import importlib, sys
from random import Random
sys.path.insert(0, {kit!r})
for name in {modules!r}:
    importlib.import_module(name)
from spielleiter import games, players
from spielleiter.game import random_game
from spielleiter.search import AlphaBeta, Budget
for key in {keys!r}:
    game = games.load(key)
    states = list(random_game(game.new_state(Random(1)), Random(1)))
    assert states[-1].outcome is not None
    middle = states[len(states) // 2]
    move = AlphaBeta(game.evaluate).search(middle, Budget(nodes=100)).move
    assert game.codec.write_move(move) and move in middle.legal_moves(), key
    assert game.notation.parse_state(game.notation.format_state(middle)) == middle
assert players.load("random")
print("played", len({keys!r}))
"""


def test_no_file_of_the_kit_has_syntax_that_is_newer_than_the_oldest_python() -> None:
    # What is newer in the standard library is found by mypy: `make types`.
    files = packable_files()
    assert len(files) > 100
    for path in files:
        parse(path, OLDEST)


@pytest.mark.parametrize("target", by_day(TARGETS.values(), [min(TARGETS.values(), key=lambda target: target.python)]))
def test_all_of_the_kit_is_imported_and_plays_every_game(target: Target, tmp_path: Path) -> None:
    interpreter = python(str(target.python))
    modules = []
    for path in sorted(packable_files()):
        inside = path.relative_to(PACKAGE.parent)
        (tmp_path / inside).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / inside).write_bytes(path.read_bytes())
        if "numpy" not in path.read_text(encoding="utf-8"):
            modules.append(".".join(inside.with_suffix("").parts).removesuffix(".__init__"))
    keys = [key for key, game in games.all_games().items() if not game.official]
    code = PLAYS_ITSELF.format(kit=str(tmp_path), modules=modules, keys=keys)
    ran = subprocess.run([interpreter.path, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=120)
    assert (ran.stdout, ran.stderr) == (f"played {len(keys)}\n", "")


SHOWS_ITS_PYTHON = """
import asyncio, sys
import spielleiter
from spielleiter.client import play
print(sys.version_info[:2], spielleiter.__file__, sys.flags.no_user_site, flush=True)
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""


@pytest.mark.sandbox
@each_target
def test_a_zip_for_a_target_plays_with_that_python_and_its_own_files(target: Target, tmp_path: Path) -> None:
    python(str(target.python))
    (tmp_path / "player.py").write_text(SHOWS_ITS_PYTHON)
    package = collect(find_source(str(tmp_path / "player.py")), target=target)
    entrant = entrant_from_zip(package.to_bytes(), "packed")

    async def run() -> str:
        async with GameMaster(MasterSettings(port=0)) as master:
            launcher = Launcher(master, (await choose()).level)
            plan, game = TrialPlan(name="one", start=late_start()), games.load(GAME)
            trial = await run_trial(launcher, game, entrant, plan, Patience(to_join=60.0))
            assert trial.played_well, trial.reason
            return trial.log.decode()

    log = asyncio.run(run())
    assert str(tuple(target.python)) in log
    assert str(PACKAGE) not in log
    assert "spielleiter/__init__.py" in log


def test_the_asynchronous_client_gives_up_in_time_on_the_oldest_python(tmp_path: Path) -> None:
    interpreter = python(str(OLDEST))
    code = f"""
import asyncio, sys
sys.path.insert(0, {str(PACKAGE.parent)!r})
from spielleiter.client.timeout import timeout

async def main():
    try:
        async with timeout(0.01):
            await asyncio.sleep(60)
    except TimeoutError:
        print("in time")
    async with timeout(None):
        await asyncio.sleep(0)
    task = asyncio.create_task(waits())
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled")

async def waits():
    async with timeout(60):
        await asyncio.sleep(60)

asyncio.run(main())
"""
    ran = subprocess.run([interpreter.path, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("in time\ncancelled\n", "")
