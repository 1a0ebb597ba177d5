"""The rules of Ostseeschach: an immutable position on 64-bit boards (R-numbers: RULES.md beside this file).

Laws: every occupied square lies in exactly one team's board and in exactly one kind's board; ``towers`` is a subset of
the occupied squares; no light piece stands on the opponent's start line. A square never holds more than two pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from spielleiter.errors import IllegalMove
from spielleiter.game import (
    End,
    Outcome,
    SelfDrawing,
    Square,
    Team,
    Text,
    Violation,
    require_move,
    require_random,
    victory_points,
)
from spielleiter.games.ostseeschach.moves import HOME_LINE, REACH, SIZE, SQUARES, Move, Piece, PieceKind, bit_of

AMBERS_TO_END = 2
"""Ambers with which a team ends the game (R17)."""

TURN_LIMIT = 60
"""Moves of a game at most: thirty rounds of two (R18)."""

LINE = (1 << SIZE) - 1
"""The squares of the line x = 0."""

GOAL = tuple(LINE << SIZE * HOME_LINE[1 - team] for team in Team)
"""For each team the line where its light pieces win an amber (R13)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set of the season. The document and the server agree here: nothing but the key differs."""

    key: str
    official: bool
    year: int = 2022
    wire_name: str = "swc_2022_ostseeschach"


OSTSEESCHACH_2022 = Rules("ostseeschach-2022", official=False)
OSTSEESCHACH_2022_OFFICIAL = Rules("ostseeschach-2022-official", official=True)
RULE_SETS = (OSTSEESCHACH_2022, OSTSEESCHACH_2022_OFFICIAL)


class OstseeschachViolation(Violation):
    """The rules that a move can break."""

    GAME_OVER = Text("Das Spiel ist schon zu Ende.", "The game is already over.")
    OFF_BOARD = Text("Das Startfeld liegt nicht auf dem Spielfeld.", "The starting square is not on the board.")
    NO_PIECE = Text("Auf dem Startfeld steht keine Figur.", "There is no piece on the starting square.")
    NOT_YOUR_PIECE = Text("Die Figur gehört dem Gegner.", "The piece belongs to the opponent.")
    TARGET_OFF_BOARD = Text("Das Zielfeld liegt nicht auf dem Spielfeld.", "The target square is not on the board.")
    HERZMUSCHEL_STEP = Text(
        "Eine Herzmuschel zieht ein Feld schräg nach vorne.", "A cockle moves one square diagonally forward."
    )
    MOEWE_STEP = Text(
        "Eine Möwe zieht ein Feld waagerecht oder senkrecht.", "A gull moves one square along its line or file."
    )
    SEESTERN_STEP = Text(
        "Ein Seestern zieht ein Feld nach vorne oder schräg.", "A starfish moves one square forward or diagonally."
    )
    ROBBE_STEP = Text("Eine Robbe springt wie ein Springer im Schach.", "A seal jumps like a knight in chess.")
    OWN_PIECE_ON_TARGET = Text("Auf dem Zielfeld steht eine eigene Figur.", "An own piece is on the target square.")


_WRONG_STEP = (
    OstseeschachViolation.HERZMUSCHEL_STEP,
    OstseeschachViolation.MOEWE_STEP,
    OstseeschachViolation.SEESTERN_STEP,
    OstseeschachViolation.ROBBE_STEP,
)


class OstseeschachEnd(End):
    """The ways in which a game ends: what stopped it, and what decided it then."""

    AMBERS_MORE = Text(
        "zwei Bernsteine erreicht und mehr als der Gegner", "two pieces of amber reached, and more than the opponent"
    )
    AMBERS_FARTHER = Text(
        "gleich viele Bernsteine, aber Leichtfiguren weiter vorne",
        "equally many pieces of amber, but light pieces farther ahead",
    )
    AMBERS_EQUAL = Text(
        "gleich viele Bernsteine und Leichtfiguren gleichauf", "equally many pieces of amber and light pieces level"
    )
    ROUNDS_MORE = Text("mehr Bernsteine nach 30 Runden", "more pieces of amber after 30 rounds")
    ROUNDS_FARTHER = Text(
        "nach 30 Runden gleich viele Bernsteine, aber Leichtfiguren weiter vorne",
        "equally many pieces of amber after 30 rounds, but light pieces farther ahead",
    )
    ROUNDS_EQUAL = Text(
        "nach 30 Runden gleich viele Bernsteine und Leichtfiguren gleichauf",
        "equally many pieces of amber and light pieces level after 30 rounds",
    )
    NO_MOVE = Text("der Gegner hat keinen gültigen Zug", "the opponent has no legal move")


_Ends = tuple[OstseeschachEnd, OstseeschachEnd, OstseeschachEnd]
_AFTER_AMBERS: _Ends = (OstseeschachEnd.AMBERS_MORE, OstseeschachEnd.AMBERS_FARTHER, OstseeschachEnd.AMBERS_EQUAL)
_AFTER_ROUNDS: _Ends = (OstseeschachEnd.ROUNDS_MORE, OstseeschachEnd.ROUNDS_FARTHER, OstseeschachEnd.ROUNDS_EQUAL)


@dataclass(frozen=True, slots=True)
class State(SelfDrawing):
    """One position of Ostseeschach."""

    rules: Rules
    turn: int
    """Moves played so far; ONE moves when it is even (R5)."""
    one: int
    """The squares of ONE's pieces and towers."""
    two: int
    """The squares of TWO's pieces and towers."""
    herzmuscheln: int
    """The squares with a Herzmuschel on top, of either team."""
    moewen: int
    seesterne: int
    robben: int
    towers: int
    """The squares where two pieces lie upon each other (R11)."""
    ambers_one: int
    ambers_two: int
    last_move: Move | None = field(default=None, compare=False)
    _moves: tuple[Move, ...] | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def of(
        cls, rules: Rules, turn: int, pieces: Iterable[tuple[Square, Piece]], ambers: tuple[int, int] = (0, 0)
    ) -> State:
        """The position with these pieces, which the caller answers for (``notation`` and ``recordings`` validate)."""
        boards, towers = [0] * 6, 0
        for square, piece in pieces:
            bit = bit_of(square)
            boards[piece.team] |= bit
            boards[2 + piece.kind] |= bit
            if piece.height > 1:
                towers |= bit
        one, two, herzmuscheln, moewen, seesterne, robben = boards
        return cls(rules, turn, one, two, herzmuscheln, moewen, seesterne, robben, towers, *ambers)

    # --- asking it ----------------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> Team:
        """The team whose turn it is: ONE begins, then they alternate (R5)."""
        return Team.TWO if self.turn & 1 else Team.ONE

    @property
    def round(self) -> int:
        """The number of the round that is being played, from 1."""
        return self.turn // 2 + 1

    def ambers(self, team: Team) -> int:
        """The ambers that ``team`` has won."""
        return self.ambers_two if team else self.ambers_one

    def piece_at(self, square: Square) -> Piece | None:
        """What stands on ``square``; ``None`` if it is empty or not on the board."""
        bit = bit_of(square)
        if not bit & (self.one | self.two):
            return None
        return Piece(Team.ONE if bit & self.one else Team.TWO, self._kind(bit), 2 if bit & self.towers else 1)

    def pieces(self) -> Iterator[tuple[Square, Piece]]:
        """All occupied squares from a1 to h8, line by line, and what stands there."""
        for square in SQUARES:
            if (piece := self.piece_at(square)) is not None:
                yield square, piece

    def light_distances(self, team: Team) -> tuple[int, ...]:
        """How far each light piece of ``team`` is from its own start line, the farthest first (R21)."""
        light = (self.two if team else self.one) & ~self.robben
        found: list[int] = []
        for distance in range(SIZE - 1, -1, -1):
            x = abs(HOME_LINE[team] - distance)
            found += [distance] * (light >> SIZE * x & LINE).bit_count()
        return tuple(found)

    @property
    def outcome(self) -> Outcome | None:
        if self._round_was_last():
            return self._decision()
        if not self.legal_moves():
            return Outcome(self.to_move.opponent, OstseeschachEnd.NO_MOVE)  # R19
        return None

    def points(self, team: Team) -> tuple[int, ...]:
        """Victory points, ambers, and the distance of the foremost light piece, 0 without one (R23, R24)."""
        distances = self.light_distances(team)
        return victory_points(self.outcome, team), self.ambers(team), distances[0] if distances else 0

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves: Herzmuscheln, Möwen, Seesterne, Robben, each from a1 to h8, forward steps first."""
        moves = self._moves
        if moves is None:
            moves = self._generate()
            object.__setattr__(self, "_moves", moves)
        return moves

    def violation(self, move: Move) -> OstseeschachViolation | None:
        if self.outcome is not None:
            return OstseeschachViolation.GAME_OVER
        start, target = move.start_bit, move.target_bit
        own = self.two if self.turn & 1 else self.one
        if not start:
            return OstseeschachViolation.OFF_BOARD
        if not start & (self.one | self.two):
            return OstseeschachViolation.NO_PIECE
        if not start & own:
            return OstseeschachViolation.NOT_YOUR_PIECE
        if not target:
            return OstseeschachViolation.TARGET_OFF_BOARD
        kind = self._kind(start)
        if not target & REACH[self.turn & 1][kind][start][0]:
            return _WRONG_STEP[kind]
        if target & own:
            return OstseeschachViolation.OWN_PIECE_ON_TARGET
        return None

    # --- playing ------------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> State:
        require_move(move, Move)
        if (reason := self.violation(move)) is not None:
            raise IllegalMove(reason, move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> State:
        """Like ``play`` for a move that came from ``legal_moves``."""
        start, target, turn = move.start_bit, move.target_bit, self.turn
        herzmuscheln, moewen, seesterne, robben = self.herzmuscheln, self.moewen, self.seesterne, self.robben
        one, two, towers = self.one, self.two, self.towers
        captures = target & (one | two)
        # R12: a capture makes a tower of two; with a tower under the mover or on the target it makes an amber.
        won = 1 if captures and towers & (start | target) else 0
        if target & GOAL[turn & 1] and not start & robben:
            won += 1  # R13; R14 if both come together
        rest = ~(start | target)
        stays = 0 if won else target  # R15: for an amber everything on the square leaves the board
        towers = towers & rest | stays if captures or towers & start else towers & rest
        # R11: the mover lies on top; whatever it covers is gone for good.
        herzmuscheln = herzmuscheln & rest | stays if herzmuscheln & start else herzmuscheln & rest
        moewen = moewen & rest | stays if moewen & start else moewen & rest
        seesterne = seesterne & rest | stays if seesterne & start else seesterne & rest
        robben = robben & rest | stays if robben & start else robben & rest
        ambers_one, ambers_two = self.ambers_one, self.ambers_two
        if turn & 1:
            one, two, ambers_two = one & rest, two & rest | stays, ambers_two + won  # R16
        else:
            one, two, ambers_one = one & rest | stays, two & rest, ambers_one + won
        return State(
            self.rules,
            turn + 1,
            one,
            two,
            herzmuscheln,
            moewen,
            seesterne,
            robben,
            towers,
            ambers_one,
            ambers_two,
            move,
        )

    # --- within -------------------------------------------------------------------------------------------------------

    def _kind(self, bit: int) -> PieceKind:
        """The kind of the piece on top of an occupied square."""
        if bit & self.herzmuscheln:
            return PieceKind.HERZMUSCHEL
        if bit & self.moewen:
            return PieceKind.MOEWE
        return PieceKind.SEESTERN if bit & self.seesterne else PieceKind.ROBBE

    def _round_was_last(self) -> bool:
        """Whether a round is over and with it the game (R17, R18)."""
        if self.turn & 1:
            return False
        return self.ambers_one >= AMBERS_TO_END or self.ambers_two >= AMBERS_TO_END or self.turn >= TURN_LIMIT

    def _decision(self) -> Outcome:
        """Who won when the last round is over (R20, R21, R22)."""
        ended_by_ambers = self.ambers_one >= AMBERS_TO_END or self.ambers_two >= AMBERS_TO_END
        more, farther, equal = _AFTER_AMBERS if ended_by_ambers else _AFTER_ROUNDS
        if self.ambers_one != self.ambers_two:
            return Outcome(Team.ONE if self.ambers_one > self.ambers_two else Team.TWO, more)
        # R21: pair by pair, and no further than the shorter list.
        for one, two in zip(self.light_distances(Team.ONE), self.light_distances(Team.TWO), strict=False):
            if one != two:
                return Outcome(Team.ONE if one > two else Team.TWO, farther)
        return Outcome(None, equal)

    def _generate(self) -> tuple[Move, ...]:
        """The legal moves, out of the tables: ``Choices`` knows what is left when own pieces block (R10)."""
        if self._round_was_last():
            return ()
        turn = self.turn
        own = self.two if turn & 1 else self.one
        moves: list[Move] = []
        kinds = (self.herzmuscheln, self.moewen, self.seesterne, self.robben)
        for board, reach in zip(kinds, REACH[turn & 1], strict=True):
            pieces = own & board
            while pieces:
                piece = pieces & -pieces
                pieces ^= piece
                attacked, choices = reach[piece]
                moves += choices[attacked & own]
        return tuple(moves)


def new_state(rules: Rules, rng: Random) -> State:
    """A start position (R4): any order of ONE's pieces, all equally likely; TWO's is turned by half a turn."""
    require_random(rng)
    kinds = [kind for kind in PieceKind for _ in range(2)]
    rng.shuffle(kinds)
    pieces: list[tuple[Square, Piece]] = []
    for y, kind in enumerate(kinds):
        pieces.append(((HOME_LINE[Team.ONE], y), Piece(Team.ONE, kind)))
        pieces.append(((HOME_LINE[Team.TWO], SIZE - 1 - y), Piece(Team.TWO, kind)))
    return State.of(rules, 0, pieces)


def garbage_move(rng: Random) -> Move:
    """A move out of thin air, now and then off the board."""
    x, y, to_x, to_y = (rng.randint(-1, SIZE) for _ in range(4))
    return Move((x, y), (to_x, to_y))
