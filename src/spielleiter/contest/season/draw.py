"""Who meets whom: the encounters of a phase, drawn from the seed of the season and from the standings before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spielleiter.contest.season.bracket import Winners, slots
from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.contest.season.names import encounter_key
from spielleiter.contest.season.schedule import round_robin
from spielleiter.rating.standings import Standings


@dataclass(frozen=True, slots=True)
class PlannedEncounter:
    """An encounter before it is played."""

    stage: Stage
    matchday: int
    group: str
    place: int
    """The first of its day and group is 1."""
    teams: tuple[str, str]
    """The first one has the first move in the first game."""

    @property
    def key(self) -> str:
        """How people name it."""
        return encounter_key(self.stage, self.group, self.matchday, self.place)


def group_encounters(season: Season, phase: Phase, groups: Mapping[str, Sequence[str]]) -> tuple[PlannedEncounter, ...]:
    """All encounters of a phase that is played in groups."""
    planned = []
    for group, teams in groups.items():
        places = season.draw_order(teams)
        season.rng_for(phase.stage, group).shuffle(places)
        for day in round_robin(places):
            if phase.stage is not Stage.TRIAL or day.number <= phase.matchdays:
                for place, pair in enumerate(day.pairs, 1):
                    planned.append(PlannedEncounter(phase.stage, day.number, group, place, pair))
    return tuple(planned)


def round_encounters(seeds: Sequence[str], winners: Winners, matchday: int) -> tuple[PlannedEncounter, ...]:
    """The encounters of one day of the knock-out; empty before those of the day before have winners."""
    return tuple(
        PlannedEncounter(Stage.FINAL, slot.day, "", slot.place, slot.teams)
        for slot in slots(seeds, winners)
        if slot.day == matchday
    )


def next_encounters(
    season: Season, phase: Phase, matchday: int, standings: Mapping[str, Standings], winners: Winners
) -> tuple[PlannedEncounter, ...]:
    """What is drawn after a phase with these ``standings``: all of the Champions League, or one day of the final."""
    if phase.stage is Stage.FINAL:
        return round_encounters(seeds(season, standings), winners, matchday)
    return group_encounters(season, phase, {"": qualified(season, phase, standings)})


def qualified(season: Season, phase: Phase, standings: Mapping[str, Standings]) -> list[str]:
    """The teams that play ``phase``, from the standings of the one before it: the best of each group."""
    before = season.phases[season.phases.index(phase) - 1]
    return [row.team for group in sorted(standings) for row in standings[group].rows[: before.qualify]]


def seeds(season: Season, standings: Mapping[str, Standings]) -> list[str]:
    """The teams of the knock-out, the best first, from the standings of the phase before it."""
    final = season.phase(Stage.FINAL)
    assert final is not None
    return qualified(season, final, standings)[: season.bracket_size]
