"""The projector: one board, as large as possible, of the most exciting game."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.game import Language, Team
from spielleiter.pages.environment import render
from spielleiter.web.language import language_of
from spielleiter.web.live import LiveGame
from spielleiter.web.rendering import respond
from spielleiter.web.streams import event_stream
from spielleiter.web.watch.watch import card
from spielleiter.web.web_app import WebApp, web_app_of

_CLEAR_LEAD = 0.25
_ASLEEP_SECONDS = 90.0
"""After so long without a move nobody wants to see a game on the projector."""


async def projector_page(request: Request) -> Response:
    """One board, as large as can be: the most exciting game."""
    app, language = web_app_of(request), language_of(request)
    return respond(request, "watch/projector.html", look=_projector(app, language))


async def projector_events(request: Request) -> Response:
    """The most exciting game again and again."""
    app, language = web_app_of(request), language_of(request)
    return event_stream(
        app.live.channel, ("projector", language), lambda: {"parts": {"stage": _projector(app, language)}}
    )


def _projector(app: WebApp, language: Language) -> str:
    best = on_stage(app)
    if best is None:
        return render("watch/stage.html", language, game=None)
    return best.channel.rendered(
        ("stage", language), lambda: render("watch/stage.html", language, game=card(app, best, language))
    )


def on_stage(app: WebApp) -> LiveGame | None:
    """The game for the projector. Another one takes over only if it is clearly more exciting, or this one is over."""
    games = app.live.running() or app.live.all()[:1]
    best = max(games, key=excitement, default=None)
    present = None if app.on_stage is None else app.live.get(app.on_stage)
    if best is not None and present in games and excitement(best)[0] < excitement(present)[0] + _CLEAR_LEAD:
        best = present
    app.on_stage = None if best is None else best.room_id
    return best


def excitement(live: LiveGame) -> tuple[float, float]:
    """How much a game is worth looking at: a close score counts, that there is something on the board, and moves."""
    if live.is_over:
        return (-2.0, live.started)
    if time.monotonic() - live.asked > _ASLEEP_SECONDS:
        return (-1.0, live.asked)
    one, two = (sum(live.state.points(team)[1:2]) for team in (Team.ONE, Team.TWO))
    closeness = 1.0 - abs(one - two) / max(1, one + two)
    played = min(1.0, len(live.plies) / 30)
    return (closeness * (0.3 + played), live.started)
