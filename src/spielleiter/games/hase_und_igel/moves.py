"""The moves of Hase und Igel as values: advancing with cards, eating, falling back, exchanging carrots."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from random import Random

from spielleiter.game import Text

TEAM_TEXTS = (Text("Rot", "Red"), Text("Blau", "Blue"))
"""What people call the teams, by the colours they are drawn in."""


class Card(IntEnum):
    """A card of a hare; the names are those of the wire, the order is that of the legal moves."""

    EAT_SALAD = 0
    SWAP_CARROTS = 1
    FALL_BACK = 2
    HURRY_AHEAD = 3

    @property
    def letter(self) -> str:
        """How notation writes the card."""
        return CARD_LETTERS[self]

    @property
    def text(self) -> Text:
        """What people call the card."""
        return _TEXTS[self]


CARDS = tuple(Card)
CARD_LETTERS = "ESFH"
_TEXTS = (
    Text("Salat fressen", "eat a salad"),
    Text("Karotten tauschen", "swap carrots"),
    Text("Zurückfallen", "fall back"),
    Text("Vorlaufen", "hurry ahead"),
)


@dataclass(frozen=True, slots=True)
class Advance:
    """Run ``distance`` fields, then play ``cards`` in order; on a market the last one is bought (R6 to R8)."""

    distance: int
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        cards = "".join(card.letter for card in self.cards)
        return f"{'+' if self.distance >= 0 else ''}{self.distance}{' ' if cards else ''}{cards}"


@dataclass(frozen=True, slots=True)
class EatSalad:
    """Eat a salad on a salad field (R5)."""

    def __str__(self) -> str:
        return "salad"


@dataclass(frozen=True, slots=True)
class FallBack:
    """Go back to the nearest hedgehog (R13)."""

    def __str__(self) -> str:
        return "back"


@dataclass(frozen=True, slots=True)
class ExchangeCarrots:
    """Take or give back ten carrots on a carrot field (R14)."""

    amount: int

    def __str__(self) -> str:
        return f"carrots {'+' if self.amount >= 0 else ''}{self.amount}"


Move = Advance | EatSalad | FallBack | ExchangeCarrots
Action = Move | Card
"""What a hare did last: its move, or the card with which its move ended (R15)."""

EAT_SALAD = EatSalad()
FALL_BACK = FallBack()
TAKE_CARROTS = ExchangeCarrots(10)
GIVE_CARROTS = ExchangeCarrots(-10)


def garbage_move(rng: Random) -> Move:
    """A move out of thin air: distances, cards and amounts that are there or not."""
    kind = rng.randrange(8)
    if kind == 0:
        return EAT_SALAD
    if kind == 1:
        return FALL_BACK
    if kind == 2:
        return ExchangeCarrots(rng.choice((10, -10, 0, 20, -9)))
    distance = rng.randint(-2, 14) if kind < 7 else rng.choice((0, 64, 65, 400))
    return Advance(distance, tuple(rng.choices(CARDS, k=rng.choice((0, 0, 0, 1, 1, 2, 3)))))
