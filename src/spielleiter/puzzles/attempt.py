"""An attempt at a puzzle: the solver's moves so far, with the answers of the solution, judged by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from spielleiter.errors import Refused
from spielleiter.puzzles.puzzle import Puzzle


class Progress(Enum):
    """How far an attempt has come."""

    OPEN = "open"
    SOLVED = "solved"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A puzzle with the moves that were played in it; immutable like a position."""

    puzzle: Puzzle
    states: tuple[Any, ...]
    """All positions so far, the first that of the puzzle."""
    own: tuple[int, ...] = ()
    """The solver's moves by their places among the legal ones: short enough for an address."""
    progress: Progress = Progress.OPEN

    @classmethod
    def begin(cls, puzzle: Puzzle) -> Attempt:
        """The attempt before its first move."""
        return cls(puzzle, (puzzle.start,))

    @classmethod
    def replay(cls, puzzle: Puzzle, own: Sequence[int]) -> Attempt:
        """The attempt after these moves. Raises ``Refused`` where one of them cannot have been played."""
        attempt = cls.begin(puzzle)
        for place in own:
            moves = attempt.state.legal_moves()
            if attempt.progress is not Progress.OPEN or place >= len(moves):
                raise Refused("Diese Zugfolge gibt es in dem Rätsel nicht.", "The puzzle has no such moves.")
            attempt = attempt.play(moves[place])
        return attempt

    @property
    def state(self) -> Any:
        """The position now."""
        return self.states[-1]

    @property
    def right_move(self) -> Any:
        """The move of the solution that is to be found now."""
        return self.puzzle.line.plies[len(self.states) - 1].move

    def play(self, move: Any) -> Attempt:
        """The attempt after a legal move of the solver and, if it was right, the opponent's answers."""
        team, after = self.state.to_move, self.state.play(move)
        # By where it leads, not by its name: a symmetric piece of Blokus can be laid in the same way under several.
        place = next(i for i, legal in enumerate(self.state.legal_moves()) if self.state.play_unchecked(legal) == after)
        own, states = (*self.own, place), [*self.states, after]
        if after.outcome is not None and after.outcome.winner is team:
            return Attempt(self.puzzle, tuple(states), own, Progress.SOLVED)
        if after != self.state.play(self.right_move):
            return Attempt(self.puzzle, tuple(states), own, Progress.WRONG)
        line = self.puzzle.line.states
        while len(states) < len(line) and states[-1].to_move is not team:
            states.append(line[len(states)])
        solved = len(states) == len(line)
        return Attempt(self.puzzle, tuple(states), own, Progress.SOLVED if solved else Progress.OPEN)
