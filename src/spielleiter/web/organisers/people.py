"""Accounts and invitations, for the organisers."""

from __future__ import annotations

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.accounts import accounts
from spielleiter.contest.store import TeamRow
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.contest.contest_app import Note, contest_app_of
from spielleiter.web.contest.forms import act_and_redirect, field
from spielleiter.web.contest.rendering import respond_in_contest
from spielleiter.web.contest.sessions import base_url
from spielleiter.web.organisers.confirmation import ask_and_act
from spielleiter.web.organisers.season import HOME
from spielleiter.web.rights import person_of


async def people_page(request: Request) -> Response:
    """All accounts and open invitations, and forms for new ones."""
    app = contest_app_of(request)
    store = app.contest.store

    def teams() -> list[str]:
        with store.reading() as session:
            return list(session.scalars(select(TeamRow.name).order_by(TeamRow.name)))

    return respond_in_contest(
        request,
        "organisers/people.html",
        people=await app.in_thread(lambda: accounts.people(store)),
        invitations=await app.in_thread(lambda: accounts.open_invitations(store)),
        teams=await app.in_thread(teams),
    )


def _link(request: Request, token: str) -> str:
    return f"{base_url(request)}/contest/invitation/{token}"


async def invite(request: Request) -> Response:
    """A new invitation; its link is shown once."""
    app, person = contest_app_of(request), person_of(request)
    role, team = await field(request, "role"), await field(request, "team")

    async def act() -> Note:
        organiser = role == "organiser"
        if not organiser and not team:
            raise ContestError("Wähle ein Team aus.", "Choose a team.")
        token = await app.in_thread(
            lambda: accounts.invite(
                app.contest.store, who=person.who, team=None if organiser else team, organiser=organiser
            )
        )
        who = (
            Text("für die Organisation", "for an organiser")
            if organiser
            else Text(f"für ein Mitglied von {team}", f"for a member of {team}")
        )
        return Note(
            Text(
                f"Einladung {who.de}. Gib den Link weiter; er wird nur jetzt gezeigt und gilt einmal, 14 Tage lang:",
                f"Invitation {who.en}. Pass the link on; it is shown only now and works once, for 14 days:",
            ),
            link=_link(request, token),
        )

    return await act_and_redirect(request, act, f"{HOME}/people")


async def invite_again(request: Request) -> Response:
    """A link with which somebody sets a forgotten password anew."""
    app, person, account = contest_app_of(request), person_of(request), request.path_params["id"]

    async def act() -> Note:
        token = await app.in_thread(lambda: accounts.invite_again(app.contest.store, account, who=person.who))
        return Note(
            Text(
                "Link für ein neues Passwort. Er wird nur jetzt gezeigt und gilt einmal, 14 Tage lang:",
                "Link for a new password. It is shown only now and works once, for 14 days:",
            ),
            link=_link(request, token),
        )

    return await act_and_redirect(request, act, f"{HOME}/people")


async def remove_account(request: Request) -> Response:
    """Delete an account."""
    app, person, account = contest_app_of(request), person_of(request), request.path_params["id"]

    async def act() -> Text:
        await app.in_thread(lambda: accounts.remove(app.contest.store, account, by=person))
        return Text("Das Konto ist gelöscht.", "The account is deleted.")

    async def consequences() -> Text:
        people = await app.in_thread(lambda: accounts.people(app.contest.store))
        name = next((one.name for one in people if one.id == account), "?")
        return Text(
            f"{name} wird überall abgemeldet und kann sich nicht mehr anmelden; nach dem Rückgängigmachen braucht das"
            " Konto ein neues Passwort.",
            f"{name} will be logged out everywhere and cannot log in any more; after undoing that, the account"
            " needs a new password.",
        )

    return await ask_and_act(request, consequences, act, f"{HOME}/people")


async def revoke(request: Request) -> Response:
    """Make an invitation worthless."""
    app, person, invitation = contest_app_of(request), person_of(request), request.path_params["id"]

    async def act() -> Text:
        await app.in_thread(lambda: accounts.revoke(app.contest.store, invitation, who=person.who))
        return Text("Die Einladung gilt nicht mehr.", "The invitation is worthless now.")

    async def consequences() -> Text:
        return Text("Der Link dieser Einladung gilt nicht mehr.", "The link of this invitation will not work any more.")

    return await ask_and_act(request, consequences, act, f"{HOME}/people")
