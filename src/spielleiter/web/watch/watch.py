"""Watching: the list of games, one game, several at once, the projector, and administration by who started it all."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.errors import PageError
from spielleiter.game import Language, Team, Text
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.web.common import not_found, webapp_of
from spielleiter.web.language import language_of
from spielleiter.web.live import LiveGame
from spielleiter.web.rendering import respond
from spielleiter.web.streams import event_stream
from spielleiter.web.webapp import WebApp

_MOST_ON_A_WALL = 12
_CLEARLY = 0.25
_ASLEEP = 90.0
"""Seconds without a move after which nobody wants to see a game on the projector."""


def _live(request: Request) -> LiveGame:
    webapp, room = webapp_of(request), request.path_params["room"]
    live = webapp.live.get(room)
    if live is None and room in webapp.master.lobby.rooms:
        raise PageError(
            404,
            Text("Dieses Spiel hat noch nicht begonnen.", "This game has not begun yet."),
            Text("Sobald alle Spieler da sind, geht es hier los.", "As soon as all players are here, it starts here."),
            retry_after=2,
        )
    if live is None:
        raise not_found("Dieses Spiel gibt es hier nicht (mehr).", "There is no such game here (any more).")
    return live


def card(webapp: WebApp, live: LiveGame, language: Language) -> dict[str, Any]:
    """A game for a list: board, players, status."""
    state = live.state
    status = (
        webapp.ending(live, language)
        if live.result is not None
        else ("Angehalten" if language == "de" else "Paused")
        if webapp.is_paused(live)
        else (f"Zug {len(live.plies) + 1}" if language == "de" else f"Move {len(live.plies) + 1}")
    )
    return {
        "room": live.room_id,
        "input_kind": boards.input_kind(live.game),
        "family": boards.family(live.game),
        "title": live.game.title.to(language),
        "board": boards.board(live.game, state),
        "over": live.is_over,
        "paused": webapp.is_paused(live),
        "status": status,
        "fault": live.offence is not None,
        "sides": words.players(
            live.game, live.names, state, language, result=live.result, asked=webapp.asked(live), now=time.monotonic(),
            running=not live.is_over, used=live.used, limits=live.limits,
        ),
        "ply": len(live.plies),
        "chances": charts.chance_bar(webapp.evaluation(live), language),
    }  # fmt: skip


# --- the list ---------------------------------------------------------------------------------------------------------


async def watch_list(request: Request) -> Response:
    """All games that run or have just ended, each with its board."""
    webapp, language = webapp_of(request), language_of(request)
    return respond(request, "watch/list.html", cards=_list(webapp, language)["parts"], host_port=webapp.tables.address)


def _list(webapp: WebApp, language: Language) -> dict[str, Any]:
    """The cards of all games; each is drawn once for everybody, and again when something happens in that game."""
    cards = {
        f"card-{live.room_id}": live.channel.drawn(("card", language), partial(_card, webapp, live, language))
        for live in webapp.live.all()[:_MOST_ON_A_WALL]
    }
    cards = cards or {"card-none": render("watch/card.html", language, game=None)}
    return {"parts": cards, "order": {"in": "cards", "ids": list(cards)}}


def _card(webapp: WebApp, live: LiveGame, language: Language) -> str:
    return render("watch/card.html", language, game=card(webapp, live, language))


async def list_events(request: Request) -> Response:
    """The list again and again."""
    webapp, language = webapp_of(request), language_of(request)
    return event_stream(webapp.live.channel, ("list", language), lambda: _list(webapp, language))


# --- one game ---------------------------------------------------------------------------------------------------------


async def watch_page(request: Request) -> Response:
    """One game, live."""
    webapp, live, language = webapp_of(request), _live(request), language_of(request)
    flipped = request.query_params.get("flip") == "1"
    return respond(
        request,
        "watch/game.html",
        live=live,
        input_kind=boards.input_kind(live.game),
        look=game_look(webapp, live, language, flipped),
        flipped=flipped,
        title=live.game.title.to(language),
        engine_missing=webapp.analyst.why_unavailable(live.game),
    )


async def game_events(request: Request) -> Response:
    """One game again and again."""
    webapp, live, language = webapp_of(request), _live(request), language_of(request)
    flipped = request.query_params.get("flip") == "1"
    return event_stream(live.channel, (language, flipped), lambda: game_look(webapp, live, language, flipped))


def game_look(webapp: WebApp, live: LiveGame, language: Language, flipped: bool) -> dict[str, Any]:
    """The changing parts of a watched game."""
    shown = card(webapp, live, language)
    rows = words.move_rows(live.game, live.start, live.plies, language)
    return {
        "parts": {
            "board": boards.board(live.game, live.state, flipped=flipped),
            "players": render("parts/players.html", language, sides=shown["sides"]),
            "evaluation": shown["chances"],
            "status": render("parts/status.html", language, status=shown["status"], over=live.is_over, mine=False),
            "moves": render("parts/moves.html", language, rows=rows),
            "admin": render("watch/admin.html", language, game=shown),
            "after": ""
            if not live.is_over
            else render("parts/after.html", language, table=None, live=live, fault=webapp.is_puzzling(live)),
        },
        "say": f"{rows[-1]['words']}. {shown['status']}" if rows else shown["status"],
        "follow": None if live.successor is None else f"/watch/{live.successor}",
    }


# --- the projector ----------------------------------------------------------------------------------------------------


async def projector_page(request: Request) -> Response:
    """One board, as large as can be: the most exciting game."""
    webapp, language = webapp_of(request), language_of(request)
    return respond(request, "watch/projector.html", look=_projector(webapp, language))


async def projector_events(request: Request) -> Response:
    """The most exciting game again and again."""
    webapp, language = webapp_of(request), language_of(request)
    return event_stream(
        webapp.live.channel, ("projector", language), lambda: {"parts": {"stage": _projector(webapp, language)}}
    )


def _projector(webapp: WebApp, language: Language) -> str:
    best = on_stage(webapp)
    if best is None:
        return render("watch/stage.html", language, game=None)
    return best.channel.drawn(
        ("stage", language), lambda: render("watch/stage.html", language, game=card(webapp, best, language))
    )


def on_stage(webapp: WebApp) -> LiveGame | None:
    """The game for the projector. Another one takes over only if it is clearly more exciting, or this one is over."""
    games = webapp.live.running() or webapp.live.all()[:1]
    best = max(games, key=excitement, default=None)
    present = None if webapp.on_stage is None else webapp.live.get(webapp.on_stage)
    if best is not None and present in games and excitement(best)[0] < excitement(present)[0] + _CLEARLY:
        best = present
    webapp.on_stage = None if best is None else best.room_id
    return best


def excitement(live: LiveGame) -> tuple[float, float]:
    """How much a game is worth looking at: a close score counts, that there is something on the board, and moves."""
    if live.is_over:
        return (-2.0, live.started)
    if time.monotonic() - live.asked > _ASLEEP:
        return (-1.0, live.asked)
    one, two = (sum(live.state.points(team)[1:2]) for team in (Team.ONE, Team.TWO))
    closeness = 1.0 - abs(one - two) / max(1, one + two)
    played = min(1.0, len(live.plies) / 30)
    return (closeness * (0.3 + played), live.started)


# --- administration ---------------------------------------------------------------------------------------------------


async def administer(request: Request) -> Response:
    """Pause, resume, step or cancel a game."""
    webapp, live = webapp_of(request), _live(request)
    match request.path_params["action"]:
        case "pause":
            webapp.master.pause_room(live.room_id, True)
        case "resume":
            webapp.master.pause_room(live.room_id, False)
            live.asked = time.monotonic()
        case "step":
            webapp.master.step_room(live.room_id)
            live.asked = time.monotonic()
        case "cancel":
            webapp.master.cancel_room(live.room_id)
        case _:
            raise not_found("Das gibt es hier nicht.", "There is no such thing here.")
    webapp.live.told(live)
    table = webapp.tables.of_room(live.room_id)
    if table is not None:
        table.channel.tell()
    if request.headers.get("hx-request"):
        return Response(status_code=204)
    return RedirectResponse(f"/watch/{live.room_id}", 303)
