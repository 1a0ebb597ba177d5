"""Recorded games to take home: as a record, a replay, a film or a picture."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from spielleiter.game import Language
from spielleiter.pages import pictures, words
from spielleiter.pages.pictures import Caption, Theme
from spielleiter.records.replay_xml import replay_bytes
from spielleiter.records.writer import record_lines, record_name
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.replays.library import LoadedRecord
from spielleiter.web.replays.replay import loaded_record_of, ply_of, ply_text
from spielleiter.web.web_app import WebApp, web_app_of


def file_response(data: bytes | str, media_type: str, name: str) -> Response:
    """A file to take home under this name."""
    return Response(data, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


async def download(request: Request) -> Response:
    """The game as a record, a replay or a film; of a film as JSON how much of it is made."""
    loaded, form, language = await loaded_record_of(request), request.path_params["form"], language_of(request)
    name = record_name(loaded.record)
    match form:
        case "record":
            lines = "".join(f"{line}\n" for line in record_lines(loaded.record))
            return file_response(lines, "application/jsonl", f"{name}.jsonl")
        case "xml":
            data = await asyncio.to_thread(replay_bytes, loaded.record, language)
            return file_response(data, "application/xml", f"{name}.xml")
        case "gif":
            film = _film(web_app_of(request), loaded, language)
            if "application/json" in request.headers.get("accept", ""):
                return JSONResponse({"done": film.done, "total": film.total, "ready": film.task.done()})
            return file_response(await asyncio.shield(film.task), "image/gif", f"{name}.gif")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")


@dataclass(slots=True, eq=False)
class _Film:
    """A film that is being made, or is ready."""

    task: asyncio.Task[bytes] = field(init=False)
    done: int = 0
    """Pictures of it."""
    total: int = 0

    def set_progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total


def _film(app: WebApp, loaded: LoadedRecord, language: Language) -> _Film:
    """The film of a game; whoever asks first starts it, and one that failed is tried again."""
    known: _Film | None = loaded.pictures.get(("gif", language))
    if known is not None and not (known.task.done() and (known.task.cancelled() or known.task.exception())):
        return known
    film = loaded.pictures["gif", language] = _Film()

    async def make() -> bytes:
        captions = [_caption(loaded, ply, language) for ply in range(loaded.plies + 1)]
        async with app.filming:  # A film takes seconds: one at a time.
            return await asyncio.to_thread(
                pictures.gif, loaded.game, loaded.states, captions, progress=film.set_progress
            )

    film.task = asyncio.create_task(make())
    return film


def _caption(loaded: LoadedRecord, ply: int, language: Language) -> Caption:
    names = words.player_names(loaded.game, loaded.record.names, language)
    number = f"Zug {ply} von {loaded.plies}" if language == "de" else f"Move {ply} of {loaded.plies}"
    return Caption(names, f"{number} · {ply_text(loaded, ply, language)}")


async def picture(request: Request) -> Response:
    """One position as a picture."""
    loaded, form = await loaded_record_of(request), request.path_params["form"]
    ply = ply_of(request, loaded)
    name, state = f"{record_name(loaded.record)}_{ply}", loaded.states[ply]
    caption = _caption(loaded, ply, language_of(request))
    theme: Theme = "dark" if request.query_params.get("theme") == "dark" else "light"
    if form == "svg":
        return file_response(pictures.svg(loaded.game, state, caption, theme=theme), "image/svg+xml", f"{name}.svg")
    if form == "png":
        data = await asyncio.to_thread(pictures.png, loaded.game, state, caption, theme=theme)
        return file_response(data, "image/png", f"{name}.png")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")
