"""Hase und Igel as the recordings of the reference server write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.game import TEAMS, End
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
from spielleiter.games.hase_und_igel.rules import Hare, HaseUndIgelEnd, Rules, State
from spielleiter.games.hase_und_igel.track import Field, track_of

_REASONS: dict[End, str] = {
    HaseUndIgelEnd.GOAL: "GOAL",
    HaseUndIgelEnd.FEWER_CARROTS: "DIFFERING_CARROTS",
    HaseUndIgelEnd.TIE: "TIE",
    HaseUndIgelEnd.AHEAD: "DIFFERING_SCORES",
}


class HaseUndIgelRecordings:
    """Reads recorded games of one rule set; see ``records.reference``."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def start(self, game: Mapping[str, Any]) -> State:
        start = game["start"]
        by_team = {hare["team"]: _read_hare(hare) for hare in start["hares"]}
        letters, turn = "".join(Field[name].letter for name in start["track"]), int(start["turn"])
        hares = by_team["ONE"], by_team["TWO"]
        if (reason := why_impossible(letters, turn, hares)) is not None:
            raise ValueError(reason.text.en)
        return State.of(self._rules, track_of(letters), turn, hares)

    def move(self, state: State, text: str) -> Move:
        """The move that the recording names, as ``ADVANCE 3 EAT_SALAD`` or ``EXCHANGE -10``."""
        return _read_move(text)

    def canonical_moves(self, state: State) -> list[str]:
        """The legal moves as the recordings hash them."""
        return [write_action(move) for move in state.legal_moves()]

    def end(self, state: State) -> dict[str, Any]:
        """What the recordings say about the last position; the hares as the server paid them in the end (R24)."""
        outcome = state.outcome
        end: dict[str, Any] = {"reason": None if outcome is None else _REASONS[outcome.reason]}
        if self._rules.official:
            end["hares"] = [
                {
                    "team": team.name,
                    "position": hare.position,
                    "salads": hare.salads,
                    "carrots": hare.carrots,
                    "cards": [card.name for card in hare.cards],
                    "lastAction": None if hare.last_action is None else write_action(hare.last_action),
                }
                for team, hare in zip(TEAMS, state.hares, strict=True)
            ]
        return end


def write_action(action: Action) -> str:
    """A move, or the card with which one ended, in the words of the recordings."""
    match action:
        case Card():
            return f"CARD {action.name}"
        case Advance():
            return " ".join(("ADVANCE", str(action.distance), *(card.name for card in action.cards)))
        case EatSalad():
            return "EAT_SALAD"
        case FallBack():
            return "FALL_BACK"
        case ExchangeCarrots():
            return f"EXCHANGE {action.amount}"


def _read_hare(recorded: Mapping[str, Any]) -> Hare:
    last = recorded["lastAction"]
    return Hare(
        int(recorded["position"]),
        int(recorded["carrots"]),
        int(recorded["salads"]),
        tuple(Card[name] for name in recorded["cards"]),
        None if last is None else Card[last[5:]] if last.startswith("CARD ") else _read_move(last),
    )


def _read_move(text: str) -> Move:
    kind, *words = text.split(" ")
    if kind == "ADVANCE":
        distance, *cards = words
        return Advance(int(distance), tuple(Card[name] for name in cards))
    if kind == "EXCHANGE":
        [amount] = words
        return ExchangeCarrots(int(amount))
    if words or kind not in ("EAT_SALAD", "FALL_BACK"):
        raise ValueError(f"not a recorded move: {text!r}")
    return EAT_SALAD if kind == "EAT_SALAD" else FALL_BACK
