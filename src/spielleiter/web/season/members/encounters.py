"""The encounters of a team, game by game, with the output of its own program."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.read.reader import TeamGame, reading
from spielleiter.contest.season.snapshot import Encounter, SeasonSnapshot
from spielleiter.errors import PageError
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rights import Access, Page, team_of
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.members.team import HOME, own_snapshot
from spielleiter.web.season.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.streams import EventStream

_MAX_ENCOUNTERS = 500


async def encounters_page(request: Request) -> Response:
    """All encounters of the team that were played or are being played, the newest first."""
    (team_id, _), snapshot = team_of(request), await own_snapshot(request)
    rows = snapshot.newest_first(snapshot.by_team[team_id])[:_MAX_ENCOUNTERS]
    return respond_in_contest(request, "members/encounters.html", snapshot=snapshot, rows=rows)


def _encounter(request: Request, language: Language) -> tuple[SeasonSnapshot, Encounter, int, str]:
    """The encounter in the address, which of its teams asks, and its games."""
    app, (team_id, _) = contest_app_of(request), team_of(request)
    snapshot = app.season.snapshot()
    found = snapshot.by_key.get(request.path_params["key"])
    if found is None or found not in snapshot.by_team[team_id]:
        raise not_found("Dein Team hat keine solche Begegnung.", "Your team has no such encounter.")
    with reading(app.contest) as reader:
        games = reader.team_games(team_id, found.id)
    me, stuck = found.side(team_id), not found.is_over and app.jobs.friendly.is_stuck(found.id)
    shown = render("members/encounter_games.html", language, row=found, me=me, games=games, stuck=stuck)
    return snapshot, found, me, shown


async def encounter_page(request: Request) -> Response:
    """An encounter of the team, game by game, with the team's own logs; live while it is played."""
    language = language_of(request)
    snapshot, found, me, shown = await contest_app_of(request).in_thread(lambda: _encounter(request, language))
    return respond_in_contest(request, "members/encounter.html", snapshot=snapshot, row=found, me=me, shown=shown)


async def encounter_events(request: Request) -> Response:
    """The event stream of that encounter."""
    app, language, (team_id, _) = contest_app_of(request), language_of(request), team_of(request)
    _, found, _, _ = await app.in_thread(lambda: _encounter(request, language))
    return EventStream(
        app.jobs.channel,
        ("encounter", team_id, found.id, language),
        lambda: PageUpdate(parts={"encounter": _encounter(request, language)[-1]}),
        reads_store=True,
        max_seconds=STREAM_SECONDS,
    )


async def log_page(request: Request) -> Response:
    """What the team's program printed in one game, and how it ended."""
    app, (team_id, _) = contest_app_of(request), team_of(request)

    def look() -> tuple[TeamGame, Encounter, str] | None:
        with reading(app.contest) as reader:
            found = reader.log(team_id, request.path_params["game"])
        return None if found is None else (found[0], app.season.snapshot().by_id[found[0].game.encounter], found[1])

    log = await app.in_thread(look)
    if log is None:
        raise _foreign()
    own, encounter, text = log
    name = own.game.name(encounter)
    if request.url.path.endswith(".txt"):
        headers = {"content-disposition": f'inline; filename="{name}.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
    return respond_in_contest(request, "members/log.html", own=own, encounter=encounter, name=name, text=text)


def _foreign() -> PageError:
    return PageError(
        403,
        Text("Dein Team hat dieses Spiel nicht gespielt.", "Your team did not play this game."),
        Text("Jedes Team sieht nur die Ausgaben seines Programms.", "Each team sees its own program's output only."),
    )


PAGES = (
    Page(f"{HOME}/encounters", encounters_page, Access.MEMBER),
    Page(f"{HOME}/encounters/{{key}}", encounter_page, Access.MEMBER),
    Page(f"{HOME}/encounters/{{key}}/events", encounter_events, Access.MEMBER),
    Page(f"{HOME}/games/{{game:int}}/log", log_page, Access.MEMBER),
    Page(f"{HOME}/games/{{game:int}}/log.txt", log_page, Access.MEMBER),
)
