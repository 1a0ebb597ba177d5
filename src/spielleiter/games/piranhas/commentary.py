"""What a commentator says of a move in Piranhas."""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.game import Commentary, Remark, Team, Text, Weight, WorseMove, rounds_left
from spielleiter.games.piranhas.reasons import reasons
from spielleiter.games.piranhas.rules import LAST_TURN, Move, State, is_united, square_name, swarms

_NAMES = (Text("Rot", "Red"), Text("Blau", "Blue"))
_SIZES = (Text("kleinen", "small"), Text("mittleren", "medium"), Text("großen", "large"))
_END_GAME = 40
"""The turn from which on it matters who has the larger swarm."""


class PiranhasCommentary(Commentary[State, Move]):
    """Swarms that close and burst, fish that are eaten, rounds that run out."""

    def remark(self, before: State, move: Move, after: State) -> Remark | None:
        team = before.to_move
        return (
            _union(before, move, after, team)
            or _burst(before, after, team)
            or _capture(before, move, after, team)
            or _almost(before, after, team)
            or _larger_swarm(before, after, team)
            or (rounds_left((LAST_TURN - after.turn) // 2) if after.turn % 2 == 0 else None)
        )

    def reasons(self, worse: WorseMove[State, Move]) -> Iterable[Text]:
        """What the rules and the engine's answer say; see ``reasons``."""
        return reasons(worse)


def _union(before: State, move: Move, after: State, team: Team) -> Remark | None:
    """All fish of the team that moved have come together."""
    if is_united(before.fish(team)) or not is_united(after.fish(team)):
        return None
    me, other = _NAMES[team], _NAMES[team.opponent]
    if after.outcome is None and team is Team.TWO:  # R13
        return Remark.of(
            Weight.HIGHLIGHT,
            "Beide Schwärme sind vereint und gleich groß: Es geht weiter!",
            "Both shoals are united and equal: the game goes on!",
        )
    if after.outcome is None:  # R10
        return Remark.of(
            Weight.DECISION,
            f"{me.de} hat alle Fische vereint, {other.de} bleibt ein Zug, um den Schwarm zu sprengen!",
            f"{me.en} has united all fish, and {other.en} has one move to break the shoal!",
        )
    if after.outcome.winner is not team:
        return None  # How it ended is said better than what would have been.
    assert move.ray is not None
    if is_united(before.fish(team) & ~move.ray[0]):
        return Remark.of(
            Weight.DECISION,
            f"{me.de} vereint den letzten Fisch: Schwarm!",
            f"{me.en} brings the last fish home: a shoal!",
        )
    return Remark.of(Weight.DECISION, f"{me.de} vereint alle Fische: Schwarm!", f"{me.en} unites all fish: a shoal!")


def _burst(before: State, after: State, team: Team) -> Remark | None:
    """A fish was eaten, and the opponent's swarm is torn, or closed by that."""
    was, is_ = is_united(before.fish(team.opponent)), is_united(after.fish(team.opponent))
    me, other = _NAMES[team], _NAMES[team.opponent]
    if was and not is_:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{me.de} frisst sich durch: Der Schwarm von {other.de} ist gesprengt!",
            f"{me.en} bites through: {other.en}'s shoal is broken!",
        )
    if is_ and not was:
        return Remark.of(
            Weight.HIGHLIGHT,
            f"{me.de} frisst ausgerechnet den Fisch, der {other.de} zum Schwarm im Weg war!",
            f"Of all fish {me.en} eats the one that kept {other.en} from being united!",
        )
    return None


def _capture(before: State, move: Move, after: State, team: Team) -> Remark | None:
    eaten = before.fish(team.opponent) & ~after.fish(team.opponent)
    if not eaten:
        return None
    y, x = divmod(eaten.bit_length() - 1, 10)
    place, me = square_name(x, y), _NAMES[team]
    if not before.rules.weighted:
        return Remark.of(Weight.EVENT, f"{me.de} frisst auf {place}.", f"{me.en} eats a fish on {place}.")
    size = _SIZES[before.weight(eaten) - 1]
    return Remark.of(
        Weight.EVENT,
        f"{me.de} frisst auf {place} einen {size.de} Fisch.",
        f"{me.en} eats a {size.en} fish on {place}.",
    )


def _almost(before: State, after: State, team: Team) -> Remark | None:
    """Only one fish is still outside the team's largest swarm."""
    if _outside(before.fish(team)) <= 1 or _outside(after.fish(team)) != 1:
        return None
    me = _NAMES[team]
    return Remark.of(
        Weight.EVENT, f"{me.de} fehlt nur noch ein Fisch zum Schwarm.", f"{me.en} is one fish away from the shoal."
    )


def _outside(fish: int) -> int:
    return fish.bit_count() - max((swarm.bit_count() for swarm in swarms(fish)), default=0)


def _larger_swarm(before: State, after: State, team: Team) -> Remark | None:
    """Late in the game the team that moved has overtaken the opponent by the weight of the largest swarm."""
    if after.turn < _END_GAME or _lead(before, team) > 0 or _lead(after, team) <= 0:
        return None
    me = _NAMES[team]
    return Remark.of(Weight.EVENT, f"{me.de} hat jetzt den größeren Schwarm.", f"{me.en} has the larger shoal now.")


def _lead(state: State, team: Team) -> int:
    own, other = (state.weight(state.largest_swarm(each)) for each in (team, team.opponent))
    return own - other
