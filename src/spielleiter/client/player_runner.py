"""The player's own code, called with care: it gets its time, its answer is checked, its failures are explained.

With a fallback, a failure or a late answer costs one good move instead of the game: ``choose`` then thinks in a thread
beside, and the fallback's move is played when time is nearly up. Without one (the default, as in the contest), a
failure ends the game at once and says where and why, to the referee too: an illegal move is sent and judged, any other
failure is the reason for leaving.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import queue
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from contextvars import Context, copy_context
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import Any

from spielleiter import games
from spielleiter.client.notes import NoteTaker
from spielleiter.client.session import ChooseMove, GameOver, GameReady, PlayerResult, StateChanged
from spielleiter.errors import PlayerFailed
from spielleiter.game import AnyGame, Limits, Team, Text
from spielleiter.game.note import PlayerNote
from spielleiter.text import system_language

log = logging.getLogger("spielleiter.player")

Chooser = Callable[[Any, float], Any]
Fallback = Callable[[Any], Any]


def _say(level: int, de: str, en: str, error: BaseException | None = None) -> None:
    """A line of the log, which a student reads."""
    log.log(level, "%s", Text(de, en).to(system_language()), exc_info=error)


def _german(number: str) -> str:
    return number.replace(".", ",")


def verdict(result: PlayerResult) -> Text:
    """How a game ended for us, in a word."""
    if result.drawn:
        return Text("unentschieden", "a draw")
    return Text("gewonnen", "won") if result.won else Text("verloren", "lost")


def first_legal_move(state: Any) -> Any:
    """A fallback that is always there: the first move of the list."""
    return state.legal_moves()[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePolicy:
    """How much time a player gets, and what happens if it fails."""

    limit: float | None = None
    """Seconds for a move; ``None`` takes those of the game."""
    increment: float | None = None
    """Set for a game clock: ``limit`` is then for the whole game, and each own move adds so many seconds to it."""
    margin: float = 0.1
    """Seconds of them that are reserved for the way to the server, and for whatever the machine is up to."""
    fallback: Fallback | None = None
    """Finds a move at once, when ``choose`` fails or is about to be late; ``None``: no fallback."""


class Hooks:
    """What a player may listen to; to be inherited, or just to be defined under these names.

    >>> class MyPlayer(Hooks):
    ...     def game_started(self, team, names):
    ...         self.me, self.seen = team, []
    ...
    ...     def state_changed(self, state):
    ...         self.seen.append(state)
    ...
    ...     def choose(self, state, seconds):
    ...         return state.legal_moves()[0]
    """

    def game_started(self, team: Team, names: tuple[str, str]) -> None:
        """A game begins: our side, and the names of both players where the server gives them."""

    def state_changed(self, state: Any) -> None:
        """A move was made, or the game begins: ``state`` is on the board now."""

    def game_over(self, result: PlayerResult, reason: str) -> None:
        """The game is over; ``reason`` says what decided it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request for a move."""

    state: Any
    asked_at: float
    limit: float
    margin: float

    def seconds(self, now: float) -> float:
        """The seconds that are left to think, never below zero."""
        return max(0.0, self.asked_at + self.limit - self.margin - now)

    @property
    def last_moment(self) -> float:
        """When a fallback has to step in: half of the margin is its own."""
        return self.asked_at + self.limit - self.margin / 2


class PlayerRunner:
    """A player's code in one game."""

    def __init__(self, player: Any, policy: TimePolicy | None = None) -> None:
        """``player`` has a method ``choose(state, seconds)``, and maybe hooks, or is such a function."""
        self.choose: Any = getattr(player, "choose", player)
        if not callable(self.choose):
            raise TypeError(f"a player needs a method choose(state, seconds), but {player!r} has none")
        self.policy = policy or TimePolicy()
        self.game: AnyGame | None = None
        self._player = player
        self._worker: _Worker | None = None
        self._overdue = _Overdue()
        self._moves, self._used = 0, 0.0
        """What a game clock counts: our moves, and the seconds that they took."""
        self.notes: tuple[PlayerNote, ...] = ()
        """What the player noted for its last move."""
        self.hints: tuple[str, ...] = ()
        """The notes as debug hints, where the season has them."""
        self._note_problems: set[str] = set()

    # --- hooks --------------------------------------------------------------------------------------------------------

    def call_hook(self, action: GameReady | StateChanged | GameOver) -> Any:
        """Call the hook of what happened, if there is one; what it returns may want to be awaited."""
        match action:
            case GameReady(game, team, names):
                assert team is not None  # Players have a side; only observers have none.
                self.game = game
                self._moves, self._used = 0, 0.0
                us = game.team_name(team)
                _say(logging.INFO, f"{game.key}, wir sind {us.de}", f"{game.key}, we are {us.en}")
                return self._call("game_started", team, names)
            case StateChanged(state):
                return self._call("state_changed", state)
            case GameOver(result):
                score = " : ".join("/".join(map(str, points)) for points in result.points)
                ended = verdict(result)
                _say(
                    logging.INFO,
                    f"Spielende: {ended.de}, {score}: {result.reason}",
                    f"game over: {ended.en}, {score}: {result.reason}",
                )
                return self._call("game_over", result, result.reason)

    def _call(self, name: str, *arguments: Any) -> Any:
        hook = getattr(self._player, name, None)
        if hook is None:
            return None
        try:
            return hook(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever a student's code raises is explained
            return self.hook_failed(name, error)

    def hook_failed(self, name: str, error: Exception) -> None:
        """Explain what a hook raised; with a fallback the game goes on."""
        problem = self.explain(error, name, None)
        if self.policy.fallback is None:
            raise problem from error
        _say(logging.ERROR, problem.text.de, problem.text.en, error)

    # --- moves --------------------------------------------------------------------------------------------------------

    def turn(self, action: ChooseMove) -> Turn:
        """The request with the time that there is for it."""
        self.game = action.game
        policy = self.policy
        limit = self.game.limits.soft if policy.limit is None else policy.limit
        if policy.increment is None:
            return Turn(action.state, action.asked_at, limit, policy.margin)
        # The way of all moves together has to fit into the margin.
        clock = Limits.of_game(max(0.0, limit - policy.margin), policy.increment)
        share = clock.after(self._moves, self._used).share
        return Turn(action.state, action.asked_at, share, min(policy.margin, share / 2))

    def answer(self, action: ChooseMove) -> Any:
        """A legal move. Raises ``PlayerFailed`` when the player has none and there is no fallback."""
        turn = self.turn(action)
        if self.policy.fallback is None:
            try:
                watched = self._overdue.watch(turn) if self.policy.increment is None else nullcontext()
                with watched, self.taking_notes(action.game, turn.state):
                    move = self.choose(turn.state, turn.seconds(time.monotonic()))
            except (Exception, SystemExit) as error:
                raise self.explain(error, "choose", turn.state) from error
            return self.checked(turn, move)
        if self._worker is None:
            self._worker = _Worker(self.choose)
        try:
            with self.taking_notes(action.game, turn.state):
                move = self._worker.ask(turn)
        except TimeoutError:
            return self.fall_back(turn, Text("choose() käme zu spät", "choose() is about to be late"))
        except Exception as error:  # noqa: BLE001 - whatever a student's code raises is explained
            return self.fall_back(turn, self.explain(error, "choose", turn.state).text, error)
        return self.checked(turn, move)

    def answer_here(self, state: Any, seconds: float) -> Any:
        """A legal move for a position without a game around it, and without a clock. Raises ``PlayerFailed``."""
        self.game = games.game_of(state)
        try:
            with self.taking_notes(self.game, state, tell=False):
                move = self.choose(state, seconds)
                if inspect.isawaitable(move):
                    move = asyncio.run(_result(move))
        except (Exception, SystemExit) as error:
            raise self.explain(error, "choose", state) from error
        if (refusal := self.refusal(state, move)) is not None:
            raise refusal
        return move

    @contextmanager
    def taking_notes(self, game: AnyGame, state: Any, *, tell: bool = True) -> Iterator[None]:
        """Take what the player notes inside the block, and ``tell`` it to who runs the player."""
        self.notes = self.hints = ()
        if os.environ.get("SPIELLEITER_NOTES") == "off":
            yield
            return
        taker = NoteTaker(game, state)
        try:
            with taker:
                yield
        finally:
            self.notes = taker.notes
            if (problem := taker.problem) is not None and problem.en not in self._note_problems:
                self._note_problems.add(problem.en)
                _say(logging.WARNING, f"note(): {problem.de}", f"note(): {problem.en}")
            if tell:
                self._tell_notes(game)

    def _tell_notes(self, game: AnyGame) -> None:
        """Show the notes to the author: with the move where the season has debug hints, else on standard error."""
        with suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()  # What the player printed belongs to this move.
        if game.codec.dialect.has_hints:
            self.hints = tuple(note.line for note in self.notes)
        elif self.notes:
            with suppress(OSError, ValueError, AttributeError):  # Of a program without standard error.
                by_hand = sys.stderr.isatty()  # Then only the student reads them.
                sys.stderr.write("".join(f"{note.short if by_hand else note.line}\n" for note in self.notes))
                sys.stderr.flush()

    def checked(self, turn: Turn, move: Any) -> Any:
        """The move, if it is one and legal; else the fallback's, or ``PlayerFailed``."""
        problem = self.refusal(turn.state, move)
        if problem is not None:
            if self.policy.fallback is None:
                raise problem
            return self.fall_back(turn, problem.text)
        self._count(turn, move)
        return move

    def fall_back(self, turn: Turn, why: Text, error: BaseException | None = None) -> Any:
        """The fallback's move, and a line in the log that says why."""
        assert self.policy.fallback is not None
        _say(logging.ERROR, f"Der Ersatz zieht: {why.de}", f"the fallback plays, because {why.en}", error)
        try:
            move = self.policy.fallback(turn.state)
        except Exception as problem:  # noqa: BLE001 - whatever a student's code raises is logged
            _say(
                logging.ERROR,
                "Auch der Ersatz ist gescheitert, also wird der erste erlaubte Zug gespielt.",
                "the fallback failed too, so the first legal move is played",
                problem,
            )
            move = None
        if self.refusal(turn.state, move) is not None:
            move = first_legal_move(turn.state)
        self._count(turn, move)
        return move

    def _count(self, turn: Turn, move: Any) -> None:
        """A move is about to be sent: count its time, and log it."""
        assert self.game is not None
        took = time.monotonic() - turn.asked_at
        self._moves += 1
        self._used += took
        text = self.game.notation.format_move(turn.state, move)
        number = turn.state.turn
        seconds = f"{took:.3f} s"
        _say(logging.INFO, f"Zug {number}: {text} in {_german(seconds)}", f"turn {number}: {text} in {seconds}")
        # A player that uses all of its seconds is normal; one that has used up half of the margin will be late one day.
        if turn.asked_at + took > turn.last_moment and self.policy.increment is None:
            limit = f"{turn.limit:g} s"
            _say(
                logging.WARNING,
                f"Zug {number}: {_german(seconds)} von {_german(limit)} gebraucht",
                f"turn {number}: the move took {seconds} of {limit}",
            )

    # --- explanations -------------------------------------------------------------------------------------------------

    def refusal(self, state: Any, move: Any) -> PlayerFailed | None:
        """What is wrong with the move, or ``None`` if it is legal."""
        # The time of the move still runs: no list of legal moves, unless something has to be explained.
        with suppress(Exception):
            state.play(move)
            return None
        legal = state.legal_moves()
        if move is None:
            return self._failed(
                state,
                "choose() hat None zurückgegeben; es muss ein Zug sein, zum Beispiel einer aus state.legal_moves()"
                " (fehlt ein return?)",
                "choose() returned None; it must be a move, such as one of state.legal_moves() (is a return missing?)",
            )
        if not isinstance(move, tuple({type(known) for known in legal})):
            kinds = " / ".join(sorted({type(known).__name__ for known in legal}))
            came = f"{move!r:.80} ({type(move).__name__})"
            return self._failed(
                state,
                f"choose() hat {came} zurückgegeben, keinen Zug ({kinds})",
                f"choose() returned {came}, which is not a move ({kinds})",
            )
        assert self.game is not None
        try:
            violation = state.violation(move)
            text = "" if violation is None else self.game.notation.format_move(state, move)
        except Exception as error:  # noqa: BLE001 - a student may put anything into the fields of a move
            kind, why = type(move).__name__, f"{type(error).__name__}: {error}"
            return self._failed(
                state,
                f"choose() hat einen Zug ({kind}) mit falschen Werten zurückgegeben: {why}",
                f"choose() returned a move ({kind}) with wrong values: {why}",
            )
        if violation is None:
            return None
        return self._failed(
            state,
            f"der Zug {text} ist nicht erlaubt: {violation.text.de}",
            f"the move {text} is not legal: {violation.text.en}",
            move,
        )

    def explain(self, error: BaseException, method: str, state: Any) -> PlayerFailed:
        """What the player's code raised, where in it, and in which position."""
        kind = type(error).__name__
        what = f"{kind}: {error}" if str(error) else kind
        de = en = ""
        if (own := _own_frame(traceback.extract_tb(error.__traceback__))) is not None:
            place = _place(own)
            de, en = f" in {place.de}", f" in {place.en}"
        elif (code := getattr(getattr(self._player, method, self._player), "__code__", None)) is not None:
            # It could not even be called, as with too few parameters: then where it is defined.
            de = f" in {Path(code.co_filename).name}, Zeile {code.co_firstlineno}"
            en = f" in {Path(code.co_filename).name}, line {code.co_firstlineno}"
        advice = _advice(error)
        return self._failed(
            state, f"{method}() bricht ab mit {what}{de}{advice.de}", f"{method}() raised {what}{en}{advice.en}"
        )

    def _failed(self, state: Any, de: str, en: str, move: Any = None) -> PlayerFailed:
        if state is None or self.game is None:
            return PlayerFailed(de, en)
        position = self.game.notation.format_state(state)
        board = self.game.draw_text(state, False, system_language())
        return PlayerFailed(de, en, position=position, board=board, move=move)


_PACKAGE = str(Path(__file__).parent.parent)
_FOREIGN = (_PACKAGE, str(Path(os.__file__).parent), "<")
"""Where code is not the player's own; ``<string>`` is what Python makes for dataclasses."""
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\]")


def _own_frame(frames: Iterable[traceback.FrameSummary]) -> traceback.FrameSummary | None:
    """The innermost call in the player's own code: not in this package, Python's library, or one that was installed."""
    own = [frame for frame in frames if not (frame.filename.startswith(_FOREIGN) or _INSTALLED.search(frame.filename))]
    return own[-1] if own else None


def _place(frame: traceback.FrameSummary) -> Text:
    name, source = Path(frame.filename).name, f": {frame.line}" if frame.line else ""
    return Text(f"{name}, Zeile {frame.lineno}{source}", f"{name}, line {frame.lineno}{source}")


def _place_of(thread: int | None) -> Text | None:
    """Where a thread is just now in the player's own code, if it is there."""
    frame = None if thread is None else sys._current_frames().get(thread)
    own = None if frame is None else _own_frame(traceback.extract_stack(frame))
    return None if own is None else _place(own)


def _advice(error: BaseException) -> Text:
    """What a beginner may not know about this error."""
    if isinstance(error, SystemExit):
        return Text(
            " (sys.exit() beendet den Spieler mitten im Spiel; gib stattdessen einen Zug zurück)",
            " (sys.exit() ends the player in mid-game; return a move instead)",
        )
    if isinstance(error, FrozenInstanceError):
        return Text(
            " (Stellungen und Züge kann man nicht ändern; state.play(move) gibt die neue Stellung zurück)",
            " (states and moves cannot be changed; state.play(move) returns the new state)",
        )
    return Text("", "")


def own_traceback(error: BaseException) -> str:
    """The traceback from where the player's own code begins."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next and trace.tb_frame.f_code.co_filename.startswith(_PACKAGE):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


async def _result(awaited: Any) -> Any:
    return await awaited


def ask(player: Any, state: Any, seconds: float | None = None) -> Any:
    """The move of ``player`` in a position, for tests and notebooks: no server is needed.

    ``player`` is what ``play`` takes. ``seconds`` is its time, by default that of the game; a player that is not back
    by then, that fails or answers with anything but a legal move raises ``PlayerFailed``, which says why.

    >>> from random import Random
    >>> from spielleiter import games
    >>> state = games.load(games.CURRENT_SEASON).new_state(Random(1))
    >>> ask(lambda state, seconds: state.legal_moves()[0], state) in state.legal_moves()
    True
    >>> ask(lambda state, seconds: None, state)
    Traceback (most recent call last):
    spielleiter.errors.PlayerFailed: choose() returned None; it must be a move, ...
    """
    runner = PlayerRunner(player)
    limit = games.game_of(state).limits.soft if seconds is None else seconds
    worker = _Worker(runner.answer_here)
    try:
        return worker.ask(Turn(state, time.monotonic(), limit, min(TimePolicy().margin, limit / 2)))
    except TimeoutError:
        place = worker.place()
        shown = f"{limit:g} s"
        raise PlayerFailed(
            f"choose() rechnet nach {_german(shown)} immer noch" + (f", in {place.de}" if place else ""),
            f"choose() is still thinking after {shown}" + (f", in {place.en}" if place else ""),
        ) from None


class _Overdue:
    """Says where ``choose`` is when its time is up: it may never return, and nothing else could tell then."""

    def __init__(self) -> None:
        self._turns: queue.SimpleQueue[tuple[Turn, int] | None] = queue.SimpleQueue()
        self._is_watching = False

    @contextmanager
    def watch(self, turn: Turn) -> Iterator[None]:
        """Watch the thread that calls, until the end of the block."""
        if not self._is_watching:
            self._is_watching = True
            threading.Thread(target=self._wait, name="overdue", daemon=True).start()
        self._turns.put((turn, threading.get_ident()))
        try:
            yield
        finally:
            self._turns.put(None)

    def _wait(self) -> None:
        while True:
            if (watched := self._turns.get()) is None:
                continue
            turn, thread = watched
            try:
                self._turns.get(timeout=max(0.0, turn.asked_at + turn.limit - time.monotonic()))
            except queue.Empty:
                if (place := _place_of(thread)) is not None:
                    limit = f"{turn.limit:g} s"
                    _say(
                        logging.ERROR,
                        f"choose() rechnet nach {_german(limit)} immer noch, in {place.de}",
                        f"choose() is still thinking after {limit}, in {place.en}",
                    )


class _Worker:
    """Thinks in a thread of its own, one position at a time; the caller waits until the last moment at most.

    A thread cannot be stopped. One that is late goes on with a position that is no longer wanted, and the next
    question waits for it. It is a daemon, so that it never keeps the process alive.
    """

    def __init__(self, choose: Chooser) -> None:
        self._choose = choose
        self._questions: queue.SimpleQueue[tuple[Turn, Context, queue.SimpleQueue[Any]]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._think, name="choose", daemon=True)
        self._thread.start()

    def place(self) -> Text | None:
        """Where it is just now in the player's own code, if it is there."""
        return _place_of(self._thread.ident)

    def ask(self, turn: Turn) -> Any:
        """The player's move. Raises ``TimeoutError`` at the last moment, and what the player raises."""
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._questions.put((turn, copy_context(), answers))
        try:
            move, error = answers.get(timeout=max(0.0, turn.last_moment - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if error is not None:
            raise error
        return move

    def _think(self) -> None:
        while True:
            turn, context, answers = self._questions.get()
            now = time.monotonic()
            if now >= turn.last_moment:
                continue  # Too late: this answer is no longer wanted.
            try:
                answers.put((context.run(self._choose, turn.state, turn.seconds(now)), None))
            except BaseException as error:  # noqa: BLE001 - goes to the caller
                answers.put((None, error))
