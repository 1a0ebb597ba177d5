"""The contract of a season: all that the rest of the system knows about one game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import tanh
from random import Random
from typing import Any, Generic, Literal, Protocol

from spielleiter.game.board_input import BoardInput, Setup
from spielleiter.game.codec import Codec
from spielleiter.game.commentary import Commentary
from spielleiter.game.drawing import DrawText, Look
from spielleiter.game.encoding import Encoding, Mirror
from spielleiter.game.lesson import Lesson
from spielleiter.game.levels import USUAL_LIMITS, Limit
from spielleiter.game.outcome import Team
from spielleiter.game.result import Ranking
from spielleiter.game.state import GameState, MoveT, MoveT_co, StateT
from spielleiter.game.timing import Limits
from spielleiter.text import Text


class Notation(Protocol[StateT, MoveT]):
    """One-line texts for positions and moves that people can read, type and mail.

    Reading validates, and raises ``NotationError`` with the place and what was expected there.
    A position's text starts with the key of its game. Moves are written in a position,
    because how people name a move may depend on the board.
    """

    def format_state(self, state: StateT) -> str:
        """The position as one line."""

    def parse_state(self, text: str) -> StateT:
        """The position that ``text`` describes."""

    def format_move(self, state: StateT, move: MoveT) -> str:
        """The move as people write it; also for illegal moves."""

    def parse_move(self, state: StateT, text: str) -> MoveT:
        """The move that ``text`` names, legal or not."""


class Recordings(Protocol[StateT, MoveT_co]):
    """How the recordings of the reference servers write this game (see ``records.reference``)."""

    def start(self, game: Mapping[str, Any]) -> StateT:
        """The first position of a recorded game."""

    def move(self, state: StateT, text: str) -> MoveT_co:
        """The move that the recording names."""

    def canonical_moves(self, state: StateT) -> list[str]:
        """The legal moves as the recordings hash them, in any order."""

    def end(self, state: StateT) -> dict[str, Any]:
        """What the recordings say about the last position, with their keys."""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a score: how the wire names it, how a table sums it up."""

    name: str
    text: Text
    aggregation: Literal["SUM", "AVERAGE"]
    ranking: bool = True
    single: Text | None = None
    """What a single one is called, where that differs from ``text``."""


TeamColors = tuple[tuple[str, str], ...]
"""The colours of a team's pieces, one or two, each in its light and its dark value: ``(("#1c60a6", "#2f74bd"),)``."""


def by_points(state: GameState[Any], team: Team) -> float:
    """The evaluation of a game that has none of its own: who leads by the points beside the victory points."""
    own, other = state.points(team)[1:], state.points(team.opponent)[1:]
    return tanh((sum(own) - sum(other)) / 10)


def all_moves(state: GameState[MoveT]) -> Sequence[MoveT]:
    """The promising moves of a game that does not tell them apart."""
    return state.legal_moves()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[StateT, MoveT]):
    """One rule set of one season, with everything around the rules that belongs to it."""

    key: str
    """Our name of the rule set: family and year, ``piranhas-2026``, and ``-official`` behind them if it is that."""
    wire_name: str
    """The ``gameType`` of the protocol: ``swc_2026_piranhas``."""
    year: int
    """The season, named by the year of its final."""
    title: Text
    teams: tuple[Text, Text]
    """What people call the two sides."""
    new_state: Callable[[Random], StateT]
    """A start position; the only chance in a game."""
    notation: Notation[StateT, MoveT]
    recordings: Recordings[StateT, MoveT]
    scores: tuple[ScorePart, ...]
    draw: Callable[[StateT, Look], str]
    """The position as an SVG picture."""
    draw_text: DrawText[StateT]
    """The position for a terminal, with colours or without, and a line about it."""
    garbage_move: Callable[[Random], MoveT]
    """A move out of thin air, on the board or not, for the laws of ``game.conformance``."""
    codec: Codec[StateT, MoveT]
    """Moves and states on the wire, and the dialect of the season."""
    encoding: Encoding[StateT, MoveT]
    """Positions and moves as numbers, for programs that learn."""
    mirrors: tuple[Mirror, ...] = ()
    """The mirrors in which its rules stay the same, as the encoding sees the board."""
    official: bool = False
    """Whether this is the rule set as the season's server refereed, not as the document says."""
    ranking: Ranking | None = None
    """How its standings rank, if not as usual (see ``default_ranking``)."""
    limits: Limits = field(default_factory=Limits)
    max_turn: int | None = None
    """The greatest turn of any position, and so the maximum length of a game; ``None`` if unknown."""
    counted_moves: Callable[[StateT], Sequence[MoveT]] | None = None
    """The moves that perft counts, where they are not simply the legal ones."""
    live_scores: Callable[[StateT, Team], Sequence[tuple[Text, int]]] | None = None
    """What people compare while they play, with names; without it the points of the table.

    A name is what follows the number (``Punkte``), or says by ``{}`` where it belongs (``Reihe {}``).
    """
    board_input: BoardInput[StateT, MoveT] | None = None
    """How people play the game on a page; without it a game can only be watched."""
    setup: Setup | None = None
    """How people set up a position by hand; without it they type its notation."""
    commentary: Commentary[StateT, MoveT] | None = None
    """What a commentator says by the rules alone; without it only what the engine sees is said."""
    lesson: Callable[[], Lesson[StateT, MoveT]] | None = None
    """The rules for people, with pictures and exercises; the laws ask for it, but a game can be played without it."""
    evaluate: Callable[[StateT, Team], float] = by_points
    """How good a running game looks for a team, from -1 to 1, the opponent's value with the other sign.

    The value is like an expected result: 0 is even, 1 as good as won. A search knows finished games better, and
    values them by their outcome.
    """
    promising_moves: Callable[[StateT], Sequence[MoveT]] = all_moves
    """The legal moves worth a look, the best first, at least one while the game runs."""
    points_per_log_odds: float | None = None
    """The expected lead at the end, in points of the first score behind the victory points, of a position that the
    engine rates at one unit of log odds, as measured (docs/coach.md); ``None``: the winning chance alone
    judges moves."""
    noisy_moves: Callable[[StateT], Sequence[MoveT]] | None = None
    """The legal moves that change a position so much that ``evaluate`` should wait for them, such as captures."""
    tree_search: bool = False
    """Whether the strongest players search it by Monte Carlo tree search instead of alpha-beta."""
    level_limits: tuple[Limit, ...] = USUAL_LIMITS
    """How the eight levels of the computer are limited, the weakest first."""
    level_ratings: tuple[int, ...] = ()
    """The Elo of the eight levels, measured by ``bench.levels``; empty until then. The strongest has 2000."""
    team_colors: tuple[TeamColors, TeamColors] | None = None
    """The colours in which pages show the two sides; by default the first is red and the second blue."""

    def __str__(self) -> str:
        return self.key

    @property
    def family(self) -> str:
        """The name of the game without its season: that of its folder, with hyphens."""
        return self.key.partition(f"-{self.year}")[0]

    @property
    def default_ranking(self) -> Ranking:
        """How the standings of a season rank if its file does not say."""
        return self.ranking or Ranking.usual(official=self.official)

    @property
    def secondary(self) -> Text | None:
        """What the secondary score is called, whose average is a criterion of the standings; ``None`` without one."""
        return self.scores[1].text if len(self.scores) > 1 else None

    def team_name(self, team: Team) -> Text:
        """What people call ``team`` in this game."""
        return self.teams[team]

    def move_text(self, state: StateT, move: MoveT) -> Text:
        """The move as people say it; its notation where there are no words for it."""
        if self.board_input is not None:
            return self.board_input.move_text(state, move)
        notation = self.notation.format_move(state, move)
        return Text(notation, notation)

    def color_to_move(self, state: StateT) -> Text:
        """The colour whose turn it is; in some games a team has two."""
        own = None if self.board_input is None else self.board_input.color_to_move(state)
        return own or self.team_name(state.to_move)


AnyGame = Game[Any, Any]
