"""Rounds of games between people: who meets whom, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from spielleiter.errors import Refused
from spielleiter.matches.pairings import match_up
from spielleiter.web.classroom.state import ClassState, RoundPaired

_BYE_POINTS = 1.0
"""A round without an opponent is worth as much as one that was won."""


@dataclass(frozen=True, slots=True)
class PersonScore:
    """A participant's standing after the rounds so far."""

    person: int
    name: str
    rank: int
    points: float
    opponents: float
    """The points of the opponents together, which decide between equals."""
    games: int


def points_of(state: ClassState, person: int) -> float:
    """A participant's points in all rounds so far."""
    won = sum(pair.points[pair.people.index(person)] for _, pair in state.games_of(person) if pair.points is not None)
    return won + _BYE_POINTS * sum(each.bye == person for each in state.rounds)


def scores(state: ClassState) -> list[PersonScore]:
    """Everybody who has played, the best first; equals share a rank."""
    played = {person for each in state.rounds for pair in each.pairs for person in pair.people}
    played |= {each.bye for each in state.rounds if each.bye is not None}
    points = {person: points_of(state, person) for person in played}
    rows = []
    for person in played & state.people.keys():
        games = [pair for _, pair in state.games_of(person) if pair.points is not None]
        rivals = [pair.people[1 - pair.people.index(person)] for pair in games]
        rows.append((points[person], sum(points[rival] for rival in rivals), len(games), person))
    rows.sort(key=lambda row: (-row[0], -row[1], state.name_of(row[3]).casefold()))
    found: list[PersonScore] = []
    for place, (own, opponents, number, person) in enumerate(rows, 1):
        before = found[-1] if found else None
        is_equal = before is not None and (before.points, before.opponents) == (own, opponents)
        rank = before.rank if before is not None and is_equal else place
        found.append(PersonScore(person, state.name_of(person), rank, own, opponents, number))
    return found


def next_round(state: ClassState, present: Sequence[int], game: str, ends: float | None = None) -> RoundPaired:
    """Pairs for those who are here: in the first round by lot, then people of about the same strength, never twice.

    Raises ``Refused`` if there are not enough, or the last round is not over.
    """
    number = len(state.rounds) + 1
    if state.round is not None and not state.round.is_over:
        raise Refused(
            f"Runde {number - 1} läuft noch: werte ihre offenen Spiele zuerst.",
            f"Round {number - 1} is not over: decide its open games first.",
        )
    if len(present) < 2:
        raise Refused("Zum Paaren müssen mindestens zwei da sein.", "At least two have to be here to be paired.")
    order = sorted(present)
    Random(f"{state.host_key} {number}").shuffle(order)
    points = {person: points_of(state, person) for person in order}
    order.sort(key=lambda person: -points[person])
    bye = None
    if len(order) % 2:
        byes = {person: sum(each.bye == person for each in state.rounds) for person in order}
        bye = min(reversed(order), key=lambda person: byes[person])
        order.remove(bye)
    met = {frozenset(pair.people) for each in state.rounds for pair in each.pairs}
    pairs = match_up(order, met) or match_up(order, set()) or []
    return RoundPaired(number, game, tuple(_sides(state, *pair) for pair in pairs), bye, ends)


def _sides(state: ClassState, one: int, two: int) -> tuple[int, int]:
    """Who begins: the one who has begun less often."""
    begun = {person: sum(pair.people[0] == person for _, pair in state.games_of(person)) for person in (one, two)}
    return (two, one) if begun[one] > begun[two] else (one, two)
