"""A new season, created by the host of these pages where its file does not exist yet: a form and its preview."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from random import SystemRandom

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import games
from spielleiter.contest.accounts import accounts
from spielleiter.contest.run.contest import os_user
from spielleiter.contest.season.draw import group_encounters
from spielleiter.contest.season.file import STAGES, example, parse_season
from spielleiter.contest.season.model import Live, Season, Stage
from spielleiter.contest.season.team_list import MAX_BYTES, RefusedRow, decode, read_team_list, write_team_list
from spielleiter.contest.season.write import PhaseDraft, SeasonDraft, check_draft, summary
from spielleiter.errors import Refused, SettingsError
from spielleiter.game import Language, Text
from spielleiter.text import whole_number
from spielleiter.web.language import language_of
from spielleiter.web.problems import no_contest
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.season.contest_slot import ContestSlot
from spielleiter.web.season.forms import moment_of

NEW = "/contest/new"
_MAX_FIELD = 200
_MAX_FIELDS = 100
_DEFAULTS = {
    "name": "", "game": games.CURRENT_SEASON, "games": "6", "time": "", "live": Live.PUBLIC.value, "seed": "",
    "teams": "",
    "trial": "", "trial_matchdays": "1", "championship_groups": "1", "championship_qualify": "8",
    "champions_league": "", "champions_league_qualify": "8", "final": "",
    **{f"{section}_{key}": "" for section in STAGES for key in ("first", "deadline")},
    **{f"{section}_every": "7" for section in STAGES},
}  # fmt: skip
"""All fields of the form, and what stands there first."""
_LIVE = {
    Live.PUBLIC: Text("alle", "everybody"),
    Live.MEMBERS: Text("wer angemeldet ist", "people who are logged in"),
    Live.AFTER: Text("niemand vor dem Ende", "nobody before the end"),
}
_rng = SystemRandom()


def _slot(request: Request) -> ContestSlot:
    """Where the season will be. Raises ``PageError`` if none can be created here."""
    slot: ContestSlot = request.app.state.contest_slot
    if slot.file is None and slot.app is None:
        raise no_contest()
    return slot


async def new_season_page(request: Request) -> Response:
    """The form."""
    if _slot(request).app is not None:
        return RedirectResponse("/contest/organise", 303)
    values = _DEFAULTS | {"final": "on", "seed": str(_rng.randrange(1, 1_000_000))}
    if "example" in request.query_params:
        values |= _example(language_of(request))
    return _form(request, values)


def _example(language: Language) -> Mapping[str, str]:
    """A small season with built-in players, to try everything out."""
    season = parse_season(example(language))
    return {
        "name": season.name,
        "games": "2",
        "time": "1",
        "championship_groups": str(len(season.groups)),
        "championship_qualify": "4",
        "champions_league": "on",
        "teams": write_team_list(season.teams),
    }


def _form(
    request: Request, values: Mapping[str, str], problem: Text | None = None, refused: tuple[RefusedRow, ...] = ()
) -> Response:
    return respond(
        request,
        "organisers/new_season.html",
        values=values,
        games=games.seasons(),
        live=_LIVE,
        file=_slot(request).file,
        problem=problem,
        refused=refused,
    )


async def new_season(request: Request) -> Response:
    """What the season would be; or it is created; or the form once more."""
    slot = _slot(request)
    if slot.app is not None:
        return RedirectResponse("/contest/organise", 303)
    values: dict[str, str] = {}
    try:
        async with request.form(max_files=1, max_fields=_MAX_FIELDS) as form:
            values = _values(form)
            values["teams"] = await _team_text(form)
        if form.get("do") == "edit":
            return _form(request, values)
        listed = read_team_list(values["teams"])
        if listed.refused:
            return _form(request, values, _REFUSED, listed.refused)
        text = _draft(values).to_toml()
        if form.get("do") == "create":
            return await _create(slot, text)
    except Refused as problem:
        return _form(request, _DEFAULTS | values, problem.text)
    return _preview(request, values, check_draft(text))


_REFUSED = Text(
    "Diese Zeilen der Liste sind keine Teams; berichtige sie, oder lösche sie.",
    "These rows of the list are not teams: correct them, or delete them.",
)


def _values(form: FormData) -> dict[str, str]:
    """The fields, cut where they are far too long; a checkbox without its tick is empty."""
    values = {name: form.get(name, "") for name in _DEFAULTS}
    return {name: value.strip()[:_MAX_FIELD] if isinstance(value, str) else "" for name, value in values.items()}


async def _team_text(form: FormData) -> str:
    """The list of teams: the file, if one is sent, or what was typed. Raises ``ContestError``."""
    file, typed = form.get("file"), form.get("teams")
    if isinstance(file, UploadFile) and file.size:
        return decode(await file.read(MAX_BYTES + 1))
    return typed if isinstance(typed, str) else ""


async def _create(slot: ContestSlot, text: str) -> Response:
    """Create the season, and lead its host to an account: organisers log in like everybody else."""
    who = os_user()
    contest = await slot.create(text, who=who)
    assert slot.app is not None
    token = await slot.app.in_thread(lambda: accounts.invite(contest.store, who=who, team=None, organiser=True))
    return RedirectResponse(f"/contest/invitation/{token}", 303)


def _preview(request: Request, values: Mapping[str, str], season: Season) -> Response:
    known = [phase for phase in season.phases if phase.stage in (Stage.TRIAL, Stage.CHAMPIONSHIP)]
    return respond(
        request,
        "organisers/new_season_preview.html",
        values=values,
        season=season,
        game=season.load_game(),
        summary=summary(season),
        encounters=sum(len(group_encounters(season, phase, season.groups_in(phase.stage))) for phase in known),
        live=_LIVE[season.live],
        file=_slot(request).file,
    )


# --- the fields -------------------------------------------------------------------------------------------------------


def _draft(values: Mapping[str, str]) -> SeasonDraft:
    """What the form says. Raises ``ContestError`` or ``SettingsError`` for what is not even a number or a date."""
    phases = [
        PhaseDraft(
            stage=stage,
            matchdays=_whole(values, "trial_matchdays", _DAYS) if stage is Stage.TRIAL else None,
            groups=_whole(values, "championship_groups", _GROUPS) if stage is Stage.CHAMPIONSHIP else None,
            qualify=_whole(values, f"{section}_qualify", _QUALIFY) if f"{section}_qualify" in values else None,
            first=moment_of(values[f"{section}_first"]),
            every=min(_whole(values, f"{section}_every", _EVERY) or 0, 366),
            deadline=moment_of(values[f"{section}_deadline"]),
        )
        for section, stage in STAGES.items()
        if stage is Stage.CHAMPIONSHIP or values[section]
    ]
    return SeasonDraft(
        name=values["name"],
        game=values["game"],
        seed=_whole(values, "seed", Text("Startwert", "Seed")) or 0,
        games=_whole(values, "games", Text("Spiele je Begegnung", "Games an encounter")),
        time=_seconds(values["time"]),
        live=Live(values["live"]) if values["live"] in {live.value for live in Live} else Live.PUBLIC,
        phases=phases,
        teams=read_team_list(values["teams"]).teams,
    )


_DAYS = Text("Probespieltage", "Trial days")
_GROUPS = Text("Gruppen", "Groups")
_QUALIFY = Text("Kommen weiter", "Go on")
_EVERY = Text("Abstand der Spieltage", "Days between matchdays")


def _whole(values: Mapping[str, str], key: str, label: Text) -> int | None:
    """A whole number, or ``None`` for an empty field. Raises ``SettingsError``."""
    value = values[key]
    if not value:
        return None
    if (number := whole_number(value)) is None:
        raise SettingsError(
            f"{label.de}: eine ganze Zahl, nicht {value[:40]!r}.", f"{label.en}: a whole number, not {value[:40]!r}"
        )
    return number


def _seconds(value: str) -> float | None:
    """The time for a move, with a point or a comma. Raises ``SettingsError``."""
    if not value:
        return None
    with suppress(ValueError):
        if isfinite(seconds := float(value.replace(",", "."))):
            return seconds
    raise SettingsError(
        f"Sekunden pro Zug: eine Zahl, nicht {value[:40]!r}.", f"Seconds a move: a number, not {value[:40]!r}"
    )


PAGES = (
    Page(NEW, new_season_page, Access.HOST),
    Page(NEW, new_season, Access.HOST, "POST"),
)
