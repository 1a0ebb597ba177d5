"""A season at one moment, as plain values, read in one transaction by ``contest.read``.

Law: ``seen_by`` decides what is shown to whom. The whole snapshot is for organisers; the output and the files of
programs are in none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from spielleiter.contest.season.actions import PUBLIC_ACTIONS, AuditAction
from spielleiter.contest.season.bracket import Round, Slot
from spielleiter.contest.season.encounter import Decision, first_is_one
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import find_team, game_name, no_encounter
from spielleiter.contest.season.next import DayFacts, SeasonState, activation_day
from spielleiter.errors import ContestError
from spielleiter.game import AnyGame, Text
from spielleiter.rating import bradley_terry
from spielleiter.rating.bradley_terry import Ratings
from spielleiter.rating.pairs import PlayedGame, cross_table
from spielleiter.rating.standings import Lot, Standings

COUNTING = (Stage.CHAMPIONSHIP, Stage.CHAMPIONS_LEAGUE, Stage.FINAL)
"""The phases whose games say how strong a team is."""


_RESULTS = {1: "won", 0: "drawn", -1: "lost"}


@dataclass(frozen=True, slots=True)
class SeasonProgram:
    """A version of a team's program, without what is in it."""

    number: int
    name: str
    builtin: bool
    digest: str
    size: int
    submitted: datetime
    who: str
    """Who submitted it."""
    passed: bool
    was_judged: bool
    """Whether its check came to a verdict."""
    activated: tuple[datetime, ...] = ()
    """When it was chosen to play."""


@dataclass(frozen=True, slots=True)
class CheckedProgram(SeasonProgram):
    """A program with what its check has found: for its team and for organisers."""

    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeasonTeam:
    """A team."""

    id: int
    name: str
    school: str
    group: str
    disqualified: datetime | None


@dataclass(frozen=True, slots=True)
class Matchday:
    """A matchday."""

    id: int
    stage: Stage
    number: int
    date: datetime | None
    opened: datetime | None
    finished: datetime | None


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter; all pairs are those of its first and second team."""

    id: int
    key: str
    stage: Stage
    group: str
    place: int
    day: int | None
    teams: tuple[SeasonTeam, SeasonTeam]
    programs: tuple[int | None, int | None]
    """The numbers of the versions that play."""
    games: int
    won: tuple[int, int]
    drawn: int
    secondary: tuple[int, int]
    finished: datetime | None
    winner: int | None
    """0 or 1; ``None`` while it runs and if it ended level."""
    lot_seed: str | None

    @property
    def is_over(self) -> bool:
        """Whether all its games are played."""
        return self.finished is not None

    def side(self, team: int) -> int:
        """0 if the team with that id is the first one, else 1."""
        return 0 if self.teams[0].id == team else 1

    def result(self, side: int) -> str:
        """``won``, ``lost`` or ``drawn`` for one of its teams; empty while it is not over."""
        if not self.is_over:
            return ""
        mine, theirs = self.won[side], self.won[1 - side]
        ahead = (self.winner == side) - (self.winner == 1 - side) or (mine > theirs) - (mine < theirs)
        return _RESULTS[ahead]


@dataclass(frozen=True, slots=True)
class SeasonGame:
    """A game; all pairs are those of the encounter's first and second team."""

    id: int
    encounter: int
    number: int
    attempt: int
    annulled: bool
    decision: Decision
    points: tuple[int, int]
    secondary: tuple[int, int]
    faults: tuple[str | None, str | None]
    reason: Text
    plies: int
    seconds: float
    started: datetime
    final: str
    pressure: float | None
    has_record: bool = False

    @property
    def one(self) -> int:
        """Which of the two teams had the first move: 0 or 1."""
        return 0 if first_is_one(self.number) else 1

    @property
    def winner(self) -> int | None:
        """0 or 1; ``None`` for a draw, and where both got nothing."""
        return None if self.points[0] == self.points[1] else int(self.points[1] > self.points[0])

    def result(self, side: int) -> str:
        """``won``, ``lost`` or ``drawn`` for one of the teams."""
        return _RESULTS[self.points[side] - 1]

    def name(self, encounter: Encounter) -> str:
        """How people name it: M3-A2-4."""
        return game_name(encounter.key, self.number, self.attempt)


@dataclass(frozen=True, slots=True)
class DrawnLot:
    """A lot that decided places of a table."""

    stage: Stage
    group: str
    lot: Lot
    at: datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What was decided, by whom, and why."""

    id: int
    at: datetime
    who: str
    action: AuditAction
    subject: str
    reason: str
    is_undoable: bool
    """Whether it can perhaps still be undone."""
    undone: datetime | None


@dataclass(frozen=True, slots=True)
class News:
    """A message of the organisers."""

    id: int
    at: datetime
    who: str
    title: Text
    text: Text
    """Markdown."""


@dataclass(frozen=True, slots=True)
class Knockout:
    """The bracket: what is known of it, and the encounters that were written down."""

    seeds: Mapping[str, int]
    slots: tuple[Slot, ...]
    winners: Mapping[tuple[int, int], str]
    places: tuple[str, ...]
    """First to fourth; empty until it is over."""


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """How far a phase is; pairs are what is finished, and all."""

    stage: Stage
    matchdays: tuple[int, int]
    encounters: tuple[int, int]
    games: int

    @property
    def is_drawn(self) -> bool:
        """Whether it has encounters."""
        return self.matchdays[1] > 0

    @property
    def state(self) -> str:
        """``over``, ``running`` or ``coming``."""
        finished, total = self.encounters
        return "coming" if not finished else "over" if finished == total else "running"


@dataclass(frozen=True)
class SeasonSnapshot:
    """A season at one moment."""

    season: Season
    game: AnyGame
    moment: datetime
    teams: Mapping[int, SeasonTeam]
    days: tuple[Matchday, ...]
    """The matchdays in the order in which they are played."""
    encounters: tuple[Encounter, ...]
    standings: Mapping[tuple[Stage, str], Standings]
    knockout: Knockout
    programs: Mapping[int, tuple[SeasonProgram, ...]]
    """Keyed by the ids of the teams, the oldest first."""
    active: Mapping[int, int]
    """The numbers of the programs with which teams play, by their ids."""
    lots: tuple[DrawnLot, ...]
    audit: tuple[AuditEntry, ...]
    news: tuple[News, ...]
    """The newest first."""
    rated: tuple[PlayedGame, ...] = field(repr=False)
    """All games of teams that both could play, without friendly ones."""
    pending: tuple[SeasonGame, ...]
    """Games that an organiser has to rule on."""
    state: SeasonState

    def seen_by(self, team: int | None) -> SeasonSnapshot:
        """What members of a team may know, by its id; ``None``: what is public. Organisers may know all of it."""
        return replace(
            self,
            programs={
                id_: tuple(each if id_ == team else replace(each, who="") for each in programs)
                for id_, programs in self.programs.items()
            },
            audit=tuple(replace(entry, who="") for entry in self.audit if entry.action in PUBLIC_ACTIONS),
            news=tuple(replace(news, who="") for news in self.news),
        )

    @property
    def text(self) -> Text:
        """What the season does or waits for, in one sentence."""
        return self.state.text(self.season)

    # --- looking things up --------------------------------------------------------------------------------------------

    def find_team(self, name: str) -> SeasonTeam:
        """The team of that name, whatever its case. Raises ``ContestError``."""
        return find_team(self.teams.values(), name)

    def find_encounter(self, key: str) -> Encounter:
        """The encounter of that key, whatever its case. Raises ``ContestError``."""
        found = self.by_key.get(key) or {each.key.upper(): each for each in self.encounters}.get(key.upper())
        if found is None:
            raise no_encounter(key)
        return found

    def title(self, encounter: Encounter) -> Text:
        """The matchday of an encounter, with its phase; in the knock-out its round."""
        day = self.day(encounter.day)
        slot = None if day is None else self._slots.get((day.number, encounter.place))
        if encounter.stage is Stage.FINAL and slot is not None and slot.round is Round.THIRD_PLACE:
            phase, name = self.season.stage_name(encounter.stage), slot.round.text
            return Text(f"{phase.de}, {name.de}", f"{phase.en}, {name.en}")
        return self.season.stage_name(encounter.stage) if day is None else self.season.day_title(day.stage, day.number)

    @cached_property
    def _slots(self) -> Mapping[tuple[int, int], Slot]:
        return {(slot.day, slot.place): slot for slot in self.knockout.slots}

    def newest_first(self, encounters: Iterable[Encounter]) -> list[Encounter]:
        """The encounters that have begun: unfinished ones first, then the others, newest first."""
        begun = [each for each in encounters if each.games or each.stage is Stage.FRIENDLY]
        return sorted(begun, key=lambda each: (not each.is_over, each.finished or self.moment, each.id), reverse=True)

    def active_program(self, team: int) -> SeasonProgram | None:
        """The program with which a team would play now."""
        number = self.active.get(team)
        return next((program for program in self.programs[team] if program.number == number), None)

    @property
    def without_program(self) -> list[str]:
        """The names of the teams that would have nothing to play with."""
        reserves = {team.name for team in self.season.teams if team.reserve}
        missing = (team for team in self.teams.values() if not (team.id in self.active or team.disqualified))
        return [team.name for team in missing if team.name not in reserves]

    def next_activation(self, now: datetime) -> Text | None:
        """The title of the first matchday that can still be played with another program."""
        days = [DayFacts(day.id, day.stage, day.number, day.date, day.opened is not None) for day in self.days]
        try:
            return self.season.day_title(*activation_day(self.season, days, now))
        except ContestError:
            return None

    @cached_property
    def undoable(self) -> tuple[AuditEntry, ...]:
        """The decisions that can perhaps be undone, the newest first."""
        return tuple(entry for entry in reversed(self.audit) if entry.is_undoable)

    @cached_property
    def by_name(self) -> Mapping[str, SeasonTeam]:
        """The teams by their names."""
        return {team.name: team for team in self.teams.values()}

    def day(self, id_: int | None) -> Matchday | None:
        """The matchday of that id; ``None`` for a friendly encounter's."""
        return next((day for day in self.days if day.id == id_), None)

    @cached_property
    def by_id(self) -> Mapping[int, Encounter]:
        """The encounters by their ids."""
        return {encounter.id: encounter for encounter in self.encounters}

    @cached_property
    def by_key(self) -> Mapping[str, Encounter]:
        """The encounters by their names."""
        return {encounter.key: encounter for encounter in self.encounters}

    @cached_property
    def by_day(self) -> Mapping[int, tuple[Encounter, ...]]:
        """The encounters of each matchday, by its id."""
        found: dict[int, list[Encounter]] = {day.id: [] for day in self.days}
        for encounter in self.encounters:
            if encounter.day is not None:
                found[encounter.day].append(encounter)
        return {day: tuple(encounters) for day, encounters in found.items()}

    @cached_property
    def by_team(self) -> Mapping[int, tuple[Encounter, ...]]:
        """The encounters of each team, by its id."""
        found: dict[int, list[Encounter]] = {team: [] for team in self.teams}
        for encounter in self.encounters:
            for team in encounter.teams:
                found[team.id].append(encounter)
        return {team: tuple(encounters) for team, encounters in found.items()}

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The phases of this season that have encounters, in their order."""
        there = {encounter.stage for encounter in self.encounters}
        return tuple(phase.stage for phase in self.season.phases if phase.stage in there)

    def progress(self, stage: Stage) -> PhaseProgress:
        """How far a phase, or the friendly games, are."""
        days = [day for day in self.days if day.stage is stage]
        mine = [encounter for encounter in self.encounters if encounter.stage is stage]
        return PhaseProgress(
            stage,
            (sum(day.finished is not None for day in days), len(days)),
            (sum(encounter.is_over for encounter in mine), len(mine)),
            sum(encounter.games for encounter in mine),
        )

    def groups(self, stage: Stage) -> tuple[str, ...]:
        """The groups of a phase that have standings."""
        return tuple(group for of, group in self.standings if of is stage)

    def members(self, stage: Stage, group: str) -> tuple[SeasonTeam, ...]:
        """The teams of a group; in the trial days not all of them need to have an encounter."""
        if stage in (Stage.TRIAL, Stage.CHAMPIONSHIP):
            return tuple(team for team in self.teams.values() if team.group == group)
        ranked = self.standings.get((stage, group))
        return () if ranked is None else tuple(self.by_name[name] for name in sorted(row.team for row in ranked.rows))

    def resting(self, day: Matchday, group: str) -> tuple[SeasonTeam, ...]:
        """The teams of a group that have no encounter on a day."""
        playing = {team.id for encounter in self.by_day[day.id] for team in encounter.teams}
        return tuple(team for team in self.members(day.stage, group) if team.id not in playing)

    def is_over(self, day: Matchday) -> bool:
        """Whether all encounters of a day are finished."""
        return all(encounter.is_over for encounter in self.by_day[day.id])

    # --- ratings ------------------------------------------------------------------------------------------------------

    @cached_property
    def rating(self) -> Ratings | None:
        """The strength of all teams from all games that count; ``None`` before the first one."""
        return _rate(tuple(game for game in self.rated if self._encounter_of(game).stage in COUNTING))

    def group_rating(self, stage: Stage, group: str) -> Ratings | None:
        """The strength as the games of one group tell it."""
        return _rate(self._games_of_groups.get((stage, group), ()))

    @cached_property
    def _games_of_groups(self) -> Mapping[tuple[Stage, str], tuple[PlayedGame, ...]]:
        games: dict[tuple[Stage, str], list[PlayedGame]] = {}
        for game in self.rated:
            encounter = self._encounter_of(game)
            games.setdefault((encounter.stage, encounter.group), []).append(game)
        return {place: tuple(played) for place, played in games.items()}

    @cached_property
    def rating_by_day(self) -> tuple[tuple[Matchday, Ratings], ...]:
        """After each matchday that counts: the strength by all games until then."""
        games: dict[int, list[PlayedGame]] = {}
        for game in self.rated:
            encounter = self._encounter_of(game)
            if encounter.stage in COUNTING and encounter.day is not None:
                games.setdefault(encounter.day, []).append(game)
        found: list[tuple[Matchday, Ratings]] = []
        until: list[PlayedGame] = []
        for day in self.days:
            if day.id in games:
                until += games[day.id]
                rated = _rate(tuple(until))
                assert rated is not None
                found.append((day, rated))
        return tuple(found)

    def _encounter_of(self, game: PlayedGame) -> Encounter:
        return self.by_key[game.pair.rpartition("/")[0]]


@lru_cache(maxsize=256)  # Days that are over are rated once, however often a live season is looked at.
def _rate(games: tuple[PlayedGame, ...]) -> Ratings | None:
    return bradley_terry.rate(cross_table(games)) if games else None
