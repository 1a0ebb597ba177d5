"""Finding the better move: the position in which a game was lost at a table, as a puzzle for the one who lost it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from spielleiter.errors import Refused
from spielleiter.game import AnyGame, Look, Team
from spielleiter.pages import boards, words
from spielleiter.pages.board_input import input_data, legal_move
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.history import Ply
from spielleiter.web.analysis.reports import BetterMove
from spielleiter.web.browsers import browser_of
from spielleiter.web.language import language_of
from spielleiter.web.play.board_input import try_page
from spielleiter.web.play.seating import Table
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.web_app import web_app_of


@dataclass(frozen=True, slots=True)
class Retry:
    """The position, what was played there, and what the engine is sure would have been better."""

    table: Table
    played: Ply
    better: BetterMove
    flipped: bool

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def state(self) -> Any:
        """The position in which a better move is looked for."""
        return self.played.before

    @property
    def address(self) -> str:
        return f"/table/{self.table.key}/better"

    def board(self, state: Any, look: Look | None = None) -> Markup:
        """The picture of a position, from the side of the one who lost."""
        return boards.board(self.game, state, look=look or self.look)

    @property
    def look(self) -> Look:
        return Look(flipped=self.flipped)


def _retry(request: Request) -> Retry:
    """What the address names, for those who play at that table. Raises ``PageError``."""
    table = web_app_of(request).tables.get(request.path_params["key"])
    live = None if table is None else table.live
    better = None if table is None or live is None else table.better.get(live.room_id)
    if table is None or live is None or better is None or not better.acceptable or not table.hands(browser_of(request)):
        raise not_found("Diese Stellung gibt es nicht (mehr).", "There is no such position (any more).")
    board_input = table.game.board_input
    played = live.history.plies[better.ply - 1]
    flipped = board_input is not None and board_input.flips_for_two and played.team is Team.TWO
    return Retry(table, played, better, flipped)


async def retry_page(request: Request) -> Response:
    """The position to play in; ``?text=`` is an answer without a script, ``?solution=1`` shows the better move."""
    retry, language = _retry(request), language_of(request)
    game, state, given = retry.game, retry.state, request.query_params.get("text", "")
    shows, problem, right = "solution" in request.query_params, "", ""
    if given:
        try:
            move = legal_move(game, state, request.query_params)
        except Refused as refused:
            problem = refused.text.to(language)
        else:
            right = _praise(retry, move, request)
            problem = "" if right else _wrong(language)
    look = boards.move_look(game, state, retry.better.move, retry.look) if shows else retry.look
    return respond(
        request,
        "play/better.html",
        retry=retry,
        game=game,
        kind=boards.input_kind(game),
        play=_play(retry, request, is_open=not (shows or right)),
        board=retry.board(state, look),
        mistake=words.move_text(game, state, retry.played.move, language),
        solution=words.move_text(game, state, retry.better.move, language) if shows else "",
        reasons=[reason.to(language) for reason in retry.better.reasons] if shows else [],
        problem=problem,
        feedback=Markup(right),  # noqa: S704 - rendered by ourselves
        given=given,
    )


def _play(retry: Retry, request: Request, *, is_open: bool) -> dict[str, Any]:
    """What ``play.js`` needs to ask for the move, or to show the board after it."""
    language = language_of(request)
    return input_data(retry.game, retry.state, language, flipped=retry.flipped, mine=is_open, ply=0 if is_open else 1)


def _praise(retry: Retry, move: Any, request: Request) -> str:
    """What to say of a right move; empty for any other one."""
    if move not in retry.better.acceptable:
        return ""
    language = language_of(request)
    return render(
        "play/better_found.html",
        language,
        retry=retry,
        game=retry.game,
        found=words.move_text(retry.game, retry.state, move, language),
        reasons=[reason.to(language) for reason in retry.better.reasons],
    )


def _wrong(language: str) -> str:
    if language == "de":
        return "Es gibt einen besseren Zug. Versuche es noch einmal."
    return "There is a better move. Try again."


async def answer(request: Request) -> Response:
    """Judge a move that a script sent."""
    retry, language = _retry(request), language_of(request)
    form: Mapping[str, Any] = await request.form(max_files=0, max_fields=10)
    try:
        move = legal_move(retry.game, retry.state, form)
    except Refused as refused:
        return JSONResponse({"ok": False, "text": refused.text.to(language)})
    praise = _praise(retry, move, request)
    if not praise:
        return JSONResponse({"ok": False, "text": _wrong(language)})
    after = retry.state.play_unchecked(move)
    play = input_data(retry.game, after, language, flipped=retry.flipped, mine=False, ply=1)
    update = PageUpdate(
        parts={"board": retry.board(after), "feedback": praise},
        play=play,
        say=words.move_text(retry.game, retry.state, move, language),
    )
    return JSONResponse({"ok": True, "update": update.to_json()})


def _position(request: Request) -> tuple[AnyGame, Any]:
    retry = _retry(request)
    return retry.game, retry.state


try_move = try_page(_position)

PAGES = (
    Page("/table/{key}/better", retry_page, Access.GUEST),
    Page("/table/{key}/better/try", try_move, Access.GUEST),
    Page("/table/{key}/better/move", answer, Access.GUEST, "POST"),
)
