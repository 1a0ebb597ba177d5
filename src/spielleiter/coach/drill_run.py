"""A player goes through a drill: from each position it is asked for one move, on a game master, as in a match.

The exercises come one after the other, so that they do not take the processor from one another. A built-in player is
asked in this process.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from spielleiter import players
from spielleiter.coach.drill import Drill, Exercise
from spielleiter.errors import ProgramError
from spielleiter.game import AnyGame
from spielleiter.matches.match import MAX_FAILED_STARTS
from spielleiter.programs.check.trial import MAX_OUTPUT, Patience, Trial, TrialPlan, run_trial
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import Level, ResourceLimits
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.text import NO_TEXT, Text

_PATIENCE = Patience(to_join=60.0, to_end=1.0, to_end_cancelled=0.0, whole_game=60.0)
"""Longer than a match waits for a program to join: on a busy machine nothing is said about its moves. One that has
moved is ended at once."""


@dataclass(frozen=True, slots=True)
class DrillAnswer:
    """What a player did with an exercise."""

    exercise: Exercise
    move: str | None = None
    """The move in notation; ``None`` if no legal move came in time."""
    is_solved: bool = False
    """Whether the move is acceptable."""
    seconds: float | None = None
    why: Text = NO_TEXT
    """Why there is no move."""
    joined: bool = True
    """Whether its program came into the game at all."""

    @classmethod
    def of(cls, exercise: Exercise, game: AnyGame, move: Any, seconds: float) -> DrillAnswer:
        """The answer with this move; it is acceptable if it leads where an acceptable one leads."""
        # Not by its text: a symmetric piece of Blokus can be laid in the same way under several names.
        state = game.notation.parse_state(exercise.position)
        wanted = [state.play(game.notation.parse_move(state, text)) for text in exercise.acceptable]
        is_solved = state.play(move) in wanted
        return cls(exercise, game.notation.format_move(state, move), is_solved, seconds)


def check_drillable(entrant: Entrant) -> None:
    """Raise ``ProgramError`` for a manual player, whom we cannot start."""
    if entrant.kind is EntrantKind.MANUAL:
        raise ProgramError(
            "Üben können Programme; wer selbst beitritt, ist keines.",
            "only programs can be drilled; a manual player is not a program",
        )


def ask_built_in(entrant: Entrant, drill: Drill) -> Iterator[DrillAnswer]:
    """The answers of a built-in player."""
    game = drill.load_game()
    for exercise in drill.exercises:
        state = game.notation.parse_state(exercise.position)
        player, begin = players.load(entrant.text), perf_counter()
        move = player.choose(state, game.limits.soft)
        yield DrillAnswer.of(exercise, game, move, perf_counter() - begin)


async def ask_program(
    entrant: Entrant, drill: Drill, level: Level, patience: Patience = _PATIENCE
) -> AsyncIterator[DrillAnswer]:
    """The answers of a program, which is started for each position. Raises ``SettingsError`` if no program can run.

    One that has not joined three times in a row is not started again.
    """
    game, absent = drill.load_game(), 0
    async with GameMaster(MasterSettings(port=0, language="en")) as master:
        launcher = Launcher(master, level, ResourceLimits(output=MAX_OUTPUT))
        for exercise in drill.exercises:
            if absent >= MAX_FAILED_STARTS:
                yield DrillAnswer(exercise, why=Text("nicht mehr gestartet", "not started again"), joined=False)
                continue
            state = game.notation.parse_state(exercise.position)
            trial = await run_trial(launcher, game, entrant, _one_move(exercise.id, state), patience)
            if trial.moves:
                answer = DrillAnswer.of(exercise, game, trial.moves[0], trial.times[0])
            else:
                answer = no_move(exercise, trial)
            absent = 0 if answer.joined else absent + 1
            yield answer


async def ask_for_move(entrant: Entrant, game: AnyGame, state: Any, level: Level) -> Trial:
    """What a program does in one position, which is not over. Raises ``SettingsError`` if no program can run."""
    async with GameMaster(MasterSettings(port=0, language="en")) as master:
        launcher = Launcher(master, level, ResourceLimits(output=MAX_OUTPUT))
        return await run_trial(launcher, game, entrant, _one_move("ask", state), _PATIENCE)


def _one_move(name: str, state: Any) -> TrialPlan:
    return TrialPlan(name=name, team=state.to_move, moves=1, start=state)


def no_move(exercise: Exercise, trial: Trial) -> DrillAnswer:
    """The answer of a program that has not moved: why, as far as it is known."""
    why = trial.side.failure if trial.side.failure.en else trial.reason
    return DrillAnswer(exercise, seconds=trial.late_time, why=why, joined=trial.joined)
