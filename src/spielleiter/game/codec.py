"""The contract of a game with the wire: how its moves and states look in XML, and the dialect of its season.

A codec writes ready-made XML, because a state is written once and read by every client: every line starts with a
newline and its indentation, so that nothing follows the last ``>``. What it reads are ``Element`` values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from spielleiter.game.element import Element
from spielleiter.game.state import MoveT, StateT


class ScoreForm(Enum):
    """What the ``<score>`` of a result contains beside its points."""

    POINTS = "nothing"
    CAUSE = "cause and reason, an empty reason for who did nothing wrong"
    CAUSE_AND_REASON = "cause, and the reason where there is one, also of a regular end"


class WinnerForm(Enum):
    """How a result names its winner."""

    COLOR = '<winner displayName="Alice" color="RED"/>, nothing in a draw'
    PLAYERS = '<winner displayName="Alice"><color class="team">ONE</color></winner>, both in a draw'
    TEAM = '<winner team="ONE"/>, nothing in a draw'
    VERDICT = '<winner team="ONE" regular="true" reason="..."/>, without team in a draw'


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultForm:
    """How a season writes the result of a game."""

    by_player: bool = True
    """Each score stands with its player in a table; otherwise the scores just follow one another."""
    score: ScoreForm = ScoreForm.POINTS
    winner: WinnerForm = WinnerForm.VERDICT


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a season words what all seasons say. The defaults are those of the newest one."""

    move_request: str = "moveRequest"
    """The class of the request for a move."""
    request_gap: float = 0.0
    """Seconds between a state and the request that follows it.

    Programs of older seasons take one message per read and drop the rest; their servers left 20 ms and more.
    """
    colors: tuple[str, str] = ("ONE", "TWO")
    """What the welcome message calls the two teams."""
    has_hints: bool = False
    """A move carries debug hints, which all clients see with the next state."""
    unnamed: str = ""
    """The name of a player who has none."""
    result: ResultForm = field(default_factory=ResultForm)
    original_message: str = "originalMessage"
    """The element in which an error repeats the move."""
    announces_pause: bool = True
    """Observers are notified of pauses."""
    shows_paused_moves: bool = True
    """Observers see a state that the players will see only when the game goes on."""
    announces_resuming_last: bool = False
    """The end of a pause is announced after the state with which the game goes on, not before."""
    joins_together: bool = False
    """Reserved places: the players are notified that they joined only when both have."""
    reserves_all: bool = False
    """Every place of a prepared room is reserved."""
    counts_players: bool = True
    """Administrators learn how many players a room has, not just whether it existed before."""


StateWriter = Callable[[StateT, Sequence[str]], str]
"""Writes the states of one game, in the order of play: the ``<state>`` of a memento, indented by six spaces.

The second argument are the debug hints that came with the last move.
"""


class Codec(Protocol[StateT, MoveT]):
    """The wire form of one rule set."""

    @property
    def dialect(self) -> Dialect:
        """How the season words everything around moves and states."""

    def state_writer(self, names: tuple[str, str]) -> StateWriter[StateT]:
        """A writer for the states of one game between players of these names."""

    def read_state(self, state: Element) -> StateT:
        """The state that ``<state>`` describes. Raises ``MessageError``."""

    def write_move(self, move: MoveT, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move, indented by four spaces."""

    def read_move(self, data: Element) -> MoveT:
        """The move that ``<data>`` describes, legal or not. Raises ``MessageError``."""
