"""Hase und Igel for programs that learn: the track as a line of 65 fields, which both teams see alike.

What does not belong to a field stands on every one of them. A move is one of four without a distance (eat a salad, fall
back, take ten carrots, give ten back), or a chain of cards and a distance: its number is
``4 + 64 * chain + distance - 1``. Chain 0 has no card. Because a hare is behind the other after it has fallen back, and
ahead after it has hurried, all cards of a legal chain but the last one alternate between these two (R8, R11, R12): a
chain is the last card, how many come before it, and with which of the two they begin.
"""

from __future__ import annotations

from spielleiter.game import Plane, Team
from spielleiter.game.encoding import PlaneArrays, filled
from spielleiter.games.hase_und_igel.moves import (
    CARDS,
    EAT_SALAD,
    FALL_BACK,
    GIVE_CARROTS,
    TAKE_CARROTS,
    Advance,
    Card,
    Move,
)
from spielleiter.games.hase_und_igel.position import MAX_CARDS
from spielleiter.games.hase_und_igel.rules import SALADS_AT_START, TURN_LIMIT, Hare, State
from spielleiter.games.hase_und_igel.track import LAST, LENGTH, Field

_SIMPLE: tuple[Move, ...] = (EAT_SALAD, FALL_BACK, TAKE_CARROTS, GIVE_CARROTS)
_SIMPLE_NUMBERS = {move: number for number, move in enumerate(_SIMPLE)}
_MOVING = (Card.FALL_BACK, Card.HURRY_AHEAD)
_KINDS = tuple(kind for kind in Field if kind not in (Field.START, Field.GOAL))


def _chains() -> list[tuple[Card, ...]]:
    """All chains that can be legal, the short ones first: all cards held, and one that is bought in the end."""
    found: list[tuple[Card, ...]] = [(), *((card,) for card in CARDS)]
    for before in range(1, MAX_CARDS + 1):
        for first in (0, 1):
            moving = tuple(_MOVING[(first + step) % 2] for step in range(before))
            found += [(*moving, card) for card in CARDS]
    return found


CHAINS = _chains()
_CHAIN_NUMBERS = {chain: number for number, chain in enumerate(CHAINS)}


def _planes_of(whose: str) -> tuple[Plane, ...]:
    return (
        Plane(f"{whose} hare"),
        Plane(f"{whose} hundreds of carrots, on every field", 255),
        Plane(f"{whose} carrots beyond them, on every field", 99),
        Plane(f"{whose} salads, on every field", SALADS_AT_START),
        *(Plane(f"{whose} cards: {card.text.en}, on every field", 255) for card in CARDS),
        Plane(f"all ones: {whose} last action was to eat a salad on a salad field"),
        Plane(f"all ones: {whose} last action was to swap carrots"),
    )


class HaseUndIgelEncoding(PlaneArrays):
    """Positions and moves as numbers."""

    size = (1, LENGTH)
    actions = len(_SIMPLE) + LAST * len(CHAINS)
    planes = (
        *(Plane(f"fields: {kind.text.en}") for kind in _KINDS),
        *_planes_of("own"),
        *_planes_of("the opponent's"),
        Plane("all ones: this team moves second in a round"),
        Plane("the turn, on every field", TURN_LIMIT),
    )

    def plane_bytes(self, state: State, team: Team) -> bytes:
        """The position as ``team`` sees it."""
        codes = state.track.codes
        fields = b"".join(codes.translate(_ONLY[kind]) for kind in _KINDS)
        hares = _hare_planes(state.hares[team]) + _hare_planes(state.hares[team.opponent])
        return b"".join((fields, hares, filled(team is Team.TWO, LENGTH), filled(state.turn, LENGTH)))

    def action(self, state: State, move: Move) -> int:
        """The number of a legal move; it is the same for both teams."""
        if isinstance(move, Advance):
            return len(_SIMPLE) + LAST * _CHAIN_NUMBERS[move.cards] + move.distance - 1
        return _SIMPLE_NUMBERS[move]

    def move(self, state: State, action: int) -> Move:
        """The move with that number, legal or not."""
        if action < len(_SIMPLE):
            return _SIMPLE[action]
        chain, distance = divmod(action - len(_SIMPLE), LAST)
        return Advance(distance + 1, CHAINS[chain])


def _only(kind: Field) -> bytes:
    """The table that turns a track into the plane of this kind of field."""
    return bytes(code == kind for code in range(256))


_ONLY = {kind: _only(kind) for kind in _KINDS}


def _hare_planes(hare: Hare) -> bytes:
    here = bytearray(LENGTH)
    here[hare.position] = 1
    hundreds, carrots = divmod(hare.carrots, 100)
    cards = (hare.cards.count(card) for card in CARDS)
    numbers = (hundreds, carrots, hare.salads, *cards, hare.has_eaten, hare.has_swapped)
    return bytes(here) + b"".join(filled(number, LENGTH) for number in numbers)
