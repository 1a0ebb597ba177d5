"""Finds the record that was written of a room: where pages of running games lead when those are gone."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.web.guard import Role
from spielleiter.web.problems import not_found
from spielleiter.web.rights import Access, Page
from spielleiter.web.web_app import web_app_of


async def record_of_room(request: Request, room: str, tail: str = "") -> Response:
    """Go to the record of a room; ``tail`` is what follows in its address. Raises ``PageError`` if there is none."""
    app = web_app_of(request)
    address = await app.record_address(room)
    if address is None and request.state.role >= Role.GUEST:
        key = await asyncio.to_thread(app.library.of_room, room)
        address = None if key is None else f"/replay/{key}"
    if address is None:
        raise not_found("Dieses Spiel gibt es hier nicht (mehr).", "There is no such game here (any more).")
    return RedirectResponse(address + tail, 303)


async def room_replay(request: Request) -> Response:
    """The record that was written of a room, or what the pages have found out about it."""
    tail = next((f"/{page}" for page in ("fault", "report") if request.query_params.get(page) == "1"), "")
    return await record_of_room(request, request.path_params["room"], tail)


PAGES = (Page("/watch/{room}/replay", room_replay, Access.SPECTATOR),)
