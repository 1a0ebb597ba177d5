"""Why a move in Piranhas was worse than another one: fish that are eaten, and swarms that stay apart."""

from __future__ import annotations

from collections.abc import Iterator

from spielleiter.game import Team, Text, WorseMove
from spielleiter.games.piranhas.rules import Move, State, square_name, swarms

TEAM_TEXTS = (Text("Rot", "Red"), Text("Blau", "Blue"))
_MIN_FEWER = 2
"""The difference in the size of a shoal that is worth a word."""


def reasons(worse: WorseMove[State, Move]) -> Iterator[Text]:
    """Sentences, the weightiest first."""
    team = worse.before.to_move
    found = (
        _eaten(worse, team),
        _missed(worse, team),
        _apart(worse, team),
        _broken(worse, team.opponent),
        _largest(worse, team),
    )
    yield from (text for text in found if text is not None)


def _eaten(worse: WorseMove[State, Move], team: Team) -> Text | None:
    """The opponent's answer eats a fish, which it could not after the better move."""
    if worse.answer is None or worse.answered is None:
        return None
    place = _captured(worse.after, worse.answer)
    if place is None or (not worse.prevents and _captured(worse.instead, worse.answer) is not None):
        return None
    other = TEAM_TEXTS[team.opponent]
    return Text(
        f"{other.de} frisst darauf den Fisch auf {place}; nach dem besseren Zug ginge das nicht.",
        f"{other.en} then eats the fish on {place}; after the better move that would be impossible.",
    )


def _missed(worse: WorseMove[State, Move], team: Team) -> Text | None:
    place = _captured(worse.before, worse.better)
    if place is None or _captured(worse.before, worse.move) is not None:
        return None
    return Text(f"Der bessere Zug frisst den Fisch auf {place}.", f"The better move eats the fish on {place}.")


def _apart(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = shoals(worse.after, team), shoals(worse.instead, team)
    if now <= instead:
        return None
    me = TEAM_TEXTS[team]
    return Text(
        f"{me.de} hat danach {now} Schwärme, nach dem besseren Zug {_shoals(instead).de}.",
        f"{me.en} has {now} shoals then, after the better move {_shoals(instead).en}.",
    )


def _broken(worse: WorseMove[State, Move], other: Team) -> Text | None:
    """The better move would have left the opponent in more pieces."""
    now, instead = shoals(worse.after, other), shoals(worse.instead, other)
    if instead <= now:
        return None
    name = TEAM_TEXTS[other]
    return Text(
        f"{name.de} behält {_shoals(now).de}; nach dem besseren Zug wären es {instead}.",
        f"{name.en} keeps {_shoals(now).en}; after the better move it would be {instead}.",
    )


def _largest(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = (state.weight(state.largest_swarm(team)) for state in (worse.after, worse.instead))
    if instead - now < _MIN_FEWER:
        return None
    me = TEAM_TEXTS[team]
    if worse.before.rules.weighted:
        return Text(
            f"Der schwerste Schwarm von {me.de} wiegt danach {now}, nach dem besseren Zug {instead}.",
            f"The heaviest shoal of {me.en} weighs {now} then, after the better move {instead}.",
        )
    return Text(
        f"Der größte Schwarm von {me.de} hat danach {now} {'Fisch' if now == 1 else 'Fische'}, nach dem besseren Zug"
        f" {instead}.",
        f"The largest shoal of {me.en} has {now} fish then, after the better move {instead}.",
    )


def _shoals(count: int) -> Text:
    return Text("einen Schwarm", "one shoal") if count == 1 else Text(f"{count} Schwärme", f"{count} shoals")


def shoals(state: State, team: Team) -> int:
    """How many shoals the fish of ``team`` form."""
    return sum(1 for _ in swarms(state.fish(team)))


def _captured(state: State, move: Move) -> str | None:
    """The square of the fish that a legal move eats."""
    if state.violation(move) is not None:
        return None
    target = state.target(move)
    if target is None or not state.fish(state.to_move.opponent) >> (10 * target[1] + target[0]) & 1:
        return None
    return square_name(*target)
