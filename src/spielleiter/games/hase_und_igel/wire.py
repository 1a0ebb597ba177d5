"""Hase und Igel on the wire: the words of 2025."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from spielleiter.errors import MessageError
from spielleiter.game import TEAMS, Dialect, Element, StateWriter, Team
from spielleiter.games.hase_und_igel.moves import (
    EAT_SALAD,
    FALL_BACK,
    Action,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    Move,
)
from spielleiter.games.hase_und_igel.position import why_impossible
from spielleiter.games.hase_und_igel.rules import Hare, Rules, State
from spielleiter.games.hase_und_igel.track import LENGTH, Field, Track, track_of

_CARDS = dict(Card.__members__)
_FIELDS = {kind.name: kind.letter for kind in Field}
_TEAMS = dict(Team.__members__)
_MOVES = ("advance", "eatsalad", "fallback", "exchangecarrots")
_MAX_CARDS = 64
"""Cards of one move or hare that are read; no game comes near to it."""


class HaseUndIgelCodec:
    """The track, both hares with what they have and did last, the last move."""

    dialect = Dialect(request_gap=0.01)  # The season's server left a tenth of a second and more.

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def state_writer(self, names: tuple[str, str]) -> StateWriter[State]:
        """A writer for the states of one game; they say nothing about the players."""
        return _write_state

    def read_state(self, state: Element) -> State:
        """The state that ``<state>`` describes."""
        letters = "".join(field.own_choice(_FIELDS) for field in state.child("board").all("field"))
        hares: dict[Team, Hare] = {}
        for element in state.all("hare"):
            team = element.choice("team", _TEAMS)
            if team in hares:
                raise MessageError(f"{team.name} hat nur einen Hasen", f"{team.name} has only one hare")
            hares[team] = self._read_hare(element)
        if len(hares) < len(TEAMS) or len(letters) != LENGTH:
            raise MessageError(
                f"ein Zustand hat {LENGTH} Felder und zwei Hasen, nicht {len(letters)} und {len(hares)}",
                f"a state has {LENGTH} fields and two hares, not {len(letters)} and {len(hares)}",
            )
        turn, pair, last = state.integer("turn"), (hares[Team.ONE], hares[Team.TWO]), state.find("lastMove")
        if (reason := why_impossible(letters, turn, pair)) is not None:
            raise MessageError(reason.text.de, reason.text.en)
        return State.of(self._rules, track_of(letters), turn, pair, None if last is None else self.read_move(last))

    def write_move(self, move: Move, hints: Sequence[str] = ()) -> str:
        """The ``<data>`` of a move; this season has no hints."""
        return _action("data", move, 2)

    def read_move(self, data: Element) -> Move:
        """The move that ``<data>`` describes."""
        match data.one_of(*_MOVES):
            case "advance":
                return Advance(data.integer("distance"), _read_cards(data))
            case "exchangecarrots":
                return ExchangeCarrots(data.integer("amount"))
            case "eatsalad":
                return EAT_SALAD
            case _:
                return FALL_BACK

    def _read_hare(self, element: Element) -> Hare:
        cards, last = element.find("cards"), element.find("lastAction")
        action: Action | None = None
        if last is not None:
            is_card = last.one_of("card", *_MOVES) == "card"
            action = last.own_choice(_CARDS) if is_card else self.read_move(last)
        return Hare(
            element.integer("position"),
            element.integer("carrots"),
            element.integer("salads"),
            () if cards is None else _read_cards(cards),
            action,
        )


def _write_state(state: State, hints: Sequence[str] = ()) -> str:
    hares = "".join(_hare(team, hare) for team, hare in zip(TEAMS, state.hares, strict=True))
    last = "" if state.last_move is None else _action("lastMove", state.last_move, 4)
    return (
        f'\n      <state class="state" startTeam="ONE" turn="{state.turn}">{_board(state.track)}{hares}{last}'
        "\n      </state>"
    )


@lru_cache(maxsize=256)
def _board(track: Track) -> str:
    """The track, the same in every state of a game."""
    fields = "".join(f"\n          <field>{field.name}</field>" for field in track.fields)
    return f"\n        <board>{fields}\n        </board>"


def _hare(team: Team, hare: Hare) -> str:
    last = "" if hare.last_action is None else _action("lastAction", hare.last_action, 5)
    cards = (
        f"\n          <cards>{_card_lines(hare.cards, 6)}\n          </cards>" if hare.cards else "\n          <cards/>"
    )
    return (
        f'\n        <hare team="{team.name}" position="{hare.position}" salads="{hare.salads}"'
        f' carrots="{hare.carrots}">{last}{cards}\n        </hare>'
    )


def _action(name: str, action: Action, level: int) -> str:
    """A move, or the card with which one ended, as the element ``name``."""
    indent = "\n" + "  " * level
    match action:
        case Card():
            return f'{indent}<{name} class="card">{action.name}</{name}>'
        case Advance():
            start = f'{indent}<{name} class="advance" distance="{action.distance}"'
            if not action.cards:
                return f"{start}/>"
            return f"{start}>{_card_lines(action.cards, level + 1)}{indent}</{name}>"
        case EatSalad():
            return f'{indent}<{name} class="eatsalad"/>'
        case FallBack():
            return f'{indent}<{name} class="fallback"/>'
        case ExchangeCarrots():
            return f'{indent}<{name} class="exchangecarrots" amount="{action.amount}"/>'


def _card_lines(cards: Sequence[Card], level: int) -> str:
    return "".join(f"\n{'  ' * level}<card>{card.name}</card>" for card in cards)


def _read_cards(parent: Element) -> tuple[Card, ...]:
    cards = tuple(card.own_choice(_CARDS) for card in parent.all("card"))
    if len(cards) > _MAX_CARDS:
        raise MessageError(
            f"<{parent.name}> hat höchstens {_MAX_CARDS} Karten, nicht {len(cards)}",
            f"<{parent.name}> has at most {_MAX_CARDS} cards, not {len(cards)}",
        )
    return cards
