"""Which pages a season has, and what each of them shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import Matchday, SeasonGame, SeasonSnapshot
from spielleiter.pages import charts
from spielleiter.pages.season import views
from spielleiter.rating.bradley_terry import Rating

Key = tuple[str, object]
"""The kind of a page, and which one of them: an id, the name of a phase, or ``None``."""


class Pages:
    """The pages of one snapshot; what several of them need is worked out once."""

    def __init__(self, snapshot: SeasonSnapshot) -> None:
        self.snapshot = snapshot

    @cached_property
    def standings(self) -> tuple[views.StandingsView, ...]:
        """The standings of all groups."""
        return tuple(views.standings_of(self.snapshot, stage, group) for stage, group in self.snapshot.standings)

    @cached_property
    def _days(self) -> dict[int, Matchday]:
        return {day.id: day for day in self.snapshot.days}

    def __iter__(self) -> Iterator[Key]:
        """All pages but those of encounters and games."""
        yield from (("index", None), ("schedule", None), ("teams", None), ("rating", None), ("rulings", None))
        yield "news", None
        if self.snapshot.season.phase(Stage.FINAL) is not None:
            yield "bracket", None
        yield from (("phase", stage.value) for stage in self.snapshot.stages if stage is not Stage.FINAL)
        yield from (("day", day.id) for day in self.snapshot.days)
        yield from (("team", id_) for id_ in self.snapshot.teams)

    def context(self, kind: str, id_: Any = None) -> dict[str, Any]:
        """What the template of this kind shows. Raises ``KeyError`` if there is no such page."""
        match kind:
            case "index":
                return self._index()
            case "phase":
                return self._phase(id_)
            case "schedule":
                return {"days": [views.day_of(self.snapshot, day) for day in self.snapshot.days]}
            case "day":
                return {"page": views.day_of(self.snapshot, self._days[id_])}
            case "bracket":
                bracket = views.bracket_of(self.snapshot)
                if bracket is None:
                    raise KeyError(kind)
                return {"bracket": bracket}
            case "teams":
                return self._teams()
            case "team":
                return {"page": views.team_of(self.snapshot, self.snapshot.teams[id_], self.standings)}
            case "rating":
                return self._rating()
            case "rulings" | "news":
                return {}
        raise KeyError(kind)

    def encounter(self, id_: int, games: tuple[SeasonGame, ...]) -> dict[str, Any]:
        """What the page of an encounter with these games shows. Raises ``KeyError`` if there is no such encounter."""
        return {"page": views.encounter_of(self.snapshot, self.snapshot.by_id[id_], games)}

    def _index(self) -> dict[str, Any]:
        snapshot = self.snapshot
        day = views.current_day(snapshot)
        begun = [view for view in self.standings if view.stage is not Stage.TRIAL and view.finished]
        newest = max((view.stage for view in begun), key=snapshot.stages.index, default=None)
        return {
            "day": None if day is None else views.day_of(snapshot, day),
            "standings": [view for view in begun if view.stage is newest],
            "podium": [snapshot.by_name[name] for name in snapshot.knockout.places],
            "bracket": views.bracket_of(snapshot) if snapshot.knockout.slots else None,
        }

    def _phase(self, name: str) -> dict[str, Any]:
        stage = next((stage for stage in self.snapshot.stages if stage.value == name), Stage.FINAL)
        if stage is Stage.FINAL:
            raise KeyError(name)
        mine = [view for view in self.standings if view.stage is stage]
        return {
            "stage": stage,
            "phase": self.snapshot.season.phase(stage),
            "standings": mine,
            "crosses": {view.group: views.cross_table_of(self.snapshot, view) for view in mine},
            "days": [views.day_of(self.snapshot, day) for day in self.snapshot.days if day.stage is stage],
        }

    def _teams(self) -> dict[str, Any]:
        rated = self.snapshot.rating
        return {
            "ratings": {} if rated is None else {rating.player: rating for rating in rated.ratings},
            "groups": sorted({team.group for team in self.snapshot.teams.values()}),
        }

    def _rating(self) -> dict[str, Any]:
        rating = self.snapshot.rating
        courses: dict[str, list[Rating]] = {}
        for _, ratings in self.snapshot.rating_by_day:
            for each in ratings.ratings:
                courses.setdefault(each.player, []).append(each)
        return {
            "rating": rating,
            "scale": None if rating is None else charts.elo_scale(rating.ratings),
            "courses": courses,
        }
