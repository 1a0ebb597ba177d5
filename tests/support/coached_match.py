"""A tiny match that was really played: two random players, one of whom loses both games, in the folder of a match."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from spielleiter.coach import study
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.plan import RESULTS, MatchPlan, claim_folder
from spielleiter.matches.results import ResultFile
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import resolve_all

GAME = "piranhas-2026"
LOSER, WINNER = "random:seed=4", "random:seed=1"


@cache
def _plan() -> MatchPlan:
    return MatchPlan(game=GAME, entrants=resolve_all([LOSER, WINNER]), games=2, in_process=True)


@cache
def _games() -> tuple[FinishedGame, FinishedGame]:
    plan = _plan()
    one, two = plan.entrants
    start = plan.openings.position(plan.load_game(), 0)
    first, second = (
        play_in_process(GameTask(id=f"1v2-00001{letter}", game=GAME, start=start, entrants=seats, limits=plan.limits()))
        for letter, seats in (("a", (one, two)), ("b", (two, one)))
    )
    return first, second


def shorten_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a study end soon though it has time, so that a busy machine changes nothing."""
    for name, seconds in (("_MIN_FIRST", 0.01), ("_MAX_FIRST", 0.01), ("_MAX_SECOND", 0.02)):
        monkeypatch.setattr(study, name, seconds)


def played_match(folder: Path) -> Path:
    """The folder with one pair of games: the same start, sides swapped. They are played once in a process."""
    claim_folder(folder, _plan(), resume=False)
    (folder / "records").mkdir()
    results = ResultFile(folder / RESULTS)
    for finished in _games():
        name = f"records/{finished.row.id}.jsonl"
        (folder / name).write_bytes(finished.record)
        results.append(replace(finished.row, record=name))
    results.close()
    return folder
