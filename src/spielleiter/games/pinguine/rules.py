"""The rules of Pinguine: an immutable position on 64-bit boards (R-numbers: RULES.md beside this file).

Laws: a field has a penguin of one team, or fish, or is a hole; a team has at most four penguins; ``to_move`` is
the side by the parity of the turn, or the other if that one is stuck (R13).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from spielleiter.errors import IllegalMove
from spielleiter.game import (
    TEAMS,
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
from spielleiter.games.pinguine.moves import (
    LINES,
    NEIGHBOURS,
    PLACEMENTS,
    SIZE,
    Move,
    bit_of,
    field_at,
    move_to,
)

PENGUINS = 4
"""Penguins of each team (R8)."""

PLACING_TURNS = 2 * PENGUINS
"""The turns in which penguins are placed (R12)."""

MAX_FISH = 4
"""Fish on one floe at most (R1)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set of the season. The document and the server agree here: nothing but the key differs."""

    key: str
    official: bool
    year: int = 2023
    wire_name: str = "swc_2023_penguins"


PINGUINE_2023 = Rules("pinguine-2023", official=False)
PINGUINE_2023_OFFICIAL = Rules("pinguine-2023-official", official=True)
RULE_SETS = (PINGUINE_2023, PINGUINE_2023_OFFICIAL)


class PinguineViolation(Violation):
    """The rules that a move can break."""

    GAME_OVER = Text("Das Spiel ist schon zu Ende.", "The game is already over.")
    WRONG_PARITY = Text(
        "Dieses Feld gibt es nicht: x und y müssen beide gerade oder beide ungerade sein.",
        "There is no such field: x and y must be both even or both odd.",
    )
    START_OFF_BOARD = Text("Das Startfeld liegt nicht auf dem Spielfeld.", "The starting field is not on the board.")
    TARGET_OFF_BOARD = Text("Das Zielfeld liegt nicht auf dem Spielfeld.", "The target field is not on the board.")
    MUST_SLIDE = Text(
        "Alle vier Pinguine stehen schon: Jetzt muss einer rutschen.",
        "All four penguins have been placed: now one of them has to slide.",
    )
    NOT_ONE_FISH = Text(
        "Ein Pinguin darf nur auf eine Scholle mit genau einem Fisch gesetzt werden.",
        "A penguin may be placed only on a floe with exactly one fish.",
    )
    NO_PENGUIN = Text("Auf dem Startfeld steht kein Pinguin.", "There is no penguin on the starting field.")
    NOT_YOUR_PENGUIN = Text("Der Pinguin gehört dem Gegner.", "The penguin belongs to the opponent.")
    MUST_PLACE = Text(
        "Erst müssen alle vier Pinguine gesetzt sein.", "All four penguins have to be placed before one slides."
    )
    NOT_STRAIGHT = Text(
        "Ein Pinguin rutscht geradeaus in eine der sechs Richtungen, mindestens ein Feld weit.",
        "A penguin slides straight in one of the six directions, by at least one field.",
    )
    BLOCKED = Text(
        "Ein Pinguin rutscht nur über Schollen mit Fischen: Im Weg ist ein Loch oder ein Pinguin.",
        "A penguin slides only over floes with fish: a hole or a penguin is in the way.",
    )


class PinguineEnd(End):
    """The ways in which a game ends."""

    MORE_FISH = Text("mehr Fische gefangen", "more fish caught")
    EQUAL_FISH = Text("gleich viele Fische gefangen", "equally many fish caught")

    @property
    def is_by_points(self) -> bool:
        """More fish win, and nothing else (R16)."""
        return True


Floes = tuple[int, int, int, int]
"""The floes with one, two, three and four fish; a field in none of them is a hole or has a penguin."""


@dataclass(frozen=True, slots=True)
class State(SelfDrawing):
    """One position of Pinguine."""

    rules: Rules
    turn: int
    """Moves made so far; a side that is passed over makes none (R12)."""
    to_move: Team
    penguins: tuple[int, int]
    """For each team the fields of its penguins."""
    floes: Floes
    fish: tuple[int, int]
    """For each team the fish that it has caught (R10)."""
    last_move: Move | None = field(default=None, compare=False)
    _moves: tuple[Move, ...] | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        rules: Rules,
        turn: int,
        fields: Mapping[Square, int | Team],
        fish: tuple[int, int] = (0, 0),
        last_move: Move | None = None,
    ) -> State:
        """The position with a number of fish or a penguin on each field, a hole elsewhere.

        The caller answers for it: see ``why_impossible``.
        """
        penguins, floes = [0, 0], [0] * (MAX_FISH + 1)
        for square, content in fields.items():
            if isinstance(content, Team):
                penguins[content] |= bit_of(square)
            else:
                floes[content] |= bit_of(square)
        one, two, three, four = floes[1:]
        pair, ice = (penguins[0], penguins[1]), one | two | three | four
        return cls(rules, turn, _next_team(turn, pair, ice), pair, (one, two, three, four), fish, last_move)

    # --- asking it ----------------------------------------------------------------------------------------------------

    @property
    def ice(self) -> int:
        """All floes with fish."""
        one, two, three, four = self.floes
        return one | two | three | four

    @property
    def round(self) -> int:
        """The number of the round that is being played, from 1."""
        return self.turn // 2 + 1

    def fish_at(self, square: Square) -> int:
        """The fish on ``square``: 0 for a hole, under a penguin, and off the board."""
        bit = bit_of(square)
        return next((number for number, board in enumerate(self.floes, 1) if board & bit), 0)

    def penguin_at(self, square: Square) -> Team | None:
        """Whose penguin stands on ``square``."""
        bit = bit_of(square)
        return next((team for team in TEAMS if self.penguins[team] & bit), None)

    def can_slide(self, team: Team) -> bool:
        """Whether a penguin of ``team`` has a neighbour with fish."""
        return _can_slide(self.penguins[team], self.ice)

    @property
    def outcome(self) -> Outcome | None:
        if self.legal_moves():
            return None
        one, two = self.fish
        if one == two:
            return Outcome(None, PinguineEnd.EQUAL_FISH)  # R16
        return Outcome(Team.ONE if one > two else Team.TWO, PinguineEnd.MORE_FISH)

    def points(self, team: Team) -> tuple[int, ...]:
        """Victory points and fish (R17)."""
        return victory_points(self.outcome, team), self.fish[team]

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, by the order of the fields, a1 to h1, a2 to h8.

        Placements by their field (R8). Slides by the penguin's field, then by direction as R3 lists them, the nearest
        target first (R9).
        """
        moves = self._moves
        if moves is None:
            moves = self._generate()
            object.__setattr__(self, "_moves", moves)
        return moves

    def violation(self, move: Move) -> PinguineViolation | None:
        if not self.legal_moves():
            return PinguineViolation.GAME_OVER
        if move.start is None:
            return self._misplaced(move)
        if not move.start_bit:
            return _why_no_field(move.start, PinguineViolation.START_OFF_BOARD)
        if not move.start_bit & (self.penguins[0] | self.penguins[1]):
            return PinguineViolation.NO_PENGUIN
        if not move.start_bit & self.penguins[self.to_move]:
            return PinguineViolation.NOT_YOUR_PENGUIN
        if self.penguins[self.to_move].bit_count() < PENGUINS:
            return PinguineViolation.MUST_PLACE
        if not move.target_bit:
            return _why_no_field(move.target, PinguineViolation.TARGET_OFF_BOARD)
        for line, slides in LINES[move.start_bit]:
            if move.target_bit & line:
                return None if move in slides[line & self.ice] else PinguineViolation.BLOCKED
        return PinguineViolation.NOT_STRAIGHT

    # --- playing ------------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> State:
        require_move(move, Move)
        if (reason := self.violation(move)) is not None:
            raise IllegalMove(reason, move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> State:
        """Like ``play`` for a move that came from ``legal_moves``."""
        target, turn = move.target_bit, self.turn + 1
        one, two, three, four = self.floes
        # R10: the fish of the target are caught on arrival; fields slid over keep theirs.
        if one & target:
            one ^= target
            caught = 1
        elif two & target:
            two ^= target
            caught = 2
        elif three & target:
            three ^= target
            caught = 3
        else:
            four ^= target
            caught = 4
        (mine, other), fish = self.penguins, self.fish
        if self.to_move:
            penguins = mine, other ^ (move.start_bit | target)
            fish = fish[0], fish[1] + caught
        else:
            penguins = mine ^ (move.start_bit | target), other
            fish = fish[0] + caught, fish[1]
        to_move = _next_team(turn, penguins, one | two | three | four)
        return State(self.rules, turn, to_move, penguins, (one, two, three, four), fish, move)

    # --- within -------------------------------------------------------------------------------------------------------

    def _misplaced(self, move: Move) -> PinguineViolation | None:
        """The rule that a placement breaks."""
        if self.penguins[self.to_move].bit_count() >= PENGUINS:
            return PinguineViolation.MUST_SLIDE
        if not move.target_bit:
            return _why_no_field(move.target, PinguineViolation.TARGET_OFF_BOARD)
        return None if move.target_bit & self.floes[0] else PinguineViolation.NOT_ONE_FISH

    def _generate(self) -> tuple[Move, ...]:
        penguins = self.penguins[self.to_move]
        if penguins.bit_count() < PENGUINS:
            floes, placements = self.floes[0], []
            while floes:
                floe = floes & -floes
                floes ^= floe
                placements.append(PLACEMENTS[floe])
            return tuple(placements)
        one, two, three, four = self.floes
        ice = one | two | three | four
        moves: tuple[Move, ...] = ()
        while penguins:
            penguin = penguins & -penguins
            penguins ^= penguin
            (line, slides), (down, down_slides), (up, up_slides) = LINES[penguin]
            moves += slides[line & ice] + down_slides[down & ice] + up_slides[up & ice]
        return moves


def _can_slide(penguins: int, ice: int) -> bool:
    while penguins:
        penguin = penguins & -penguins
        if NEIGHBOURS[penguin] & ice:
            return True
        penguins ^= penguin
    return False


def _next_team(turn: int, penguins: tuple[int, int], ice: int) -> Team:
    """Who moves: the side by parity, or the other if that one is stuck (R13)."""
    own = penguins[turn & 1]
    # R14: with penguins left to place a team is never stuck.
    stuck = own.bit_count() == PENGUINS and not _can_slide(own, ice)
    return TEAMS[(turn + stuck) & 1]


def _why_no_field(square: Square, off_board: PinguineViolation) -> PinguineViolation:
    """Why doubled coordinates do not name a field (R4)."""
    x, y = square
    inside = 0 <= y < SIZE and 0 <= x < 2 * SIZE
    return PinguineViolation.WRONG_PARITY if inside else off_board


# --- positions --------------------------------------------------------------------------------------------------------

_DRAWN_FISH, _DRAWN_HOLES, _FISH_STEP = 64, 5, 20
"""The numbers of the season's draw (R6)."""


def new_state(rules: Rules, rng: Random) -> State:
    """A start position (R6): the upper half is drawn, the lower one is the same after half a turn.

    At least nine floes of a half get one fish, whatever is drawn, so that all penguins can be placed.
    """
    require_random(rng)
    left, holes, fields = _DRAWN_FISH, _DRAWN_HOLES, dict[Square, int | Team]()
    for row in range(SIZE // 2):
        for index in range(SIZE):
            drawn = rng.randrange(left)
            if drawn < holes:
                holes -= 1
                continue
            fish = (drawn - holes) // _FISH_STEP + 1
            left -= fish
            fields[field_at(index, row)] = fish
            fields[field_at(SIZE - 1 - index, SIZE - 1 - row)] = fish
    return State.of(rules, 0, fields)


def why_impossible(state: State) -> Text | None:
    """The rule by which no game leads to ``state``; ``None`` if one may."""
    turn, fish = state.turn, state.fish
    placed = tuple(penguins.bit_count() for penguins in state.penguins)
    expected = min((turn + 1) // 2, PENGUINS), min(turn // 2, PENGUINS)
    for team in TEAMS:
        if placed[team] != expected[team]:
            return Text(
                f"nach {turn} Zügen hat {team.name} {expected[team]} Pinguine, nicht {placed[team]} (R8)",
                f"after {turn} moves {team.name} has {expected[team]} penguins, not {placed[team]} (R8)",
            )
    left = PLACING_TURNS - sum(placed)
    if state.floes[0].bit_count() < left:
        return Text(
            f"für die restlichen {left} Pinguine gibt es zu wenige Schollen mit einem Fisch (R8)",
            f"there are too few floes with one fish for the {left} penguins still to be placed (R8)",
        )
    max_floes = SIZE * SIZE - turn
    if state.ice.bit_count() > max_floes:
        return Text(
            f"nach {turn} Zügen sind höchstens {max_floes} Schollen mit Fischen übrig (R10)",
            f"after {turn} moves at most {max_floes} floes with fish are left (R10)",
        )
    slides = turn - sum(placed)
    least, most = turn, sum(placed) + MAX_FISH * slides
    if any(caught < own for caught, own in zip(fish, placed, strict=True)) or not least <= sum(fish) <= most:
        return Text(
            f"nach {turn} Zügen sind zusammen {least} bis {most} Fische gefangen, für jeden Pinguin mindestens einer "
            f"(R10)",
            f"after {turn} moves {least} to {most} fish have been caught in all, at least one for each penguin (R10)",
        )
    return None


def garbage_move(rng: Random) -> Move:
    """A move out of thin air, now and then off the board or between its fields."""
    x, y, to_x, to_y = (rng.randint(-1, limit) for limit in (2 * SIZE, SIZE, 2 * SIZE, SIZE))
    return move_to(None if rng.random() < 0.3 else (x, y), (to_x, to_y))
