"""The native engine's opinion of one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielleiter.errors import EngineMissing
from spielleiter.game import AnyGame, Outcome, Team, Text
from spielleiter.search import Budget
from spielleiter.search.engine import EngineSearch, Line, Memory, why_unavailable

_MEBIBYTES = 32
_GLANCE_MEBIBYTES = 1
_MISSING = Text(
    "Tipps und Auswertung brauchen die schnelle Engine, die hier nicht gebaut ist; mit einem Rust-Compiler baut sie "
    "die Installation von selbst.",
    "Hints and analysis need the native engine, which is not built here; with a Rust compiler the installation builds "
    "it by itself.",
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the engine thinks of a position; of a finished game, what came of it."""

    win_probability: float
    """ONE's."""
    move: Any = None
    """The best move; ``None`` if the game is over."""
    line: tuple[Any, ...] = ()
    depth: int = 0
    lead: float | None = None
    """The points by which ONE is expected to lead at the end; ``None`` where the engine has seen the end."""

    def chance(self, team: Team) -> float:
        """The winning chance of ``team``."""
        return self.win_probability if team is Team.ONE else 1 - self.win_probability


class Analyst:
    """Asks the engine about positions of any game, and remembers what it has seen. Use it in one thread at a time."""

    def __init__(self, mebibytes: int = _MEBIBYTES) -> None:
        """Remember as much as fits into ``mebibytes``."""
        self._mebibytes = mebibytes
        self._memory: Memory | None = None
        self._searches: dict[str, EngineSearch[Any, Any]] = {}
        self._glances: Analyst | None = None

    def why_unavailable(self, game: AnyGame) -> Text | None:
        """Why there is no analysis of this game, or ``None`` if there is."""
        if why_unavailable(game.key) is None:
            return None
        return (
            _MISSING
            if why_unavailable() is not None
            else Text(
                f"Tipps und Auswertung brauchen die schnelle Engine, und die kennt {game.title.de} nicht.",
                f"Hints and analysis need the native engine, which does not know {game.title.en}.",
            )
        )

    def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement | None:
        """The engine's opinion of ``state``. Raises ``EngineMissing``.

        ``None`` if the search ended before it had looked at any move: unknown, which is not one half.
        """
        if state.outcome is not None:
            return Judgement(outcome_probability(state.outcome))
        found = self.search(game).search(state, budget)
        chance, lead = found.win_probability, expected_lead(game, found.lines[0])
        if chance is None:
            return None
        if state.to_move is not Team.ONE:
            chance, lead = 1 - chance, None if lead is None else -lead
        return Judgement(chance, found.move, found.line, found.depth, lead)

    def glance(self, game: AnyGame, state: Any) -> Judgement | None:
        """A look at the next move only, which knows nothing of longer searches. Raises ``EngineMissing``."""
        self._glances = self._glances or Analyst(_GLANCE_MEBIBYTES)
        return self._glances.judge(game, state, Budget(depth=1))

    def best_lines(self, game: AnyGame, state: Any, budget: Budget, number: int) -> tuple[Line[Any], ...]:
        """Up to ``number`` lines with different first moves, the best first; none if the search had no result.

        Their chances are those of the side to move. Raises ``EngineMissing``, ``GameIsOver``.
        """
        found = self.search(game).search(state, budget, lines=number)
        return found.lines if found.has_value else ()

    def search(self, game: AnyGame) -> EngineSearch[Any, Any]:
        """The search of a game, with the memory of this analyst. Raises ``EngineMissing``."""
        if (problem := self.why_unavailable(game)) is not None:
            raise EngineMissing(problem.de, problem.en)
        if game.key not in self._searches:
            self._memory = self._memory or Memory(self._mebibytes)
            # As the players do, so that a hint is what they would play.
            self._searches[game.key] = EngineSearch(game, memory=self._memory, tree=game.tree_search)
        return self._searches[game.key]


def expected_lead(game: AnyGame, line: Line[Any]) -> float | None:
    """The lead in points that the side to move can expect at the end; ``None`` where the end is proven."""
    odds = line.log_odds
    return None if odds is None or game.points_per_log_odds is None else game.points_per_log_odds * odds


def outcome_probability(outcome: Outcome) -> float:
    """What a finished game is worth to ONE: 1, 0, or one half for a draw."""
    return 0.5 if outcome.winner is None else float(outcome.winner is Team.ONE)
