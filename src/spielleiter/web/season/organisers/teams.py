"""The teams, for the organisers: schools, late teams, reserve places, one by one or as a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import players
from spielleiter.contest.season.model import Season, Stage, TeamEntry
from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.contest.season.team_list import MAX_BYTES, RefusedRow, decode, read_team_list
from spielleiter.contest.season.write import added
from spielleiter.errors import ContestError, Refused
from spielleiter.game import Text
from spielleiter.pages.formatting import csv_text
from spielleiter.web.rights import Access, Page
from spielleiter.web.season.contest_app import Note, contest_app_of
from spielleiter.web.season.forms import field
from spielleiter.web.season.organisers.season import HOME
from spielleiter.web.season.organisers.season_file import ask_and_change
from spielleiter.web.season.rendering import respond_in_contest

TEAMS = f"{HOME}/teams"
_SHOWN_ROWS = 20


async def teams_page(request: Request) -> Response:
    """All teams, and the forms for more."""
    app = contest_app_of(request)
    snapshot = await app.in_thread(app.season.snapshot)
    season = snapshot.season
    groups = {name: len(teams) for name, teams in season.groups.items()}
    return respond_in_contest(
        request,
        "organisers/teams.html",
        snapshot=snapshot,
        entries={entry.name: entry for entry in season.teams},
        groups=groups,
        smallest=min(groups, key=groups.__getitem__),
        reserves=[entry.name for entry in season.teams if entry.reserve],
        joins=_first_phase(snapshot),
        team_lists=MAX_BYTES // 1000,
    )


def _first_phase(snapshot: SeasonSnapshot) -> Stage | None:
    """The first phase that a team still can join; ``None`` if that is too late."""
    begun = {day.stage for day in snapshot.days if day.opened is not None}
    if Stage.CHAMPIONSHIP in begun:
        return None
    return next(phase.stage for phase in snapshot.season.phases if phase.stage not in begun)


def _joining(season: Season, entry: TeamEntry, first: Stage | None) -> Season:
    """The season with a new team. Raises ``ContestError`` if it comes too late."""
    if first is None:
        raise ContestError(
            f"{entry.name!r}: Die Meisterschaft hat begonnen; neue Teams können nur noch Reserveplätze bekommen.",
            f"{entry.name!r}: the championship has begun; a new team can only take a reserve place",
        )
    if not entry.group and len(season.groups) == 1:
        entry = replace(entry, group=next(iter(season.groups)))
    if entry.group not in season.groups:
        listed = ", ".join(season.groups)
        raise ContestError(
            f"{entry.name!r}: Es gibt die Gruppen {listed}, nicht {entry.group!r}.",
            f"{entry.name!r}: there are the groups {listed}, not {entry.group!r}",
        )
    if any(team.name.casefold() == entry.name.casefold() for team in season.teams):
        raise ContestError(f"{entry.name!r} spielt schon mit.", f"{entry.name!r} plays already")
    return added(season, replace(entry, joins=None if first is season.phases[0].stage else first))


async def add_team(request: Request) -> Response:
    """One more team, or a reserve place for one."""
    app = contest_app_of(request)
    first = _first_phase(await app.in_thread(app.season.snapshot))
    player = await field(request, "player")
    entry = TeamEntry(
        name=await field(request, "name"),
        school=await field(request, "school"),
        group=await field(request, "group"),
        player="" if player not in players.BUILT_IN else player,
        reserve=bool(await field(request, "reserve")),
    )
    return await ask_and_change(request, lambda season: _joining(season, entry, first), TEAMS)


async def change_school(request: Request) -> Response:
    """Another school for a team."""
    name, school = await field(request, "team"), await field(request, "school")
    return await ask_and_change(request, lambda season: _with(season, name, school=school), TEAMS)


async def take_reserve(request: Request) -> Response:
    """A team for a reserve place."""
    place, name, school = [await field(request, key) for key in ("place", "name", "school")]

    def changed(season: Season) -> Season:
        if not any(entry.name == place and entry.reserve for entry in season.teams):
            raise ContestError("Wähle einen freien Reserveplatz.", "Choose a free reserve place.")
        return _with(season, place, name=name, school=school, reserve=False, replaces=place)

    return await ask_and_change(request, changed, TEAMS)


def _with(season: Season, team: str, /, **values: str | bool) -> Season:
    """The season in which a team has other values."""
    if not any(entry.name == team for entry in season.teams):
        raise ContestError("Wähle ein Team.", "Choose a team.")
    entries = [replace(entry, **values) if entry.name == team else entry for entry in season.teams]  # type: ignore[arg-type]
    return replace(season, teams=tuple(entries))


# --- lists ------------------------------------------------------------------------------------------------------------


async def import_teams(request: Request) -> Response:
    """A list: schools of known teams, and new teams; all of it or nothing."""
    app = contest_app_of(request)
    form = await request.form()
    file, typed = form.get("file"), form.get("list")
    try:
        if isinstance(file, UploadFile) and file.size:
            text = decode(await file.read(MAX_BYTES + 1))
        else:
            text = typed if isinstance(typed, str) else ""
        listed = read_team_list(text)
    except Refused as problem:
        return _refused(request, problem.text)
    if listed.refused or not listed.teams:
        return _refused(request, _which(listed.refused))
    first = _first_phase(await app.in_thread(app.season.snapshot))
    return await ask_and_change(
        request, lambda season: _with_list(season, listed.teams, first), TEAMS, fields={"list": text}
    )


def _with_list(season: Season, teams: Sequence[TeamEntry], first: Stage | None) -> Season:
    known = {entry.name.casefold(): entry.name for entry in season.teams}
    for entry in teams:
        name = known.get(entry.name.casefold())
        season = _joining(season, entry, first) if name is None else _with(season, name, school=entry.school)
    return season


def _which(refused: Sequence[RefusedRow]) -> Text:
    if not refused:
        return Text("Die Liste ist leer.", "The list is empty.")
    shown = refused[:_SHOWN_ROWS]
    de = " ".join(f"Zeile {row.line}: {row.reason.de.rstrip('.')}." for row in shown)
    en = " ".join(f"Line {row.line}: {row.reason.en.rstrip('.')}." for row in shown)
    more = len(refused) - len(shown)
    return Text(
        f"Nichts ist übernommen. {de}" + (f" Und {more} weitere." if more else ""),
        f"Nothing was taken over. {en}" + (f" And {more} more." if more else ""),
    )


def _refused(request: Request, why: Text) -> Response:
    contest_app_of(request).add_note(request.state.browser, Note(why, good=False))
    return RedirectResponse(TEAMS, 303)


async def team_list(request: Request) -> Response:
    """All teams as CSV, to be changed in a spreadsheet and sent back."""
    season = contest_app_of(request).contest.season
    rows = [
        {
            "Team": entry.name,
            "School": entry.school,
            "Group": entry.group,
            "Program": entry.player if entry.player in players.BUILT_IN else "",
            "Reserve": "x" if entry.reserve else "",
        }
        for entry in season.teams
    ]
    # With a byte order mark, without which Excel takes it for Windows-1252.
    data = csv_text(rows).encode("utf-8-sig")
    headers = {"content-disposition": 'attachment; filename="teams.csv"'}
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)


PAGES = (
    Page(TEAMS, teams_page, Access.ORGANISER),
    Page(TEAMS, import_teams, Access.ORGANISER, "POST"),
    Page(f"{TEAMS}.csv", team_list, Access.ORGANISER),
    Page(f"{TEAMS}/new", add_team, Access.ORGANISER, "POST"),
    Page(f"{TEAMS}/school", change_school, Access.ORGANISER, "POST"),
    Page(f"{TEAMS}/reserve", take_reserve, Access.ORGANISER, "POST"),
)
