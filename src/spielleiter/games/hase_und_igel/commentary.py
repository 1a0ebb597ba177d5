"""What a commentator says of a move in Hase und Igel."""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.game import Commentary, Remark, Team, Text, Weight, WorseMove, rounds_left
from spielleiter.games.hase_und_igel.moves import TEAM_TEXTS, Advance, Card, EatSalad, ExchangeCarrots, FallBack, Move
from spielleiter.games.hase_und_igel.reasons import reasons
from spielleiter.games.hase_und_igel.rules import TURN_LIMIT, State, cost
from spielleiter.games.hase_und_igel.track import LAST, Field

FAR = 8
"""Fields from which on a move is a long one."""


class HaseUndIgelCommentary(Commentary[State, Move]):
    """The goal, salads, cards, and hares that overtake."""

    def remark(self, before: State, move: Move, after: State) -> Remark | None:
        team = before.to_move
        return (
            _goal(after, team)
            or _skipped(after, team)
            or _salad(before, after, team)
            or _cards(before, move, team)
            or _overtaking(before, after, team)
            or _fallen(before, move, team)
            or _far(move, team)
            or (rounds_left((TURN_LIMIT - after.turn) // 2) if after.turn % 2 == 0 else None)
        )

    def reasons(self, worse: WorseMove[State, Move]) -> Iterable[Text]:
        """What the rules and the engine's answer say; see ``reasons``."""
        return reasons(worse)

    def move_name(self, state: State, move: Move) -> Text | None:
        """The field to which the hare runs, or what it does."""
        match move:
            case Advance():
                target = state.hares[state.to_move].position + move.distance
                return Text(f"Lauf auf Feld {target}", f"run to field {target}")
            case EatSalad():
                return Text("Salat fressen", "eat a salad")
            case FallBack():
                return Text("Zurückfallen", "fall back")
            case ExchangeCarrots() if move.amount < 0:
                return Text("Karotten abgeben", "give back carrots")
            case ExchangeCarrots():
                return Text("Karotten nehmen", "take carrots")


def _goal(after: State, team: Team) -> Remark | None:
    if after.hares[team].position != LAST:
        return None
    me, other = TEAM_TEXTS[team], TEAM_TEXTS[team.opponent]
    if after.outcome is None:
        return Remark.of(
            Weight.DECISION,
            f"{me.de} ist im Ziel, {other.de} hat noch einen Zug!",
            f"{me.en} is in the goal, and {other.en} has one move left!",
        )
    return Remark.of(Weight.DECISION, f"{me.de} läuft ins Ziel!", f"{me.en} runs into the goal!")


def _skipped(after: State, team: Team) -> Remark | None:
    if after.outcome is not None or after.to_move is not team:
        return None
    other = TEAM_TEXTS[team.opponent]
    return Remark.of(
        Weight.HIGHLIGHT,
        f"{other.de} kann nicht ziehen und muss aussetzen.",
        f"{other.en} cannot move and is skipped.",
    )


def _salad(before: State, after: State, team: Team) -> Remark | None:
    left, me = after.hares[team].salads, TEAM_TEXTS[team]
    if left == before.hares[team].salads:
        return None
    if not left:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{me.de} hat den letzten Salat gefressen: Der Weg ins Ziel ist frei.",
            f"{me.en} has eaten the last salad: the way to the goal is free.",
        )
    count = Text("einen Salat", "one salad") if left == 1 else Text(f"{left} Salate", f"{left} salads")
    return Remark.of(
        Weight.EVENT,
        f"{me.de} frisst einen Salat und hat noch {count.de}.",
        f"{me.en} eats a salad and has {count.en} left.",
    )


def _cards(before: State, move: Move, team: Team) -> Remark | None:
    if not isinstance(move, Advance) or not move.cards:
        return None
    hare, me, other = before.hare_after(move), TEAM_TEXTS[team], TEAM_TEXTS[team.opponent]
    played = move.cards[:-1] if before.track.fields[hare.position] is Field.MARKET else move.cards
    if len(played) > 1:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{me.de} spielt {len(played)} Karten in einem Zug!",
            f"{me.en} plays {len(played)} cards in one move!",
        )
    if Card.SWAP_CARROTS in played:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{me.de} tauscht die Karotten mit {other.de} und hat jetzt {hare.carrots}.",
            f"{me.en} swaps carrots with {other.en} and has {hare.carrots} now.",
        )
    return None


def _overtaking(before: State, after: State, team: Team) -> Remark | None:
    me, other = TEAM_TEXTS[team], TEAM_TEXTS[team.opponent]
    if before.is_ahead(team) or not after.is_ahead(team) or before.turn < 2:
        return None
    lead = after.hares[team].position - after.hares[team.opponent].position
    fields = Text("ein Feld", "one field") if lead == 1 else Text(f"{lead} Felder", f"{lead} fields")
    return Remark.of(
        Weight.EVENT,
        f"{me.de} überholt {other.de} und liegt {fields.de} vorne.",
        f"{me.en} overtakes {other.en} and leads by {fields.en}.",
    )


def _fallen(before: State, move: Move, team: Team) -> Remark | None:
    if not isinstance(move, FallBack):
        return None
    me, hare = TEAM_TEXTS[team], before.hare_after(move)
    place, gain = hare.position, hare.carrots - before.hares[team].carrots
    return Remark.of(
        Weight.EVENT,
        f"{me.de} fällt auf den Igel {place} zurück und holt {gain} Karotten.",
        f"{me.en} falls back to the hedgehog on {place} and gains {gain} carrots.",
    )


def _far(move: Move, team: Team) -> Remark | None:
    if not isinstance(move, Advance) or move.distance < FAR:
        return None
    me, paid = TEAM_TEXTS[team], cost(move.distance)
    return Remark.of(
        Weight.ASIDE,
        f"{me.de} rennt {move.distance} Felder weit und zahlt {paid} Karotten.",
        f"{me.en} runs {move.distance} fields and pays {paid} carrots.",
    )
