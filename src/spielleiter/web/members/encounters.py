"""The encounters of a team, game by game, with the output of its own program."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.errors import PageError
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.web.contest.contest_app import contest_app_of
from spielleiter.web.contest.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.language import language_of
from spielleiter.web.members import team_games
from spielleiter.web.problems import not_found
from spielleiter.web.rights import team_of
from spielleiter.web.streams import EventStream


async def encounters_page(request: Request) -> Response:
    """All encounters of the team that were played or are being played, the newest first."""
    app, (team_id, _) = contest_app_of(request), team_of(request)

    def look() -> list[team_games.TeamEncounter]:
        with app.contest.store.reading() as session:
            return team_games.encounters(session, app.contest.season, team_id)

    return respond_in_contest(request, "members/encounters.html", rows=await app.in_thread(look))


def _encounter(request: Request, language: Language) -> tuple[team_games.TeamEncounter, str]:
    app, (team_id, _) = contest_app_of(request), team_of(request)
    with app.contest.store.reading() as session:
        found = team_games.encounter(session, app.contest.season, team_id, request.path_params["key"])
        if found is None:
            raise not_found("Dein Team hat keine solche Begegnung.", "Your team has no such encounter.")
        games = team_games.games(session, team_id, found.id)
    stuck = found.finished is None and app.jobs.friendly.is_stuck(found.id)
    return found, render("members/encounter_games.html", language, row=found, games=games, stuck=stuck)


async def encounter_page(request: Request) -> Response:
    """An encounter of the team, game by game, with the team's own logs; live while it is played."""
    language = language_of(request)
    found, shown = await contest_app_of(request).in_thread(lambda: _encounter(request, language))
    return respond_in_contest(request, "members/encounter.html", row=found, shown=shown)


async def encounter_events(request: Request) -> Response:
    """That encounter again and again."""
    app, language, (team_id, _) = contest_app_of(request), language_of(request), team_of(request)
    found, _ = await app.in_thread(lambda: _encounter(request, language))
    return EventStream(
        app.jobs.channel,
        ("encounter", team_id, found.id, language),
        lambda: {"parts": {"encounter": _encounter(request, language)[1]}},
        max_seconds=STREAM_SECONDS,
    )


async def log_page(request: Request) -> Response:
    """What the team's program printed in one game, and how it ended."""
    app, (team_id, _) = contest_app_of(request), team_of(request)

    def look() -> team_games.OwnLog | None:
        with app.contest.store.reading() as session:
            return team_games.log(session, team_id, request.path_params["game"])

    log = await app.in_thread(look)
    if log is None:
        raise _foreign()
    if request.url.path.endswith(".txt"):
        headers = {"content-disposition": f'inline; filename="{log.name}.txt"'}
        return Response(log.text, media_type="text/plain; charset=utf-8", headers=headers)
    return respond_in_contest(request, "members/log.html", log=log)


def _foreign() -> PageError:
    return PageError(
        403,
        Text("Das ist kein Spiel deines Teams.", "This is no game of your team."),
        Text("Jedes Team sieht nur die Ausgaben seines Programms.", "Each team sees its own program's output only."),
    )
