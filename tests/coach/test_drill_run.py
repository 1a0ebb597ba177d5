"""Real programs go through a drill: one that is good, one that was mended, and some that fail."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.coach.drill import Drill, Exercise
from spielleiter.coach.drill_run import DrillAnswer, ask_built_in, ask_program, check_drillable, no_move
from spielleiter.errors import ProgramError
from spielleiter.programs.check.trial import Patience, Trial, TrialPlan
from spielleiter.programs.entrants import resolve
from spielleiter.programs.sandbox import Level
from spielleiter.programs.seat import DID_NOT_JOIN
from spielleiter.programs.side_result import Fault, SideResult
from tests.support.drills import short_drill, wrong_move
from tests.support.players import GAME, program

PATIENCE = Patience(to_join=30.0, to_end=1.0, whole_game=60.0)


def ask(path: Path, drill: Drill | None = None) -> list[DrillAnswer]:
    async def answers() -> list[DrillAnswer]:
        found = ask_program(resolve(str(path)), drill or short_drill(), Level.NONE, PATIENCE)
        return [answer async for answer in found]

    return asyncio.run(answers())


def test_a_program_answers_from_both_sides_of_the_board(tmp_path: Path) -> None:
    answers = ask(program(tmp_path, "good"))
    assert [answer.is_solved for answer in answers] == [True, True]
    assert all(answer.joined and answer.seconds is not None for answer in answers)


def test_a_legal_move_that_is_not_acceptable_solves_nothing(tmp_path: Path) -> None:
    answers = ask(program(tmp_path, "bad", asked=wrong_move()))
    assert [answer.is_solved for answer in answers] == [False, True]
    assert answers[0].move is not None


def test_a_crash_is_reported_with_its_last_error(tmp_path: Path) -> None:
    [first, _] = ask(program(tmp_path, "crash", asked="raise IndexError('nothing there')"))
    assert first.move is None
    assert first.joined
    assert "IndexError: nothing there" in first.why.en


def test_a_program_that_never_joins_is_not_started_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "never.py"
    path.write_text("raise SystemExit('out of luck')")
    two = short_drill()
    answers = ask(path, Drill(game=two.game, player=two.player, exercises=two.exercises * 2))
    assert [answer.joined for answer in answers] == [False] * 4
    assert [answer.why.en for answer in answers[2:]] == ["out of luck", "not started again"]


def test_a_program_that_does_not_join_in_time_is_informed() -> None:
    side = SideResult(name="late", points=(), fault=Fault.NO_START, joined_after=None, failure=DID_NOT_JOIN)
    answer = no_move(short_drill().exercises[0], Trial(plan=TrialPlan(name="late"), side=side))
    assert (answer.joined, answer.why.en) == (False, "ran, but did not join the game")


def test_a_built_in_player_is_asked_in_this_process() -> None:
    game = games.load(GAME)
    answers = list(ask_built_in(resolve("random:seed=1"), short_drill()))
    for answer in answers:
        state = game.notation.parse_state(answer.exercise.position)
        assert answer.move in [game.notation.format_move(state, move) for move in state.legal_moves()]


def test_the_same_move_under_another_name_is_acceptable_too() -> None:
    game = games.load("blokus-2027")
    state = game.new_state(Random(1))  # It begins with a symmetric piece.
    names: dict[Any, list[str]] = {}
    for rotation in ("", " RIGHT", " MIRROR", " LEFT"):
        for flip in ("", " FLIP"):
            text = f"B PENTO_V{rotation}{flip} 17,17"
            move = game.notation.parse_move(state, text)
            if state.violation(move) is None:
                names.setdefault(state.play(move), []).append(text)
    one, other = next(texts for texts in names.values() if len(texts) == 2)
    exercise = Exercise(
        position=game.notation.format_state(state), acceptable=(one,), source="s", ply=1, played="b", loss=0.5
    )
    assert DrillAnswer.of(exercise, game, game.notation.parse_move(state, other), 0.1).is_solved
    different = next(texts for texts in names.values() if one not in texts)
    assert not DrillAnswer.of(exercise, game, game.notation.parse_move(state, different[0]), 0.1).is_solved


def test_a_manual_player_cannot_be_drilled() -> None:
    with pytest.raises(ProgramError, match="manual player"):
        check_drillable(resolve("manual:Ada"))
