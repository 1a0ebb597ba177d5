"""``/workshop/GAME``: an editor on the left, the board on the right; players run in the browser of the visitor."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import UnknownGame
from spielleiter.web.classroom.seats import hand_in_url
from spielleiter.web.guard import WORKSHOP_FILES
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import asset, respond
from spielleiter.web.rights import Access, Page
from spielleiter.workshop import assets
from spielleiter.workshop.page import page_context

_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}


async def choose_game(request: Request) -> Response:
    """The workshop of the present season."""
    return RedirectResponse(f"/workshop/{games.CURRENT_SEASON}", 303)


async def workshop_page(request: Request) -> Response:
    """The workshop of one game."""
    try:
        game = games.load(request.path_params["game"])
    except UnknownGame:
        raise not_found("Dieses Spiel gibt es nicht.", "There is no such game.") from None
    found = await asyncio.to_thread(assets.load)
    python = {
        "files": None if found is None else f"{WORKSHOP_FILES}{found.version}/",
        "sources": assets.SOURCES,
        "worker": asset("workshop-worker.js"),
    }
    return respond(
        request,
        "workshop/workshop.html",
        is_installed=found is not None,
        nonce=request.state.nonce,
        hand_in_url=hand_in_url(request, game.key),
        **page_context(
            game, language_of(request), python, has_engine=found is not None and assets.ENGINE in found.files
        ),
    )


async def workshop_file(request: Request) -> Response:
    """A file for the browser; its address changes with its contents."""
    found = await asyncio.to_thread(assets.load)
    name = request.path_params["name"]
    if found is None or request.path_params["version"] != found.version or name not in found.files:
        raise not_found("Diese Datei gibt es hier nicht (mehr).", "There is no such file here (any more).")
    file = found.files[name]
    packed = {"content-encoding": "gzip"} if file.is_gzipped else {"content-encoding": "identity"}
    return Response(file.data, media_type=file.media_type, headers=_FOREVER | packed)


PAGES = (
    Page("/workshop", choose_game, Access.EVERYBODY),
    Page("/workshop/files/{version}/{name}", workshop_file, Access.EVERYBODY),
    Page("/workshop/{game}", workshop_page, Access.EVERYBODY),
)
