"""The messages of one room, as they go over the wire, for the host."""

from __future__ import annotations

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.pages.environment import render
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.web_app import web_app_of


async def trace_page(request: Request) -> Response:
    """The messages of a room so far; a script asks again every second."""
    app, room_id = web_app_of(request), request.path_params["room"]
    messages = app.traces.of(room_id)
    if messages is None:
        raise not_found("Dieses Spiel läuft hier nicht (mehr).", "There is no such game here (any more).")
    running = room_id in app.master.lobby.rooms
    body = render("watch/trace_body.html", language_of(request), room=room_id, messages=messages[::-1], running=running)
    if "hx-request" in request.headers:
        return Response(body, media_type="text/html")
    return respond(request, "watch/trace.html", room=room_id, body=Markup(body))  # noqa: S704 - made by our own template
