"""Dates and deadlines, for the organisers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.season.model import Phase, Season, Stage
from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.errors import ContestError, SettingsError
from spielleiter.game import Text
from spielleiter.web.rights import Access, Page
from spielleiter.web.season.contest_app import Note, contest_app_of
from spielleiter.web.season.forms import field, moment_of
from spielleiter.web.season.organisers.season import HOME
from spielleiter.web.season.organisers.season_file import ask_and_change
from spielleiter.web.season.rendering import respond_in_contest

DATES = f"{HOME}/dates"
_INPUT = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True, slots=True)
class _Day:
    """A matchday in the form."""

    key: str
    title: Text
    value: str
    begun: datetime | None
    """When its programs were fixed: since then it has the date that it had."""
    is_over: bool


async def dates_page(request: Request) -> Response:
    """All matchdays with their dates, and the deadlines."""
    app = contest_app_of(request)
    snapshot = await app.in_thread(app.season.snapshot)
    return respond_in_contest(
        request,
        "organisers/dates.html",
        zone=datetime.now().astimezone().tzname(),
        phases=[(phase, _days(snapshot, phase), _value(phase.deadline)) for phase in snapshot.season.phases],
    )


def _days(snapshot: SeasonSnapshot, phase: Phase) -> list[_Day]:
    drawn = {day.number: day for day in snapshot.days if day.stage is phase.stage}
    found = []
    for number in range(1, snapshot.season.matchdays(phase) + 1):
        day = drawn.get(number)
        begun, is_over = (None, False) if day is None else (day.opened, day.finished is not None)
        title = snapshot.season.day_name(phase.stage, number)
        found.append(_Day(f"{phase.stage}-{number}", title, _value(phase.date(number) or begun), begun, is_over))
    return found


def _value(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone().strftime(_INPUT)


async def change_dates(request: Request) -> Response:
    """Other dates and deadlines."""
    app = contest_app_of(request)
    snapshot = await app.in_thread(app.season.snapshot)
    fields: dict[str, str] = {}
    for phase in snapshot.season.phases:
        for key in (f"{phase.stage}-deadline", *(day.key for day in _days(snapshot, phase))):
            fields[key] = await field(request, key)
    try:
        new = {phase.stage: _changed(snapshot, phase, fields) for phase in snapshot.season.phases}
    except (ContestError, SettingsError) as problem:
        app.add_note(request.state.browser, Note(problem.text, good=False))
        return RedirectResponse(DATES, 303)

    def changed(season: Season) -> Season:
        return replace(season, phases=tuple(_with(phase, new) for phase in season.phases))

    return await ask_and_change(request, changed, DATES, fields=fields)


_Dates = tuple[tuple[datetime, ...], datetime | None]


def _with(phase: Phase, new: Mapping[Stage, _Dates]) -> Phase:
    dates, deadline = new[phase.stage]
    return replace(phase, dates=dates, deadline=deadline)


def _changed(snapshot: SeasonSnapshot, phase: Phase, fields: Mapping[str, str]) -> _Dates:
    """The dates and the deadline of a phase, as the form says. Raises ``ContestError`` or ``SettingsError``."""
    days = _days(snapshot, phase)
    deadline = _kept(fields[f"{phase.stage}-deadline"], phase.deadline)
    coming = [fields[day.key] for day in days if day.begun is None]
    if not coming:
        return phase.dates, deadline
    if not any(coming):
        return (), deadline
    if not all(coming):
        name = snapshot.season.stage_name(phase.stage)
        raise ContestError(
            f"{name.de}: Gib jedem Spieltag ein Datum, oder keinem.",
            f"{name.en}: give every matchday a date, or none of them",
        )
    dates = []
    for number, day in enumerate(days, 1):
        # What has begun keeps its date.
        moment = phase.date(number)
        if day.begun is None:
            moment = _kept(fields[day.key], moment)
        elif moment is None:
            moment = day.begun.replace(microsecond=0)
        assert moment is not None
        dates.append(moment)
    return tuple(dates), deadline


def _kept(value: str, before: datetime | None) -> datetime | None:
    """What a field says; if it says the same as before, with the seconds that do not fit into it."""
    return before if value == _value(before) else moment_of(value)


PAGES = (
    Page(DATES, dates_page, Access.ORGANISER),
    Page(DATES, change_dates, Access.ORGANISER, "POST"),
)
