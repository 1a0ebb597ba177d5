"""The page of a team for its members, and challenges.

Law: every look-up goes by the team of the session; there is no address that names another team.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.run import programs
from spielleiter.contest.run.progress import read_days
from spielleiter.contest.season.model import Season
from spielleiter.contest.season.next import activation_day
from spielleiter.contest.store import ActivationRow, ProgramRow, TeamRow, now
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.contest.contest_app import Note, contest_app_of
from spielleiter.web.contest.forms import act_and_redirect, field
from spielleiter.web.contest.rendering import respond_in_contest
from spielleiter.web.guard import MAX_UPLOAD
from spielleiter.web.members import team_games
from spielleiter.web.rights import person_of, team_of

HOME = "/contest/my"
_SHOWN_ENCOUNTERS = 6


async def team_page(request: Request) -> Response:
    """The team with its programs, a form for a new one, challenges, and the last encounters."""
    app, (team_id, _) = contest_app_of(request), team_of(request)

    def look() -> dict[str, Any]:
        with app.contest.store.reading() as session:
            return _overview(session, app.contest.season, team_id)

    shown = await app.in_thread(look)
    return respond_in_contest(
        request, "members/team.html", check=app.jobs.checks.of_team(team_id), max_mebibytes=MAX_UPLOAD >> 20, **shown
    )


def _overview(session: Session, season: Season, team_id: int) -> dict[str, Any]:
    team = session.get_one(TeamRow, team_id)
    mine = select(ProgramRow).where(ProgramRow.team_id == team_id).order_by(ProgramRow.number.desc())
    active = programs.active_program(session, team)
    others = [
        other.name
        for other in session.scalars(select(TeamRow).where(TeamRow.id != team_id).order_by(TeamRow.name))
        if programs.active_program(session, other) is not None
    ]
    return {
        "team": team,
        "programs": list(session.scalars(mine)),
        "active": active,
        "since": session.scalars(
            select(ActivationRow.at).where(ActivationRow.team_id == team_id).order_by(ActivationRow.id.desc()).limit(1)
        ).first(),
        "next_day": next_day(session, season),
        "opponents": others,
        "rows": team_games.encounters(session, season, team_id, _SHOWN_ENCOUNTERS),
    }


def next_day(session: Session, season: Season) -> Text | None:
    """The title of the first day that can still be played with another program."""
    try:
        return season.day_title(*activation_day(season, read_days(session), now()))
    except ContestError:
        return None


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
