"""Which pages a season has, and what each of them shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from spielleiter.contest.pages import charts, views
from spielleiter.contest.pages.chronicle import Chronicle, DayTold, GameTold
from spielleiter.contest.season import Stage
from spielleiter.rating.bradley_terry import Rating

Key = tuple[str, object]
"""The kind of a page, and which one of them: an id, the name of a phase, or ``None``."""


class Pages:
    """The pages of one chronicle; what several of them need is worked out once."""

    def __init__(self, chronicle: Chronicle) -> None:
        self.chronicle = chronicle

    @cached_property
    def tables(self) -> tuple[views.TableTold, ...]:
        """All tables."""
        return tuple(views.table_of(self.chronicle, stage, group) for stage, group in self.chronicle.tables)

    @cached_property
    def _days(self) -> dict[int, DayTold]:
        return {day.id: day for day in self.chronicle.days}

    def __iter__(self) -> Iterator[Key]:
        """All pages but those of encounters and games."""
        yield from (("index", None), ("schedule", None), ("teams", None), ("rating", None), ("rulings", None))
        yield "news", None
        if self.chronicle.season.phase(Stage.FINAL) is not None:
            yield "bracket", None
        yield from (("phase", stage.value) for stage in self.chronicle.stages if stage is not Stage.FINAL)
        yield from (("day", day.id) for day in self.chronicle.days)
        yield from (("team", id_) for id_ in self.chronicle.teams)

    def context(self, kind: str, id_: Any = None) -> dict[str, Any]:
        """What the template of this kind shows. Raises ``KeyError`` if there is no such page."""
        match kind:
            case "index":
                return self._index()
            case "phase":
                return self._phase(id_)
            case "schedule":
                return {"days": [views.day_of(self.chronicle, day) for day in self.chronicle.days]}
            case "day":
                return {"page": views.day_of(self.chronicle, self._days[id_])}
            case "bracket":
                bracket = views.bracket_of(self.chronicle)
                if bracket is None:
                    raise KeyError(kind)
                return {"bracket": bracket}
            case "teams":
                return self._teams()
            case "team":
                return {"page": views.team_of(self.chronicle, self.chronicle.teams[id_], self.tables)}
            case "rating":
                return self._rating()
            case "rulings" | "news":
                return {}
        raise KeyError(kind)

    def encounter(self, id_: int, games: tuple[GameTold, ...]) -> dict[str, Any]:
        """What the page of an encounter with these games shows. Raises ``KeyError`` if there is no such encounter."""
        return {"page": views.encounter_of(self.chronicle, self.chronicle.by_id[id_], games)}

    def _index(self) -> dict[str, Any]:
        chronicle = self.chronicle
        day = views.current_day(chronicle)
        begun = [table for table in self.tables if table.stage is not Stage.TRIAL and table.finished]
        newest = max((table.stage for table in begun), key=chronicle.stages.index, default=None)
        return {
            "day": None if day is None else views.day_of(chronicle, day),
            "tables": [table for table in begun if table.stage is newest],
            "podium": [chronicle.by_name[name] for name in chronicle.knockout.places],
            "bracket": views.bracket_of(chronicle) if chronicle.knockout.slots else None,
        }

    def _phase(self, name: str) -> dict[str, Any]:
        stage = next((stage for stage in self.chronicle.stages if stage.value == name), Stage.FINAL)
        if stage is Stage.FINAL:
            raise KeyError(name)
        mine = [table for table in self.tables if table.stage is stage]
        return {
            "stage": stage,
            "phase": self.chronicle.season.phase(stage),
            "tables": mine,
            "crosses": {table.group: views.cross_of(self.chronicle, table) for table in mine},
            "days": [views.day_of(self.chronicle, day) for day in self.chronicle.days if day.stage is stage],
        }

    def _teams(self) -> dict[str, Any]:
        rated = self.chronicle.rating
        return {
            "ratings": {} if rated is None else {rating.player: rating for rating in rated.ratings},
            "groups": sorted({team.group for team in self.chronicle.teams.values()}),
        }

    def _rating(self) -> dict[str, Any]:
        rating = self.chronicle.rating
        courses: dict[str, list[Rating]] = {}
        for _, ratings in self.chronicle.rating_by_day:
            for each in ratings.ratings:
                courses.setdefault(each.player, []).append(each)
        return {
            "rating": rating,
            "scale": None if rating is None else charts.scale(rating.ratings),
            "courses": courses,
        }
