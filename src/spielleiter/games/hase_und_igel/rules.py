"""The rules of Hase und Igel: an immutable position of two hares on a track (R-numbers: RULES.md beside this file).

Laws: a position that is not over has a legal move, because a hare without one is skipped before anybody sees it (R19);
the team to move is the parity of ``turn``, which counts skipped turns too (R17). Two positions are equal when the same
can still happen in them: the order in which cards were bought and most of what hares did last does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import isqrt
from random import Random

from spielleiter.errors import IllegalMove
from spielleiter.game import (
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
from spielleiter.games.hase_und_igel.moves import (
    CARDS,
    EAT_SALAD,
    FALL_BACK,
    GIVE_CARROTS,
    TAKE_CARROTS,
    Action,
    Advance,
    Card,
    EatSalad,
    FallBack,
    Move,
)
from spielleiter.games.hase_und_igel.track import LAST, Field, Track, draw_track

CARROTS_AT_START = 68
SALADS_AT_START = 5
TURN_LIMIT = 60
"""Turns of a game at most, skipped ones included: thirty rounds of two (R21)."""
PRICE = 10
"""Carrots that a card costs on the market (R7), and that are exchanged at a time (R14)."""
GOAL_CARROTS = 10
"""Carrots with which a hare may enter the goal at most (R6)."""

_CARROTS, _HARE, _SALAD = int(Field.CARROTS), int(Field.HARE), int(Field.SALAD)
_MARKET, _HEDGEHOG, _GOAL = int(Field.MARKET), int(Field.HEDGEHOG), int(Field.GOAL)
_FIRST, _SECOND = int(Field.POSITION_1), int(Field.POSITION_2)


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set of the season, and the one thing in which the two differ."""

    key: str
    official: bool
    """Whether position fields pay once more after the last move, as the season's server does (R24)."""
    year: int = 2025
    wire_name: str = "swc_2025_hase_und_igel"

    def __hash__(self) -> int:
        return hash(self.key)


HASE_UND_IGEL_2025 = Rules("hase-und-igel-2025", official=False)
HASE_UND_IGEL_2025_OFFICIAL = Rules("hase-und-igel-2025-official", official=True)
RULE_SETS = (HASE_UND_IGEL_2025, HASE_UND_IGEL_2025_OFFICIAL)


class HaseUndIgelViolation(Violation):
    """The rules that a move can break."""

    GAME_OVER = Text("Das Spiel ist schon zu Ende.", "The game is already over.")
    MUST_EAT_SALAD = Text(
        "Auf einem Salatfeld muss der Hase zuerst einen Salat fressen (R5).",
        "On a salad field the hare has to eat a salad first (R5).",
    )
    NO_DISTANCE = Text(
        "Ein Hase läuft mindestens ein Feld nach vorne (R6).", "A hare runs at least one field forward (R6)."
    )
    TOO_FEW_CARROTS = Text(
        "So weit reichen die Karotten nicht (R6).", "There are not enough carrots to run so far (R6)."
    )
    NO_SUCH_FIELD = Text("Dieses Feld gibt es nicht (R6).", "There is no such field (R6).")
    ONTO_START = Text("Auf das Startfeld kommt kein Hase zurück (R6).", "No hare comes back to the start (R6).")
    OCCUPIED = Text("Auf dem Feld sitzt schon der andere Hase (R6).", "The other hare is already on that field (R6).")
    NO_SALAD_LEFT = Text(
        "Auf ein Salatfeld darf nur, wer noch einen Salat hat (R6).",
        "Only a hare that still has a salad may enter a salad field (R6).",
    )
    TOO_POOR_FOR_MARKET = Text(
        "Für den Markt müssen nach dem Laufen noch 10 Karotten übrig sein (R6).",
        "The market needs 10 carrots that are left after running (R6).",
    )
    HARE_WITHOUT_CARD = Text(
        "Auf ein Hasenfeld darf nur, wer eine Karte hat (R6).", "Only a hare with a card may enter a hare field (R6)."
    )
    GOAL_CLOSED = Text(
        "Ins Ziel darf nur, wer höchstens 10 Karotten und keinen Salat mehr hat (R6).",
        "Only a hare with at most 10 carrots and no salad left may enter the goal (R6).",
    )
    ONTO_HEDGEHOG = Text(
        "Auf ein Igelfeld kommt man nur durch Zurückfallen (R6).",
        "A hedgehog field is only reached by falling back (R6).",
    )
    ONE_CARD_ON_MARKET = Text(
        "Auf dem Markt wird genau eine Karte gekauft (R7).", "On the market exactly one card is bought (R7)."
    )
    CARD_NOT_PLAYABLE = Text(
        "Hier kann keine Karte mehr gespielt werden (R8).", "No further card can be played here (R8)."
    )
    CARD_NOT_OWNED = Text("Diese Karte hat der Hase nicht (R8).", "The hare does not have this card (R8).")
    CARD_NEEDS_SALAD = Text(
        "Ohne Salat kann die Karte nicht gespielt werden (R9).", "Without a salad this card cannot be played (R9)."
    )
    SWAP_TOO_LATE = Text(
        "Karotten werden nur getauscht, solange beide Hasen vor dem letzten Salatfeld sind (R10).",
        "Carrots are only swapped while both hares are before the last salad field (R10).",
    )
    SWAPPED_JUST_NOW = Text(
        "Die Karotten wurden gerade erst getauscht (R10).", "The carrots were swapped only just now (R10)."
    )
    ALREADY_AHEAD = Text(
        "Vorlaufen kann nur, wer nicht vorne liegt (R11).", "Only a hare that is not ahead hurries (R11)."
    )
    NOT_AHEAD = Text(
        "Die Karte Zurückfallen spielt nur, wer vorne liegt (R12).", "Only a hare that is ahead plays fall back (R12)."
    )
    CARD_MUST_FOLLOW = Text(
        "Auf einem Hasenfeld muss eine Karte gespielt werden (R8).", "On a hare field a card has to be played (R8)."
    )
    NO_SALAD_HERE = Text(
        "Salat gibt es nur auf einem Salatfeld, und nur einmal (R5).",
        "Salads are eaten on a salad field only, and only once (R5).",
    )
    NO_HEDGEHOG_BEHIND = Text("Hinter dem Hasen liegt kein Igelfeld (R13).", "There is no hedgehog field behind (R13).")
    HEDGEHOG_OCCUPIED = Text(
        "Auf dem nächsten Igelfeld sitzt der andere Hase (R13).",
        "The other hare is on the nearest hedgehog field (R13).",
    )
    NOT_ON_CARROTS = Text(
        "Karotten nimmt oder gibt man nur auf einem Karottenfeld (R14).",
        "Carrots are taken and given back on a carrot field only (R14).",
    )
    WRONG_AMOUNT = Text(
        "Es werden genau 10 Karotten genommen oder abgegeben (R14).",
        "Exactly 10 carrots are taken or given back (R14).",
    )
    TOO_FEW_TO_GIVE = Text(
        "Wer 10 Karotten abgibt, muss sie haben (R14).", "Who gives back 10 carrots has to have them (R14)."
    )


class HaseUndIgelEnd(End):
    """The ways in which a game ends."""

    GOAL = Text("als Einziger im Ziel", "alone in the goal")
    FEWER_CARROTS = Text("beide gleichauf, aber mit weniger Karotten", "both level, but with fewer carrots")
    TIE = Text("beide gleichauf mit gleich vielen Karotten", "both level with the same number of carrots")
    AHEAD = Text("nach 30 Runden weiter vorne", "further ahead after 30 rounds")


_ATE = 1 << 10
"""The bit of ``Hare.key`` for a hare whose last action was to eat a salad (R5)."""
_SWAPPED = 1 << 11
_COUNT_BITS = 7
_CARD_UNITS = tuple(1 << 12 + _COUNT_BITS * card for card in CARDS)
_CARROT_SHIFT = 12 + _COUNT_BITS * len(CARDS)


@dataclass(frozen=True, slots=True)
class Hare:
    """One hare and what it has."""

    position: int = field(compare=False)
    carrots: int = field(compare=False)
    salads: int = field(compare=False)
    cards: tuple[Card, ...] = field(default=(), compare=False)
    """The cards in the order in which they were bought."""
    last_action: Action | None = field(default=None, compare=False)
    key: int = field(init=False, repr=False)
    """All of this hare that bears on what can still happen, as one number."""

    def __post_init__(self) -> None:
        key = self.position | self.salads << 7 | self.carrots << _CARROT_SHIFT
        last = self.last_action
        if last is Card.SWAP_CARROTS:
            key |= _SWAPPED
        elif isinstance(last, EatSalad):
            key |= _ATE
        for card in self.cards:
            key += _CARD_UNITS[card]
        object.__setattr__(self, "key", key)

    @property
    def has_eaten(self) -> bool:
        """Whether the hare's last action was to eat a salad on a salad field (R5)."""
        return bool(self.key & _ATE)

    @property
    def has_swapped(self) -> bool:
        """Whether the hare's last action was to swap carrots (R10)."""
        return bool(self.key & _SWAPPED)


Hares = tuple[Hare, Hare]


def cost(distance: int) -> int:
    """The carrots that running so far costs (R6)."""
    return distance * (distance + 1) // 2


def reach(carrots: int) -> int:
    """How far a hare with so many carrots can run (R6)."""
    return (isqrt(8 * carrots + 1) - 1) // 2


_COST = [cost(distance) for distance in range(LAST + 1)]
_ADVANCE = [Advance(distance) for distance in range(LAST + 1)]
_BUYING = [tuple(Advance(distance, (card,)) for card in CARDS) for distance in range(LAST + 1)]


@lru_cache(maxsize=1 << 16)
def _with_cards(distance: int, cards: tuple[Card, ...]) -> Advance:
    return Advance(distance, cards)


@dataclass(frozen=True, slots=True)
class State(SelfDrawing):
    """One position of Hase und Igel; ``State.of`` makes one from outside."""

    rules: Rules
    track: Track
    turn: int
    """Turns so far, skipped ones included; ONE moves when it is even (R17)."""
    hares: Hares
    last_move: Move | None = field(default=None, compare=False)
    came_from: tuple[Team, int] | None = field(default=None, compare=False)
    """The hare that moved last and the field on which it was, where known."""
    _moves: tuple[Move, ...] | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, rules: Rules, track: Track, turn: int, hares: Hares, last_move: Move | None = None) -> State:
        """The position of these hares, which the caller has validated; a hare that cannot move is skipped (R19)."""
        state = cls(rules, track, turn, hares, last_move)
        return state if state._can_go_on() else state._next_turn(turn + 1, hares, last_move, None)

    # --- asking it ----------------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> Team:
        """The team whose turn it is (R17)."""
        return Team.TWO if self.turn & 1 else Team.ONE

    @property
    def round(self) -> int:
        """The number of the round that is being played, from 1."""
        return self.turn // 2 + 1

    def is_ahead(self, team: Team) -> bool:
        """Whether the hare of ``team`` is further on than the other (R5)."""
        return self.hares[team].position > self.hares[1 - team].position

    def field_of(self, team: Team) -> Field:
        """The field on which the hare of ``team`` is."""
        return self.track.fields[self.hares[team].position]

    @property
    def outcome(self) -> Outcome | None:
        return self._decision() if self._is_over() else None

    def points(self, team: Team) -> tuple[int, ...]:
        """Victory points, number of the field, carrots (R23)."""
        hare = self.hares[team]
        return victory_points(self.outcome, team), hare.position, hare.carrots

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves: advances, the shortest first, back, taking carrots, giving them back.

        Advances of one distance come in the order of their cards, compared card by card in the order of ``Card``.
        """
        moves = self._moves
        if moves is None:
            moves = self._generate()
            object.__setattr__(self, "_moves", moves)
        return moves

    def violation(self, move: Move) -> HaseUndIgelViolation | None:
        if self._is_over():
            return HaseUndIgelViolation.GAME_OVER
        me, other = self._sides()
        here = self.track.fields[me.position]
        must_eat = here is Field.SALAD and not me.has_eaten
        if isinstance(move, EatSalad):
            return None if must_eat else HaseUndIgelViolation.NO_SALAD_HERE
        if must_eat:
            return HaseUndIgelViolation.MUST_EAT_SALAD
        if isinstance(move, Advance):
            return self._advance_violation(move, me, other)
        if isinstance(move, FallBack):
            hedgehog = self.track.hedgehog_before[me.position]
            if hedgehog < 0:
                return HaseUndIgelViolation.NO_HEDGEHOG_BEHIND
            return HaseUndIgelViolation.HEDGEHOG_OCCUPIED if hedgehog == other.position else None
        if here is not Field.CARROTS:
            return HaseUndIgelViolation.NOT_ON_CARROTS
        if abs(move.amount) != PRICE:
            return HaseUndIgelViolation.WRONG_AMOUNT
        return HaseUndIgelViolation.TOO_FEW_TO_GIVE if me.carrots + move.amount < 0 else None

    # --- playing ------------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> State:
        require_move(move, Move)
        if (reason := self.violation(move)) is not None:
            raise IllegalMove(reason, move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> State:
        """Like ``play`` for a move that came from ``legal_moves``."""
        me, other = self._sides()
        position = me.position
        me, other = self._moved(move, me, other)
        if self.turn & 1:
            return self._next_turn(self.turn + 1, (other, me), move, (Team.TWO, position))
        return self._next_turn(self.turn + 1, (me, other), move, (Team.ONE, position))

    def hare_after(self, move: Move) -> Hare:
        """The hare that makes this legal move, just after it and before a field pays for the next turn (R18)."""
        return self._moved(move, *self._sides())[0]

    # --- within -------------------------------------------------------------------------------------------------------

    def _sides(self) -> Hares:
        """The hare that moves and the one that waits."""
        one, two = self.hares
        return (two, one) if self.turn & 1 else (one, two)

    def _is_over(self) -> bool:
        """Whether the last round is over (R21)."""
        turn = self.turn
        if turn & 1:
            return False
        one, two = self.hares
        return turn >= TURN_LIMIT or one.position == LAST or two.position == LAST

    def _decision(self) -> Outcome:
        """Who won when the last round is over (R22)."""
        one, two = self.hares
        if one.position != two.position:
            winner = Team.ONE if one.position > two.position else Team.TWO
            in_goal = self.hares[winner].position == LAST
            return Outcome(winner, HaseUndIgelEnd.GOAL if in_goal else HaseUndIgelEnd.AHEAD)
        if one.carrots != two.carrots:
            return Outcome(Team.ONE if one.carrots < two.carrots else Team.TWO, HaseUndIgelEnd.FEWER_CARROTS)
        return Outcome(None, HaseUndIgelEnd.TIE)

    def _can_go_on(self) -> bool:
        """Whether the game is over or the hare to move has a move; the cheapest answers first."""
        me, other = self._sides()
        if self.track.codes[me.position] == _CARROTS or self._is_over():
            return True
        hedgehog = self.track.hedgehog_before[me.position]
        return (hedgehog >= 0 and hedgehog != other.position and me.position != LAST) or bool(self.legal_moves())

    def _next_turn(self, turn: int, hares: Hares, move: Move | None, came_from: tuple[Team, int] | None) -> State:
        """The position in which the turn ``turn`` starts, or the next one for which there is a move (R18, R19)."""
        rules, track = self.rules, self.track
        while True:
            state = State(rules, track, turn, hares, move, came_from)
            over = state._is_over()
            if rules.official or not over:  # R24
                paid = _paid(track, turn, hares)
                if paid is not hares:
                    hares = paid
                    state = State(rules, track, turn, hares, move, came_from)
            if over or state._can_go_on():
                return state
            turn += 1

    def _moved(self, move: Move, me: Hare, other: Hare) -> Hares:
        """Both hares after a legal move, the one that moved first."""
        if isinstance(move, Advance):
            return self._advanced(move, me, other)
        position, carrots, salads = me.position, me.carrots, me.salads
        if isinstance(move, FallBack):
            target = self.track.hedgehog_before[position]
            return Hare(target, carrots + 10 * (position - target), salads, me.cards, move), other
        if isinstance(move, EatSalad):
            return Hare(position, carrots + _bonus(position, other.position), salads - 1, me.cards, move), other
        return Hare(position, carrots + move.amount, salads, me.cards, move), other

    def _advanced(self, move: Advance, me: Hare, other: Hare) -> Hares:
        """Both hares after a legal advance."""
        codes = self.track.codes
        position = me.position + move.distance
        carrots, salads = me.carrots - _COST[move.distance], me.salads
        if not move.cards:
            return Hare(position, carrots, salads, me.cards, move), other
        cards = list(me.cards)
        last: Action = move
        for card in move.cards:
            if codes[position] == _MARKET:
                cards.append(card)
                carrots -= PRICE
                return Hare(position, carrots, salads, tuple(cards), move), other  # R15
            cards.remove(card)
            last = card
            if card is Card.EAT_SALAD:
                salads, carrots = salads - 1, carrots + _bonus(position, other.position)
            elif card is Card.SWAP_CARROTS:
                theirs = Hare(other.position, carrots, other.salads, other.cards, other.last_action)
                return Hare(position, other.carrots, salads, tuple(cards), card), theirs
            else:
                position = other.position + (1 if card is Card.HURRY_AHEAD else -1)
        return Hare(position, carrots, salads, tuple(cards), last), other

    def _generate(self) -> tuple[Move, ...]:
        if self._is_over():
            return ()
        me, other = self._sides()
        position, here = me.position, self.track.codes[me.position]
        if here == _SALAD and not me.key & _ATE:
            return (EAT_SALAD,)
        moves = self._advances(me, other)
        hedgehog = self.track.hedgehog_before[position]
        if hedgehog >= 0 and hedgehog != other.position:
            moves.append(FALL_BACK)
        if here == _CARROTS:
            moves.append(TAKE_CARROTS)
            if me.carrots >= PRICE:
                moves.append(GIVE_CARROTS)
        return tuple(moves)

    def _advances(self, me: Hare, other: Hare) -> list[Move]:
        """All legal advances (R6 to R8)."""
        position, carrots, salads = me.position, me.carrots, me.salads
        codes, occupied = self.track.codes, other.position
        moves: list[Move] = []
        target = position
        for code in codes[position + 1 : position + 1 + reach(carrots)]:
            target += 1
            if code == _HEDGEHOG or (target == occupied and code != _GOAL):
                continue
            distance = target - position
            if code == _HARE:
                if me.cards:
                    left = carrots - _COST[distance]
                    moves += [_with_cards(distance, chain) for chain in self._chains(target, left, me.cards, me, other)]
            elif code == _MARKET:
                if carrots - _COST[distance] >= PRICE:
                    moves += _BUYING[distance]
            elif code == _SALAD:
                if salads:
                    moves.append(_ADVANCE[distance])
            elif code != _GOAL or (not salads and carrots - _COST[distance] <= GOAL_CARROTS):
                moves.append(_ADVANCE[distance])
        return moves

    def _chains(
        self, position: int, carrots: int, cards: tuple[Card, ...], me: Hare, other: Hare
    ) -> Iterator[tuple[Card, ...]]:
        """All complete chains of these cards on the hare field ``position`` (R8)."""
        for card in CARDS:
            if card not in cards or self._card_violation(card, position, me, other) is not None:
                continue
            if card is Card.EAT_SALAD or card is Card.SWAP_CARROTS:
                yield (card,)
                continue
            target = other.position + (1 if card is Card.HURRY_AHEAD else -1)
            if self._entry_violation(target, carrots, me.salads, len(cards) - 1, other) is not None:
                continue
            code = self.track.codes[target]
            if code == _HARE:
                at = cards.index(card)
                for rest in self._chains(target, carrots, cards[:at] + cards[at + 1 :], me, other):
                    yield (card, *rest)
            elif code == _MARKET:
                for bought in CARDS:
                    yield (card, bought)
            else:
                yield (card,)

    def _entry_violation(
        self, target: int, carrots: int, salads: int, cards: int, other: Hare
    ) -> HaseUndIgelViolation | None:
        """Why a hare with these carrots, salads and number of cards may not enter the field ``target`` (R6)."""
        if not 0 <= target <= LAST:
            return HaseUndIgelViolation.NO_SUCH_FIELD
        kind = self.track.fields[target]
        if target == other.position and kind is not Field.GOAL:
            return HaseUndIgelViolation.OCCUPIED
        match kind:
            case Field.START:
                return HaseUndIgelViolation.ONTO_START
            case Field.HEDGEHOG:
                return HaseUndIgelViolation.ONTO_HEDGEHOG
            case Field.SALAD if not salads:
                return HaseUndIgelViolation.NO_SALAD_LEFT
            case Field.MARKET if carrots < PRICE:
                return HaseUndIgelViolation.TOO_POOR_FOR_MARKET
            case Field.HARE if not cards:
                return HaseUndIgelViolation.HARE_WITHOUT_CARD
            case Field.GOAL if salads or carrots > GOAL_CARROTS:
                return HaseUndIgelViolation.GOAL_CLOSED
        return None

    def _card_violation(self, card: Card, position: int, me: Hare, other: Hare) -> HaseUndIgelViolation | None:
        """Why this card cannot be played on ``position``, wherever it leads to (R9 to R12)."""
        match card:
            case Card.EAT_SALAD:
                return None if me.salads else HaseUndIgelViolation.CARD_NEEDS_SALAD
            case Card.SWAP_CARROTS:
                if max(position, other.position) >= self.track.last_salad:
                    return HaseUndIgelViolation.SWAP_TOO_LATE
                if me.has_swapped or other.has_swapped:
                    return HaseUndIgelViolation.SWAPPED_JUST_NOW
                return None
            case Card.FALL_BACK:
                return None if position > other.position else HaseUndIgelViolation.NOT_AHEAD
            case Card.HURRY_AHEAD:
                return HaseUndIgelViolation.ALREADY_AHEAD if position > other.position else None

    def _advance_violation(self, move: Advance, me: Hare, other: Hare) -> HaseUndIgelViolation | None:
        if move.distance < 1:
            return HaseUndIgelViolation.NO_DISTANCE
        carrots = me.carrots - cost(move.distance)
        if carrots < 0:
            return HaseUndIgelViolation.TOO_FEW_CARROTS
        position, held = me.position + move.distance, list(me.cards)
        if (reason := self._entry_violation(position, carrots, me.salads, len(held), other)) is not None:
            return reason
        fields, is_open = self.track.fields, True
        for number, card in enumerate(move.cards):
            if fields[position] is Field.MARKET:
                return None if number == len(move.cards) - 1 else HaseUndIgelViolation.ONE_CARD_ON_MARKET
            if fields[position] is not Field.HARE or not is_open:
                return HaseUndIgelViolation.CARD_NOT_PLAYABLE
            if card not in held:
                return HaseUndIgelViolation.CARD_NOT_OWNED
            if (reason := self._card_violation(card, position, me, other)) is not None:
                return reason
            held.remove(card)
            if card is Card.EAT_SALAD or card is Card.SWAP_CARROTS:
                is_open = False
                continue
            position = other.position + (1 if card is Card.HURRY_AHEAD else -1)
            if (reason := self._entry_violation(position, carrots, me.salads, len(held), other)) is not None:
                return reason
        if fields[position] is Field.MARKET:
            return HaseUndIgelViolation.ONE_CARD_ON_MARKET
        return HaseUndIgelViolation.CARD_MUST_FOLLOW if fields[position] is Field.HARE and is_open else None


def _bonus(position: int, other: int) -> int:
    """The carrots for a salad that is eaten (R5)."""
    return 10 if position > other else 30


def _paid(track: Track, turn: int, hares: Hares) -> Hares:
    """The hares after a position field has paid the one whose turn starts; the same pair if it pays nothing (R18)."""
    side = turn & 1
    me, other = hares[side], hares[1 - side]
    code = track.codes[me.position]
    if code == _FIRST and me.position > other.position:
        gain = 10
    elif code == _SECOND and me.position <= other.position:
        gain = 30
    else:
        return hares
    me = Hare(me.position, me.carrots + gain, me.salads, me.cards, me.last_action)
    return (other, me) if side else (me, other)


def new_state(rules: Rules, rng: Random) -> State:
    """A start position: both hares before a drawn track (R3, R4)."""
    require_random(rng)
    hare = Hare(0, CARROTS_AT_START, SALADS_AT_START)
    return State(rules, draw_track(rng), 0, (hare, hare))
