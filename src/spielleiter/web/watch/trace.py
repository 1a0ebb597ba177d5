"""The messages of one room, as they go over the wire, for the host."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.game import Language
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import WebApp, web_app_of


async def trace_page(request: Request) -> Response:
    """The messages of a room so far."""
    room_id = _room(request)
    body = _messages(web_app_of(request), room_id, language_of(request))
    return respond(request, "watch/trace.html", room=room_id, body=body)


async def trace_events(request: Request) -> Response:
    """The messages again and again, the newest first."""
    app, room_id, language = web_app_of(request), _room(request), language_of(request)
    return EventStream(
        app.traces_channel,
        (room_id, language),
        lambda: PageUpdate(parts={"trace": _messages(app, room_id, language)}),
    )


def _room(request: Request) -> str:
    room_id: str = request.path_params["room"]
    if web_app_of(request).traces.of(room_id) is None:
        raise not_found("Dieses Spiel läuft hier nicht (mehr).", "There is no such game here (any more).")
    return room_id


def _messages(app: WebApp, room_id: str, language: Language) -> str:
    return render("watch/trace_body.html", language, messages=(app.traces.of(room_id) or ())[::-1])


PAGES = (
    Page("/watch/{room}/trace", trace_page, Access.HOST),
    Page("/watch/{room}/trace/events", trace_events, Access.HOST),
)
