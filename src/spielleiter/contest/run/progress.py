"""How a season goes on: which phase is drawn when, which day is opened when, and what it waits for.

``advance`` is safe to call at any time and by several organisers at once: it does what is due, once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.create import draw_groups
from spielleiter.contest.run.standings import group_standings, groups_of
from spielleiter.contest.season.bracket import Slot, final_places, slots
from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.contest.store import ActivationRow, EncounterRow, LotRow, MatchdayRow, SeasonRow, TeamRow, now
from spielleiter.game import Text
from spielleiter.rating.standings import Tie


class Blocker(Enum):
    """What a season does or waits for."""

    GAMES = "games"
    """A matchday is open, and games of it are missing."""
    DATE = "date"
    """The next matchday has not come yet."""
    LOT = "lot"
    """A lot must be drawn by a person."""
    PAUSE = "pause"
    """An organiser has paused it."""
    NOTHING = "nothing"
    """It is over."""


@dataclass(frozen=True, slots=True)
class SeasonState:
    """Where a season stands."""

    waits: Blocker
    stage: Stage | None = None
    matchday: int | None = None
    """The number of the day within its phase."""
    matchday_id: int | None = None
    date: datetime | None = None
    group: str = ""
    tie: Tie | None = None

    @property
    def is_open(self) -> bool:
        """Whether games of the matchday can be played now; one beyond the place at which to stop is not opened."""
        return self.waits is Blocker.GAMES and self.matchday_id is not None

    @property
    def text(self) -> Text:
        """The situation in one sentence."""
        match self.waits:
            case Blocker.GAMES:
                assert self.stage is not None
                return Text(
                    f"{self.stage.text.de}, Spieltag {self.matchday}", f"{self.stage.text.en}, matchday {self.matchday}"
                )
            case Blocker.DATE:
                assert self.stage is not None
                assert self.date is not None
                when = self.date.astimezone()
                return Text(
                    f"{self.stage.text.de}, Spieltag {self.matchday} beginnt am {when:%d.%m.%Y um %H:%M}",
                    f"{self.stage.text.en}, matchday {self.matchday} begins on {when:%Y-%m-%d at %H:%M}",
                )
            case Blocker.LOT:
                assert self.stage is not None
                assert self.tie is not None
                return Text(f"{self.stage.text.de}: {self.tie.text.de}", f"{self.stage.text.en}: {self.tie.text.en}")
            case Blocker.PAUSE:
                return Text("Die Saison ist angehalten", "The season is paused")
            case Blocker.NOTHING:
                return Text("Die Saison ist zu Ende", "The season is over")


Beyond = Callable[[Stage, int], bool]
"""Whether a day lies beyond the place at which to stop."""


def advance(
    session: Session, season: Season, *, ahead: bool = False, beyond: Beyond = lambda stage, day: False
) -> SeasonState:
    """Do what is due: close finished days, draw the next phase, open the next day.

    With ``ahead`` days are opened before their date too. What lies ``beyond`` is neither drawn nor opened, so that
    programs can still be activated for it.
    """
    row = session.get(SeasonRow, 1)
    if row is not None and row.paused:
        return SeasonState(Blocker.PAUSE)
    for place, phase in enumerate(season.phases):
        if phase.stage in (Stage.CHAMPIONS_LEAGUE, Stage.FINAL) and not _drawn(session, phase.stage):
            if beyond(phase.stage, 1):
                return SeasonState(Blocker.GAMES, phase.stage, 1)
            lot = _draw(session, season, phase, season.phases[place - 1])
            if lot is not None:
                return lot
        situation = _next_day(session, season, phase, ahead=ahead, beyond=beyond)
        if situation is not None:
            return situation
    return SeasonState(Blocker.NOTHING)


def _next_day(session: Session, season: Season, phase: Phase, *, ahead: bool, beyond: Beyond) -> SeasonState | None:
    """The first day of the phase that is not over, opened if its time has come; ``None`` if all are over."""
    while True:
        day = session.scalars(
            select(MatchdayRow)
            .where(MatchdayRow.stage == phase.stage, MatchdayRow.finished.is_(None))
            .order_by(MatchdayRow.number)
            .limit(1)
        ).first()
        if day is None:
            return None
        if beyond(phase.stage, day.number):
            return SeasonState(Blocker.GAMES, phase.stage, day.number)
        if day.opened is None:
            if day.date is not None and day.date > now() and not ahead:
                return SeasonState(Blocker.DATE, phase.stage, day.number, day.id, day.date)
            open_day(session, phase, day)
        if _missing(session, day):
            return SeasonState(Blocker.GAMES, phase.stage, day.number, day.id)
        day.finished = now()
        session.flush()
        if phase.stage is Stage.FINAL:
            _next_round(session, season, phase)


def _missing(session: Session, day: MatchdayRow) -> int:
    missing = session.scalar(
        select(func.count()).where(EncounterRow.matchday_id == day.id, EncounterRow.finished.is_(None))
    )
    return missing or 0


def open_day(session: Session, phase: Phase, day: MatchdayRow) -> None:
    """Fix the programs with which a day is played: those that were active at its date and before the deadline."""
    day.opened = now()
    ends = min(moment for moment in (day.opened, day.date, phase.deadline) if moment is not None)
    active = active_programs(session, ends)
    for encounter in session.scalars(select(EncounterRow).where(EncounterRow.matchday_id == day.id)):
        encounter.first_program_id = active.get(encounter.first_id)
        encounter.second_program_id = active.get(encounter.second_id)
    session.flush()


def active_programs(session: Session, at: datetime) -> dict[int, int]:
    """The program of each team that was active at a moment, by the ids of both."""
    newest = select(func.max(ActivationRow.id)).where(ActivationRow.at <= at).group_by(ActivationRow.team_id)
    rows = session.execute(select(ActivationRow.team_id, ActivationRow.program_id).where(ActivationRow.id.in_(newest)))
    return dict(rows.all())


# --- drawing ----------------------------------------------------------------------------------------------------------


def _drawn(session: Session, stage: Stage) -> bool:
    return session.scalars(select(MatchdayRow.id).where(MatchdayRow.stage == stage).limit(1)).first() is not None


def _draw(session: Session, season: Season, phase: Phase, before: Phase) -> SeasonState | None:
    """Draw a phase from the tables of the one before it; the lot that it waits for, if any."""
    for group in groups_of(session, before.stage):
        while ties := group_standings(session, season, before.stage, group).ties(cuts(season, before)):
            if season.lots_by_hand:
                return SeasonState(Blocker.LOT, before.stage, group=group, tie=ties[0])
            seed = season.lot_seed("lot", before.stage, group, ties[0].first)
            draw_lot(session, before.stage, group, ties[0], seed, "season.toml")
    if phase.stage is Stage.CHAMPIONS_LEAGUE:
        best = [team for group in groups_of(session, before.stage) for team in _best(session, season, before, group)]
        draw_groups(session, season, phase, {"": best})
    else:
        _next_round(session, season, phase)
    return None


def draw_lot(session: Session, stage: Stage, group: str, tie: Tie, seed: str, who: str) -> LotRow:
    """Write down a lot among tied teams."""
    drawn = LotRow(stage=stage, group=group, teams=sorted(tie.teams), seed=seed, at=now(), who=who)
    session.add(drawn)
    session.flush()
    return drawn


def cuts(season: Season, phase: Phase) -> list[int]:
    """The places of this phase's tables after which it matters on which side a team is."""
    following = season.phases[season.phases.index(phase) + 1 :]
    if not following:
        return []
    if following[0].stage is Stage.FINAL:
        # The seeds are places, each of which matters.
        return list(range(1, season.bracket_size + 1))
    return [phase.qualify] if phase.counts else []


def _best(session: Session, season: Season, phase: Phase, group: str) -> list[str]:
    return [row.team for row in group_standings(session, season, phase.stage, group).rows[: phase.qualify]]


def seeds(session: Session, season: Season) -> list[str]:
    """The teams of the knock-out, the best first; empty before it is drawn."""
    final = season.phase(Stage.FINAL)
    if final is None:
        return []
    before = season.phases[season.phases.index(final) - 1]
    best = _best(session, season, before, *groups_of(session, before.stage))
    return best[: season.bracket_size]


def bracket(session: Session, season: Season) -> tuple[tuple[Slot, ...], dict[tuple[int, int], str]]:
    """All known encounters of the knock-out, and the winners of those that are finished; empty before it is drawn."""
    if not _drawn(session, Stage.FINAL):
        return (), {}
    winners = _winners(session)
    return slots(seeds(session, season), winners), winners


def podium(session: Session, season: Season) -> tuple[str, ...]:
    """First to fourth of the season's final; empty until it is over."""
    return final_places(*bracket(session, season))


def _winners(session: Session) -> dict[tuple[int, int], str]:
    rows = session.execute(
        select(MatchdayRow.number, EncounterRow.place, TeamRow.name)
        .join(EncounterRow, EncounterRow.matchday_id == MatchdayRow.id)
        .join(TeamRow, TeamRow.id == EncounterRow.winner_id)
        .where(MatchdayRow.stage == Stage.FINAL, EncounterRow.finished.is_not(None))
    )
    return {(number, place): name for number, place, name in rows}


def _next_round(session: Session, season: Season, phase: Phase) -> None:
    """Write down the encounters of the knock-out that have become known."""
    known = slots(seeds(session, season), _winners(session))
    there = set(session.scalars(select(MatchdayRow.number).where(MatchdayRow.stage == Stage.FINAL)))
    ids = {name: id_ for id_, name in session.execute(select(TeamRow.id, TeamRow.name))}
    for number in sorted({slot.day for slot in known} - there):
        date = phase.dates[number - 1] if len(phase.dates) >= number else None
        day = MatchdayRow(stage=Stage.FINAL, number=number, date=date)
        session.add(day)
        session.flush()
        for slot in known:
            if slot.day == number:
                session.add(
                    EncounterRow(
                        key=f"{Stage.FINAL.letter}{number}-{slot.place}",
                        matchday_id=day.id,
                        stage=Stage.FINAL,
                        group="",
                        place=slot.place,
                        first_id=ids[slot.teams[0]],
                        second_id=ids[slot.teams[1]],
                    )
                )
    session.flush()
