"""Playing in the browser: the page of a table, its stream, and the moves that people make; the rules judge them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter.errors import PageError, Refused
from spielleiter.feeds.live import LiveGame
from spielleiter.game import TEAMS, AnyGame, Language, Look, Team, Text, deciding_score
from spielleiter.pages import boards, words
from spielleiter.pages.board_input import find_move, input_data
from spielleiter.pages.environment import render
from spielleiter.pages.opponents import LADDER, stronger_than
from spielleiter.pages.updates import Moment, PageUpdate
from spielleiter.players import BuiltIn
from spielleiter.records.history import Ply
from spielleiter.search import Budget
from spielleiter.text import whole_number
from spielleiter.web.browsers import browser_of
from spielleiter.web.classroom.person import game_after_restart
from spielleiter.web.language import language_of
from spielleiter.web.play import friends
from spielleiter.web.play.board_input import answer_move, try_page
from spielleiter.web.play.seating import Seating, SeatKind, Table
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import earlier_position, refusal, respond
from spielleiter.web.replays.exit_statuses import last_lines
from spielleiter.web.replays.rooms import record_of_room
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import WebApp, base_url_for, web_app_of

_HINT = Budget(seconds=1.0)
_LEVEL_NAMES = frozenset(player.name for player in LADDER)
_random = SystemRandom()


def _table(request: Request) -> Table:
    """The table that is asked for. Raises ``PageError`` if there is none, or others play there."""
    table = web_app_of(request).tables.get(request.path_params["key"])
    if table is None:
        raise not_found("Diesen Tisch gibt es nicht (mehr).", "There is no such table (any more).")
    if not table.admits(browser_of(request)):
        raise PageError(
            403,
            Text("An diesem Tisch spielen andere.", "Others play at this table."),
            Text("Zuschauen kannst du gern.", "You are welcome to watch."),
        )
    table.looked_at(browser_of(request))
    return table


@dataclass(frozen=True, slots=True)
class Visitor:
    """What a table looks like depends on: all that do not differ in it see the same."""

    language: Language
    is_turned: bool
    """Whether they want to see the board from the other side than usual."""
    browser: str
    base: str
    """Where others reach the pages, at a table where a person is expected."""

    @classmethod
    def of(cls, request: Request, table: Table) -> Visitor:
        """The visitor."""
        is_expecting = any(seat.kind in (SeatKind.FRIEND, SeatKind.JOINS) for seat in table.seats)
        return cls(
            language_of(request),
            request.query_params.get("flip") == "1",
            browser_of(request),
            base_url_for(request) if is_expecting else "",
        )

    def hands(self, table: Table) -> tuple[Team, ...]:
        """The sides that they play, which may change from game to game."""
        return table.hands(self.browser)

    def flips(self, table: Table) -> bool:
        """Whether the board stands on its head: usually so that they sit below, else as they want it."""
        board_input = table.game.board_input
        is_second = self.hands(table) == (Team.TWO,) and board_input is not None and board_input.flips_for_two
        return is_second is not self.is_turned


# --- the page and its stream ------------------------------------------------------------------------------------------


async def table_page(request: Request) -> Response:
    """The table: board, players, moves, and everything that people can do."""
    app = web_app_of(request)
    known = app.tables.get(request.path_params["key"])
    if known is None and (room := request.query_params.get("room")):
        # These pages were started anew. What was played is recorded, and can be played on.
        if (address := game_after_restart(request, room)) is not None:
            return RedirectResponse(address, 303)
        return await record_of_room(request, room, "?interrupted=1")
    if known is not None and not known.admits(browser_of(request)):
        return friends.spectate(known)
    table = _table(request)
    visitor = Visitor.of(request, table)
    live = table.live
    return respond(
        request,
        "play/table.html",
        table=table,
        game=table.game,
        events=f"/table/{table.key}/events?flip={int(visitor.is_turned)}",
        update=table_update(app, table, visitor),
        turned=visitor.is_turned,
        input_kind=boards.input_kind(table.game),
        example=table.game.notation.format_move(table.start, table.start.legal_moves()[0]),
        people=bool(visitor.hands(table)),
        company=table.has_company,
        can_take_back=table.can_take_back,
        can_hint=not table.has_company,
        engine_missing=app.analyst.why_unavailable(table.game),
        room_id=None if table.room is None else table.room.room_id,
        names=live.history.names if live else tuple(seat.name for seat in table.seats),
    )


async def table_events(request: Request) -> Response:
    """The table again and again, whenever something has changed."""
    app, table = web_app_of(request), _table(request)
    visitor = Visitor.of(request, table)
    return EventStream(
        table.channel,
        visitor,
        lambda: table_update(app, table, visitor),
        alive=partial(table.looked_at, browser_of(request)),
    )


async def table_position(request: Request) -> Response:
    """An earlier position of the game."""
    table = _table(request)
    flipped = Visitor.of(request, table).flips(table)
    return earlier_position(request, table.game, table.start, table.plies, flipped=flipped)


def table_update(app: WebApp, table: Table, visitor: Visitor) -> PageUpdate:
    """The changing parts of the page as HTML, and the possible moves as data."""
    language, hands, flipped = visitor.language, visitor.hands(table), visitor.flips(table)
    live, plies, state = table.live, table.plies, table.state
    game, result = table.game, live.history.result if live else None
    names = (table.seats[0].name, table.seats[1].name)
    running = live is not None and result is None
    sides = words.players(
        game, names, state, language,
        result=result, asked=app.asked(live) if live else None, now=time.monotonic(), running=running,
        used=lambda team: sum(ply.seconds or 0.0 for ply in plies if ply.team is team),
        left=live.history.time_left if live else lambda team: None if table.limits is None else table.limits.soft,
        limits=live.history.current_limits if live else (None, None),
    )  # fmt: skip
    hint = table.hint[1] if table.hint is not None and table.hint[0] == len(plies) else None
    look = Look(flipped=flipped) if hint is None else boards.move_look(game, state, hint, Look(flipped=flipped))
    mine = running and state.outcome is None and state.to_move in hands
    status = _status(app, table, visitor)
    room = None if table.room is None else table.room.room_id
    last = words.move_text(game, plies[-1].before, plies[-1].move, language) if plies else ""
    return PageUpdate(
        parts={
            "board": boards.board(game, state, look=look),
            "players": render("parts/players.html", language, sides=sides),
            "status": render("parts/status.html", language, status=status, over=result is not None, mine=mine),
            "moves": render("parts/moves.html", language, rows=words.move_rows(game, plies, language)),
            "waiting": _waiting(app, table, visitor),
            "after": _after(app, table, visitor),
        },
        say=f"{last}. {status}" if last else status,
        moment=_moment(table, visitor, mine=mine),
        play={
            "room": room,
            "playing": running and bool(plies),
            "can": _can(table, visitor, running, mine, plies),
            **input_data(game, state, language, flipped=flipped, mine=mine, ply=len(plies)),
        },
    )


def _can(table: Table, visitor: Visitor, running: bool, mine: bool, plies: Sequence[Ply]) -> list[str]:
    """The buttons that do something now."""
    possible = {
        "take-back": table.can_take_back and any(ply.team in table.person_teams() for ply in plies),
        "hint": mine and not table.has_company,
        "resign": running and bool(visitor.hands(table)),
    }
    return [action for action, can in possible.items() if can]


def _status(app: WebApp, table: Table, visitor: Visitor) -> str:
    language = visitor.language
    live, state = table.live, table.state
    names, game = (table.seats[0].name, table.seats[1].name), table.game
    if live is None and table.is_open:
        return "Warten auf Mitspieler …" if language == "de" else "Waiting for somebody …"
    if live is None and table.missing:
        name = names[table.missing[0]]
        return f"Warten auf {name} …" if language == "de" else f"Waiting for {name} …"
    if live is None:
        return "Warten auf die Spieler …" if language == "de" else "Waiting for the players …"
    if live.history.result is not None:
        return words.ending(live.history, language)
    if app.is_paused(live):
        return "Angehalten." if language == "de" else "Paused."
    team = state.to_move
    color = game.color_to_move(state)
    hands = visitor.hands(table)
    if team in hands:
        if len(hands) == 2:
            return f"{color.de} ist am Zug." if language == "de" else f"{color.en} to move."
        return words.your_move(game, state, language)
    name = names[team]
    if team in table.person_teams():
        return f"{name} ist am Zug ({color.de})." if language == "de" else f"{name} to move ({color.en})."
    return words.thinking(game, state, name, language)


def _waiting(app: WebApp, table: Table, visitor: Visitor) -> str:
    """Who is missing, and how they get here."""
    language = visitor.language
    if table.missing or table.away:
        return friends.missing_friends(app, table, visitor.base, language)
    if table.live is not None:
        return ""
    host, port = app.game_address(visitor.base)
    codes = table.room.codes if table.room is not None else ("", "")
    missing = [
        {"team": table.game.team_name(team).to(language), "name": seat.name, "code": codes[team]}
        for team, seat in zip(TEAMS, table.seats, strict=True)
        if seat.kind is SeatKind.JOINS
    ]
    failed = [
        {"name": table.seats[team].name, "failure": failure, "log": last_lines(program.status.log)}
        for team, program in table.programs.items()
        if program.status is not None and (failure := program.failure) is not None
    ]
    return render("play/waiting.html", language, missing=missing, host=host, port=port, failed=failed)


def _moment(table: Table, visitor: Visitor, *, mine: bool) -> Moment:
    live, ending, beaten = table.live, _ending(table, visitor), ""
    if ending == "won" and _is_whole_game(table):
        levels = [seat.what for seat in table.seats if seat.kind is SeatKind.BUILT_IN and seat.what in _LEVEL_NAMES]
        beaten = f"{table.game.key} {levels[0]}" if levels else ""
    room, is_over = None if table.room is None else table.room.room_id, live is not None and live.is_over
    return Moment(room, len(table.plies), mine=mine, over=is_over, beaten=beaten, ending=ending)


def _is_whole_game(table: Table) -> bool:
    """Whether the table began where every game begins, and not in some position."""
    begin: int = table.game.new_state(_random).turn
    return bool(table.start.turn == begin)


def _ending(table: Table, visitor: Visitor) -> str:
    """How the game ended for a visitor who played one side of it; see ``Moment``."""
    live, hands = table.live, visitor.hands(table)
    result = None if live is None else live.history.result
    if result is None or len(hands) != 1:
        return ""
    if result.winner is None:
        return "drawn" if result.regular else ""
    return "won" if result.winner is hands[0] else "lost"


def _after(app: WebApp, table: Table, visitor: Visitor) -> str:
    """How the game ended for the visitor, and what can be done now."""
    live, language, ending = table.live, visitor.language, _ending(table, visitor)
    result = None if live is None else live.history.result
    if live is None or result is None:
        return ""
    try:
        stronger = None if table.has_company else _stronger(table)
    except Refused:
        stronger = None
    team, history = (visitor.hands(table) or (Team.ONE,))[0], live.history
    if ending == "lost" and not table.has_company:
        app.find_costliest_move(table, live, team)
    worst = table.costliest.get(live.room_id) if ending == "lost" else None
    return render(
        "parts/after.html",
        language,
        table=table,
        live=live,
        ending=ending,
        score=deciding_score(history.state, team),
        reason=words.ending_reason(table.game, result, ending).to(language),
        resigned=result.resigned,
        worst=None if worst is None else _costliest(table, live, worst, language),
        stronger=stronger,
        can_report=app.analyst.why_unavailable(table.game) is None,
        fault=app.has_unexplained_fault(live),
    )


def _costliest(table: Table, live: LiveGame, ply: int, language: Language) -> dict[str, Any]:
    """The move with which a game was lost: where it is at this table, what it was, and the position before it."""
    played, better = live.history.plies[ply - 1], table.better.get(live.room_id)
    return {
        "ply": ply,
        "move": words.move_text(table.game, played.before, played.move, language),
        "position": table.game.notation.format_state(played.before),
        "is_puzzle": better is not None and bool(better.acceptable),
        "reasons": [] if better is None else [reason.to(language) for reason in better.reasons],
    }


# --- moves ------------------------------------------------------------------------------------------------------------


async def make_move(request: Request) -> Response:
    """A move by hand: picks or notation. Answers what came of it."""
    app, table = web_app_of(request), _table(request)
    address = f"/table/{table.key}"

    async def play(form: Mapping[str, Any]) -> tuple[str, PageUpdate | None]:
        ply = whole_number(str(form.get("ply", "")))
        await app.tables.move(table, ply, lambda state: find_move(table.game, state, form), browser_of(request))
        # The stream may send it together with the answer of a quick computer; a hand that cannot draw it needs it now.
        played = table.plies[ply].state if ply is not None and "picture" in form and ply < len(table.plies) else None
        if played is None:
            return address, None
        visitor = replace(Visitor.of(request, table), is_turned=form.get("flip") == "1")
        board = boards.board(table.game, played, look=Look(flipped=visitor.flips(table)))
        return address, PageUpdate(parts={"board": board})

    return await answer_move(request, address, play)


def _position(request: Request) -> tuple[AnyGame, Any]:
    table = _table(request)
    return table.game, table.state


try_move = try_page(_position)


# --- the buttons ------------------------------------------------------------------------------------------------------


async def table_action(request: Request) -> Response:
    """Take back, give up, play again in one way or another, ask for a hint, or leave."""
    app, table, language = web_app_of(request), _table(request), language_of(request)
    action, browser, message = request.path_params["action"], browser_of(request), ""
    if table.holders and action in friends.ACTIONS:
        return await friends.act(request, table, action)
    try:
        if action != "leave" and table.person_teams() and not table.hands(browser):
            raise Refused("Hier spielst du nicht mit.", "You do not play here.")
        match action:
            case "leave":
                app.tables.leave(table, browser)
            case "take-back":
                await app.tables.take_back(table)
            case "resign":
                await app.tables.resign(table, browser)
            case "again" | "swap":
                await app.tables.again(table, swap=action == "swap")
            case "new-start":
                await app.tables.again(table, start=table.game.new_state(_random))
            case "stronger":
                stronger = _stronger(table)
                computer = Seating(SeatKind.BUILT_IN, stronger.title.to(language), stronger.name)
                await app.tables.again(table, computer=computer)
            case "hint":
                message = await _give_hint(app, table, language)
            case _:
                raise not_found("Das gibt es hier nicht.", "There is no such thing here.")
    except Refused as problem:
        return refusal(request, problem, f"/table/{table.key}")
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"ok": True, "text": message})
    return RedirectResponse(f"/table/{table.key}", 303)


def _stronger(table: Table) -> BuiltIn:
    """The next stronger built-in player. Raises ``Refused`` if there is none."""
    found = [above for seat in table.seats if seat.kind is SeatKind.BUILT_IN and (above := stronger_than(seat.what))]
    if len(found) != 1:
        raise Refused("Einen stärkeren Computer gibt es hier nicht.", "There is no stronger computer here.")
    return found[0]


async def _give_hint(app: WebApp, table: Table, language: Language) -> str:
    """Draw the engine's move on the board, and say it in words. Raises ``Refused``."""
    state, ply = table.state, len(table.plies)
    if (why := app.analyst.why_unavailable(table.game)) is not None:
        raise Refused(why.de, why.en)
    if table.has_company:
        raise Refused("Unter Freunden gibt es keine Tipps.", "There are no hints among friends.")
    if state.outcome is not None or table.live is None or table.live.is_over:
        raise Refused("Gerade wird hier nicht gespielt.", "No game is being played here right now.")
    if state.to_move not in table.person_teams():
        raise Refused("Du bist nicht am Zug.", "It is not your turn.")
    hint = "Tipp: " if language == "de" else "Hint: "
    if table.hint is not None and table.hint[0] == ply:
        return hint + words.move_text(table.game, state, table.hint[1], language)
    if table.hinting:
        raise Refused("Der Tipp kommt gleich.", "The hint is on its way.")
    table.hinting = True
    try:
        judgement = await app.analyst.judge(table.game, state, _HINT)
    finally:
        table.hinting = False
    if judgement is None:
        raise Refused(
            "Der Rechner ist gerade zu beschäftigt: Frag gleich noch einmal.", "The machine is too busy: ask again."
        )
    # Meanwhile a move may have been made, or taken back.
    if table.state is not state:
        return ""
    table.hint = (ply, judgement.move)
    table.channel.publish()
    return hint + words.move_text(table.game, state, judgement.move, language)


PAGES = (
    Page("/table/{key}", table_page, Access.GUEST),
    Page("/table/{key}/events", table_events, Access.GUEST),
    Page("/table/{key}/ply/{ply:int}", table_position, Access.GUEST),
    Page("/table/{key}/try", try_move, Access.GUEST),
    Page("/table/{key}/move", make_move, Access.GUEST, "POST"),
    Page("/table/{key}/{action}", table_action, Access.GUEST, "POST"),
)
