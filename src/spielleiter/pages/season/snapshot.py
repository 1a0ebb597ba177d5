"""What a season has to tell at one moment, as plain values, read in one transaction.

Only what everybody may know is here: no output of programs, no files, no accounts, not who decided something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache

from spielleiter.contest.season.bracket import Slot
from spielleiter.contest.season.encounter import first_is_one
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import game_name
from spielleiter.contest.season.next import SeasonState
from spielleiter.contest.store import AuditAction
from spielleiter.game import AnyGame, Text
from spielleiter.rating import bradley_terry
from spielleiter.rating.bradley_terry import Ratings
from spielleiter.rating.pairs import PlayedGame, cross_table
from spielleiter.rating.standings import Lot, Standings

COUNTING = (Stage.CHAMPIONSHIP, Stage.CHAMPIONS_LEAGUE, Stage.FINAL)
"""The phases whose games say how strong a team is."""
PUBLIC_ACTIONS = (
    AuditAction.ANNUL,
    AuditAction.DISQUALIFY,
    AuditAction.DRAW_LOT,
    AuditAction.LEAVE_OUT,
    AuditAction.PAUSE,
    AuditAction.RESUME,
    AuditAction.SEASON_FILE,
    AuditAction.UNDO,
)
"""What of the audit log everybody may read; whatever else is written down there is nobody's business."""


@dataclass(frozen=True, slots=True)
class ProgramView:
    """A version of a team's program, without what is in it."""

    number: int
    name: str
    builtin: bool
    digest: str
    size: int
    submitted: datetime
    passed: bool
    activated: tuple[datetime, ...] = ()
    """When it was chosen to play."""


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team."""

    id: int
    name: str
    school: str
    group: str
    disqualified: datetime | None


@dataclass(frozen=True, slots=True)
class DayView:
    """A matchday."""

    id: int
    stage: Stage
    number: int
    date: datetime | None
    opened: datetime | None
    finished: datetime | None


@dataclass(frozen=True, slots=True)
class EncounterView:
    """An encounter; all pairs are those of its first and second team."""

    id: int
    key: str
    stage: Stage
    group: str
    place: int
    day: int | None
    teams: tuple[TeamView, TeamView]
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

    def side(self, team: TeamView) -> int:
        """0 if ``team`` is the first one, else 1."""
        return 0 if self.teams[0].id == team.id else 1


@dataclass(frozen=True, slots=True)
class GameView:
    """A game; all pairs are those of the encounter's first and second team."""

    id: int
    encounter: int
    number: int
    attempt: int
    annulled: bool
    decision: str
    points: tuple[int, int]
    secondary: tuple[int, int]
    faults: tuple[str | None, str | None]
    reason: Text
    plies: int
    seconds: float
    started: datetime
    final: str
    has_record: bool

    @property
    def one(self) -> int:
        """Which of the two teams had the first move: 0 or 1."""
        return 0 if first_is_one(self.number) else 1

    @property
    def winner(self) -> int | None:
        """0 or 1; ``None`` for a draw, and where both got nothing."""
        return None if self.points[0] == self.points[1] else int(self.points[1] > self.points[0])

    def name(self, encounter: EncounterView) -> str:
        """How people name it: M3-A2-4."""
        return game_name(encounter.key, self.number, self.attempt)


@dataclass(frozen=True, slots=True)
class LotView:
    """A lot that decided places of a table."""

    stage: Stage
    group: str
    lot: Lot
    at: datetime


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided, and why."""

    at: datetime
    action: str
    subject: str
    reason: str

    @property
    def text(self) -> Text:
        """The decision in words."""
        return AuditAction(self.action).text


@dataclass(frozen=True, slots=True)
class NewsView:
    """A message of the organisers."""

    id: int
    at: datetime
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


@dataclass(frozen=True)
class SeasonSnapshot:
    """A season at one moment."""

    season: Season
    game: AnyGame
    moment: datetime
    teams: Mapping[int, TeamView]
    days: tuple[DayView, ...]
    """In the order in which they are played."""
    encounters: tuple[EncounterView, ...]
    standings: Mapping[tuple[Stage, str], Standings]
    knockout: Knockout
    programs: Mapping[int, tuple[ProgramView, ...]]
    lots: tuple[LotView, ...]
    rulings: tuple[Ruling, ...]
    news: tuple[NewsView, ...]
    """The newest first."""
    rated: tuple[PlayedGame, ...] = field(repr=False)
    """The games of the phases that count."""
    state: SeasonState

    # --- looking things up --------------------------------------------------------------------------------------------

    @cached_property
    def by_name(self) -> Mapping[str, TeamView]:
        """The teams by their names."""
        return {team.name: team for team in self.teams.values()}

    @cached_property
    def by_id(self) -> Mapping[int, EncounterView]:
        """The encounters by their ids."""
        return {encounter.id: encounter for encounter in self.encounters}

    @cached_property
    def by_key(self) -> Mapping[str, EncounterView]:
        """The encounters by their names."""
        return {encounter.key: encounter for encounter in self.encounters}

    @cached_property
    def by_day(self) -> Mapping[int, tuple[EncounterView, ...]]:
        """The encounters of each matchday, by its id."""
        found: dict[int, list[EncounterView]] = {day.id: [] for day in self.days}
        for encounter in self.encounters:
            if encounter.day is not None:
                found[encounter.day].append(encounter)
        return {day: tuple(encounters) for day, encounters in found.items()}

    @cached_property
    def by_team(self) -> Mapping[int, tuple[EncounterView, ...]]:
        """The encounters of each team, by its id."""
        found: dict[int, list[EncounterView]] = {team: [] for team in self.teams}
        for encounter in self.encounters:
            for team in encounter.teams:
                found[team.id].append(encounter)
        return {team: tuple(encounters) for team, encounters in found.items()}

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The phases of this season that have encounters, in their order."""
        there = {encounter.stage for encounter in self.encounters}
        return tuple(phase.stage for phase in self.season.phases if phase.stage in there)

    def groups(self, stage: Stage) -> tuple[str, ...]:
        """The groups of a phase that have standings."""
        return tuple(group for of, group in self.standings if of is stage)

    def members(self, stage: Stage, group: str) -> tuple[TeamView, ...]:
        """The teams of a group; in the trial days not all of them need to have an encounter."""
        if stage in (Stage.TRIAL, Stage.CHAMPIONSHIP):
            return tuple(team for team in self.teams.values() if team.group == group)
        ranked = self.standings.get((stage, group))
        return () if ranked is None else tuple(self.by_name[name] for name in sorted(row.team for row in ranked.rows))

    def resting(self, day: DayView, group: str) -> tuple[TeamView, ...]:
        """The teams of a group that have no encounter on a day."""
        playing = {team.id for encounter in self.by_day[day.id] for team in encounter.teams}
        return tuple(team for team in self.members(day.stage, group) if team.id not in playing)

    def is_over(self, day: DayView) -> bool:
        """Whether all encounters of a day are finished."""
        return all(encounter.is_over for encounter in self.by_day[day.id])

    # --- ratings ------------------------------------------------------------------------------------------------------

    @cached_property
    def rating(self) -> Ratings | None:
        """The strength of all teams from all games that count; ``None`` before the first one."""
        return _rate(self.rated)

    def group_rating(self, stage: Stage, group: str) -> Ratings | None:
        """The strength as the games of one group tell it."""
        return self._group_ratings.get((stage, group))

    @cached_property
    def _group_ratings(self) -> Mapping[tuple[Stage, str], Ratings | None]:
        games: dict[tuple[Stage, str], list[PlayedGame]] = {}
        for game in self.rated:
            encounter = self._encounter_of(game)
            games.setdefault((encounter.stage, encounter.group), []).append(game)
        return {place: _rate(tuple(played)) for place, played in games.items()}

    @cached_property
    def rating_by_day(self) -> tuple[tuple[DayView, Ratings], ...]:
        """After each matchday that counts: the strength by all games until then."""
        games: dict[int, list[PlayedGame]] = {}
        for game in self.rated:
            if (id_ := self._encounter_of(game).day) is not None:
                games.setdefault(id_, []).append(game)
        found: list[tuple[DayView, Ratings]] = []
        until: list[PlayedGame] = []
        for day in self.days:
            if day.id in games:
                until += games[day.id]
                rated = _rate(tuple(until))
                assert rated is not None
                found.append((day, rated))
        return tuple(found)

    def _encounter_of(self, game: PlayedGame) -> EncounterView:
        return self.by_key[game.pair.rpartition("/")[0]]


@lru_cache(maxsize=256)  # Days that are over are rated once, however often a live season is looked at.
def _rate(games: tuple[PlayedGame, ...]) -> Ratings | None:
    return bradley_terry.rate(cross_table(games)) if games else None
