"""The rules of Blokus as an immutable position: who may lay what, when it ends, who has won.

R-numbers are those of RULES.md in this folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import cast

from spielleiter.backports import Self
from spielleiter.errors import IllegalMove
from spielleiter.game import (
    TEAMS,
    End,
    Outcome,
    SelfDrawing,
    Team,
    Text,
    Violation,
    require_move,
    require_random,
    victory_points,
)
from spielleiter.games.blokus.board import BORDER, CORNERS, MASKS, SIDE, STRIDE, reach
from spielleiter.games.blokus.moves import PASSES, Move, Pass, Place, has_placement, placements
from spielleiter.games.blokus.shapes import COLORS, KINDS, PENTOMINOES, Color, Shape

Four = tuple[int, int, int, int]
"""A number for each colour."""

FULL_HAND = (1 << len(KINDS)) - 1
ALL_IN = (1 << len(COLORS)) - 1
_LETTERS = str.maketrans("01234", "." + "".join(color.letter for color in COLORS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One rule set: its key and all in which rule sets differ."""

    key: str
    year: int
    official: bool
    start_on_border: bool
    """The first piece may lie anywhere on the border, not only in a corner (R7)."""
    start_kinds: tuple[Shape, ...]
    """The shapes of which one is drawn as the first piece (R6)."""
    rounds: int
    """The most rounds that are played (R16)."""
    ends_when_finished: bool
    """The game ends with the round in which a colour lays its last piece (R15)."""

    @property
    def max_turn(self) -> int:
        """The greatest turn (R13, R16): colours that are out may be skipped after the last round."""
        return 4 * self.rounds + 3

    @property
    def wire_name(self) -> str:
        """The ``gameType`` of the protocol."""
        return f"swc_{self.year}_blokus"

    @property
    def start_squares(self) -> int:
        """The squares of which a colour's first piece covers at least one."""
        return BORDER if self.start_on_border else CORNERS

    def __hash__(self) -> int:
        return hash(self.key)


def _rules(year: int, *, official: bool) -> Rules:
    """The rule set of a season, by its document or as its server refereed."""
    in_corner = tuple(kind for kind in PENTOMINOES if kind is not Shape.PENTO_X)
    return Rules(
        key=f"blokus-{year}-official" if official else f"blokus-{year}",
        year=year,
        official=official,
        start_on_border=year >= 2027,
        start_kinds=in_corner if year == 2021 else PENTOMINOES,
        rounds=24 if official and year == 2027 else 25,
        ends_when_finished=not official,
    )


RULE_SETS = tuple(_rules(year, official=official) for year in (2021, 2027) for official in (False, True))


class BlokusViolation(Violation):
    """A rule of Blokus that a move breaks."""

    GAME_OVER = Text("das Spiel ist zu Ende", "the game is over")
    WRONG_COLOR = Text("diese Farbe ist nicht am Zug", "it is not this colour's turn")
    PASS_FIRST = Text("der erste Zug einer Farbe darf kein Passen sein", "a colour must not pass as its first move")
    NOT_START_SHAPE = Text(
        "der erste Stein muss die vorgegebene Form haben", "the first piece must have the given shape"
    )
    ALREADY_LAID = Text("dieser Stein liegt schon", "this piece has been laid already")
    OFF_BOARD = Text("der Stein ragt über das Spielfeld hinaus", "the piece is not wholly on the board")
    OVERLAP = Text("der Stein verdeckt ein belegtes Feld", "the piece covers an occupied square")
    NOT_IN_CORNER = Text("der erste Stein muss ein Eckfeld belegen", "the first piece must cover a corner of the board")
    NOT_ON_BORDER = Text("der erste Stein muss den Rand berühren", "the first piece must touch the border of the board")
    TOUCHES_EDGE = Text(
        "der Stein liegt Kante an Kante mit der eigenen Farbe", "the piece shares an edge with its own colour"
    )
    NO_CORNER = Text("der Stein berührt keine Ecke der eigenen Farbe", "the piece touches no corner of its own colour")


class BlokusEnd(End):
    """A way in which a game of Blokus ends."""

    NO_MOVES = Text("keine Farbe kann mehr legen", "no colour can lay another piece")
    FINISHED = Text("eine Farbe hat alle Steine gelegt", "a colour has laid all its pieces")
    ROUNDS = Text("die letzte Runde ist gespielt", "the last round has been played")

    @property
    def is_by_points(self) -> bool:
        """However it ends, more points win (R20)."""
        return True


@dataclass(frozen=True, slots=True)
class State(SelfDrawing):
    """A position of Blokus. Unless the game is over, the colour to move is in and can lay a piece (R13).

    It never changes: ``play`` gives a new one.

    >>> from random import Random
    >>> from spielleiter import games
    >>> state = games.load("blokus-2027").new_state(Random(7))
    >>> state.to_move.name, state.color.name, len(state.legal_moves()) > 100
    ('ONE', 'BLUE', True)
    >>> after = state.play(state.legal_moves()[0])
    >>> after.color.name, after.color_points(state.color), after.team_points(state.to_move)
    ('YELLOW', 5, 5)
    >>> len(state.kinds_left(state.color)), len(after.kinds_left(state.color))
    (21, 20)
    >>> after.outcome is None, state.occupied, after.occupied.bit_count()
    (True, 0, 5)
    """

    rules: Rules
    start: Shape
    """The shape of every colour's first piece (R6)."""
    boards: Four
    """For each colour the squares that it covers (see ``board``)."""
    hands: Four
    """For each colour the kinds that it still has, as bits ``1 << kind``."""
    turn: int
    """Counts colours, skipped ones too (R5)."""
    still_in: int
    """The colours that have not gone out, as bits ``1 << color`` (R13)."""
    mono: int
    """The colours that have laid all pieces and the monomino last, as bits ``1 << color`` (R19)."""
    last_move: Move | None = field(default=None, compare=False)
    _moves: tuple[Move, ...] | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def begin(cls, rules: Rules, start: Shape) -> Self:
        """The position before the first move of a game in which ``start`` was drawn."""
        empty, full = (0, 0, 0, 0), (FULL_HAND, FULL_HAND, FULL_HAND, FULL_HAND)
        turn, still_in = _next_turn(rules, start, empty, full, -1, ALL_IN)
        return cls(rules, start, empty, full, turn, still_in, 0)

    @classmethod
    def draw_start(cls, rules: Rules, rng: Random) -> Self:
        """The position before the first move of a game whose start shape ``rng`` draws (R6)."""
        require_random(rng)
        return cls.begin(rules, rng.choice(rules.start_kinds))

    # --- who moves, and what is on the board ---

    @property
    def color(self) -> Color:
        """The colour whose turn it is (R5)."""
        return COLORS[self.turn & 3]

    @property
    def to_move(self) -> Team:
        """The team of the colour whose turn it is."""
        return TEAMS[self.turn & 1]

    @property
    def round(self) -> int:
        """The round, counted from 1 (R5)."""
        return 1 + self.turn // 4

    @property
    def occupied(self) -> int:
        """The covered squares of all colours."""
        blue, yellow, red, green = self.boards
        return blue | yellow | red | green

    @property
    def colors_in(self) -> tuple[Color, ...]:
        """The colours that have not gone out (R13)."""
        return tuple(color for color in COLORS if self.still_in >> color & 1)

    def kinds_left(self, color: Color) -> tuple[Shape, ...]:
        """The kinds that ``color`` has not laid yet."""
        return tuple(kind for kind in KINDS if self.hands[color] >> kind & 1)

    def color_at(self, x: int, y: int) -> Color | None:
        """The colour that covers the square x, y of the board, or ``None``."""
        place = STRIDE * y + x
        return next((color for color in COLORS if self.boards[color] >> place & 1), None)

    def rows(self) -> list[str]:
        """The twenty rows from the top, for each square the letter of its colour or a dot."""
        # A board's binary digits read as hexadecimal ones give each square a digit of its own.
        digits = sum((color + 1) * int(f"{self.boards[color]:b}", 16) for color in COLORS)
        letters = f"{digits:0{STRIDE * SIDE}x}"[::-1].translate(_LETTERS)
        return [letters[start : start + SIDE] for start in range(0, STRIDE * SIDE, STRIDE)]

    # --- the end ---

    def _end(self) -> BlokusEnd | None:
        """Why the game is over, or ``None`` while it runs."""
        if not self.still_in:
            return BlokusEnd.NO_MOVES  # R14
        if 0 in self.hands and self.rules.ends_when_finished and self._finished_before_this_round():
            return BlokusEnd.FINISHED  # R15
        if self.turn >= 4 * self.rules.rounds:
            return BlokusEnd.ROUNDS  # R16
        return None

    def _finished_before_this_round(self) -> bool:
        """Whether a colour laid its last piece in an earlier round: it has not moved in this one, or it is out."""
        return any(
            not hand and (color >= self.turn & 3 or not self.still_in >> color & 1)
            for color, hand in enumerate(self.hands)
        )

    @property
    def outcome(self) -> Outcome | None:
        end = self._end()
        if end is None:
            return None
        lead = self.team_points(Team.ONE) - self.team_points(Team.TWO)
        return Outcome(None if lead == 0 else Team.ONE if lead > 0 else Team.TWO, end)  # R20

    def color_points(self, color: Color) -> int:
        """The points of one colour: its squares, 15 for laying all pieces, 5 for the monomino last (R17-R19)."""
        points = self.boards[color].bit_count()
        if not self.hands[color]:
            points += 20 if self.mono >> color & 1 else 15
        return points

    def team_points(self, team: Team) -> int:
        """The points of a team's two colours together (R20)."""
        return self.color_points(COLORS[team]) + self.color_points(COLORS[team + 2])

    def points(self, team: Team) -> tuple[int, ...]:
        """Victory points and points."""
        return victory_points(self.outcome, team), self.team_points(team)

    # --- moves ---

    def legal_moves(self) -> tuple[Move, ...]:
        """All placements, then the pass where it is allowed; empty exactly when the game is over."""
        moves = self._moves
        if moves is None:
            moves = () if self._end() is not None else self._find_moves()
            object.__setattr__(self, "_moves", moves)
        return moves

    def _find_moves(self) -> tuple[Move, ...]:
        color = self.turn & 3
        own = self.boards[color]
        free, corners = reach(own, self.occupied, self.rules.start_squares)
        if not own:
            return tuple(placements(color, 1 << self.start, free, corners))
        return *placements(color, self.hands[color], free, corners), PASSES[color]  # R12

    def placements(self) -> tuple[Place, ...]:
        """The legal moves without the pass."""
        moves = self.legal_moves()
        if moves and isinstance(moves[-1], Pass):
            moves = moves[:-1]
        return cast("tuple[Place, ...]", moves)

    def violation(self, move: Move) -> BlokusViolation | None:
        if self._end() is not None:
            return BlokusViolation.GAME_OVER
        color = self.color
        if move.color != color:
            return BlokusViolation.WRONG_COLOR  # R5
        first = not self.boards[color]
        if isinstance(move, Pass):
            return BlokusViolation.PASS_FIRST if first else None  # R12
        if first and move.kind != self.start:
            return BlokusViolation.NOT_START_SHAPE  # R6
        if not self.hands[color] >> move.kind & 1:
            return BlokusViolation.ALREADY_LAID  # R3
        if not move.on_board:
            return BlokusViolation.OFF_BOARD  # R8
        return self._place_violation(move.squares)

    def _place_violation(self, squares: int) -> BlokusViolation | None:
        """The rule that a piece on ``squares`` of the board breaks by where it lies."""
        occupied, own = self.occupied, self.boards[self.turn & 3]
        if squares & occupied:
            return BlokusViolation.OVERLAP  # R8
        free, corners = reach(own, occupied, self.rules.start_squares)
        if squares & ~free:
            return BlokusViolation.TOUCHES_EDGE  # R9
        if squares & corners:
            return None
        if own:
            return BlokusViolation.NO_CORNER  # R10
        return BlokusViolation.NOT_ON_BORDER if self.rules.start_on_border else BlokusViolation.NOT_IN_CORNER  # R7

    def play(self, move: Move) -> Self:
        """The position after ``move``. Raises ``IllegalMove``; this position stays as it is."""
        require_move(move, Move)
        if (reason := self.violation(move)) is not None:
            raise IllegalMove(reason, move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Self:
        """The position after a legal ``move``."""
        color = self.turn & 3
        boards, hands, mono = self.boards, self.hands, self.mono
        if isinstance(move, Place):
            hand = hands[color] ^ 1 << move.kind
            boards = _changed(boards, color, boards[color] | MASKS[move.orientation] << STRIDE * move.y + move.x)
            hands = _changed(hands, color, hand)
            if not hand and move.kind == Shape.MONO:
                mono |= 1 << color  # R19
        turn, still_in = _next_turn(self.rules, self.start, boards, hands, self.turn, self.still_in)
        return type(self)(self.rules, self.start, boards, hands, turn, still_in, mono, move)


def _changed(four: Four, color: int, value: int) -> Four:
    """``four`` with another number for ``color``."""
    numbers = list(four)
    numbers[color] = value
    blue, yellow, red, green = numbers
    return blue, yellow, red, green


def can_lay(rules: Rules, start: Shape, boards: Four, hands: Four, color: int) -> bool:
    """Whether ``color`` could lay a piece if it were its turn."""
    own = boards[color]
    free, corners = reach(own, boards[0] | boards[1] | boards[2] | boards[3], rules.start_squares)
    return has_placement(hands[color] if own else 1 << start, free, corners)


def _next_turn(rules: Rules, start: Shape, boards: Four, hands: Four, turn: int, still_in: int) -> tuple[int, int]:
    """The next turn whose colour can lay a piece, and the colours still in then (R13).

    A colour that cannot when its turn comes goes out; when the last one goes out, the turn stays there.
    """
    while still_in:
        turn += 1
        color = turn & 3
        if still_in >> color & 1:
            if can_lay(rules, start, boards, hands, color):
                break
            still_in ^= 1 << color
    return turn, still_in
