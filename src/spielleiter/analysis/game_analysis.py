"""What the engine says about a recorded game: the winning chance at every ply, what each move lost, where it turned.

A move that the engine would have played itself loses nothing, however the chance changed when it looked one ply
further. Where a search had no result there is no chance, and the moves before and after it are not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from spielleiter.analysis.analyst import Analyst, Judgement
from spielleiter.analysis.classification import BLUNDER, MoveClass, accuracy, classify, loss_between
from spielleiter.analysis.losses import Glances, cost_of, glance_at_moves
from spielleiter.analysis.reasons import reasons_for
from spielleiter.analysis.slides import Slide, find_slides
from spielleiter.game import AnyGame, Team, Text
from spielleiter.rating.formatting import number
from spielleiter.records.history import History, Ply
from spielleiter.search import Budget

_SLIP = 0.02
"""Up to this cost no better move is named."""
_MAX_TURNING_POINTS = 5
DEFAULT_BUDGET = Budget(seconds=0.06)
"""Budget of the first look at a position."""
_ENOUGH = Budget(depth=1)
"""Budget where the first look found nothing, as on a busy machine: however long it takes."""
_LONGER = 4
"""The second search gets this many times as much."""
_MAX_SECOND_LOOKS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAnalysis:
    """One move of the game."""

    ply: int
    """The number of moves played with it; the first is 1."""
    team: Team
    text: str
    """The move in notation."""
    loss: float
    """A winning chance, from 0 to 1."""
    points: float
    """What it lost of the points that were expected at the end."""
    cost: float
    """The heavier of the two losses, from 0 to 1: see ``classification``."""
    stake: float
    """What a move drawn by lot would have cost on average."""
    best: Any
    """What the engine would have played."""
    better: str | None
    """The best move in notation, where the one played was worse."""
    best_line: tuple[Any, ...] = ()
    """How the engine would have gone on from there."""
    expected: tuple[Any, ...] = ()
    """How it goes on after the move that was played."""

    @property
    def move_class(self) -> MoveClass:
        """How good it was."""
        return classify(self.cost, self.stake)


@dataclass(frozen=True, slots=True)
class TeamSummary:
    """How well one team played."""

    moves: int
    """Number of moves that were judged."""
    average_loss: float
    """Lost winning chance per move, from 0 to 1."""
    average_points: float
    """Mean number of points that a move lost."""
    accuracy: float | None
    """0 to 100, see ``classification``; ``None`` where nothing was at stake."""
    classes: Mapping[MoveClass, int]
    """How many of its moves were how good."""

    def text(self, name: str) -> Text:
        """One sentence about the team of that ``name``."""
        if not self.moves:
            return Text(f"{name} hat nicht gezogen.", f"{name} made no move.")
        if self.accuracy is None:
            return Text(f"Für {name} stand nie etwas auf dem Spiel.", f"Nothing was ever at stake for {name}.")
        loss, points = number(100 * self.average_loss, 1), number(self.average_points, 1)
        precise = number(self.accuracy, 1)
        errors = [found for found in reversed(MoveClass) if found.is_error]
        return Text(
            f"{name} spielte mit einer Genauigkeit von {precise.de} % und verlor pro Zug im Mittel {loss.de}"
            f" Prozentpunkte Gewinnchance und {points.de} erwartete Punkte"
            f" ({', '.join(f'{found.plural.de}: {self.classes[found]}' for found in errors)}).",
            f"{name} played with an accuracy of {precise.en} % and lost {loss.en} percentage points of winning chance"
            f" and {points.en} expected points per move on average"
            f" ({', '.join(f'{found.plural.en}: {self.classes[found]}' for found in errors)}).",
        )


@dataclass(slots=True, eq=False)
class GameAnalysis:
    """The analysis of one game, as far as it has come: ``judge_next`` adds one position after the other.

    It goes from the end to the start: what the engine remembers of a position is then what comes after the one before
    it. Then ``steps`` looks again, and longer, at the positions around what seemed to be errors: there quality counts,
    so the first look may be short. Another thread may read it meanwhile.
    """

    history: History
    """Raises ``RecordError`` if it cannot be replayed."""
    game: AnyGame = field(init=False)
    plies: tuple[Ply, ...] = field(init=False)
    states: tuple[Any, ...] = field(init=False)
    """All positions, the start first."""
    judgements: dict[int, Judgement | None] = field(default_factory=dict, init=False)
    """The judged ones of the last positions, by ply; ``None`` where the search had no result."""
    glances: dict[int, Glances] = field(default_factory=dict, init=False)
    """First looks at the moves of a position, by ply, as far as ``steps`` has come."""

    def __post_init__(self) -> None:
        self.game, self.plies, self.states = self.history.game, self.history.plies, self.history.states

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
            ply = min(self.judgements)
            if self.judgements[ply] is None:
                self.judgements[ply] = analyst.judge(self.game, self.states[ply], _ENOUGH)
            self._glance(analyst, ply)
            yield len(self.judgements), total
        longer, again = replace(budget, seconds=_LONGER * budget.seconds, nodes=_LONGER * budget.nodes), set[int]()
        while len(again) < _MAX_SECOND_LOOKS and (doubtful := self._doubtful() - again):
            ply = max(doubtful)
            again.add(ply)
            if (found := analyst.judge(self.game, self.states[ply], longer)) is not None:
                self.judgements[ply] = found
                self._glance(analyst, ply)
            yield total, total

    def _glance(self, analyst: Analyst, ply: int) -> None:
        judged = self.judgements[ply]
        if judged is not None and ply < len(self.plies):
            played = self.plies[ply].move
            self.glances[ply] = glance_at_moves(analyst, self.game, self.states[ply], judged.move, played)

    def _doubtful(self) -> set[int]:
        """The plies of the positions before and after each loss of chance; an end is not a matter of opinion."""
        found = {ply for move in self.moves if classify(move.loss).is_error for ply in (move.ply - 1, move.ply)}
        return {ply for ply in found if self.states[ply].outcome is None}

    @property
    def chances(self) -> list[float | None]:
        """The winning chance of ONE in every position; ``None`` where it is not known, or not yet."""
        judged = (self.judgements.get(ply) for ply in range(len(self.states)))
        return [None if found is None else found.win_probability for found in judged]

    @property
    def moves(self) -> list[MoveAnalysis]:
        """The moves between positions of which the value is known."""
        known = len(self.judgements)
        found = (self._move(ply) for ply in range(len(self.states) - known + 1, len(self.states)))
        return [move for move in found if move is not None]

    def _move(self, ply: int) -> MoveAnalysis | None:
        played = self.plies[ply - 1]
        before, after = self.judgements[ply - 1], self.judgements[ply]
        if before is None or after is None:
            return None
        glances, loss = self.glances.get(ply - 1, Glances()), 0.0
        if played.move != before.move:
            loss = loss_between(before.chance(played.team), after.chance(played.team))
        cost = cost_of(self.game, loss, glances.points)
        better = self.game.notation.format_move(played.before, before.move) if cost > _SLIP else None
        return MoveAnalysis(
            ply=ply,
            team=played.team,
            text=played.text,
            loss=loss,
            points=glances.points,
            cost=cost,
            stake=glances.stake,
            best=before.move,
            better=better,
            best_line=before.line,
            expected=after.line,
        )

    @property
    def turning_points(self) -> list[MoveAnalysis]:
        """The worst blunders, in the order of the game."""
        blunders = [move for move in self.moves if move.loss >= BLUNDER]
        worst = sorted(blunders, key=lambda move: -move.loss)[:_MAX_TURNING_POINTS]
        return sorted(worst, key=lambda move: move.ply)

    def reasons(self, move: MoveAnalysis) -> tuple[Text, ...]:
        """Why a move was worse than the best one, in the game's own terms; see ``reasons``."""
        played = self.plies[move.ply - 1]
        return reasons_for(self.game, played.before, played.move, move.best_line, move.expected)

    @property
    def slides(self) -> list[Slide]:
        """Where the game turned slowly, in the order of the game; none before all positions are judged."""
        if not self.is_complete:
            return []
        return find_slides(self.chances, [move.ply for move in self.moves if move.loss >= BLUNDER])

    def summary(self, team: Team) -> TeamSummary:
        """How well ``team`` has played."""
        moves = [move for move in self.moves if move.team is team]
        many = max(1, len(moves))
        return TeamSummary(
            len(moves),
            sum(move.loss for move in moves) / many,
            sum(move.points for move in moves) / many,
            accuracy((move.cost, move.stake) for move in moves),
            Counter(move.move_class for move in moves),
        )


def analyse(
    history: History,
    budget: Budget = DEFAULT_BUDGET,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> GameAnalysis:
    """The whole analysis of a game. Raises ``EngineMissing``, or ``RecordError`` if it cannot be replayed.

    ``progress`` is called with the number of positions that were judged, and of all.
    """
    analysis = GameAnalysis(history)
    for done, total in analysis.steps(Analyst(), budget):
        progress(done, total)
    return analysis
