"""Proof by exhaustive search with nothing but the rules: no evaluation, no pruning that could be mistaken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spielleiter.errors import BudgetSpent
from spielleiter.game import Team


class Prover:
    """Proves of positions of one game that a team wins by force, or that it does not, within a number of moves."""

    def __init__(self, max_nodes: int) -> None:
        """Visit at most ``max_nodes`` positions over all questions; then ``BudgetSpent`` is raised."""
        self._left = max_nodes
        self._proved: dict[tuple[Any, Team, int], bool] = {}
        self._deciders: dict[tuple[bool, int], Any] = {}
        """The move that decided the last position of its kind: it often decides the next one too."""

    def wins(self, state: Any, team: Team, plies: int) -> bool:
        """Whether ``team`` wins within ``plies`` moves of both sides, whatever the other side does."""
        if state.outcome is not None or plies == 0:
            self._spend()
            return state.outcome is not None and state.outcome.winner is team
        question = state, team, plies
        if question not in self._proved:
            self._proved[question] = self._search(state, team, plies)
        return self._proved[question]

    def winning_moves(self, state: Any, plies: int) -> list[Any]:
        """All moves by which the side to move wins within ``plies`` moves, the first of them included."""
        team = state.to_move
        return [move for move in state.legal_moves() if self.wins(state.play_unchecked(move), team, plies - 1)]

    def distance(self, state: Any, team: Team, max_plies: int) -> int | None:
        """The number of moves within which ``team`` can force the win, or ``None`` if it takes more than that."""
        return next((plies for plies in range(max_plies + 1) if self.wins(state, team, plies)), None)

    def _search(self, state: Any, team: Team, plies: int) -> bool:
        self._spend()
        # The team needs one move that wins, its opponent one that does not.
        ours = state.to_move is team
        for move in self._ordered(state, (ours, plies)):
            if self.wins(state.play_unchecked(move), team, plies - 1) is ours:
                self._deciders[ours, plies] = move
                return ours
        return not ours

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise BudgetSpent

    def _ordered(self, state: Any, kind: tuple[bool, int]) -> Iterator[Any]:
        moves, first = state.legal_moves(), self._deciders.get(kind)
        if first in moves:
            yield first
        yield from (move for move in moves if move != first)
