"""A game that is lost on time on a busy machine is played again, and then an organiser decides."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run import rulings
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.proof import prove
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.store import AuditRow, GameRow
from spielleiter.errors import ContestError
from spielleiter.game import Limits
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.series import play_series
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from tests.support.contest_seasons import FINAL, InThisProcess, opened, outcome, play, season_text

TEXT = season_text(("Ada", "Bob", "Cem", "Dora"), rest=FINAL)


class Busy(InThisProcess):
    """The first attempts at some games are lost on time while the machine is busy."""

    def __init__(self, *names: str, times: int) -> None:
        self.names = names
        self.left = dict.fromkeys(names, times)
        self.played: list[str] = []

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        self.played.append(task.id)
        name = next((name for name in self.names if task.id == name or task.id.startswith(f"{name}-")), "")
        if not self.left.get(name):
            return play_in_process(task, on_line)
        self.left[name] -= 1
        late = play_in_process(replace(task, limits=Limits(0.0, 0.0)), on_line)
        return replace(late, row=replace(late.row, pressure=0.62))


def run(contest: Contest, executor: Busy) -> SeasonState:
    with Conductor(contest) as conductor:
        asyncio.run(play_series(conductor, executor, patience=0.02))
        assert conductor.state is not None
        return conductor.state


@pytest.fixture
def contest(tmp_path: Path) -> Iterator[Contest]:
    with opened(tmp_path, str(tmp_path / "season.db"), TEXT) as found:
        yield found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("undisturbed")
    with opened(folder, str(folder / "season.db"), TEXT) as found:
        play(found)
        return outcome(found)


def games(contest: Contest, *decisions: Decision) -> list[tuple[int, int, bool]]:
    with contest.store.reading() as session:
        found = session.scalars(select(GameRow).where(GameRow.pressure.is_not(None)).order_by(GameRow.id))
        return [
            (game.number, game.attempt, game.annulled) for game in found if not decisions or game.decision in decisions
        ]


def test_a_busy_night_changes_no_result_of_a_season(contest: Contest, undisturbed: dict[str, object]) -> None:
    executor = Busy("M1-A1-1", "F1-2-2", times=2)
    assert run(contest, executor).blocker is Blocker.NOTHING
    assert [name for name in executor.played if name.startswith("M1-A1-1")] == ["M1-A1-1", "M1-A1-1-2", "M1-A1-1-3"]
    found = outcome(contest)
    assert found["podium"] == undisturbed["podium"]
    assert found["tables"] == undisturbed["tables"]
    assert found["encounters"] == undisturbed["encounters"]
    assert games(contest) == [(1, 1, True), (1, 2, True), (2, 1, True), (2, 2, True)]
    with contest.store.reading() as session:
        replays = session.scalars(select(AuditRow).where(AuditRow.action == AuditAction.REPLAY)).all()
    assert [entry.subject for entry in replays] == ["M1-A1-1", "M1-A1-1-2", "F1-2-2", "F1-2-2-2"]
    assert prove(contest).difference is None


def test_a_knock_out_waits_for_an_organiser_who_lets_the_result_stand(contest: Contest) -> None:
    state = run(contest, Busy("F1-1-1", times=9))
    assert (state.blocker, state.stage, state.games) == (Blocker.RULING, Stage.FINAL, ("F1-1-1-3",))
    assert "the organisers have to decide: F1-1-1-3" in state.text(contest.season).en
    assert games(contest, Decision.PENDING) == [(1, 3, False)]
    found = read_snapshot(contest)
    assert [game.name(found.by_id[game.encounter]) for game in found.pending] == ["F1-1-1-3"]
    assert prove(contest).difference is None
    with pytest.raises(ContestError, match="awaits no decision"):
        rulings.accept(contest, "F1-2-1", "why not", who="Eve")
    rulings.accept(contest, "F1-1-1", "the program hung in every attempt", who="Eve")
    end = play(contest)
    assert end is not None
    assert end.blocker is Blocker.NOTHING
    assert len(read_snapshot(contest).knockout.places) == 4
    assert prove(contest).difference is None


def test_an_organiser_may_let_it_be_played_again(contest: Contest, undisturbed: dict[str, object]) -> None:
    run(contest, Busy("F1-1-1", times=3))
    rulings.annul(contest, "F1-1-1", "the machine was busy", who="Eve")
    end = play(contest)
    assert end is not None
    assert end.blocker is Blocker.NOTHING
    assert outcome(contest)["podium"] == undisturbed["podium"]


def test_the_bracket_is_not_drawn_before_all_games_of_the_groups_are_decided(contest: Contest) -> None:
    state = run(contest, Busy("M1-A1-1", times=9))
    # All days of the groups are played first: none of them depends on another.
    assert (state.blocker, state.stage, state.games) == (Blocker.RULING, Stage.CHAMPIONSHIP, ("M1-A1-1-3",))
    assert read_snapshot(contest).progress(Stage.CHAMPIONSHIP).games == 12


def test_an_accepted_result_can_be_doubted_again_until_something_was_built_on_it(contest: Contest) -> None:
    run(contest, Busy("F1-1-1", times=9))
    rulings.accept(contest, "F1-1-1", "so be it", who="Eve")
    number = read_snapshot(contest).undoable[0].id
    rulings.undo(contest, number, who="Eve")
    state = run(contest, Busy(times=0))
    assert state.blocker is Blocker.RULING


def test_a_final_without_a_decision_has_no_winner(contest: Contest) -> None:
    state = run(contest, Busy("F2-1-1", times=9))
    assert state.blocker is Blocker.RULING
    assert read_snapshot(contest).knockout.places == ()
