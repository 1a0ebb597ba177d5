"""Recorded games to take home: as a record, a replay, a film or a picture."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from spielleiter.game import Language
from spielleiter.pages import pictures, words
from spielleiter.pages.pictures import Caption, Theme
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.history import History
from spielleiter.records.replay_xml import replay_bytes
from spielleiter.records.writer import record_lines, record_name
from spielleiter.web.guard import address_of
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.replays.films import Film, Films
from spielleiter.web.replays.library import Entry
from spielleiter.web.replays.replay import entry_of, ply_of, ply_text
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream, unless_left
from spielleiter.web.web_app import web_app_of


def file_response(data: bytes | str, media_type: str, name: str) -> Response:
    """A file to take home under this name."""
    return Response(data, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


async def download(request: Request) -> Response:
    """The game as a record, a replay or a film."""
    entry, form, language = await entry_of(request), request.path_params["form"], language_of(request)
    name, drawing = record_name(entry.history), web_app_of(request).drawing
    match form:
        case "record":
            lines = "".join(f"{line}\n" for line in record_lines(entry.history))
            return file_response(lines, "application/jsonl", f"{name}.jsonl")
        case "xml":
            data = await drawing.draw(request, partial(replay_bytes, entry.history, language))
            return file_response(data, "application/xml", f"{name}.xml")
        case "gif":
            film = await _finished_film(request, _film(request, entry, language))
            return file_response(film, "image/gif", f"{name}.gif")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")


async def film_events(request: Request) -> Response:
    """How much of a film is made, and where it is once it is ready."""
    entry, language = await entry_of(request), language_of(request)
    film, address = _film(request, entry, language), request.url.path.removesuffix("/events")
    return _FilmStream(web_app_of(request).films, film, address)


class _FilmStream(EventStream):
    """The event stream of a film's progress."""

    def __init__(self, films: Films, film: Film, address: str) -> None:
        super().__init__(film.channel, address, lambda: _progress(film, address))
        self._films, self._film = films, film

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the visitor leaves."""
        with self._films.watching(self._film):
            await super().__call__(scope, receive, send)


def _progress(film: Film, address: str) -> PageUpdate:
    """For the link to the film at this ``address``, which also says why there is none."""
    if film.is_over:
        return PageUpdate(parts={"gif": "GIF"}, download=address)
    return PageUpdate(parts={"gif": f"GIF {film.percent} %"})


def _film(request: Request, entry: Entry, language: Language) -> Film:
    history = entry.history
    return web_app_of(request).films.of(
        (entry.key, len(history.plies), language),  # A game that is still being played grows.
        history,
        lambda ply: _caption(history, ply, language),
        address_of(request.scope),
    )


async def _finished_film(request: Request, film: Film) -> bytes:
    """The film, once it is ready; nothing if the visitor has left before."""
    with web_app_of(request).films.watching(film):
        return await unless_left(request.receive, film.wait()) or b""


def _caption(history: History, ply: int, language: Language) -> Caption:
    names = words.player_names(history.game, history.names, language)
    last = len(history.plies)
    number = f"Zug {ply} von {last}" if language == "de" else f"Move {ply} of {last}"
    return Caption(names, f"{number} · {ply_text(history, ply, language)}")


async def picture(request: Request) -> Response:
    """One position as a picture."""
    entry, form = await entry_of(request), request.path_params["form"]
    ply = ply_of(request, entry)
    name, state = f"{record_name(entry.history)}_{ply}", entry.history.states[ply]
    caption = _caption(entry.history, ply, language_of(request))
    theme: Theme = "dark" if request.query_params.get("theme") == "dark" else "light"
    if form == "svg":
        return file_response(
            pictures.svg(entry.history.game, state, caption, theme=theme), "image/svg+xml", f"{name}.svg"
        )
    if form == "png":
        draw = partial(pictures.png, entry.history.game, state, caption, theme=theme)
        data = await web_app_of(request).drawing.draw(request, draw)
        return file_response(data, "image/png", f"{name}.png")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")


PAGES = (
    Page("/replay/{key}/{ply:int}/{form}", picture, Access.SEASON_RECORD),
    Page("/replay/{key}/download/{form}", download, Access.SEASON_RECORD),
    Page("/replay/{key}/download/gif/events", film_events, Access.SEASON_RECORD),
)
