"""A tuning run with games that are made up: what is played and stored, resuming, and a player that does not start."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from spielleiter.errors import ProgramError, RecordError, SettingsError
from spielleiter.game import Team, Text
from spielleiter.lab.spsa import Parameter
from spielleiter.lab.tuning import PAIRS, Tuning, TuningPlan, explain, read_pairs
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.rating.sprt import Sprt

BEST = 2.0
PLAYER = Entrant(name="kalle", text="kalle.py", kind=EntrantKind.PYTHON_FILE, command=("python", "kalle.py"))
PLAN = TuningPlan(
    game="piranhas-2026",
    player=PLAYER,
    parameters=(Parameter(name="weight", start=1.0, low=0.0, high=4.0, step=0.25),),
    pairs=40,
)


class NearerWins:
    """Plays games that are won by whoever is nearer to the best value; it may be broken off."""

    notices: tuple[Text, ...] = ()
    slots = 4

    def __init__(self, *, fault: Fault | None = None, ends_after: int = 1000) -> None:
        self.fault = fault
        self.left = ends_after
        self.tasks: list[GameTask] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        await asyncio.sleep(0)
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        self.tasks.append(task)
        one, two = (abs(float(entrant.arguments[1].removeprefix("weight=")) - BEST) for entrant in task.entrants)
        sides = [
            SideResult(name=entrant.name, points=(), fault=self.fault, failure=Text("kaputt", "broken"))
            for entrant in task.entrants
        ]
        row = MatchGame(
            id=task.id, sides=(sides[0], sides[1]), winner=None if one == two else Team.ONE if one < two else Team.TWO,
            counts=self.fault is None, reason=Text("", ""), start=task.start, final="", plies=0, seconds=0.0,
            started="",
        )  # fmt: skip
        return FinishedGame(row)


def run(folder: Path, executor: NearerWins) -> Tuning:
    tuning = Tuning(PLAN, folder, executor)
    asyncio.run(tuning.run())
    return tuning


def test_the_values_go_to_where_the_games_are_won(tmp_path: Path) -> None:
    executor = NearerWins()
    tuning = run(tmp_path, executor)
    assert len(tuning.played) == 40
    assert abs(tuning.values[0] - BEST) < 0.5
    assert tuning.played[-1].values == tuning.values
    first, second = executor.tasks[0], next(task for task in executor.tasks[1:] if task.id == "000001b")
    assert first.start == second.start
    assert first.entrants == second.entrants[::-1]
    assert first.entrants[0].arguments[0] == "--set"


def test_a_run_that_was_broken_off_plays_exactly_the_missing_pairs(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, NearerWins(ends_after=21))
    before = (tmp_path / PAIRS).read_bytes()
    pairs, size = read_pairs(tmp_path / PAIRS)
    assert size == len(before)
    assert 0 < len(pairs) <= 10
    (tmp_path / PAIRS).write_bytes(before + b'{"number": 99, "plu')
    again = NearerWins()
    tuning = run(tmp_path, again)
    assert sorted(pair.number for pair in tuning.played) == list(range(1, 41))
    assert len(again.tasks) == 2 * (40 - len(pairs))
    assert (tmp_path / PAIRS).read_bytes().startswith(before)


def test_a_player_that_does_not_start_ends_the_run_with_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="kalle does not start with these values, or crashes: broken"):
        run(tmp_path, NearerWins(fault=Fault.NO_START))


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / PAIRS).write_text('{"number": 1}\n')
    with pytest.raises(RecordError, match=r"pairs\.jsonl:1: 'plus' is missing"):
        Tuning(PLAN, tmp_path, NearerWins())


def test_a_plan_goes_into_a_file_and_back() -> None:
    assert TuningPlan.from_json(PLAN.to_json(), PLAYER) == PLAN
    with pytest.raises(SettingsError, match=r"tune\.json: not a plan"):
        TuningPlan.from_json({"game": "piranhas-2026"}, PLAYER)


def test_the_test_at_the_end_is_played_from_other_openings() -> None:
    test = PLAN.test_plan((2.0,), Sprt(0, 10), 400)
    assert [entrant.name for entrant in test.entrants] == ["tuned", "start"]
    assert [entrant.arguments for entrant in test.entrants] == [("--set", "weight=2"), ("--set", "weight=1")]
    assert test.openings.seed != PLAN.openings.seed


def test_what_was_found_is_said_in_a_sentence(tmp_path: Path) -> None:
    [said] = explain(PLAN, run(tmp_path, NearerWins()).optima())
    assert said.en.startswith("weight: 1.00 → ")
    assert "best value between" in said.en
    [nothing] = explain(PLAN, PLAN.spsa.optima(()))
    assert "do not show where the best value is" in nothing.en


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"pairs": 3}, "fewer than 10 pairs, not 3"),
        ({"in_process": True}, "--in-process is for built-in players only"),
        ({"seconds": 0.0}, "the time of a move must lie between 0.01 and 3600 seconds, not 0"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(change: dict[str, float], expected: str) -> None:
    with pytest.raises(SettingsError) as problem:
        TuningPlan(**{"game": PLAN.game, "player": PLAYER, "parameters": PLAN.parameters, **change})  # type: ignore[arg-type]
    assert expected in str(problem.value)
