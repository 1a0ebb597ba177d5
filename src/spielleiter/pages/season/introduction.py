"""The two teams of an encounter, as a hall gets to know them before its first game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import COUNTING, Encounter, SeasonSnapshot, SeasonTeam
from spielleiter.game import Text
from spielleiter.rating.formatting import number

_STREAK = 3
"""Minimum length of a winning streak that is worth a sentence."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """A team before an encounter."""

    team: SeasonTeam
    seed: int | None
    """Seed in the knock-out; the best is 1."""
    record: Text
    """Its games so far."""
    sentence: Text
    """What there is to say of it."""
    style: Text | None
    """What it scores, beside what all do; ``None`` before its first game."""


@dataclass(frozen=True, slots=True)
class _Sums:
    games: int
    won: int
    drawn: int
    secondary: int


def introduce(snapshot: SeasonSnapshot, encounter: Encounter) -> tuple[Introduction, Introduction]:
    """Both teams of an encounter, by everything that counted before it."""
    one, two = encounter.teams
    return _introduction(snapshot, one, two, encounter), _introduction(snapshot, two, one, encounter)


def _introduction(
    snapshot: SeasonSnapshot, team: SeasonTeam, opponent: SeasonTeam, encounter: Encounter
) -> Introduction:
    before = _before(snapshot, team, encounter)
    sums = _sums(before, team)
    lost = sums.games - sums.won - sums.drawn
    drawn = Text(f", {sums.drawn} unentschieden", f", {sums.drawn} drawn") if sums.drawn else Text("", "")
    record = Text(f"{sums.won} gewonnen{drawn.de}, {lost} verloren", f"{sums.won} won{drawn.en}, {lost} lost")
    return Introduction(
        team,
        snapshot.knockout.seeds.get(team.name) if encounter.stage is Stage.FINAL else None,
        record if sums.games else Text("noch kein Spiel", "no game yet"),
        _sentence(before, team, opponent),
        _style(snapshot, sums),
    )


def _before(snapshot: SeasonSnapshot, team: SeasonTeam, encounter: Encounter) -> list[Encounter]:
    """The finished encounters of a team that counted, in their order."""
    mine = snapshot.by_team[team.id]
    return [each for each in mine if each.stage in COUNTING and each.is_over and each.id != encounter.id]


def _sums(encounters: Sequence[Encounter], team: SeasonTeam) -> _Sums:
    sides = [(each, each.side(team.id)) for each in encounters]
    return _Sums(
        sum(each.games for each, _ in sides),
        sum(each.won[side] for each, side in sides),
        sum(each.drawn for each, _ in sides),
        sum(each.secondary[side] for each, side in sides),
    )


def _sentence(before: Sequence[Encounter], team: SeasonTeam, opponent: SeasonTeam) -> Text:
    if not before:
        return Text("Die erste Begegnung dieser Saison.", "Its first encounter of this season.")
    duels = [each for each in before if opponent.id in (each.teams[0].id, each.teams[1].id)]
    results = [each.result(each.side(team.id)) for each in before]
    streak = next((at for at, result in enumerate(reversed(results)) if result != "won"), len(results))
    if duels:
        score = _score(duels[-1], team)
        match duels[-1].result(duels[-1].side(team.id)):
            case "won":
                return Text(f"Hat das letzte Duell {score} gewonnen.", f"Won the last duel {score}.")
            case "lost":
                return Text(
                    f"Will die Revanche: das letzte Duell ging {score} aus.", f"Wants revenge: it lost {score}."
                )
        return Text(f"Das letzte Duell endete {score}.", f"The last duel ended {score}.")
    if streak == len(results):
        return Text("Hat bisher jede Begegnung gewonnen.", "Has won every encounter so far.")
    if "lost" not in results:
        return Text("Hat noch keine Begegnung verloren.", "Has not lost an encounter yet.")
    if streak >= _STREAK:
        return Text(f"Hat die letzten {streak} Begegnungen gewonnen.", f"Has won its last {streak} encounters.")
    best = max(before, key=lambda each: _margin(each, team))
    if _margin(best, team) > 0:
        other = best.teams[1 - best.side(team.id)].name
        score = _score(best, team)
        return Text(f"Höchster Sieg: {score} gegen {other}.", f"Highest win: {score} against {other}.")
    return Text("Wartet noch auf den ersten Sieg.", "Still waits for its first win.")


def _margin(encounter: Encounter, team: SeasonTeam) -> int:
    side = encounter.side(team.id)
    return encounter.won[side] - encounter.won[1 - side]


def _score(encounter: Encounter, team: SeasonTeam) -> str:
    side = encounter.side(team.id)
    return f"{encounter.won[side]} : {encounter.won[1 - side]}"


def _style(snapshot: SeasonSnapshot, sums: _Sums) -> Text | None:
    """What a team scores in the game's own measure, beside the average of all teams."""
    secondary = snapshot.game.secondary
    played = [each for each in snapshot.encounters if each.stage in COUNTING and each.is_over and each.games]
    if secondary is None or not sums.games or not played:
        return None
    games = 2 * sum(each.games for each in played)
    mine, all_ = sums.secondary / sums.games, sum(sum(each.secondary) for each in played) / games
    one, two = number(mine, 1), number(all_, 1)
    return Text(
        f"{secondary.de} im Schnitt: {one.de} (alle: {two.de})", f"{secondary.en} on average: {one.en} (all: {two.en})"
    )
