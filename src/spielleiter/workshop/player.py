"""A player of the workshop: the program, called for each move, and what there is to see of each of its thoughts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isfinite, isnan
from types import FrameType
from typing import Any

from spielleiter.client.notes import NoteTaker
from spielleiter.client.player_runner import PlayerRunner
from spielleiter.errors import CodeRefused
from spielleiter.game import AnyGame
from spielleiter.game.note import PlayerNote
from spielleiter.records.history import History
from spielleiter.text import NO_TEXT, Text
from spielleiter.workshop.problems import FILE, Problem, answer_problem
from spielleiter.workshop.program import Printed, Program

_MARGIN = 0.1
"""Seconds that the kit keeps of each move."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What the program's own functions returned for one legal move."""

    move: Any
    value: str
    number: float
    """Always finite: for infinity, what is a little beyond all others."""


@dataclass(slots=True)
class Thought:
    """One call of ``choose``."""

    printed: str = ""
    problem: Problem | None = None
    seconds: float = 0.0
    move: Any = None
    """``None`` if it answered none."""
    notes: tuple[PlayerNote, ...] = ()
    note_problem: Text = NO_TEXT
    """What was wrong with some of the notes."""
    values: list[MoveValue] = field(default_factory=list)
    """Moves and their values in the order in which the player considered them."""


class WorkshopPlayer:
    """Plays one game with a program; ``last`` is what it thought last."""

    def __init__(self, program: Program, game: AnyGame, history: Callable[[], History] | None = None) -> None:
        """``history`` is the game that is played, for the hooks of the player; without it none is called."""
        self._program, self._game, self._history = program, game, history
        self._player = program.new_player()
        self._choose: Callable[..., Any] = getattr(self._player, "choose", self._player)
        self._runner = PlayerRunner(self._choose)
        self._runner.game = game
        self._seen = 0
        """How many positions ``state_changed`` has got."""
        self.last = Thought()

    def choose(self, state: Any, seconds: float) -> Any:
        """The move of the program. Raises ``CodeRefused`` where it has none; one that is late gets any move."""
        printed = Printed()
        if self._history is not None:
            self._call_hooks(self._history(), seconds, printed)
        thought = self.think(state, seconds, printed=printed)
        if thought.problem is None or (thought.move is not None and thought.problem.kind == "move"):
            return thought.move  # The referee judges what is not legal.
        if thought.problem.kind == "time":
            return state.legal_moves()[0]  # The referee sees that it is late.
        raise CodeRefused(thought.problem)

    def _call_hooks(self, history: History, seconds: float, printed: Printed) -> None:
        """Tell the player of the game's beginning, and of the positions since its last move."""
        self.last = Thought()
        states = history.states
        try:
            if not self._seen:
                self._hook("game_started", seconds, printed, states[-1].to_move, history.names)
            for state in states[self._seen :]:
                self._hook("state_changed", seconds, printed, state)
        except CodeRefused as refused:
            self.last.problem = refused.problem
            raise
        self._seen = len(states)

    def _hook(self, name: str, seconds: float, printed: Printed, *arguments: Any) -> None:
        if (hook := getattr(self._player, name, None)) is not None:
            self._program.run(seconds, lambda: hook(*arguments), printed)

    def think(self, state: Any, seconds: float, *, values: bool = False, printed: Printed | None = None) -> Thought:
        """What the program does in a position; with ``values`` also what it thinks of each move."""
        self.last = thought = Thought()
        printed = printed or Printed()
        collector = _Values(state) if values else None
        left = max(seconds - _MARGIN, seconds / 2)
        began = time.process_time()
        taker = NoteTaker(self._game, state)
        try:
            with taker:
                move = self._program.run(
                    seconds, lambda: self._choose(state, left), printed, None if collector is None else collector.note
                )
            if (refusal := self._runner.refusal(state, move)) is not None:
                thought.problem = answer_problem(refusal, move, self._program.answer_line)
                move = refusal.move
            thought.move = move
        except CodeRefused as refused:
            thought.problem = refused.problem
        thought.seconds = time.process_time() - began
        thought.printed, thought.notes = str(printed), taker.notes
        if taker.problem is not None:
            thought.note_problem = taker.problem
        if collector is not None:
            thought.values = collector.values()
        return thought


class _Values:
    """Gathers what functions of the program return for a legal move, or for the position after it.

    Of several the outermost counts: a search that calls itself rates the move there.
    """

    def __init__(self, state: Any) -> None:
        self._before = state
        self._moves = {move: move for move in state.legal_moves()}
        self._after = {state.play_unchecked(move): move for move in self._moves}
        self._found: dict[Any, tuple[int, float]] = {}

    def note(self, frame: FrameType, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or isnan(number := _as_float(value)):
            return
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for given in (frame.f_locals.get(name) for name in names):
            if (move := self._move_of(given)) is not None:
                depth = _own_depth(frame)
                if move not in self._found or depth <= self._found[move][0]:
                    self._found[move] = (depth, number)
                return

    def _move_of(self, given: Any) -> Any:
        try:
            return self._moves[given] if given in self._moves else self._after.get(given)
        except Exception:  # noqa: BLE001 - the program may pass what cannot be hashed or compared
            return None

    def values(self) -> list[MoveValue]:
        finite = [value for _, value in self._found.values() if isfinite(value)] or [0.0]
        low, high = min(finite), max(finite)
        room = min(max(high - low, 1.0), 1e300)  # JSON has no infinity, and a bar no end.
        return [
            MoveValue(move, f"{value:.6g}".replace("inf", "∞"), max(low - room, min(high + room, value)))
            for move, (_, value) in self._found.items()
        ]


def _as_float(value: float) -> float:
    """The number; infinity for a whole number that is too large."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _own_depth(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += frame.f_code.co_filename == FILE
        frame = frame.f_back
    return depth
