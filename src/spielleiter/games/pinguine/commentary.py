"""What a commentator says of a move in Pinguine."""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.game import Commentary, Remark, Team, Text, Weight, WorseMove
from spielleiter.games.pinguine.drawing import TEAM_TEXTS
from spielleiter.games.pinguine.moves import FIELDS, NEIGHBOURS, Move, field_name
from spielleiter.games.pinguine.reasons import reasons
from spielleiter.games.pinguine.rules import PLACING_TURNS, State

_MANY_FISH = 3
"""Catching so many fish at once is worth a word."""
_COUNTS = {3: Text("Drei", "Three"), 4: Text("Vier", "Four")}
_LEAD_FROM = 20
"""First turn whose comments name the leader; before, the lead changes with every move."""


class PinguineCommentary(Commentary[State, Move]):
    """Who gets stuck, who takes the lead, and large catches."""

    def remark(self, before: State, move: Move, after: State) -> Remark | None:
        team = before.to_move
        return (
            _decided(before, after)
            or _out(before, after, team)
            or _prisoner(before, after, team)
            or _catch(before, after, team)
            or _lead(before, after, team)
            or _all_placed(after)
        )

    def reasons(self, worse: WorseMove[State, Move]) -> Iterable[Text]:
        """What the rules and the engine's answer say; see ``reasons``."""
        return reasons(worse)


def _decided(before: State, after: State) -> Remark | None:
    """A team is so far ahead that all fish on the board would not be enough for the other."""
    leader = _uncatchable(after)
    if leader is None or after.outcome is not None or _uncatchable(before) is leader:
        return None
    me, other = TEAM_TEXTS[leader], TEAM_TEXTS[leader.opponent]
    return Remark.of(
        Weight.DECISION,
        f"{me.de} ist nicht mehr einzuholen: Für {other.de} reichen die Fische auf dem Brett nicht.",
        f"{me.en} cannot be caught any more: there are too few fish left for {other.en}.",
    )


def _uncatchable(state: State) -> Team | None:
    """The team that has more fish than the other could have with all that are left to it."""
    left = sum(number * board.bit_count() for number, board in enumerate(state.floes, 1))
    for team in Team:
        other = team.opponent
        within_reach = left if state.turn < PLACING_TURNS or state.can_slide(other) else 0
        if state.fish[team] > state.fish[other] + within_reach:
            return team
    return None


def _out(before: State, after: State, team: Team) -> Remark | None:
    """A team cannot slide any more, and the other plays on alone (R13)."""
    if after.turn < PLACING_TURNS or after.outcome is not None:
        return None
    for stuck in (team.opponent, team):
        could = before.turn < PLACING_TURNS or before.can_slide(stuck)
        if could and not after.can_slide(stuck):
            me, other = TEAM_TEXTS[stuck], TEAM_TEXTS[stuck.opponent]
            return Remark.of(
                Weight.HIGHLIGHT,
                f"{me.de} kann nicht mehr rutschen, {other.de} zieht allein weiter.",
                f"{me.en} cannot slide any more, and {other.en} plays on alone.",
            )
    return None


def _prisoner(before: State, after: State, team: Team) -> Remark | None:
    """A penguin of the opponent got stuck."""
    penguins = after.penguins[team.opponent]
    for number, square in enumerate(FIELDS):
        bit = 1 << number
        if penguins & bit and not NEIGHBOURS[bit] & after.ice and NEIGHBOURS[bit] & before.ice:
            other = TEAM_TEXTS[team.opponent]
            return Remark.of(
                Weight.EVENT,
                f"Der Pinguin von {other.de} auf {field_name(square)} sitzt fest.",
                f"The penguin of {other.en} on {field_name(square)} is stuck.",
            )
    return None


def _catch(before: State, after: State, team: Team) -> Remark | None:
    caught = after.fish[team] - before.fish[team]
    if caught < _MANY_FISH:
        return None
    me, count = TEAM_TEXTS[team], _COUNTS[caught]
    return Remark.of(
        Weight.EVENT, f"{count.de} Fische auf einmal für {me.de}!", f"{count.en} fish at once for {me.en}!"
    )


def _lead(before: State, after: State, team: Team) -> Remark | None:
    other = team.opponent
    if after.turn < _LEAD_FROM or before.fish[team] > before.fish[other] or after.fish[team] <= after.fish[other]:
        return None
    me, score = TEAM_TEXTS[team], (after.fish[team], after.fish[other])
    return Remark.of(
        Weight.EVENT,
        f"{me.de} geht mit {score[0]} zu {score[1]} Fischen in Führung.",
        f"{me.en} takes the lead with {score[0]} fish to {score[1]}.",
    )


def _all_placed(after: State) -> Remark | None:
    if after.turn != PLACING_TURNS:
        return None
    return Remark.of(
        Weight.ASIDE,
        "Alle Pinguine stehen auf dem Eis, jetzt wird gerutscht.",
        "All penguins are on the ice, now they slide.",
    )
