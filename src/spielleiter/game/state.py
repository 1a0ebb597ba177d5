"""The contract of a position, what every game's state provides; and of a player, who chooses a move in it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import UnionType
from typing import Any, Protocol, TypeVar

from spielleiter.backports import Self
from spielleiter.game.outcome import Outcome, Team, Violation

MoveT = TypeVar("MoveT")
MoveT_co = TypeVar("MoveT_co", covariant=True)


class RuleSet(Protocol):
    """The parameters of a season's rules; each game has its own."""

    @property
    def key(self) -> str:
        """The key of the ``Game`` that is played by these rules."""


class GameState(Protocol[MoveT]):
    """One position of one game: an immutable, hashable value.

    ``play`` never changes the state it is called on. Clocks, names and network live outside.
    Two states are equal when their future is; how they came about (``last_move``) does not count.
    """

    @property
    def rules(self) -> RuleSet:
        """The rule set that is played."""

    @property
    def turn(self) -> int:
        """The turn counter of the rules; grows with each move, maybe by more than one."""

    @property
    def to_move(self) -> Team:
        """The team whose move is awaited; meaningless once ``outcome`` is set."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it runs."""

    @property
    def last_move(self) -> MoveT | None:
        """The move that led here, where known."""

    def legal_moves(self) -> Sequence[MoveT]:
        """All legal moves, in a fixed order; empty exactly when the game is over."""

    def violation(self, move: MoveT) -> Violation | None:
        """The rule that ``move`` breaks here, or ``None`` if it is legal."""

    def play(self, move: MoveT) -> Self:
        """The state after ``move``. Raises ``IllegalMove``; this state stays as it is."""

    def play_unchecked(self, move: MoveT) -> Self:
        """Like ``play`` for a move that came from ``legal_moves``, as in a search."""

    def points(self, team: Team) -> tuple[int, ...]:
        """The team's score, part by part, in the order of ``Game.scores``."""


StateT = TypeVar("StateT", bound=GameState[Any])
StateT_contra = TypeVar("StateT_contra", bound=GameState[Any], contravariant=True)


class Player(Protocol[StateT_contra, MoveT_co]):
    """Chooses moves: a program of a student, a built-in player, a person at a page."""

    def choose(self, state: StateT_contra, seconds: float) -> MoveT_co:
        """The move to play in ``state``, a running game; the answer must be there within ``seconds``."""


AnyPlayer = Player[Any, Any]


def require_move(move: object, kind: type | UnionType) -> None:
    """Raise a ``TypeError`` that says what to do, if ``move`` is not a move of the game."""
    if not isinstance(move, kind):
        hint = "game.notation.parse_move(state, text) reads it" if isinstance(move, str) else "see legal_moves()"
        raise TypeError(f"expected a move of this game, got {_shown(move)}: {hint}")


def require_text(text: object) -> None:
    """Raise a ``TypeError`` that says what to do, if the notation of a move is not a string."""
    if not isinstance(text, str):
        raise TypeError(f"expected a state and the text of a move, parse_move(state, text), got {_shown(text)} as text")


def require_random(rng: object) -> None:
    """Raise a ``TypeError`` that says what to do, if a start is to be drawn with a seed, say."""
    if not isinstance(rng, Random):
        raise TypeError(f"expected a random generator, new_state(Random(7)), got {_shown(rng)}")


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
