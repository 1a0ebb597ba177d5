"""The programme of a season, as a hall sees it: what is next, how things stand, who has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import parse_game_name
from spielleiter.contest.season.snapshot import Encounter, SeasonSnapshot, SeasonTeam
from spielleiter.game import Text
from spielleiter.pages.season import views
from spielleiter.pages.season.page_index import Pages

MAX_SHOWN = 6
"""Encounters that can be read from the last row."""


@dataclass(frozen=True, slots=True)
class ProgrammePage:
    """What fits on the screen at a time: encounters of one group, and how it stands."""

    group: Text | None
    """Its name, where there are others."""
    encounters: tuple[Encounter, ...]
    """Up to ``MAX_SHOWN`` encounters."""
    standings: views.StandingsView | None
    """``None`` before the first game, and in the knock-out."""


@dataclass(frozen=True, slots=True)
class Programme:
    """What a screen shows of a season between the games."""

    name: str
    title: Text
    """The matchday that is played next, or was the last."""
    date: datetime | None
    encounters: tuple[Encounter, ...]
    """The encounters of that day: those that are not over first."""
    pages: tuple[ProgrammePage, ...]
    """The same, group by group; one after the other is shown."""
    bracket: views.BracketView | None
    """The bracket of a knock-out phase."""
    podium: tuple[SeasonTeam, ...]
    """First to fourth; empty until the season is over."""
    final: Encounter | None
    """The last encounter of a season that is over."""


def programme_of(pages: Pages) -> Programme | None:
    """The programme at this moment; ``None`` if nothing is drawn yet."""
    snapshot = pages.snapshot
    days = [day for day in snapshot.days if snapshot.by_day[day.id]]
    day = next((day for day in days if not snapshot.is_over(day)), days[-1] if days else None)
    if day is None:
        return None
    encounters = sorted(snapshot.by_day[day.id], key=lambda each: (each.is_over, not each.games))
    standings = {view.group: view for view in pages.standings if view.stage is day.stage and _has_begun(view)}
    return Programme(
        snapshot.season.name,
        snapshot.season.day_title(day.stage, day.number),
        day.date,
        tuple(encounters),
        tuple(_pages(encounters, standings)),
        views.bracket_of(snapshot) if day.stage is Stage.FINAL else None,
        tuple(snapshot.by_name[name] for name in snapshot.knockout.places),
        _final(snapshot),
    )


def _pages(encounters: Sequence[Encounter], standings: Mapping[str, views.StandingsView]) -> Iterator[ProgrammePage]:
    groups = sorted({each.group for each in encounters})
    for group in groups:
        own = tuple(each for each in encounters if each.group == group)
        for first in range(0, len(own), MAX_SHOWN):
            name = views.group_name(group) if len(groups) > 1 else None
            yield ProgrammePage(name, own[first : first + MAX_SHOWN], standings.get(group))


def _has_begun(view: views.StandingsView) -> bool:
    return any(row.totals.games for row in view.rows)


def _final(snapshot: SeasonSnapshot) -> Encounter | None:
    if not snapshot.knockout.places:
        return None
    best = set(snapshot.knockout.places[:2])
    finals = [each for each in snapshot.encounters if each.stage is Stage.FINAL]
    return next((each for each in reversed(finals) if {team.name for team in each.teams} == best), None)


def encounter_of_game(snapshot: SeasonSnapshot, game_id: str) -> Encounter | None:
    """The encounter to which the game of that name belongs."""
    name = parse_game_name(game_id)
    return None if name is None else snapshot.by_key.get(name.encounter)
