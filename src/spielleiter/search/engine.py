"""The interface of the native engine: ``spielleiter._engine`` with the games' own states and moves.

The engine is optional. ``why_unavailable()`` says why it is not there; making a ``EngineSearch`` without it raises
``EngineMissing`` with the same text. In a browser, which has no extension modules, ``connect`` brings another engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf, log
from typing import Generic, Protocol

from spielleiter import __version__
from spielleiter.errors import EngineMissing, GameIsOver
from spielleiter.game import Game, MoveT, StateT, Team, Text
from spielleiter.search.budget import Budget
from spielleiter.search.result import WIN, SearchResult

_FoundLine = tuple[list[str], int, float]
Answer = tuple[list[_FoundLine], int, int, float]
"""What an engine returns: lines, depth, nodes, seconds."""


class Searcher(Protocol):
    """Searches positions of any game, and remembers what it has seen."""

    def search(
        self,
        position: str,
        /,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        threads: int = 1,
        lines: int = 1,
        tree: bool = False,
        points: bool = False,
        watch: Callable[[Answer | None], object] | None = None,
    ) -> Answer: ...


class Engine(Protocol):
    """What players need of an engine: the extension module has it, and so does ``search.browser``."""

    @property
    def VERSION(self) -> str: ...  # noqa: N802 - a constant of a module
    @property
    def FEATURES(self) -> tuple[str, ...]: ...  # noqa: N802
    @property
    def RULE_SETS(self) -> tuple[str, ...]: ...  # noqa: N802
    def Searcher(self, table_mib: int = 64, /) -> Searcher: ...  # noqa: N802 - a class in the module
    def legal_moves(self, position: str, /) -> list[str]: ...


def _other_version(engine: Engine) -> str | None:
    if __version__ == engine.VERSION:
        return None
    return f"found {engine.VERSION}, needed {__version__}: make, or install again"


_PROBLEM: str | None = None
"""Why the extension module cannot be used."""
try:
    from spielleiter import _engine
except ImportError as error:
    _PROBLEM = str(error)
else:
    _PROBLEM = _other_version(_engine)

_connected: list[Engine] = []
"""The engine that is used instead of the extension module, if there is one."""


def connect(engine: Engine) -> None:
    """Use this engine from now on. Raises ``EngineMissing`` if it is of another version."""
    if (problem := _other_version(engine)) is not None:
        raise EngineMissing(
            f"Die Engine passt nicht zu diesem Paket ({problem}).", f"The engine does not fit this package ({problem})."
        )
    _connected[:] = [engine]


def disconnect() -> None:
    """Use the extension module again, if there is one."""
    _connected.clear()


def why_unavailable(key: str | None = None) -> Text | None:
    """Why no engine can be used (for the rule set ``key``), or ``None`` if there is one."""
    return _why_unknown(_connected[0], key) if _connected else why_not_built(key)


def why_not_built(key: str | None = None) -> Text | None:
    """Why the extension module cannot be used (for the rule set ``key``), or ``None`` if it can."""
    if _PROBLEM is not None:
        return Text(
            f"Die schnelle Engine ist nicht gebaut ({_PROBLEM}); die Suche in Python springt ein. "
            "Mit einem Rust-Compiler wird sie bei der Installation gebaut.",
            f"The native engine is not built ({_PROBLEM}); the search in Python takes its place. "
            "With a Rust compiler, installing the package builds it.",
        )
    return _why_unknown(_engine, key)


def _why_unknown(engine: Engine, key: str | None) -> Text | None:
    if key is not None and key not in engine.RULE_SETS:
        return Text(
            f"Die schnelle Engine kennt {key} nicht; die Suche in Python springt ein.",
            f"The native engine does not know {key}; the search in Python takes its place.",
        )
    return None


def _in_use() -> Engine | None:
    if _connected:
        return _connected[0]
    return None if _PROBLEM is not None else _engine


def version() -> str | None:
    """The version of the engine, or ``None`` if it is not there."""
    return None if (engine := _in_use()) is None else engine.VERSION


def features() -> tuple[str, ...]:
    """The architecture and the instructions that the engine was built for; none if it is not there."""
    return () if (engine := _in_use()) is None else engine.FEATURES


def rule_sets() -> tuple[str, ...]:
    """The rule sets that the engine knows; none if it is not there."""
    return () if (engine := _in_use()) is None else engine.RULE_SETS


def _needed(key: str | None = None) -> Engine:
    """The engine. Raises ``EngineMissing`` where there is none (for the rule set ``key``)."""
    if (problem := why_unavailable(key)) is not None:
        raise EngineMissing(problem.de, problem.en)
    engine = _in_use()
    assert engine is not None
    return engine


class Memory:
    """What searches remember of positions that they have seen: a table of fixed size, and the tree of the last one."""

    def __init__(self, mebibytes: int) -> None:
        """Allocate ``mebibytes``. Raises ``MemoryError`` where they do not fit."""
        self.searcher = _needed().Searcher(mebibytes)


_ENGINE_WIN = 30_000
"""The engine's score of a game won now; a win in n moves is n less."""
_PROVEN = 29_000
"""Scores from here on are ends that the engine has seen."""
_LEAST_DOUBT = 1e-9
"""What is not proven is at least this far from certain, however overwhelming the odds: floats would round it away."""
_THREE_TO_ONE = 200
"""The engine's score of a position that wins three games of four: ``SCALE`` of all its games."""


@dataclass(frozen=True, slots=True)
class Line(Generic[MoveT]):
    """Moves that both sides are expected to play, and what they are worth to the side that begins."""

    moves: tuple[MoveT, ...]
    score: int
    """Score in the engine's own units."""
    win_probability: float
    """0 or 1 exactly if the end is proven."""

    @property
    def log_odds(self) -> float | None:
        """The logarithm of the odds to win, also where these are overwhelming; ``None`` if the end is proven."""
        return self.score * log(3) / _THREE_TO_ONE if 0 < self.win_probability < 1 else None


@dataclass(frozen=True, slots=True)
class Analysis(SearchResult[MoveT]):
    """What the engine found: a ``SearchResult``, and all the lines that were asked for, the best first."""

    lines: tuple[Line[MoveT], ...]

    @property
    def has_value(self) -> bool:
        """Whether any move was looked at; if not, the lines are just legal moves, and their scores are void."""
        return self.depth > 0

    @property
    def win_probability(self) -> float | None:
        """The chance of the side to move to win, from 0 to 1; ``None`` without a value."""
        return self.lines[0].win_probability if self.has_value else None


class EngineSearch(Generic[StateT, MoveT]):
    """Rules and search of one game at native speed; remembers from search to search what it has seen."""

    def __init__(
        self,
        game: Game[StateT, MoveT],
        *,
        table_mib: int = 64,
        threads: int = 1,
        memory: Memory | None = None,
        tree: bool = False,
        points: bool = False,
    ) -> None:
        """Search ``game`` with this number of ``threads``, and with ``memory`` or a table of its own.

        With ``tree`` by Monte-Carlo tree search with one thread, except where a depth is asked for: only alpha-beta
        knows one. Of the tree, which may take as much memory as the table, the part below the position of the next
        search is kept. With ``points``, a tree search of one line does not end when the result is proven: among the
        moves that keep it, it looks for the one with the largest lead in points, until that is known or the budget is
        used up.
        """
        self._engine = _needed(game.key)
        self._game = game
        self._threads = threads
        self._tree = tree
        self._points = points
        self._searcher = (memory or Memory(table_mib)).searcher

    def search(
        self,
        state: StateT,
        budget: Budget,
        *,
        lines: int = 1,
        watch: Callable[[Analysis[MoveT] | None], bool] | None = None,
    ) -> Analysis[MoveT]:
        """The best move and up to ``lines`` best lines, found within ``budget``.

        ``watch`` is called every 20 ms with what is new since, or ``None``; the search stops when it returns true.
        Raises ``GameIsOver`` where there is no move. Ctrl-C raises ``KeyboardInterrupt`` within some 20 ms.
        """

        def tell(news: Answer | None) -> bool:
            assert watch is not None
            return watch(None if news is None else self._analysis(state, *news))

        search = self._searcher.search if watch is None else partial(self._searcher.search, watch=tell)
        answer = search(
            self._text(state),
            seconds=None if budget.seconds == inf else budget.seconds,
            nodes=_whole(budget.nodes),
            depth=_whole(budget.depth),
            threads=self._threads,
            lines=lines,
            tree=self._tree and budget.depth == inf,
            points=self._points,
        )
        if not answer[0]:
            raise GameIsOver("the game is over, there is no move to find")
        return self._analysis(state, *answer)

    def legal_moves(self, state: StateT) -> tuple[MoveT, ...]:
        """All legal moves, in the order of the engine."""
        parse = self._game.notation.parse_move
        return tuple(parse(state, text) for text in self._engine.legal_moves(self._text(state)))

    def perft(self, state: StateT, depth: int) -> int:
        """The number of move sequences of length ``depth``."""
        self._need_extension()
        return _engine.perft(self._text(state), depth)

    def playout(self, state: StateT, seed: int) -> tuple[Team | None, tuple[int, ...], tuple[int, ...]]:
        """The winner and the points of both teams after one random game."""
        self._need_extension()
        winner, one, two = _engine.playout(self._text(state), seed)
        return None if winner is None else Team(winner), tuple(one), tuple(two)

    def playouts(self, state: StateT, number: int, seed: int = 1) -> tuple[int, int, int]:
        """How many of ``number`` random games ONE has won, were drawn, TWO has won."""
        self._need_extension()
        return _engine.playouts(self._text(state), number, seed)

    def _need_extension(self) -> None:
        """Raise ``EngineMissing`` in a browser: only the extension module counts, and plays at random."""
        if (problem := why_not_built(self._game.key)) is not None:
            raise EngineMissing(problem.de, problem.en)

    def _text(self, state: StateT) -> str:
        return self._game.notation.format_state(state)

    def _analysis(
        self, state: StateT, found: list[_FoundLine], depth: int, nodes: int, seconds: float
    ) -> Analysis[MoveT]:
        lines = sorted((self._line(state, *line) for line in found), key=lambda line: -line.score)
        best = lines[0]
        return Analysis(best.moves[0], _value(best), depth, nodes, seconds, best.moves, tuple(lines))

    def _line(self, state: StateT, texts: list[str], score: int, win_probability: float) -> Line[MoveT]:
        moves: list[MoveT] = []
        for text in texts:
            move = self._game.notation.parse_move(state, text)
            moves.append(move)
            state = state.play_unchecked(move)
        if abs(score) < _PROVEN:
            win_probability = min(1 - _LEAST_DOUBT, max(_LEAST_DOUBT, win_probability))
        return Line(tuple(moves), score, win_probability)


def _whole(limit: float) -> int | None:
    return None if limit == inf else max(0, int(limit))


def _value(line: Line[MoveT]) -> float:
    """The score of a line as the searches in Python give it: within -1 and 1, or around ``WIN`` where all is clear."""
    if 0.0 < line.win_probability < 1.0:
        return 2.0 * line.win_probability - 1.0
    moves_to_go = _ENGINE_WIN - abs(line.score)
    return WIN - moves_to_go if line.score > 0 else moves_to_go - WIN
