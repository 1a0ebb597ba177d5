"""Positions of the native engine, which fulfil the contract of a state: everything that plays on states plays on them.

Moves are the values of the Python rules, in the order of the Python rules: what plays by chance or searches finds the
same move on either kind of position, only sooner. What the contract does not name (``state.fish(team)``) is asked of
the state of the Python rules, which a position makes of itself when it is first needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from spielleiter import games
from spielleiter.errors import EngineMissing
from spielleiter.game import TEAMS, Encoding, Game, GameState, Notation, Outcome, Team, playout
from spielleiter.game.encoding import PlaneArrays
from spielleiter.game.game import all_moves
from spielleiter.search.engine import why_not_built

if TYPE_CHECKING:
    from spielleiter._engine import Bridge, Position

_PROMISING = 32
"""How many moves of a game are worth a look, where it tells promising moves apart at all."""


@cache
def load(key: str) -> Game[Position, Any]:
    """The rule set called ``key`` with native positions, and the engine's evaluation.

    What reads states from elsewhere (``codec``, ``recordings``) still makes those of the Python rules: ``position``
    translates them. Raises ``UnknownGame``, and ``EngineMissing`` where the engine was not built.
    """
    game = games.load(key)
    bridge = bridge_of(key)
    notation = NativeNotation(game.notation, bridge)

    def new_state(rng: Random) -> Position:
        return bridge.position(game.notation.format_state(game.new_state(rng)))

    return replace(
        game,
        new_state=new_state,
        notation=notation,
        encoding=NativeEncoding(game.encoding),
        evaluate=lambda state, team: state.evaluate(team),
        promising_moves=all_moves
        if game.promising_moves is all_moves
        else lambda state: state.promising_moves(_PROMISING),
    )


def position(state: GameState[Any]) -> Position:
    """``state`` of the Python rules as a native position; its ``to_python()`` leads back."""
    game = games.game_of(state)
    return bridge_of(game.key).position_of(game.notation.format_state(state), state)


def require_engine(key: str) -> None:
    """Raise ``UnknownGame`` or ``EngineMissing``, if the engine cannot play ``key``."""
    games.load(key)
    if (problem := why_not_built(key)) is not None:
        raise EngineMissing(problem.de, problem.en)


@cache
def bridge_of(key: str) -> Bridge:
    """What positions of the rule set called ``key`` need to know of the Python rules."""
    require_engine(key)
    from spielleiter._engine import Bridge

    game = games.load(key)
    start = game.new_state(Random(0))
    end = playout(start, Random(0)).outcome
    assert end is not None
    ends = type(end.reason)
    enums = {name: type(value) for name, value in _values(start).items() if isinstance(value, Enum)}

    @cache
    def new_outcome(winner: int | None, reason: str) -> Outcome:
        return Outcome(None if winner is None else TEAMS[winner], ends[reason])

    def new_state(values: Mapping[str, Any], last_move: Any) -> GameState[Any]:
        state: GameState[Any]
        if "text" in values:  # The state holds values of its own, which only its notation can make.
            state = replace(game.notation.parse_state(values["text"]), last_move=last_move)
            return state
        values = {name: enums[name](value) if name in enums else value for name, value in values.items()}
        state = type(start)(rules=start.rules, **values, last_move=last_move)
        return state

    return Bridge(
        rules=start.rules,
        teams=TEAMS,
        encoding=game.encoding,
        actions=game.encoding.actions,
        new_outcome=new_outcome,
        new_state=new_state,
        restore=restore,
    )


def _values(state: Any) -> dict[str, Any]:
    return {field.name: getattr(state, field.name) for field in fields(state) if field.init}


def restore(text: str, last_move: Any, last: int | None) -> Position:
    """The position that was pickled as its notation, its last move and what the engine calls that."""
    return bridge_of(text.split()[0]).position(text, last_move, last)


class NativeNotation:
    """The notation of a game for native positions: the same texts, the same refusals."""

    def __init__(self, notation: Notation[Any, Any], bridge: Bridge) -> None:
        self._notation = notation
        self._bridge = bridge

    def format_state(self, state: Position) -> str:
        """The position as one line."""
        return state.text

    def parse_state(self, text: str) -> Position:
        """The position that ``text`` describes. Raises ``NotationError``."""
        return self._bridge.position(self._notation.format_state(self._notation.parse_state(text)))

    def format_move(self, state: Position, move: Any) -> str:
        """The move as people write it; also for illegal moves."""
        return self._notation.format_move(state, move)

    def parse_move(self, state: Position, text: str) -> Any:
        """The move that ``text`` names, legal or not."""
        return self._notation.parse_move(state, text)


class NativeEncoding(PlaneArrays):
    """The encoding of a game for native positions: the same planes, the same numbers."""

    def __init__(self, encoding: Encoding[Any, Any]) -> None:
        self._encoding = encoding
        self.planes = encoding.planes
        self.size = encoding.size
        self.actions = encoding.actions

    def plane_bytes(self, state: Position, team: Team) -> bytes:
        """The position as ``team`` sees it."""
        return bytes(state.observe(team))

    def action(self, state: Position, move: Any) -> int:
        """The number of a legal move, as the team to move sees the board."""
        return state.action(move)

    def move(self, state: Position, action: int) -> Any:
        """The move with that number, legal or not."""
        return self._encoding.move(state, action)
