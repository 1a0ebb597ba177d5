"""A season as plain values: the game, the teams and the phases with their parameters.

Which games are played, and how, follows from a ``Season`` and from the games played so far: a season can be played
again, and proved, from its file and its records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from random import Random

from spielleiter import games
from spielleiter.contest.season.bracket import bracket_size, day_of_size, name_of_size
from spielleiter.contest.season.schedule import days_needed
from spielleiter.game import AnyGame, Limits, Ranking, Text


class Stage(StrEnum):
    """The phases of a season in their order, and the friendly games beside them."""

    TRIAL = "trial"
    CHAMPIONSHIP = "championship"
    CHAMPIONS_LEAGUE = "champions-league"
    FINAL = "final"
    FRIENDLY = "friendly"

    @property
    def letter(self) -> str:
        """The first letter of its encounters' names."""
        return _LETTERS[self]


_LETTERS = {
    Stage.TRIAL: "T",
    Stage.CHAMPIONSHIP: "M",
    Stage.CHAMPIONS_LEAGUE: "C",
    Stage.FINAL: "F",
    Stage.FRIENDLY: "X",
}


class Absence(Enum):
    """What happens on a matchday to a team without an active program."""

    RANDOM = "random"
    """The random player plays for it."""
    LOST = "lost"
    """Its games count as lost."""


class Live(Enum):
    """Who may watch the games of a season while they are played."""

    PUBLIC = "public"
    MEMBERS = "members"
    """Visitors who are logged in or have the key of the network."""
    AFTER = "after"
    """No one: games are shown when they have ended."""


@dataclass(frozen=True, slots=True)
class TeamEntry:
    """A team as the season file names it."""

    name: str
    school: str = ""
    group: str = ""
    """Where it plays the championship; empty only until the groups are drawn."""
    player: str = ""
    """Its first program: a built-in player, or a path; empty: it will be submitted."""
    python: str = ""
    """The version of Python with which its programs are started; empty: what they say themselves."""
    reserve: bool = False
    """A place that is kept for a late team; it plays no games yet."""
    replaces: str = ""
    """The name of the reserve place that it took."""
    joins: Stage | None = None
    """The first phase that it plays; ``None``: the first of the season."""

    @property
    def draw_name(self) -> str:
        """The name by which it is drawn: a team that took a reserve place plays the encounters of that place."""
        return self.replaces or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One phase with its parameters."""

    stage: Stage
    games: int = 6
    """Per encounter; in the final the minimum."""
    cap: int = 20
    """Maximum number of games of an encounter of the final; then a lot decides."""
    matchdays: int = 3
    """Matchdays of the trial; in the other phases it follows from the number of teams."""
    qualify: int = 8
    """How many go on: of each group of the championship, or of the Champions League."""
    without_program: Absence = Absence.LOST
    limits: Limits
    dates: tuple[datetime, ...] = ()
    """When each matchday begins: until then programs can be activated for it. Empty: when it is opened."""
    live_delay: int = 0
    """Spectators see so many moves less than were made, until the game has ended."""
    deadline: datetime | None = None
    """After it no program can be activated for this phase any more."""

    @property
    def counts(self) -> bool:
        """Whether its games count for anything."""
        return self.stage not in (Stage.TRIAL, Stage.FRIENDLY)

    @property
    def has_standings(self) -> bool:
        """Whether its groups have standings; the final has a bracket instead."""
        return self.stage is not Stage.FINAL

    def date(self, matchday: int) -> datetime | None:
        """When a matchday begins; ``None``: when it is opened."""
        return self.dates[matchday - 1] if len(self.dates) >= matchday else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A whole season."""

    name: str
    game: str
    seed: int
    teams: tuple[TeamEntry, ...]
    phases: tuple[Phase, ...]
    """The phases in the order in which they are played."""
    ranking: Ranking = Ranking.BY_WINS
    lots_by_hand: bool = False
    """Whether a person draws the lots that decide a place; otherwise they follow from the seed."""
    sandbox: str = "auto"
    live: Live = Live.PUBLIC
    memory: int = 1500
    """Megabytes for a program."""
    ponder: bool = True
    """Whether a program may think while its opponent does."""
    player_notes: bool = True
    """Whether what players note and print beside their moves is recorded, for their own teams."""
    max_versions: int = 200
    """Programs that a team may submit, failed ones included."""
    max_upload: int = 2000
    """Megabytes of all programs of a team."""
    in_process: bool = False
    """Built-in players without processes and network: quick, but not as in the contest."""
    notes: tuple[Text, ...] = ()
    """Where the season differs from what the file asks for, and why."""

    def load_game(self) -> AnyGame:
        """The rule set that is played."""
        return games.load(self.game)

    def phase(self, stage: Stage) -> Phase | None:
        """The phase of that name, if the season has it."""
        return next((phase for phase in self.phases if phase.stage is stage), None)

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """The teams of each group of the championship, in the order of the file."""
        return self.groups_in(Stage.CHAMPIONSHIP)

    def groups_in(self, stage: Stage) -> Mapping[str, tuple[str, ...]]:
        """The groups of the trial days or of the championship: trial days are played without teams that came later."""
        teams = [team for team in self.teams if stage is not Stage.TRIAL or team.joins is None]
        names = sorted({team.group for team in teams})
        return {name: tuple(team.name for team in teams if team.group == name) for name in names}

    def draw_groups(self, stage: Stage) -> Mapping[str, frozenset[str]]:
        """The places that are drawn in each group: while they are the same, so is the schedule."""
        draw_names = {team.name: team.draw_name for team in self.teams}
        return {group: frozenset(draw_names[name] for name in names) for group, names in self.groups_in(stage).items()}

    def draw_order(self, teams: Iterable[str]) -> list[str]:
        """The teams in the order in which they are drawn: not that of the file, whose first should not always begin."""
        draw_names = {team.name: team.draw_name for team in self.teams}
        return sorted(teams, key=lambda name: draw_names.get(name, name))

    @property
    def bracket_size(self) -> int:
        """How many teams play the knock-out: 8, 4 or 2; 0 if the season has none."""
        if self.phase(Stage.FINAL) is None:
            return 0
        league = self.phase(Stage.CHAMPIONS_LEAGUE)
        return bracket_size(self._qualified if league is None else min(self._qualified, league.qualify))

    @property
    def _qualified(self) -> int:
        """How many teams go on from the championship."""
        championship = self.phase(Stage.CHAMPIONSHIP)
        assert championship is not None
        return sum(min(len(teams), championship.qualify) for teams in self.groups.values())

    def stage_name(self, stage: Stage) -> Text:
        """What a phase is called in this season: the knock-out is a Final Eight only if there are eight."""
        match stage:
            case Stage.TRIAL:
                return Text("Probespieltage", "Trial days")
            case Stage.CHAMPIONSHIP:
                return Text("Meisterschaft", "Championship")
            case Stage.CHAMPIONS_LEAGUE:
                return Text("Champions League", "Champions League")
            case Stage.FINAL:
                return name_of_size(self.bracket_size)
            case Stage.FRIENDLY:
                return Text("Freundschaftsspiele", "Friendly games")

    def day_name(self, stage: Stage, number: int) -> Text:
        """What a matchday of a phase is called: by its number, or as the round of the knock-out."""
        found = day_of_size(self.bracket_size >> (number - 1)) if stage is Stage.FINAL else None
        return found or Text(f"Spieltag {number}", f"Matchday {number}")

    def day_title(self, stage: Stage, number: int) -> Text:
        """A matchday with its phase."""
        phase, day = self.stage_name(stage), self.day_name(stage, number)
        return phase if phase == day else Text(f"{phase.de}, {day.de}", f"{phase.en}, {day.en.lower()}")

    def matchdays(self, phase: Phase) -> int:
        """How many matchdays a phase has."""
        match phase.stage:
            case Stage.TRIAL:
                return phase.matchdays
            case Stage.CHAMPIONSHIP:
                return max(days_needed(len(teams)) for teams in self.groups.values())
            case Stage.CHAMPIONS_LEAGUE:
                return days_needed(self._qualified)
            case Stage.FINAL:
                return self.bracket_size.bit_length() - 1
            case Stage.FRIENDLY:
                return 0

    def cuts(self, phase: Phase) -> tuple[int, ...]:
        """The places of a phase's standings that decide something: it matters who is above each of them."""
        following = self.phases[self.phases.index(phase) + 1 :]
        if not following:
            return ()
        if following[0].stage is Stage.FINAL:
            # The places are seeds, each of which matters.
            return tuple(range(1, self.bracket_size + 1))
        return (phase.qualify,) if phase.counts else ()

    def team(self, name: str) -> TeamEntry:
        """The team of that name, or of the reserve place that it took. Raises ``KeyError``."""
        for team in self.teams:
            if name in (team.name, team.replaces):
                return team
        raise KeyError(name)

    def rng_for(self, *purpose: object) -> Random:
        """The random numbers for one purpose: reproducible, and independent of those for all others."""
        return Random("/".join(map(str, (self.seed, *purpose))))

    def lot_seed(self, *purpose: object) -> str:
        """The seed of a lot that is drawn automatically."""
        return "/".join(map(str, (self.seed, *purpose)))
