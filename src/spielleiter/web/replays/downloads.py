"""Recorded games to take home: as a record, a replay, a film or a picture."""

from __future__ import annotations

import asyncio
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.game import Look
from spielleiter.pages import pictures
from spielleiter.records.replay_xml import replay_bytes
from spielleiter.records.writer import record_lines, record_name
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.replays.replay import loaded_record_of, ply_of
from spielleiter.web.web_app import web_app_of


def file_response(data: bytes | str, media_type: str, name: str) -> Response:
    """A file to take home under this name."""
    return Response(data, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


async def download(request: Request) -> Response:
    """The game as a record, a replay or a film."""
    loaded, form = await loaded_record_of(request), request.path_params["form"]
    name = record_name(loaded.record)
    match form:
        case "record":
            lines = "".join(f"{line}\n" for line in record_lines(loaded.record))
            return file_response(lines, "application/jsonl", f"{name}.jsonl")
        case "xml":
            data = await asyncio.to_thread(replay_bytes, loaded.record, language_of(request))
            return file_response(data, "application/xml", f"{name}.xml")
        case "gif":
            async with web_app_of(request).filming:  # A film takes seconds: one at a time, and each only once.
                if "gif" not in loaded.pictures:
                    loaded.pictures["gif"] = await asyncio.to_thread(pictures.gif, loaded.game, loaded.states)
            return file_response(loaded.pictures["gif"], "image/gif", f"{name}.gif")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")


async def picture(request: Request) -> Response:
    """One position as a picture."""
    loaded, form = await loaded_record_of(request), request.path_params["form"]
    ply = ply_of(request, loaded)
    name, state = f"{record_name(loaded.record)}_{ply}", loaded.states[ply]
    theme: Literal["light", "dark"] = "dark" if request.query_params.get("theme") == "dark" else "light"
    if form == "svg":
        return file_response(loaded.game.draw(state, Look(theme=theme)), "image/svg+xml", f"{name}.svg")
    if form == "png":
        data = await asyncio.to_thread(pictures.png, loaded.game, state, theme=theme)
        return file_response(data, "image/png", f"{name}.png")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")
