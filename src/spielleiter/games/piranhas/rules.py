"""Piranhas: the rule sets, the moves and the state, on one integer for each kind of thing on the board.

Bit ``10 * y + x`` is the square in column ``x`` (A to J) and row ``y`` (0 to 9). R-numbers refer to RULES.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random

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

SIZE = 10
LAST_TURN = 60  # R10: thirty rounds of two moves each.


@dataclass(frozen=True, slots=True)
class Rules:
    """What the rule sets of Piranhas differ in."""

    key: str
    year: int
    official: bool
    weighted: bool
    """Fish weigh 1, 2 or 3, and swarms are compared by weight (R3)."""
    union_beats_weight: bool
    """A team that alone is united wins whatever the swarms weigh (R12)."""
    first_union_breaks_ties: bool
    """Equal swarms: the team that was united first wins (R14)."""
    tied_union_goes_on: bool
    """Both united with equal swarms does not end the game (R13)."""
    score_is_weight: bool
    """The ranking score is the weight of the heaviest swarm, not its number of fish (R15)."""

    @property
    def wire_name(self) -> str:
        """The ``gameType`` of the season."""
        return f"swc_{self.year}_piranhas"


def _rules(key: str, year: int, *, official: bool, tied_union_goes_on: bool = False) -> Rules:
    weighted = year == 2026
    return Rules(
        key=key,
        year=year,
        official=official,
        weighted=weighted,
        union_beats_weight=not (weighted and official),
        first_union_breaks_ties=weighted and official,
        tied_union_goes_on=tied_union_goes_on,
        score_is_weight=weighted and official,
    )


PIRANHAS_2019 = _rules("piranhas-2019", 2019, official=False)
PIRANHAS_2019_OFFICIAL = _rules("piranhas-2019-official", 2019, official=True, tied_union_goes_on=True)
PIRANHAS_2026 = _rules("piranhas-2026", 2026, official=False)
PIRANHAS_2026_OFFICIAL = _rules("piranhas-2026-official", 2026, official=True)
RULE_SETS = (PIRANHAS_2019, PIRANHAS_2019_OFFICIAL, PIRANHAS_2026, PIRANHAS_2026_OFFICIAL)


class PiranhasViolation(Violation):
    """The rules that a move can break."""

    GAME_OVER = Text("Das Spiel ist schon zu Ende.", "The game is already over.")
    OFF_BOARD = Text("Das Startfeld liegt nicht auf dem Spielfeld.", "The starting square is not on the board.")
    NO_FISH = Text("Auf dem Startfeld ist kein Fisch.", "There is no fish on the starting square.")
    NOT_YOUR_FISH = Text("Der Fisch gehört dem Gegner.", "The fish belongs to the opponent.")
    TARGET_OFF_BOARD = Text("Der Zug führt über den Rand hinaus.", "The move leads off the board.")
    OPPONENT_IN_THE_WAY = Text("Ein gegnerischer Fisch ist im Weg.", "An opponent's fish is in the way.")
    OWN_FISH_ON_TARGET = Text("Auf dem Zielfeld ist ein eigener Fisch.", "An own fish is on the target square.")
    KRAKEN_ON_TARGET = Text("Auf dem Zielfeld ist ein Krake.", "A kraken is on the target square.")


class PiranhasEnd(End):
    """The ways in which a game ends."""

    UNITED = Text("alle Fische in einem Schwarm", "all fish in one shoal")
    LARGER_SWARM = Text("der größere Schwarm", "the larger shoal")
    FIRST_UNITED = Text("gleich schwere Schwärme, zuerst vereint", "equally heavy shoals, united first")
    EQUAL_SWARMS = Text("gleich große Schwärme", "equal shoals")
    NO_MOVE = Text("der Gegner hat keinen gültigen Zug", "the opponent has no legal move")


class Direction(Enum):
    """A direction as the wire names it, with its step in x and y; UP is y+1."""

    UP = (0, 1)
    UP_RIGHT = (1, 1)
    RIGHT = (1, 0)
    DOWN_RIGHT = (1, -1)
    DOWN = (0, -1)
    DOWN_LEFT = (-1, -1)
    LEFT = (-1, 0)
    UP_LEFT = (-1, 1)


# --- tables: for each square and direction the whole line, and for each distance what is passed and hit -------------

Steps = tuple[tuple[int, int] | None, ...]
"""For each distance the squares passed and the target, or ``None`` beyond the edge."""
Ray = tuple[int, int, Steps]
"""The fish's own bit, the mask of the whole line, and the steps in one direction."""


def _ray(x: int, y: int, direction: Direction) -> Ray:
    dx, dy = direction.value
    line = own = 1 << y * SIZE + x
    steps: list[tuple[int, int] | None] = [None]
    for sign in (1, -1):
        passed, k = 0, 1
        while 0 <= x + sign * k * dx < SIZE and 0 <= y + sign * k * dy < SIZE:
            target = 1 << (y + sign * k * dy) * SIZE + x + sign * k * dx
            if sign == 1:
                steps.append((passed, target))
            passed, line, k = passed | target, line | target, k + 1
    return own, line, tuple(steps + [None] * (SIZE + 1 - len(steps)))


_RAYS = {(x, y, d): _ray(x, y, d) for x in range(SIZE) for y in range(SIZE) for d in Direction}


@dataclass(frozen=True, slots=True)
class Move:
    """Move the fish on (x, y) in ``direction``; how far follows from the fish on that line (R5)."""

    x: int
    y: int
    direction: Direction
    ray: Ray | None = field(init=False, compare=False, repr=False)
    """The table entry of this move, ``None`` off the board."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ray", _RAYS.get((self.x, self.y, self.direction)))

    def __str__(self) -> str:
        return f"{square_name(self.x, self.y)} {self.direction.name}"


def square_name(x: int, y: int) -> str:
    """The square as the rule documents write it (``C4``), or its numbers if it is off the board."""
    return f"{chr(ord('A') + x)}{y}" if 0 <= x < SIZE and 0 <= y < SIZE else f"({x},{y})"


def square_of(bit: int) -> tuple[int, int]:
    """The square (x, y) of a set of one."""
    y, x = divmod(bit.bit_length() - 1, SIZE)
    return x, y


MOVES = {key: Move(*key) for key in _RAYS}
"""The ready-made move for each square of the board and each direction."""

_Choices = tuple[tuple[int, Move], ...]
"""The moves along one axis that stay on the board, each with the squares that must not be barred."""


def _axes(square: int) -> tuple[tuple[int, tuple[_Choices, ...]], ...]:
    """For each of the four lines through ``square`` its mask, and the choices for each number of fish on it."""
    y, x = divmod(square, SIZE)
    axes = []
    for pair in zip(list(Direction)[:4], list(Direction)[4:], strict=True):
        rays = [(_RAYS[x, y, direction][2], MOVES[x, y, direction]) for direction in pair]
        by_count = tuple(
            tuple((step[0] << SIZE * SIZE | step[1], move) for steps, move in rays if (step := steps[count]))
            for count in range(SIZE + 1)
        )
        axes.append((_RAYS[x, y, pair[0]][1], by_count))
    return tuple(axes)


_AXES = tuple(_axes(square) for square in range(SIZE * SIZE))


# --- swarms ---------------------------------------------------------------------------------------------------------

NOT_A = sum(1 << y * SIZE + x for x in range(1, SIZE) for y in range(SIZE))
NOT_J = sum(1 << y * SIZE + x for x in range(SIZE - 1) for y in range(SIZE))


def swarm_of(seed: int, fish: int) -> int:
    """All of ``fish`` that hang together with ``seed``, by the eight neighbours (R8)."""
    swarm = seed
    while True:
        grown = swarm | (swarm & NOT_J) << 1 | (swarm & NOT_A) >> 1
        grown = (grown | grown << SIZE | grown >> SIZE) & fish
        if grown == swarm:
            return swarm
        swarm = grown


def is_united(fish: int) -> bool:
    """Whether no fish is outside one single swarm; so one fish alone is united, and so is an empty side (R8)."""
    sides = (fish & NOT_J) << 1 | (fish & NOT_A) >> 1
    row = fish | sides
    neighbours = sides | row << SIZE | row >> SIZE
    if fish & ~neighbours:  # Most positions end here: a fish without neighbour is a swarm of its own.
        return fish & (fish - 1) == 0
    return swarm_of(fish & -fish, fish) == fish


def swarms(fish: int) -> Iterator[int]:
    """The swarms into which ``fish`` fall."""
    while fish:
        swarm = swarm_of(fish & -fish, fish)
        yield swarm
        fish ^= swarm


# --- the state ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State(SelfDrawing):
    """A position of Piranhas."""

    rules: Rules
    turn: int
    """Moves played so far; ONE moves when it is even."""
    one: int
    two: int
    krakens: int
    medium: int = 0
    """The fish of weight 2, of both teams."""
    large: int = 0
    """The fish of weight 3, of both teams."""
    first_union: Team | None = None
    """The team that was united first in this game; only where fish are weighted (R14)."""
    last_move: Move | None = field(default=None, compare=False)
    last_target_bit: int = field(default=0, compare=False, repr=False)
    """Where the last move led, which the position after it does not tell; 0 where the one before is not known."""
    _moves: tuple[Move, ...] | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def to_move(self) -> Team:
        """ONE in the first half of a round, TWO in the second (R4)."""
        return TEAMS[self.turn & 1]

    @property
    def round(self) -> int:
        """The number of the round that is being played, from 1."""
        return self.turn // 2 + 1

    @property
    def last_target(self) -> tuple[int, int] | None:
        """The square (x, y) that the last move led to; ``None`` if the position before it is unknown."""
        return square_of(self.last_target_bit) if self.last_target_bit else None

    def fish(self, team: Team) -> int:
        """The fish of ``team`` as a set of bits."""
        return self.two if team else self.one

    def weight(self, fish: int) -> int:
        """The weight of ``fish`` together (R3)."""
        return fish.bit_count() + (fish & self.medium).bit_count() + 2 * (fish & self.large).bit_count()

    def largest_swarm(self, team: Team) -> int:
        """The heaviest swarm of ``team``, the one with more fish among equally heavy ones (R15)."""
        return max(swarms(self.fish(team)), key=lambda swarm: (self.weight(swarm), swarm.bit_count()), default=0)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended (R10 to R14), or ``None`` while it runs."""
        if self.legal_moves():
            return None
        return self._outcome_of_round() or self._outcome_without_move()

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, by square and direction; none once the game is over."""
        moves = self._moves
        if moves is None:
            moves = self.moves_of(self.to_move) if self._outcome_of_round() is None else ()
            object.__setattr__(self, "_moves", moves)
        return moves

    def moves_of(self, team: Team) -> tuple[Move, ...]:
        """The moves that ``team`` would have if it were to move and the game not over."""
        own, other = (self.two, self.one) if team else (self.one, self.two)
        occupied = own | other
        # Two boards in one number: what must not be passed above what must not be landed on, so that one AND decides.
        barred = other << SIZE * SIZE | own | self.krakens
        moves: list[Move] = []
        rest = own
        while rest:
            fish = rest & -rest
            rest ^= fish
            for line, by_count in _AXES[fish.bit_length() - 1]:
                for way, move in by_count[(occupied & line).bit_count()]:
                    if not barred & way:
                        moves.append(move)
        return tuple(moves)

    def violation(self, move: Move) -> PiranhasViolation | None:
        """The rule that ``move`` breaks here, or ``None`` if it is legal (R5 to R7)."""
        if self.outcome is not None:
            return PiranhasViolation.GAME_OVER
        if move.ray is None:
            return PiranhasViolation.OFF_BOARD
        fish, line, steps = move.ray
        own, other = self.fish(self.to_move), self.fish(self.to_move.opponent)
        if fish & other:
            return PiranhasViolation.NOT_YOUR_FISH
        if not fish & own:
            return PiranhasViolation.NO_FISH
        step = steps[((own | other) & line).bit_count()]
        if step is None:
            return PiranhasViolation.TARGET_OFF_BOARD
        passed, target = step
        if passed & other:
            return PiranhasViolation.OPPONENT_IN_THE_WAY
        if target & own:
            return PiranhasViolation.OWN_FISH_ON_TARGET
        if target & self.krakens:
            return PiranhasViolation.KRAKEN_ON_TARGET
        return None

    def target(self, move: Move) -> tuple[int, int] | None:
        """The square (x, y) that ``move`` leads to in this position, ``None`` if that is off the board."""
        if move.ray is None:
            return None
        _, line, steps = move.ray
        step = steps[((self.one | self.two) & line).bit_count()]
        return None if step is None else square_of(step[1])

    def play(self, move: Move) -> Self:
        require_move(move, Move)
        if (reason := self.violation(move)) is not None:
            raise IllegalMove(reason, move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Self:
        """The state after a move that is known to be legal."""
        assert move.ray is not None
        fish, line, steps = move.ray
        one, two, medium, large = self.one, self.two, self.medium, self.large
        step = steps[((one | two) & line).bit_count()]
        assert step is not None
        target = step[1]
        if self.turn & 1:
            one, two = one & ~target, two ^ fish | target
        else:
            one, two = one ^ fish | target, two & ~target
        first_union = self.first_union
        if self.rules.weighted:
            # R7: the fish on the target is gone with its weight, the mover brings its own.
            medium = medium & ~(fish | target) | (target if medium & fish else 0)
            large = large & ~(fish | target) | (target if large & fish else 0)
            if first_union is None:  # R14
                first_union = Team.ONE if is_united(one) else Team.TWO if is_united(two) else None
        return type(self)(self.rules, self.turn + 1, one, two, self.krakens, medium, large, first_union, move, target)

    def points(self, team: Team) -> tuple[int, ...]:
        """Victory points, and the ranking score of the rule set (R15)."""
        swarm = self.largest_swarm(team)
        score = self.weight(swarm) if self.rules.score_is_weight else swarm.bit_count()
        return victory_points(self.outcome, team), score

    def _outcome_of_round(self) -> Outcome | None:
        """The outcome if the game ended with the round just played."""
        if self.turn & 1:
            return None
        one, two = is_united(self.one), is_united(self.two)
        if not (one or two or self.turn >= LAST_TURN):
            return None
        if self.rules.tied_union_goes_on and one and two and self.turn < LAST_TURN and not self._lead():
            return None  # R13
        if one is not two and self.rules.union_beats_weight:
            return Outcome(Team.ONE if one else Team.TWO, PiranhasEnd.UNITED)
        return self._outcome_by_swarms(one or two)

    def _outcome_without_move(self) -> Outcome:
        """The outcome when the side to move has no legal move (R11)."""
        if not self.rules.union_beats_weight and (is_united(self.one) or is_united(self.two)):
            return self._outcome_by_swarms(somebody_united=True)
        return Outcome(self.to_move.opponent, PiranhasEnd.NO_MOVE)

    def _lead(self) -> int:
        """The weight of ONE's largest swarm minus that of TWO's."""
        return self.weight(self.largest_swarm(Team.ONE)) - self.weight(self.largest_swarm(Team.TWO))

    def _outcome_by_swarms(self, somebody_united: bool) -> Outcome:
        lead = self._lead()
        if lead:
            return Outcome(Team.ONE if lead > 0 else Team.TWO, PiranhasEnd.LARGER_SWARM)
        if somebody_united and self.rules.first_union_breaks_ties and self.first_union is not None:
            return Outcome(self.first_union, PiranhasEnd.FIRST_UNITED)
        return Outcome(None, PiranhasEnd.EQUAL_SWARMS)


# --- the start ------------------------------------------------------------------------------------------------------


BOARDS = ("one", "two", "krakens", "medium", "large")
"""The sets of squares that make up a position, as ``State`` names them."""


def state_of_boards(rules: Rules, turn: int, boards: Mapping[str, int], first_union: Team | None = None) -> State:
    """The state with the given sets of squares, one for each name in ``BOARDS``."""
    one, two, krakens, medium, large = (boards[name] for name in BOARDS)
    return State(rules, turn, one, two, krakens, medium, large, first_union)


_START_ONE = sum(1 << y * SIZE + x for x in (0, 9) for y in range(1, 9))
_START_TWO = sum(1 << y * SIZE + x for y in (0, 9) for x in range(1, 9))


def new_state(rules: Rules, rng: Random) -> State:
    """A start position: fish on the edges, two krakens, weights drawn in mirrored pairs (R1 to R3)."""
    require_random(rng)
    medium = large = 0
    if rules.weighted:
        for i in range(1, 9):
            for edge in (0, 9):
                # R3: one draw sets a fish of each team, mirrored on the diagonal; S, M, L in the ratio 4 : 3 : 2.
                mirrored = 1 << edge * SIZE + i | 1 << i * SIZE + edge
                draw = rng.randrange(9)
                medium |= mirrored if 4 <= draw < 7 else 0
                large |= mirrored if draw >= 7 else 0
    return State(rules, 0, _START_ONE, _START_TWO, _draw_krakens(rng), medium, large)


def _draw_krakens(rng: Random) -> int:
    inner = [(x, y) for x in range(2, 8) for y in range(2, 8)]
    first_x, first_y = rng.choice(inner)
    # R2: no common row, column or diagonal.
    second_x, second_y = rng.choice(
        [(x, y) for x, y in inner if x != first_x and y != first_y and abs(x - first_x) != abs(y - first_y)]
    )
    return 1 << first_y * SIZE + first_x | 1 << second_y * SIZE + second_x


def garbage_move(rng: Random) -> Move:
    """Any move, on the board or off it."""
    return Move(rng.randrange(-2, SIZE + 2), rng.randrange(-2, SIZE + 2), rng.choice(list(Direction)))
