"""Why a move in Hase und Igel was worse than another one: carrots, salads, and fields."""

from __future__ import annotations

from collections.abc import Iterator

from spielleiter.game import Team, Text, WorseMove
from spielleiter.games.hase_und_igel.moves import TEAM_TEXTS, Advance, Move
from spielleiter.games.hase_und_igel.rules import State

_MIN_CARROTS = 8
"""The difference in carrots that is worth a word."""
_MIN_FIELDS = 4
"""The difference in fields that is worth a word."""


def reasons(worse: WorseMove[State, Move]) -> Iterator[Text]:
    """Sentences, the weightiest first."""
    team = worse.before.to_move
    found = (
        _skipped(worse, team),
        _salad(worse, team),
        _taken(worse, team),
        _carrots(worse, team),
        _fields(worse, team),
    )
    yield from (text for text in found if text is not None)


def _skipped(worse: WorseMove[State, Move], team: Team) -> Text | None:
    """After the answer the hare cannot move."""
    answered = worse.answered
    if answered is None or answered.outcome is not None or answered.to_move is team:
        return None
    me = TEAM_TEXTS[team]
    return Text(
        f"{me.de} kann nach der Antwort nicht ziehen und setzt aus.",
        f"{me.en} cannot move after the answer and is skipped.",
    )


def _salad(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = (worse.before.hare_after(move).salads for move in (worse.move, worse.better))
    if instead >= now:
        return None
    me = TEAM_TEXTS[team]
    return Text(
        f"{me.de} behält {_salads(now).de}; der bessere Zug frisst einen Salat.",
        f"{me.en} keeps {_salads(now).en}; the better move eats a salad.",
    )


def _taken(worse: WorseMove[State, Move], team: Team) -> Text | None:
    """The opponent occupies the field to which the better move led."""
    if worse.answered is None or not isinstance(worse.better, Advance):
        return None
    goal, start = worse.before.hare_after(worse.better).position, worse.before.hares[team].position
    if worse.answered.hares[team.opponent].position != goal or goal == start or worse.answered.outcome is not None:
        return None
    if worse.after.hares[team.opponent].position == goal:
        return None
    field, other = worse.before.track.fields[goal].text, TEAM_TEXTS[team.opponent]
    return Text(
        f"{other.de} besetzt darauf Feld {goal} ({field.de}), auf das der bessere Zug führt.",
        f"{other.en} then takes field {goal} ({field.en}), to which the better move leads.",
    )


def _carrots(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = (worse.before.hare_after(move).carrots for move in (worse.move, worse.better))
    if instead - now < _MIN_CARROTS:
        return None
    me = TEAM_TEXTS[team]
    de, en = ("eine Karotte", "one carrot") if now == 1 else (f"{now} Karotten", f"{now} carrots")
    return Text(
        f"{me.de} hat danach noch {de}, nach dem besseren Zug {instead}.",
        f"{me.en} has {en} left then, after the better move {instead}.",
    )


def _fields(worse: WorseMove[State, Move], team: Team) -> Text | None:
    now, instead = (worse.before.hare_after(move).position for move in (worse.move, worse.better))
    if instead - now < _MIN_FIELDS:
        return None
    me = TEAM_TEXTS[team]
    return Text(
        f"{me.de} steht danach auf Feld {now}, nach dem besseren Zug auf Feld {instead}.",
        f"{me.en} is on field {now} then, after the better move on field {instead}.",
    )


def _salads(count: int) -> Text:
    return Text("einen Salat", "one salad") if count == 1 else Text(f"{count} Salate", f"{count} salads")
