"""Accounts and invitations, for the organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.accounts import accounts
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.rights import Access, Page, person_of
from spielleiter.web.season.contest_app import Note, contest_app_of
from spielleiter.web.season.forms import act_and_redirect, field
from spielleiter.web.season.organisers.confirmation import ask_and_act
from spielleiter.web.season.organisers.season import HOME
from spielleiter.web.season.rendering import respond_in_contest
from spielleiter.web.web_app import base_url_for, web_app_of


async def people_page(request: Request) -> Response:
    """All accounts and open invitations, and forms for new ones."""
    app = contest_app_of(request)
    store = app.contest.store

    return respond_in_contest(
        request,
        "organisers/people.html",
        people=await app.in_thread(lambda: accounts.people(store)),
        invitations=await app.in_thread(lambda: accounts.open_invitations(store)),
        teams=(await app.in_thread(app.season.snapshot)).by_name,
    )


def _link(request: Request, token: str) -> str:
    base = base_url_for(request) or web_app_of(request).own_url
    return f"{base}/contest/invitation/{token}"


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
            Text("für die Spielleitung", "for an organiser")
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
    """A link for setting a forgotten password anew."""
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


PAGES = (
    Page(f"{HOME}/people", people_page, Access.ORGANISER),
    Page(f"{HOME}/invite", invite, Access.ORGANISER, "POST"),
    Page(f"{HOME}/accounts/{{id:int}}/invite", invite_again, Access.ORGANISER, "POST"),
    Page(f"{HOME}/accounts/{{id:int}}/remove", remove_account, Access.ORGANISER, "POST"),
    Page(f"{HOME}/invitations/{{id:int}}/revoke", revoke, Access.ORGANISER, "POST"),
)
