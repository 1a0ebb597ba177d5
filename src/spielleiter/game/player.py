"""The contract of a player: one method."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from spielleiter.game.state import GameState, MoveT_co

StateT_contra = TypeVar("StateT_contra", bound=GameState[Any], contravariant=True)


class Player(Protocol[StateT_contra, MoveT_co]):
    """Whoever chooses moves: a program of a student, a built-in player, a person at a page."""

    def choose(self, state: StateT_contra, seconds: float) -> MoveT_co:
        """The move to play in ``state``, a running game; the answer must be there within ``seconds``."""


AnyPlayer = Player[Any, Any]
