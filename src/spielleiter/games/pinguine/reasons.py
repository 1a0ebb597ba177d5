"""Why a move in Pinguine was worse than another one: fish that were caught, left over, or out of reach."""

from __future__ import annotations

from collections.abc import Iterator

from spielleiter.game import Team, Text, WorseMove
from spielleiter.games.pinguine.drawing import TEAM_TEXTS
from spielleiter.games.pinguine.moves import FIELDS, NEIGHBOURS, Move, field_name
from spielleiter.games.pinguine.rules import State

_MIN_REACH = 3
"""The difference in fish within reach that is worth a word."""


def reasons(worse: WorseMove[State, Move]) -> Iterator[Text]:
    """Sentences, the weightiest first."""
    team = worse.before.to_move
    found = (
        _stuck(worse, team),
        _floe_left(worse, team),
        _caught(worse, team),
        _own_reach(worse, team),
        _reach(worse, team),
    )
    yield from (text for text in found if text is not None)


def _stuck(worse: WorseMove[State, Move], team: Team) -> Text | None:
    """A penguin cannot move any more, and after the better move all that could still can."""
    now = stuck(worse.after, team) - stuck(worse.before, team) - {worse.move.start or worse.move.target}
    for square in sorted(now - stuck(worse.instead, team)):
        if square in standing(worse.instead, team):
            place = field_name(square)
            return Text(
                f"Der Pinguin auf {place} sitzt danach fest, nach dem besseren Zug nicht.",
                f"The penguin on {place} is stuck then, after the better move it is not.",
            )
    return None


def _floe_left(worse: WorseMove[State, Move], team: Team) -> Text | None:
    """The opponent takes the floe to which the better move led."""
    answer = worse.answer
    if answer is None or worse.answered is None or answer.target != worse.better.target:
        return None
    other, place, fish = TEAM_TEXTS[team.opponent], field_name(answer.target), worse.after.fish_at(answer.target)
    if fish < 2:
        return None
    return Text(
        f"{other.de} holt sich darauf die Scholle {place} mit {fish} Fischen.",
        f"{other.en} then takes the floe {place} with {fish} fish.",
    )


def _caught(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = (state.fish[team] - worse.before.fish[team] for state in (worse.after, worse.instead))
    if now >= instead:
        return None
    caught = _fish(now)
    return Text(
        f"Der Zug fängt {caught.de}, der bessere {instead}.", f"The move catches {caught.en}, the better one {instead}."
    )


def _own_reach(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = fish_within_reach(worse.after, team), fish_within_reach(worse.instead, team)
    if instead - now < _MIN_REACH:
        return None
    me, reached = TEAM_TEXTS[team], _fish(now)
    return Text(
        f"{me.de} kann danach noch {reached.de} erreichen, nach dem besseren Zug {instead}.",
        f"{me.en} can still reach {reached.en} then, after the better move {instead}.",
    )


def _reach(worse: WorseMove[State, Move], team: Team) -> Text | None:
    other = team.opponent
    now, instead = fish_within_reach(worse.after, other), fish_within_reach(worse.instead, other)
    if now - instead < _MIN_REACH:
        return None
    name, reached = TEAM_TEXTS[other], _fish(now)
    return Text(
        f"{name.de} kann danach noch {reached.de} erreichen, nach dem besseren Zug nur {instead}.",
        f"{name.en} can still reach {reached.en} then, after the better move only {instead}.",
    )


def _fish(count: int) -> Text:
    return Text("1 Fisch" if count == 1 else f"{count} Fische", f"{count} fish")


def standing(state: State, team: Team) -> set[tuple[int, int]]:
    """The fields of the penguins of ``team``."""
    return {square for number, square in enumerate(FIELDS) if state.penguins[team] >> number & 1}


def stuck(state: State, team: Team) -> set[tuple[int, int]]:
    """The team's penguins that have no neighbouring floe left."""
    ice, penguins = state.ice, state.penguins[team]
    bits = ((1 << number, square) for number, square in enumerate(FIELDS))
    return {square for bit, square in bits if penguins & bit and not NEIGHBOURS[bit] & ice}


def fish_within_reach(state: State, team: Team) -> int:
    """The fish on all floes that are connected by ice with a penguin of ``team``."""
    ice, found, edge = state.ice, 0, state.penguins[team]
    while edge:
        bit = edge & -edge
        edge ^= bit
        new = NEIGHBOURS[bit] & ice & ~found
        found, edge = found | new, edge | new
    return sum(number * (board & found).bit_count() for number, board in enumerate(state.floes, 1))
