"""What is next in a season: a pure function of what has happened so far.

``next_step`` is the only answer to this question. ``run`` performs its action and asks again; the status, the pages and
the proof only ask. So what they show is what ``run`` would do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from spielleiter.contest.season.bracket import Winners
from spielleiter.contest.season.draw import PlannedEncounter, next_encounters
from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.rating.standings import Standings, Tie

# --- the facts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DayFacts:
    """A matchday that was drawn, and how far it is."""

    id: int
    stage: Stage
    number: int
    """The first of its phase is 1."""
    date: datetime | None = None
    opened: bool = False
    """Whether its programs are fixed."""
    finished: bool = False
    missing: int = 0
    """Encounters that are not finished."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What has happened in a season so far."""

    days: Sequence[DayFacts]
    """The matchdays of one phase, in order."""
    standings: Callable[[Stage], Mapping[str, Standings]]
    """For the groups of a phase, with the lots drawn in them; asked for only when the next phase is to be drawn."""
    winners: Winners = field(default_factory=dict)
    """The winners of the knock-out."""
    paused: bool = False
    pending: Mapping[Stage, tuple[str, ...]] = field(default_factory=dict)
    """The names of the games on which an organiser has to decide."""


# --- the answer -------------------------------------------------------------------------------------------------------


class Blocker(Enum):
    """What a season does or waits for."""

    GAMES = "games"
    """Games of the matchday are missing."""
    DATE = "date"
    """The next matchday has not come yet."""
    LOT = "lot"
    """A lot must be drawn by a person."""
    RULING = "ruling"
    """Organisers must decide on games that were lost on time on a busy machine."""
    PAUSE = "pause"
    """An organiser has paused it."""
    GOAL = "goal"
    """What comes next lies beyond the place at which ``run`` was asked to stop."""
    NOTHING = "nothing"
    """It is over."""


@dataclass(frozen=True, slots=True)
class SeasonState:
    """Where a season stands."""

    blocker: Blocker
    stage: Stage | None = None
    matchday: int | None = None
    """The number of the day within its phase."""
    matchday_id: int | None = None
    """``None`` for a day that is not drawn yet."""
    date: datetime | None = None
    group: str = ""
    tie: Tie | None = None
    games: tuple[str, ...] = ()
    """Games that wait for a ruling."""

    def text(self, season: Season) -> Text:
        """The state of ``season`` in one sentence."""
        if self.blocker is Blocker.PAUSE:
            return Text("Die Saison ist angehalten", "The season is paused")
        if self.blocker is Blocker.NOTHING:
            return Text("Die Saison ist zu Ende", "The season is over")
        assert self.stage is not None
        if self.blocker is Blocker.LOT:
            assert self.tie is not None
            stage = season.stage_name(self.stage)
            return Text(f"{stage.de}: {self.tie.text.de}", f"{stage.en}: {self.tie.text.en}")
        if self.blocker is Blocker.RULING:
            stage, names = season.stage_name(self.stage), ", ".join(self.games)
            return Text(
                f"{stage.de}: auf Zeit verloren, während der Rechner überlastet war; die Spielleitung muss entscheiden:"
                f" {names}",
                f"{stage.en}: lost on time while the machine was busy; the organisers have to decide: {names}",
            )
        assert self.matchday is not None
        day = season.day_title(self.stage, self.matchday)
        if self.blocker is Blocker.GOAL:
            return Text(f"Angehalten vor: {day.de}", f"Stopped before: {day.en}")
        if self.blocker is Blocker.DATE:
            assert self.date is not None
            when = self.date.astimezone()
            return Text(
                f"{day.de} beginnt am {when:%d.%m.%Y um %H:%M} Uhr", f"{day.en} begins on {when:%Y-%m-%d at %H:%M}"
            )
        return day


@dataclass(frozen=True, slots=True)
class CloseDay:
    """Nothing of the matchday is missing any more."""

    matchday_id: int


@dataclass(frozen=True, slots=True)
class DrawLot:
    """A place of a group decides something, and the season draws its lots by itself."""

    stage: Stage
    group: str
    tie: Tie


@dataclass(frozen=True, slots=True)
class DrawEncounters:
    """A new phase, or the next day of the knock-out: write these encounters down."""

    phase: Phase
    encounters: tuple[PlannedEncounter, ...]


@dataclass(frozen=True, slots=True)
class OpenDay:
    """The time of the matchday has come: fix its programs."""

    matchday_id: int


@dataclass(frozen=True, slots=True)
class PlayGames:
    """Play what is missing of the matchday."""

    matchday_id: int


Action = CloseDay | DrawLot | DrawEncounters | OpenDay | PlayGames


@dataclass(frozen=True, slots=True)
class NextStep:
    """What is next."""

    state: SeasonState
    """Where the season stands as soon as everything is written down that is certain already."""
    action: Action | None
    """What is to be done first; ``None``: nothing but to wait."""


@dataclass(frozen=True, slots=True)
class Until:
    """Where to stop: after a phase, or after one of its days."""

    stage: Stage
    matchday: int | None = None

    def is_past(self, stage: Stage, matchday: int, phases: Sequence[Phase]) -> bool:
        """Whether a day comes after it."""
        stages = [phase.stage for phase in phases]
        mine, other = stages.index(self.stage), stages.index(stage)
        if mine != other:
            return other > mine
        return self.matchday is not None and matchday > self.matchday


def next_step(
    season: Season, facts: Facts, now: datetime, *, ahead: bool = False, until: Until | None = None
) -> NextStep:
    """Where the season stands, and what is to be done first.

    With ``ahead`` days open before their date, too. What comes after ``until`` is neither drawn nor opened, so that
    programs can still be activated for it.
    """
    if facts.paused:
        return NextStep(SeasonState(Blocker.PAUSE), None)
    close: CloseDay | None = None
    for phase in season.phases:
        days = [day for day in facts.days if day.stage is phase.stage]
        for day in days:
            if day.finished:
                continue
            if until is not None and until.is_past(phase.stage, day.number, season.phases):
                return NextStep(SeasonState(Blocker.GOAL, phase.stage, day.number), close)
            if day.opened and not day.missing:
                close = close or CloseDay(day.id)
                continue
            state = _day_state(phase, day.number, day, now, ahead=ahead)
            action = PlayGames(day.id) if day.opened else OpenDay(day.id) if state.blocker is Blocker.GAMES else None
            return NextStep(state, close or action)
        if len(days) < season.matchdays(phase):
            if until is not None and until.is_past(phase.stage, len(days) + 1, season.phases):
                return NextStep(SeasonState(Blocker.GOAL, phase.stage, len(days) + 1), close)
            step = _draw(season, phase, len(days) + 1, facts, now, ahead=ahead)
            return NextStep(step.state, close or step.action)
    last = season.phases[-1].stage
    if games := facts.pending.get(last):
        return NextStep(SeasonState(Blocker.RULING, last, games=games), close)
    return NextStep(SeasonState(Blocker.NOTHING), close)


def _day_state(phase: Phase, number: int, day: DayFacts | None, now: datetime, *, ahead: bool) -> SeasonState:
    """The state in which a day is the next one; ``day`` is ``None`` before it is drawn."""
    date = phase.date(number) if day is None else day.date
    id_ = None if day is None else day.id
    opened = day is not None and day.opened
    if date is not None and date > now and not opened and not ahead:
        return SeasonState(Blocker.DATE, phase.stage, number, id_, date)
    return SeasonState(Blocker.GAMES, phase.stage, number, id_)


def _draw(season: Season, phase: Phase, number: int, facts: Facts, now: datetime, *, ahead: bool) -> NextStep:
    """The phase before is over: draw the next days, or first the lots on which they depend."""
    before = season.phases[season.phases.index(phase) - 1]
    decides = before.stage if number == 1 else phase.stage
    if games := facts.pending.get(decides):
        return NextStep(SeasonState(Blocker.RULING, decides, games=games), None)
    standings = facts.standings(before.stage)
    state = _day_state(phase, number, None, now, ahead=ahead)
    if number == 1:
        for group in sorted(standings):
            if ties := standings[group].ties(season.cuts(before)):
                if season.lots_by_hand:
                    return NextStep(SeasonState(Blocker.LOT, before.stage, group=group, tie=ties[0]), None)
                return NextStep(state, DrawLot(before.stage, group, ties[0]))
    return NextStep(state, DrawEncounters(phase, next_encounters(season, phase, number, standings, facts.winners)))


# --- programs ---------------------------------------------------------------------------------------------------------


def activation_day(season: Season, days: Sequence[DayFacts], now: datetime) -> tuple[Stage, int]:
    """The first day for which a program can still be activated. Raises ``ContestError`` if there is none."""
    last_deadline: datetime | None = None
    for phase in season.phases:
        if phase.deadline is not None and phase.deadline <= now:
            last_deadline = phase.deadline
            continue
        drawn = [day for day in days if day.stage is phase.stage]
        for day in drawn:
            if not day.opened and (day.date is None or day.date > now):
                return phase.stage, day.number
        for number in range(len(drawn) + 1, season.matchdays(phase) + 1):
            date = phase.date(number)
            if date is None or date > now:
                return phase.stage, number
    if last_deadline is not None:
        when = last_deadline.astimezone()
        raise ContestError(
            f"Der Abgabeschluss war am {when:%d.%m.%Y um %H:%M} Uhr: Es kann kein Programm mehr aktiviert werden.",
            f"the deadline was {when:%Y-%m-%d %H:%M}: no program can be activated any more",
        )
    raise ContestError(
        "Der letzte Spieltag hat begonnen: Es kann kein Programm mehr aktiviert werden.",
        "the last matchday has begun: no program can be activated any more",
    )
