"""A move that was made on the board of a page: whether it is legal, and what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter.errors import Refused
from spielleiter.game import AnyGame, Text
from spielleiter.pages.board_input import legal_move
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.rendering import refusal

_ANOTHER_MOVE = Text("Geh zurück und versuche einen anderen Zug.", "Go back and try another move.")


def try_page(position: Callable[[Request], tuple[AnyGame, Any]]) -> Callable[[Request], Awaitable[Response]]:
    """Answers a script whether a move would be legal in the position of its request, and if not, why."""

    async def try_move(request: Request) -> Response:
        try:
            legal_move(*position(request), request.query_params)
        except Refused as problem:
            return refusal(request, problem, "", is_script=True)
        return JSONResponse({"ok": True, "text": ""})

    return try_move


async def answer_move(
    request: Request, back: str, play: Callable[[Mapping[str, Any]], Awaitable[tuple[str, PageUpdate | None]]]
) -> Response:
    """Let ``play`` make the move of a form: it returns the page to go to, and for scripts what changes, if needed.

    What it refuses leads ``back``.
    """
    form = await request.form(max_files=0, max_fields=12)
    is_script = "text" not in form or "application/json" in request.headers.get("accept", "")
    try:
        address, update = await play(form)
    except Refused as problem:
        return refusal(request, problem, back, _ANOTHER_MOVE, is_script=is_script)
    if not is_script:
        return RedirectResponse(address, 303)
    return JSONResponse({"ok": True} if update is None else {"ok": True, "text": "", "update": update.to_json()})
