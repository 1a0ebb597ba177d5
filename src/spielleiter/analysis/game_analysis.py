"""What the engine says about a recorded game: the winning chance at every ply, what each move lost, where it turned.

The loss of a move is how much of its winning chance a team gave away with it, from 0 to 1; a move that the engine would
have played itself loses nothing, however the chance changed when it looked one ply further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from spielleiter.analysis.classification import BLUNDER, MoveClass, accuracy, classify, loss_between
from spielleiter.analysis.engine import Analyst, Judgement
from spielleiter.analysis.slides import Slide, find_slides
from spielleiter.game import AnyGame, Team, Text
from spielleiter.records.record import GameRecord
from spielleiter.search import Budget

_SLIP = 0.02
"""Below this loss no better move is named."""
_MAX_TURNING_POINTS = 5
DEFAULT_BUDGET = Budget(seconds=0.06)
"""For the first look at a position."""
_LONGER = 4
"""The second search gets this many times as much."""
_MAX_SECOND_LOOKS = 10


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """One move of the game."""

    ply: int
    """From 1 on: the number of moves played with it."""
    team: Team
    text: str
    """In notation."""
    loss: float
    best: Any
    """What the engine would have played."""
    better: str | None
    """That in notation, where this move was worse."""

    @property
    def move_class(self) -> MoveClass:
        """How good it was."""
        return classify(self.loss)


@dataclass(frozen=True, slots=True)
class TeamSummary:
    """How well one team played."""

    moves: int
    average_loss: float
    """Per move, from 0 to 1."""
    accuracy: float | None
    """From 0 to 100, see ``classification``; ``None`` without a move."""
    classes: Mapping[MoveClass, int]
    """How many of its moves were how good."""

    def text(self, name: str) -> Text:
        """One sentence about the team of that ``name``."""
        if self.accuracy is None:
            return Text(f"{name} hat nicht gezogen.", f"{name} made no move.")
        loss, precise = f"{100 * self.average_loss:.1f}", f"{self.accuracy:.1f}"
        errors = [found for found in reversed(MoveClass) if found.is_error]
        return Text(
            f"{name} spielte mit einer Genauigkeit von {precise.replace('.', ',')} % und verlor im Mittel"
            f" {loss.replace('.', ',')} Prozentpunkte Gewinnchance pro Zug"
            f" ({', '.join(f'{found.plural.de}: {self.classes[found]}' for found in errors)}).",
            f"{name} played with an accuracy of {precise} % and lost {loss} percentage points of winning chance per"
            f" move on average ({', '.join(f'{found.plural.en}: {self.classes[found]}' for found in errors)}).",
        )


@dataclass(slots=True, eq=False)
class GameAnalysis:
    """The analysis of one game, as far as it has come: ``judge_next`` adds one position after the other.

    It goes from the end to the start: what the engine remembers of a position is then what comes after the one before
    it. Then ``steps`` looks again, and longer, at the positions around what seemed to be errors: there quality counts,
    so the first look may be short. Another thread may read it meanwhile.
    """

    record: GameRecord
    game: AnyGame
    states: tuple[Any, ...]
    """All positions, the start first."""
    judgements: dict[int, Judgement] = field(default_factory=dict, init=False)
    """By ply, of the last positions, as many as were judged."""

    @classmethod
    def of(cls, record: GameRecord) -> GameAnalysis:
        """The analysis of a record, before its first position. Raises ``RecordError`` if it cannot be replayed."""
        return cls(record, record.load_game(), tuple(record.states()))

    @property
    def is_complete(self) -> bool:
        """Whether all positions were judged."""
        return len(self.judgements) >= len(self.states)

    def judge_next(self, analyst: Analyst, budget: Budget = DEFAULT_BUDGET) -> None:
        """Judge the next position. Raises ``EngineMissing``."""
        ply = len(self.states) - 1 - len(self.judgements)
        self.judgements[ply] = analyst.judge(self.game, self.states[ply], budget)

    def steps(self, analyst: Analyst, budget: Budget = DEFAULT_BUDGET) -> Iterator[tuple[int, int]]:
        """Do all the work; after each step how much is done, and of how much. Raises ``EngineMissing``."""
        total = len(self.states)
        while not self.is_complete:
            self.judge_next(analyst, budget)
            yield len(self.judgements), total
        longer, again = replace(budget, seconds=_LONGER * budget.seconds, nodes=_LONGER * budget.nodes), set[int]()
        while len(again) < _MAX_SECOND_LOOKS and (doubtful := self._doubtful() - again):
            ply = max(doubtful)
            again.add(ply)
            self.judgements[ply] = analyst.judge(self.game, self.states[ply], longer)
            yield total, total

    def _doubtful(self) -> set[int]:
        """The plies of the positions before and after each error; an end is no matter of opinion."""
        found = {ply for move in self.moves if move.move_class.is_error for ply in (move.ply - 1, move.ply)}
        return {ply for ply in found if self.states[ply].outcome is None}

    @property
    def chances(self) -> list[float | None]:
        """The winning chance of ONE in every position; ``None`` where it is not known yet."""
        return [
            self.judgements[ply].win_probability if ply in self.judgements else None for ply in range(len(self.states))
        ]

    @property
    def moves(self) -> list[MoveAnalysis]:
        """The moves between judged positions."""
        known = len(self.judgements)
        return [self._move(ply) for ply in range(len(self.states) - known + 1, len(self.states))]

    def _move(self, ply: int) -> MoveAnalysis:
        recorded, state, before = self.record.moves[ply - 1], self.states[ply - 1], self.judgements[ply - 1]
        loss = loss_between(before.chance(recorded.team), self.judgements[ply].chance(recorded.team))
        if self.game.notation.parse_move(state, recorded.move) == before.move:
            loss = 0.0
        better = self.game.notation.format_move(state, before.move) if loss > _SLIP else None
        return MoveAnalysis(ply, recorded.team, recorded.move, loss, before.move, better)

    @property
    def turning_points(self) -> list[MoveAnalysis]:
        """The worst blunders, in the order of the game."""
        blunders = [move for move in self.moves if move.loss >= BLUNDER]
        worst = sorted(blunders, key=lambda move: -move.loss)[:_MAX_TURNING_POINTS]
        return sorted(worst, key=lambda move: move.ply)

    @property
    def slides(self) -> list[Slide]:
        """Where the game turned slowly, in the order of the game; none before all positions are judged."""
        known = [chance for chance in self.chances if chance is not None]
        return (
            []
            if not self.is_complete
            else find_slides(known, [move.ply for move in self.moves if move.loss >= BLUNDER])
        )

    def summary(self, team: Team) -> TeamSummary:
        """How well ``team`` has played."""
        losses = [move.loss for move in self.moves if move.team is team]
        average = sum(losses) / len(losses) if losses else 0.0
        return TeamSummary(len(losses), average, accuracy(losses), Counter(map(classify, losses)))


def analyse(
    record: GameRecord,
    budget: Budget = DEFAULT_BUDGET,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> GameAnalysis:
    """The whole analysis of a record. Raises ``EngineMissing``, or ``RecordError`` if it cannot be replayed.

    ``progress`` is called with the number of positions that were judged, and of all.
    """
    analysis = GameAnalysis.of(record)
    for done, total in analysis.steps(Analyst(), budget):
        progress(done, total)
    return analysis
