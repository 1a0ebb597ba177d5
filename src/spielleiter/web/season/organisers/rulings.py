"""Rulings of the organisers, and the audit log of all that people have decided."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.run import rulings
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.rights import Access, Page, person_of
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.forms import field
from spielleiter.web.season.organisers.confirmation import ask_and_act
from spielleiter.web.season.organisers.season import HOME
from spielleiter.web.season.rendering import respond_in_contest

_SHOWN_ENCOUNTERS = 8
_SHOWN_DECISIONS = 20
_AUDIT_PAGE = 100


async def rulings_page(request: Request) -> Response:
    """Annul games, disqualify a team."""
    app = contest_app_of(request)

    snapshot = await app.in_thread(app.season.snapshot)
    begun = [encounter for encounter in snapshot.encounters if encounter.games]
    return respond_in_contest(
        request,
        "organisers/rulings.html",
        subject=request.query_params.get("subject", "")[:50],
        snapshot=snapshot,
        encounters=begun,
        newest=snapshot.newest_first(begun)[:_SHOWN_ENCOUNTERS],
        undoable=snapshot.undoable[:_SHOWN_DECISIONS],
    )


async def annul(request: Request) -> Response:
    """Let a game, or an encounter, be played again."""
    return await _rule_on_games(request, rulings.annul)


async def accept(request: Request) -> Response:
    """Let a game count that was lost on time on a busy machine."""
    return await _rule_on_games(request, rulings.accept)


async def _rule_on_games(request: Request, ruling: Callable[..., Text]) -> Response:
    app, person = contest_app_of(request), person_of(request)
    subject, reason = await field(request, "subject"), await field(request, "reason", 2000)

    async def rule(*, dry_run: bool = False) -> Text:
        _need_reason(reason)
        return await app.jobs.in_worker(lambda: ruling(app.contest, subject, reason, who=person.who, dry_run=dry_run))

    async def act() -> Text:
        done = await rule()
        app.jobs.season.wake()
        return done

    return await ask_and_act(request, lambda: rule(dry_run=True), act, f"{HOME}/rulings")


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
        app.jobs.season.wake()
        return done

    return await ask_and_act(request, lambda: undo(dry_run=True), act, f"{HOME}/rulings")


def _need_reason(reason: str) -> None:
    if not reason:
        raise ContestError("Gib einen Grund an; er steht im Protokoll.", "Give a reason; it goes into the audit log.")


async def audit_page(request: Request) -> Response:
    """What people have decided, the newest first."""
    app = contest_app_of(request)
    before = request.query_params.get("before", "")

    snapshot = await app.in_thread(app.season.snapshot)
    limit = int(before) if before.isdecimal() and len(before) < 10 else inf
    entries = [entry for entry in reversed(snapshot.audit) if entry.id < limit]
    more = entries[_AUDIT_PAGE - 1].id if len(entries) > _AUDIT_PAGE else None
    return respond_in_contest(request, "organisers/audit.html", entries=entries[:_AUDIT_PAGE], more=more)


PAGES = (
    Page(f"{HOME}/rulings", rulings_page, Access.ORGANISER),
    Page(f"{HOME}/annul", annul, Access.ORGANISER, "POST"),
    Page(f"{HOME}/accept", accept, Access.ORGANISER, "POST"),
    Page(f"{HOME}/disqualify", disqualify, Access.ORGANISER, "POST"),
    Page(f"{HOME}/undo/{{id:int}}", undo, Access.ORGANISER, "POST"),
    Page(f"{HOME}/audit", audit_page, Access.ORGANISER),
)
