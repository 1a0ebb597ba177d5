"""The native engine's opinion of one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielleiter.errors import EngineMissing
from spielleiter.game import AnyGame, Outcome, Team, Text
from spielleiter.search import Budget
from spielleiter.search.native import Line, Memory, NativeSearch, why_unavailable

_MEBIBYTES = 32
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
    """Of ONE."""
    move: Any = None
    """The best move; ``None`` if the game is over."""
    line: tuple[Any, ...] = ()
    depth: int = 0

    def chance(self, team: Team) -> float:
        """The winning chance of ``team``."""
        return self.win_probability if team is Team.ONE else 1 - self.win_probability


class Analyst:
    """Asks the engine about positions of any game, and remembers what it has seen. Use it in one thread at a time."""

    def __init__(self, mebibytes: int = _MEBIBYTES) -> None:
        """Remember as much as fits into ``mebibytes``."""
        self._mebibytes = mebibytes
        self._memory: Memory | None = None
        self._searches: dict[str, NativeSearch[Any, Any]] = {}

    def why_unavailable(self, game: AnyGame) -> Text | None:
        """Why there is no analysis of this game, or ``None`` if there is."""
        return None if why_unavailable(game.key) is None else _MISSING

    def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement:
        """The engine's opinion of ``state``. Raises ``EngineMissing``."""
        if state.outcome is not None:
            return Judgement(outcome_probability(state.outcome))
        found = self.search(game).search(state, budget)
        chance = found.win_probability if state.to_move is Team.ONE else 1 - found.win_probability
        return Judgement(chance, found.move, found.line, found.depth)

    def best_lines(self, game: AnyGame, state: Any, budget: Budget, number: int) -> tuple[Line[Any], ...]:
        """Up to ``number`` lines with different first moves, the best first. Raises ``EngineMissing``, ``GameIsOver``.

        Their chances are those of the side to move.
        """
        return self.search(game).search(state, budget, lines=number).lines

    def search(self, game: AnyGame) -> NativeSearch[Any, Any]:
        """The search of a game, with the memory of this analyst. Raises ``EngineMissing``."""
        if self.why_unavailable(game) is not None:
            raise EngineMissing(_MISSING.de, _MISSING.en)
        if game.key not in self._searches:
            self._memory = self._memory or Memory(self._mebibytes)
            self._searches[game.key] = NativeSearch(game, memory=self._memory)
        return self._searches[game.key]


def outcome_probability(outcome: Outcome) -> float:
    """What a finished game is worth to ONE: 1, 0, or one half for a draw."""
    return 0.5 if outcome.winner is None else float(outcome.winner is Team.ONE)
