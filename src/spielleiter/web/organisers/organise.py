"""The pages of the organisers: run and pause the season, rulings, lots, people, news, the audit log."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.accounts import accounts
from spielleiter.contest.run import news, rulings
from spielleiter.contest.run.status import SeasonStatus, status
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker
from spielleiter.contest.store import AuditRow, EncounterRow, TeamRow
from spielleiter.errors import ContestError
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.web.contestapp import ContestApp, Note, contestapp_of
from spielleiter.web.language import language_of
from spielleiter.web.members.show import ending, show
from spielleiter.web.rights import base_address, done, field, person_of
from spielleiter.web.streams import event_stream

HOME = "/contest/office"
_LATEST = 40
_AUDIT_PAGE = 100


# --- the season -------------------------------------------------------------------------------------------------------


async def office_page(request: Request) -> Response:
    """Where the season stands, and how to let it go on."""
    office, language = contestapp_of(request), language_of(request)
    shown = await office.ask(lambda: _season_part(office, language))
    found = await office.ask(lambda: _status(office))
    return show(request, "organisers/season.html", shown=shown, tie=found.state if found.state.tie else None)


def _status(office: ContestApp) -> SeasonStatus:
    with office.contest.store.reading() as session:
        return status(session, office.contest.season)


def _season_part(office: ContestApp, language: Language) -> str:
    found, run = _status(office), office.jobs.season
    return render(
        "organisers/season_progress.html",
        language,
        status=found,
        run=run,
        games=list(reversed(run.games)),
        level=office.jobs.level,
        blockers=Blocker,
    )


async def office_events(request: Request) -> Response:
    """The season again and again."""
    office, language = contestapp_of(request), language_of(request)
    return ending(
        event_stream(
            office.jobs.channel,
            ("season", language),
            lambda: {"parts": {"season": _season_part(office, language)}, "say": ""},
        )
    )


async def run_season(request: Request) -> Response:
    """Let the season go on."""
    office, person = contestapp_of(request), person_of(request)

    async def act() -> Text:
        await office.jobs.run_season(person.who)
        return Text("Die Saison läuft.", "The season is running.")

    return await done(request, act, HOME)


async def pause_season(request: Request) -> Response:
    """Begin no more games."""
    office, person = contestapp_of(request), person_of(request)
    reason = await field(request, "reason", 2000)

    async def act() -> Text:
        await office.jobs.pause_season(person.who, reason)
        return Text(
            "Angehalten. Spiele, die gerade laufen, werden noch zu Ende gespielt.",
            "Paused. Games that are being played come to their end.",
        )

    return await done(request, act, HOME)


async def draw_lot(request: Request) -> Response:
    """Draw the lot for which the season waits."""
    office, person = contestapp_of(request), person_of(request)
    stage, group = await field(request, "stage"), await field(request, "group")
    seed = await field(request, "seed")

    async def act() -> Text:
        if not seed:
            raise ContestError(
                "Gib an, womit gelost wird, zum Beispiel die Lottozahlen des Tages.",
                "Say what the lot is drawn with, for example the day's lottery numbers.",
            )
        if stage not in set(Stage):
            raise ContestError("Diese Phase gibt es nicht.", "There is no such phase.")
        lot = await office.jobs.do(
            lambda: rulings.draw_by_hand(office.contest, Stage(stage), group, seed, who=person.who)
        )
        office.jobs.look_again()
        return lot.text

    return await done(request, act, HOME)


# --- rulings ----------------------------------------------------------------------------------------------------------


async def rulings_page(request: Request) -> Response:
    """Annul games, disqualify a team."""
    office = contestapp_of(request)

    def look() -> dict[str, Any]:
        with office.contest.store.reading() as session:
            latest = (
                select(EncounterRow)
                .where(EncounterRow.games > 0)
                .options(joinedload(EncounterRow.first), joinedload(EncounterRow.second))
                .order_by(EncounterRow.finished.is_not(None), EncounterRow.finished.desc(), EncounterRow.id.desc())
                .limit(_LATEST)
            )
            return {
                "teams": list(session.scalars(select(TeamRow).order_by(TeamRow.name))),
                "encounters": list(session.scalars(latest)),
            }

    return show(
        request,
        "organisers/rulings.html",
        subject=request.query_params.get("subject", "")[:50],
        **await office.ask(look),
    )


async def annul(request: Request) -> Response:
    """Let a game, or an encounter, be played again."""
    office, person = contestapp_of(request), person_of(request)
    subject, reason = await field(request, "subject"), await field(request, "reason", 2000)

    async def act() -> Text:
        _need_reason(reason)
        told = await office.jobs.do(lambda: rulings.annul(office.contest, subject, reason, who=person.who))
        office.jobs.look_again()
        return told

    return await done(request, act, f"{HOME}/rulings")


async def disqualify(request: Request) -> Response:
    """Take games away from a team."""
    office, person = contestapp_of(request), person_of(request)
    team, subject = await field(request, "team"), await field(request, "subject")
    reason = await field(request, "reason", 2000)

    async def act() -> Text:
        _need_reason(reason)
        return await office.jobs.do(
            lambda: rulings.disqualify(office.contest, team, reason, who=person.who, subject=subject or None)
        )

    return await done(request, act, f"{HOME}/rulings")


def _need_reason(reason: str) -> None:
    if not reason:
        raise ContestError(
            "Gib einen Grund an; er steht im Protokoll.", "Give a reason; it will stand in the audit log."
        )


# --- people -----------------------------------------------------------------------------------------------------------


async def people_page(request: Request) -> Response:
    """All accounts and open invitations, and forms for new ones."""
    office = contestapp_of(request)
    store = office.contest.store

    def teams() -> list[str]:
        with store.reading() as session:
            return list(session.scalars(select(TeamRow.name).order_by(TeamRow.name)))

    return show(
        request,
        "organisers/people.html",
        people=await office.ask(lambda: accounts.people(store)),
        invitations=await office.ask(lambda: accounts.open_invitations(store)),
        teams=await office.ask(teams),
    )


def _link(request: Request, token: str) -> str:
    return f"{base_address(request)}/contest/invitation/{token}"


async def invite(request: Request) -> Response:
    """A new invitation; its link is shown once."""
    office, person = contestapp_of(request), person_of(request)
    role, team = await field(request, "role"), await field(request, "team")

    async def act() -> Note:
        organiser = role == "organiser"
        if not organiser and not team:
            raise ContestError("Wähle ein Team aus.", "Choose a team.")
        token = await office.ask(
            lambda: accounts.invite(
                office.contest.store, who=person.who, team=None if organiser else team, organiser=organiser
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

    return await done(request, act, f"{HOME}/people")


async def invite_again(request: Request) -> Response:
    """A link with which somebody sets a forgotten password anew."""
    office, person, account = contestapp_of(request), person_of(request), request.path_params["id"]

    async def act() -> Note:
        token = await office.ask(lambda: accounts.invite_again(office.contest.store, account, who=person.who))
        return Note(
            Text(
                "Link für ein neues Passwort. Er wird nur jetzt gezeigt und gilt einmal, 14 Tage lang:",
                "Link for a new password. It is shown only now and works once, for 14 days:",
            ),
            link=_link(request, token),
        )

    return await done(request, act, f"{HOME}/people")


async def remove_account(request: Request) -> Response:
    """Delete an account."""
    office, person, account = contestapp_of(request), person_of(request), request.path_params["id"]

    async def act() -> Text:
        await office.ask(lambda: accounts.remove(office.contest.store, account, by=person))
        return Text("Das Konto ist gelöscht.", "The account is deleted.")

    return await done(request, act, f"{HOME}/people")


async def revoke(request: Request) -> Response:
    """Make an invitation worthless."""
    office, person, invitation = contestapp_of(request), person_of(request), request.path_params["id"]

    async def act() -> Text:
        await office.ask(lambda: accounts.revoke(office.contest.store, invitation, who=person.who))
        return Text("Die Einladung gilt nicht mehr.", "The invitation is worthless now.")

    return await done(request, act, f"{HOME}/people")


# --- news and the audit log -------------------------------------------------------------------------------------------


async def news_page(request: Request) -> Response:
    """The form for a message, and those that are published."""
    office = contestapp_of(request)
    published = await office.ask(lambda: news.all_news(office.contest.store))
    return show(request, "organisers/news.html", published=published, longest=news.LONGEST)


async def write_news(request: Request) -> Response:
    """Publish a message."""
    office, person = contestapp_of(request), person_of(request)
    de, en = await field(request, "de", news.LONGEST + 1), await field(request, "en", news.LONGEST + 1)

    async def act() -> Text:
        await office.ask(lambda: news.write_news(office.contest.store, de, en, who=person.who))
        return Text("Veröffentlicht.", "Published.")

    return await done(request, act, f"{HOME}/news")


async def remove_news(request: Request) -> Response:
    """Take a message back."""
    office, person, id_ = contestapp_of(request), person_of(request), request.path_params["id"]

    async def act() -> Text:
        await office.ask(lambda: news.remove_news(office.contest.store, id_, who=person.who))
        return Text("Die Nachricht ist gelöscht.", "The message is deleted.")

    return await done(request, act, f"{HOME}/news")


async def audit_page(request: Request) -> Response:
    """What people have decided, the newest first."""
    office = contestapp_of(request)
    before = request.query_params.get("before", "")

    def look() -> list[AuditRow]:
        wanted = select(AuditRow).order_by(AuditRow.id.desc()).limit(_AUDIT_PAGE + 1)
        if before.isdecimal() and len(before) < 10:
            wanted = wanted.where(AuditRow.id < int(before))
        with office.contest.store.reading() as session:
            return list(session.scalars(wanted))

    entries = await office.ask(look)
    more = entries[_AUDIT_PAGE - 1].id if len(entries) > _AUDIT_PAGE else None
    language = language_of(request)

    def action(name: str) -> str:
        return _ACTIONS[name].to(language) if name in _ACTIONS else name

    return show(request, "organisers/audit.html", entries=entries[:_AUDIT_PAGE], more=more, action=action)


_ACTIONS = {
    "account": Text("neues Konto", "new account"),
    "annul": Text("annulliert", "annulled"),
    "challenge": Text("Freundschaftsspiel", "friendly game"),
    "disqualify": Text("disqualifiziert", "disqualified"),
    "draw-lot": Text("Los gezogen", "drew a lot"),
    "invite": Text("eingeladen", "invited"),
    "invite again": Text("Link für neues Passwort", "link for a new password"),
    "new password": Text("neues Passwort", "new password"),
    "news": Text("Nachricht", "news"),
    "pause": Text("angehalten", "paused"),
    "remove account": Text("Konto entfernt", "removed account"),
    "remove news": Text("Nachricht gelöscht", "deleted news"),
    "resume": Text("weiter erlaubt", "resumed"),
    "revoke": Text("Einladung zurückgezogen", "revoked invitation"),
    "run": Text("spielen lassen", "let play"),
    "season file": Text("Saisondatei geändert", "changed season file"),
}
