"""The running games on the pages of a season: small boards above what the page tells."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.season.names import parse_game_name
from spielleiter.game import Language
from spielleiter.web.language import language_of
from spielleiter.web.live import Audience
from spielleiter.web.rights import audience_of
from spielleiter.web.streams import EventStream
from spielleiter.web.watch.watch import cards
from spielleiter.web.web_app import WebApp, web_app_of

_MAX_PREFIX = 60


async def live_events(request: Request) -> Response:
    """The running games whose names begin as ``?games=`` says, again and again: of a day, of an encounter, or all."""
    app, language, audience = web_app_of(request), language_of(request), await audience_of(request)
    prefix = request.query_params.get("games", "")[:_MAX_PREFIX]
    look = ("season", language, audience, prefix)
    return EventStream(app.live.channel, look, lambda: _running(app, language, audience, prefix))


def _running(app: WebApp, language: Language, audience: Audience, prefix: str) -> dict[str, Any]:
    found = [
        live
        for live in app.live.running(audience)
        if live.room_id.startswith(prefix) and parse_game_name(live.room_id) is not None and not live.is_lost
    ]
    shown = cards(app, found, language)
    return {"parts": shown, "orders": [{"in": "live", "ids": list(shown)}]}
