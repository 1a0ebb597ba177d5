"""Watching: the list of games, one game, several at once, the projector, and administration by who started it all."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.season.names import parse_game_name
from spielleiter.errors import PageError
from spielleiter.feeds.live import Audience, LiveGame
from spielleiter.game import Language, Look, Team, Text
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.pages.notes import noted_parts
from spielleiter.pages.updates import Moment, PageUpdate
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import earlier_position, respond
from spielleiter.web.replays.rooms import record_of_room
from spielleiter.web.rights import Access, Page, audience_of, sides_seen
from spielleiter.web.streams import EventStream
from spielleiter.web.watch import stage
from spielleiter.web.web_app import WebApp, base_url_for, web_app_of

_MAX_CARDS = 12
_JUST_NOW_SECONDS = 600.0
"""How long a finished game stays listed."""


async def _find(request: Request) -> LiveGame | None:
    """The requested game, if the visitor may watch it. Raises ``PageError`` if it has not begun."""
    app, room = web_app_of(request), request.path_params["room"]
    audience = await audience_of(request)
    live = app.live.get(room)
    if live is None and audience is Audience.GUESTS and room in app.master.lobby.rooms:
        raise PageError(
            404,
            Text("Dieses Spiel hat noch nicht begonnen.", "This game has not begun yet."),
            Text("Sobald alle Spieler da sind, geht es hier los.", "As soon as all players are here, it starts here."),
            retry_after=2,
        )
    if live is not None and live.audience > audience:
        raise PageError(
            403,
            Text("Dieses Spiel läuft nicht öffentlich.", "This game is not public while it is played."),
            Text("Melde dich an, oder komm nach dem Ende wieder.", "Log in, or come back when it has ended."),
        )
    return live


async def live_game_of(request: Request) -> LiveGame:
    """The requested game. Raises ``PageError`` if there is none, or not for this visitor."""
    live = await _find(request)
    if live is None:
        raise not_found("Dieses Spiel gibt es hier nicht (mehr).", "There is no such game here (any more).")
    return live


def card(app: WebApp, live: LiveGame, language: Language) -> dict[str, Any]:
    """A game for a list: board, players, status."""
    history, game, state = live.history, live.history.game, live.history.state
    return {
        "room": live.room_id,
        "input_kind": boards.input_kind(game),
        "family": game.family,
        "title": stage.title_of(app, live, language),
        "board": boards.board(game, state, look=Look(score=False)),
        "over": live.is_over,
        "paused": app.is_paused(live),
        "status": _status(app, live, language),
        "is_here": live.source is None,
        "fault": history.offence is not None,
        "sides": words.players_at(
            history,
            len(history.plies),
            language,
            running=not live.is_over,
            result=history.result,
            asked=app.asked(live),
            now=time.monotonic(),
        ),
        "ply": len(history.plies),
        "chances": charts.chance_bar(app.evaluation(live), language),
    }  # fmt: skip


def _status(app: WebApp, live: LiveGame, language: Language) -> str:
    if live.history.result is not None:
        return words.ending(live.history, language)
    number = len(live.history.plies) + 1
    if live.is_lost:
        text = Text(
            f"Unterbrochen vor Zug {number}: wird fortgesetzt, sobald das Programm wieder läuft, das es spielt",
            f"Interrupted before move {number}: goes on as soon as the program that plays it runs again",
        )
    elif app.is_paused(live):
        text = Text("Angehalten", "Paused")
    elif live.is_delayed:
        text = Text(f"Zug {number}, mit Verzögerung gezeigt", f"Move {number}, shown with a delay")
    else:
        text = Text(f"Zug {number}", f"Move {number}")
    return text.to(language)


# --- the list ---------------------------------------------------------------------------------------------------------


async def watch_list(request: Request) -> Response:
    """All games that run or have just ended, each with its board."""
    app, language = web_app_of(request), language_of(request)
    update = _list(app, language, await audience_of(request))
    return respond(request, "watch/list.html", update=update, game_address=app.game_address(base_url_for(request)))


def _goes_on(live: LiveGame) -> bool:
    """Whether a game was left undecided because a move was taken back: its table plays on in another room."""
    result = live.history.result
    return live.successor is not None and result is not None and result.winner is None and not result.regular


def _list(app: WebApp, language: Language, audience: Audience) -> PageUpdate:
    """The cards of all games: running ones, those that wait for players, and those that have just ended."""
    just_now = time.monotonic() - _JUST_NOW_SECONDS
    over = [live for live in app.live.all(audience) if live.is_over and live.ended > just_now]
    finished = [live for live in over if not _goes_on(live)]
    live_cards = cards(app, app.live.running(audience), language)
    waiting = {
        f"card-{room.room_id}": render("watch/waiting.html", language, room=room)
        for room in app.waiting_rooms()
        if audience is Audience.GUESTS
    }
    finished_cards = cards(app, finished, language)
    if not (live_cards or waiting or finished_cards):
        live_cards = {"card-none": render("watch/card.html", language, game=None)}
    return PageUpdate(
        parts=live_cards | waiting | finished_cards,
        lists={"live": list(live_cards), "waiting": list(waiting), "finished": list(finished_cards)},
    )


def cards(app: WebApp, found: list[LiveGame], language: Language) -> dict[str, str]:
    """The cards of some games; each is drawn once for all viewers, and again when something happens in that game."""
    return {
        f"card-{live.room_id}": live.channel.rendered(("card", language), partial(_card, app, live, language))
        for live in found[:_MAX_CARDS]
    }


def _card(app: WebApp, live: LiveGame, language: Language) -> str:
    return render("watch/card.html", language, game=card(app, live, language))


async def list_events(request: Request) -> Response:
    """The list again and again."""
    app, language, audience = web_app_of(request), language_of(request), await audience_of(request)
    return EventStream(app.live.channel, ("list", language, audience), lambda: _list(app, language, audience))


# --- one game ---------------------------------------------------------------------------------------------------------


async def watch_page(request: Request) -> Response:
    """One game, live; or its record, if it ended some time ago."""
    app, language = web_app_of(request), language_of(request)
    live = await _find(request)
    if live is None:
        return await record_of_room(request, request.path_params["room"])
    flipped, sides = request.query_params.get("flip") == "1", await _sides_seen(request, live)
    shown = sides if request.query_params.get("notes") == "1" else frozenset()
    return respond(
        request,
        "watch/game.html",
        live=live,
        input_kind=boards.input_kind(live.history.game),
        update=game_update(app, live, language, flipped, shown),
        may_see_notes=bool(sides),
        shows_notes=bool(shown),
        flipped=flipped,
        title=live.history.game.title.to(language),
        engine_missing=app.analyst.why_unavailable(live.history.game),
        may_analyse=app.may_analyse(live),
    )


async def game_events(request: Request) -> Response:
    """One game again and again."""
    app, live, language = web_app_of(request), await live_game_of(request), language_of(request)
    flipped, shown = request.query_params.get("flip") == "1", await _sides_shown(request, live)
    return EventStream(
        live.channel, (language, flipped, shown), lambda: game_update(app, live, language, flipped, shown)
    )


async def _sides_seen(request: Request, live: LiveGame) -> frozenset[Team]:
    """The sides whose notes the visitor may see."""
    is_of_season = live.source is not None and parse_game_name(live.room_id) is not None
    return await sides_seen(request, live.history.names, is_of_season=is_of_season)


async def _sides_shown(request: Request, live: LiveGame) -> frozenset[Team]:
    """The same, if the visitor wants to: who shows the page to a class may not."""
    return await _sides_seen(request, live) if request.query_params.get("notes") == "1" else frozenset()


async def game_position(request: Request) -> Response:
    """An earlier position of a game."""
    live, flipped = await live_game_of(request), request.query_params.get("flip") == "1"
    history, shown = live.history, await _sides_shown(request, live)
    look = partial(noted_parts, history.seen_by(shown), language=language_of(request)) if shown else None
    return earlier_position(request, history.game, history.first_state, history.plies, flipped=flipped, noted=look)


def game_update(
    app: WebApp, live: LiveGame, language: Language, flipped: bool, sides: frozenset[Team] = frozenset()
) -> PageUpdate:
    """The changing parts of a watched game, with what the players of ``sides`` noted."""
    seen, look = live.history.seen_by(sides), Look(flipped=flipped)
    noted = noted_parts(seen, len(live.history.plies), look, language=language) if sides else {}
    shown = card(app, live, language)
    rows = words.move_rows(live.history.game, live.history.plies, language)
    return PageUpdate(
        parts={
            "board": boards.board(live.history.game, live.history.state, look=look),
            **noted,
            "players": render("parts/players.html", language, sides=shown["sides"]),
            "evaluation": shown["chances"],
            "status": render("parts/status.html", language, status=shown["status"], over=live.is_over, mine=False),
            "moves": render("parts/moves.html", language, rows=rows),
            "admin": render("watch/admin.html", language, game=shown),
            "after": ""
            if not live.is_over
            else render(
                "parts/after.html",
                language,
                table=None,
                live=live,
                ending="",
                can_report=app.analyst.why_unavailable(live.history.game) is None,
                fault=app.has_unexplained_fault(live),
            ),
        },
        say=f"{rows[-1]['words']}. {shown['status']}" if rows else shown["status"],
        moment=Moment(live.room_id, len(live.history.plies), mine=False, over=live.is_over),
        follow=live.record_address if live.successor is None else f"/watch/{live.successor}",
    )


# --- administration ---------------------------------------------------------------------------------------------------


async def administer(request: Request) -> Response:
    """Pause, resume, step or cancel a game."""
    app, live = web_app_of(request), await live_game_of(request)
    if live.source is not None:
        raise not_found("Dieses Spiel wird woanders geleitet.", "This game is refereed elsewhere.")
    match request.path_params["action"]:
        case "pause":
            app.master.pause_room(live.room_id, True)
        case "resume":
            app.master.pause_room(live.room_id, False)
            live.asked = time.monotonic()
        case "step":
            app.master.step_room(live.room_id)
            live.asked = time.monotonic()
        case "cancel":
            app.master.cancel_room(live.room_id)
        case _:
            raise not_found("Das gibt es hier nicht.", "There is no such thing here.")
    app.live.publish(live)
    table = app.tables.of_room(live.room_id)
    if table is not None:
        table.channel.publish()
    return RedirectResponse(f"/watch/{live.room_id}", 303)


PAGES = (
    Page("/watch", watch_list, Access.SPECTATOR),
    Page("/watch/events", list_events, Access.SPECTATOR),
    Page("/watch/{room}", watch_page, Access.SPECTATOR),
    Page("/watch/{room}/events", game_events, Access.SPECTATOR),
    Page("/watch/{room}/ply/{ply:int}", game_position, Access.SPECTATOR),
    Page("/watch/{room}/{action}", administer, Access.HOST, "POST"),
)
