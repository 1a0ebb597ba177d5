"""Playing against a friend: invitations, taking the seat, and what to do when a friend does not come, or goes."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.errors import PageError, Refused
from spielleiter.game import Language, Team, Text
from spielleiter.pages import boards, words
from spielleiter.pages.environment import render
from spielleiter.pages.opponents import suggested
from spielleiter.pages.pictures import qr_code
from spielleiter.players import BUILT_IN
from spielleiter.web.browsers import browser_of, give_browser, new_browser, require_browser
from spielleiter.web.classroom.seats import name_in_class
from spielleiter.web.language import language_of
from spielleiter.web.play.choices import MAX_NAME, FormDefaults, clean_name, remember
from spielleiter.web.play.seating import Seating, SeatKind, Table
from spielleiter.web.rendering import refusal, respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.web_app import WebApp, web_app_of

ACTIONS = ("invite-again", "play-computer", "claim", "cancel")
"""What can be done about a friend who is missing or away."""


# --- for the host -----------------------------------------------------------------------------------------------------


def missing_friends(app: WebApp, table: Table, base: str, language: Language) -> str:
    """The invitations that are still open, and who is away, with what can be done about it."""
    names = [seat.name for seat in table.seats]
    key = "" if app.keys is None else f"?key={app.keys.guest}"
    here = base or app.own_url
    invitations = []
    for team in table.missing:
        url = f"{here}/invite/{table.holders[team].token}{key}"
        invitations.append({"team": team, "name": names[team], "url": url, "qr": qr_code(url) if base else ""})
    return render(
        "play/missing_friends.html",
        language,
        table=table,
        game=table.game,
        invitations=invitations,
        spectators=f"{here}/table/{table.key}{key}",
        is_reachable=bool(base),
        away=[{"team": team, "name": names[team]} for team in table.away if team not in table.missing],
        has_begun=table.live is not None,
        is_challenge=table.is_open,
        clock=words.clock_text(table.limits),
    )


async def act(request: Request, table: Table, action: str) -> Response:
    """Wait with another link, let the computer play, end the game, or give it all up."""
    app, language = web_app_of(request), language_of(request)
    form = await request.form(max_files=0, max_fields=3)
    try:
        if action == "cancel":
            if table.live is not None:
                raise Refused("Das Spiel hat schon begonnen.", "The game has already begun.")
            await app.tables.close(table)
            return RedirectResponse("/", 303)
        team = next((team for team in table.holders if team.name.lower() == form.get("team")), None)
        if team is None:
            raise Refused("Für wen?", "For whom?")
        if action == "invite-again":
            await app.tables.invite_again(table, team)
        elif action == "claim":
            await app.tables.claim(table, team)
        else:
            level = suggested(FormDefaults.of(request).level)
            await app.tables.play_on(table, team, Seating(SeatKind.BUILT_IN, BUILT_IN[level].title.to(language), level))
    except Refused as problem:
        return refusal(request, problem, f"/table/{table.key}")
    return RedirectResponse(f"/table/{table.key}", 303)


# --- for the guest ----------------------------------------------------------------------------------------------------


def spectate(table: Table) -> Response:
    """The table for a visitor without a seat there: the game, or the wait for it. Raises ``PageError``."""
    if table.live is not None:
        return RedirectResponse(f"/watch/{table.live.room_id}", 303)
    raise PageError(
        404,
        Text("Dieses Spiel hat noch nicht begonnen.", "This game has not begun yet."),
        Text("Sobald beide da sind, kannst du hier zuschauen.", "As soon as both are here, you can watch it here."),
        retry_after=5,
    )


def _invitation(request: Request) -> tuple[Table, Team]:
    found = web_app_of(request).tables.invitation(request.path_params["token"])
    if found is None:
        raise PageError(
            404,
            Text("Diese Einladung gilt nicht mehr.", "This invitation is no longer valid."),
            Text(
                "Vielleicht wurde sie zurückgezogen, oder der Link ist nicht vollständig. Bitte um einen neuen – oder "
                "lade selbst jemanden ein.",
                "Perhaps it was withdrawn, or the link is not complete. Ask for a new one – or invite somebody "
                "yourself.",
            ),
        )
    return found


async def invitation_page(request: Request) -> Response:
    """What a friend sees who follows the link: who invites them to what. Looking takes nothing."""
    table, team = _invitation(request)
    holder, language = table.holders[team], language_of(request)
    browser = browser_of(request) or new_browser()
    if holder.is_missing and not table.admits(browser) and holder.shown_to(browser):
        web_app_of(request).tables.lobby.publish()
    if holder.browser == browser:
        return RedirectResponse(f"/table/{table.key}", 303)
    other = table.seats[team.opponent]
    seat = "own" if table.admits(browser) else "free" if holder.is_missing else "taken"
    response = respond(
        request,
        "play/invitation.html",
        409 if seat == "taken" else 200,
        table=table,
        seat=seat,
        inviter=other.name if other.kind in (SeatKind.PERSON, SeatKind.FRIEND) else "",
        title=table.game.title.to(language),
        side=table.game.team_name(team).to(language),
        begins=table.start.to_move is team,
        board=boards.board(table.game, table.state),
        choices=FormDefaults.of(request),
        max_name=MAX_NAME,
        seat_name=name_in_class(request),
        token=holder.token,
    )
    give_browser(request, response, browser)
    return response


async def accept_invitation(request: Request) -> Response:
    """Take the seat, if it is still free."""
    app, (table, team) = web_app_of(request), _invitation(request)
    browser = require_browser(request)
    form = await request.form(max_files=0, max_fields=3)
    name = name_in_class(request) or clean_name(str(form.get("name", "")))
    if table.holders[team].browser != browser and table.admits(browser):
        return RedirectResponse(request.url.path, 303)  # A person must not play against themselves by mistake.
    try:
        person = app.people.of(browser)
        if person is not None and table.rated:
            name = person.handle
        app.people.check_name(name, browser)
        await app.tables.take_seat(table, team, browser, name, person="" if person is None else person.id)
    except Refused as problem:
        if table.holders[team].is_missing:
            return refusal(request, problem, "/lobby")
        return await invitation_page(request)
    response = RedirectResponse(f"/table/{table.key}", 303)
    remember(request, response, name=name)
    return response


PAGES = (
    Page("/invite/{token}", invitation_page, Access.GUEST),
    Page("/invite/{token}", accept_invitation, Access.GUEST, "POST"),
)
