"""The page of a team for its members, and challenges.

Law: every look-up goes by the team of the session; there is no address that names another team.
"""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.game import Text
from spielleiter.web.guard import MAX_UPLOAD
from spielleiter.web.rights import Access, Page, person_of, team_of
from spielleiter.web.season.contest_app import Note, contest_app_of
from spielleiter.web.season.forms import act_and_redirect, field
from spielleiter.web.season.rendering import respond_in_contest

HOME = "/contest/my"
_SHOWN_ENCOUNTERS = 6


async def team_page(request: Request) -> Response:
    """The team with its programs, a form for a new one, challenges, and the last encounters."""
    app, (team_id, _) = contest_app_of(request), team_of(request)

    snapshot = await own_snapshot(request)
    active = snapshot.active_program(team_id)
    return respond_in_contest(
        request,
        "members/team.html",
        snapshot=snapshot,
        team=snapshot.teams[team_id],
        programs=snapshot.programs[team_id][::-1],
        active=active,
        next_day=snapshot.next_activation(datetime.now(UTC)),
        opponents=[team.name for team in snapshot.teams.values() if team.id != team_id and team.id in snapshot.active],
        rows=snapshot.newest_first(snapshot.by_team[team_id])[:_SHOWN_ENCOUNTERS],
        check=app.jobs.checks.of_team(team_id),
        max_megabytes=MAX_UPLOAD // 10**6,
    )


async def own_snapshot(request: Request) -> SeasonSnapshot:
    """The season as members of the visitor's team may see it, now."""
    app, (team_id, _) = contest_app_of(request), team_of(request)
    return (await app.in_thread(app.season.snapshot)).seen_by(team_id)


async def challenge(request: Request) -> Response:
    """Play a friendly encounter against another team."""
    app, person, (_, team) = contest_app_of(request), person_of(request), team_of(request)
    opponent = await field(request, "opponent")

    async def act() -> Note:
        key = await app.jobs.friendly.challenge(team, opponent, person.who)
        return Note(
            Text(f"Das Freundschaftsspiel gegen {opponent} beginnt.", f"The friendly game against {opponent} begins."),
            link=f"{HOME}/encounters/{key}",
        )

    return await act_and_redirect(request, act, HOME)


PAGES = (
    Page(HOME, team_page, Access.MEMBER),
    Page(f"{HOME}/friendly", challenge, Access.MEMBER, "POST"),
)
