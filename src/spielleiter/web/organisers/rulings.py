"""Rulings of the organisers, and the audit log of all that people have decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.run import rulings
from spielleiter.contest.store import AuditAction, AuditRow, EncounterRow, TeamRow
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.contest.contest_app import contest_app_of
from spielleiter.web.contest.forms import field
from spielleiter.web.contest.rendering import respond_in_contest
from spielleiter.web.language import language_of
from spielleiter.web.organisers.confirmation import ask_and_act
from spielleiter.web.organisers.season import HOME
from spielleiter.web.rights import person_of

_SHOWN_ENCOUNTERS = 40
_AUDIT_PAGE = 100


async def rulings_page(request: Request) -> Response:
    """Annul games, disqualify a team."""
    app = contest_app_of(request)

    def look() -> dict[str, Any]:
        with app.contest.store.reading() as session:
            latest = (
                select(EncounterRow)
                .where(EncounterRow.games > 0)
                .options(joinedload(EncounterRow.first), joinedload(EncounterRow.second))
                .order_by(EncounterRow.finished.is_not(None), EncounterRow.finished.desc(), EncounterRow.id.desc())
                .limit(_SHOWN_ENCOUNTERS)
            )
            return {
                "teams": list(session.scalars(select(TeamRow).order_by(TeamRow.name))),
                "encounters": list(session.scalars(latest)),
                "undoable": rulings.undoable(session),
            }

    return respond_in_contest(
        request,
        "organisers/rulings.html",
        subject=request.query_params.get("subject", "")[:50],
        action=_action_names(request),
        **await app.in_thread(look),
    )


async def annul(request: Request) -> Response:
    """Let a game, or an encounter, be played again."""
    app, person = contest_app_of(request), person_of(request)
    subject, reason = await field(request, "subject"), await field(request, "reason", 2000)

    async def annul(*, dry_run: bool = False) -> Text:
        _need_reason(reason)
        return await app.jobs.in_worker(
            lambda: rulings.annul(app.contest, subject, reason, who=person.who, dry_run=dry_run)
        )

    async def act() -> Text:
        done = await annul()
        app.jobs.season.look_again()
        return done

    return await ask_and_act(request, lambda: annul(dry_run=True), act, f"{HOME}/rulings")


async def disqualify(request: Request) -> Response:
    """Take games away from a team."""
    app, person = contest_app_of(request), person_of(request)
    team, subject = await field(request, "team"), await field(request, "subject")
    reason = await field(request, "reason", 2000)

    async def act(*, dry_run: bool = False) -> Text:
        _need_reason(reason)
        return await app.jobs.in_worker(
            lambda: rulings.disqualify(
                app.contest, team, reason, who=person.who, subject=subject or None, dry_run=dry_run
            )
        )

    return await ask_and_act(request, lambda: act(dry_run=True), act, f"{HOME}/rulings")


async def undo(request: Request) -> Response:
    """Take a decision back."""
    app, person, number = contest_app_of(request), person_of(request), request.path_params["id"]

    async def undo(*, dry_run: bool = False) -> Text:
        return await app.jobs.in_worker(lambda: rulings.undo(app.contest, number, who=person.who, dry_run=dry_run))

    async def act() -> Text:
        done = await undo()
        app.jobs.season.look_again()
        return done

    return await ask_and_act(request, lambda: undo(dry_run=True), act, f"{HOME}/rulings")


def _need_reason(reason: str) -> None:
    if not reason:
        raise ContestError(
            "Gib einen Grund an; er steht im Protokoll.", "Give a reason; it will stand in the audit log."
        )


async def audit_page(request: Request) -> Response:
    """What people have decided, the newest first."""
    app = contest_app_of(request)
    before = request.query_params.get("before", "")

    def look() -> list[AuditRow]:
        wanted = select(AuditRow).order_by(AuditRow.id.desc()).limit(_AUDIT_PAGE + 1)
        if before.isdecimal() and len(before) < 10:
            wanted = wanted.where(AuditRow.id < int(before))
        with app.contest.store.reading() as session:
            return list(session.scalars(wanted))

    entries = await app.in_thread(look)
    more = entries[_AUDIT_PAGE - 1].id if len(entries) > _AUDIT_PAGE else None
    return respond_in_contest(
        request, "organisers/audit.html", entries=entries[:_AUDIT_PAGE], more=more, action=_action_names(request)
    )


def _action_names(request: Request) -> Callable[[str], str]:
    language = language_of(request)
    return lambda name: AuditAction(name).text.to(language)
