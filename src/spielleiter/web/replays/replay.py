"""Recorded games: the list, opening one, walking through it ply by ply, and taking it home."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import PageError, RecordError, StoreError
from spielleiter.game import TEAMS, Language, Look, Text
from spielleiter.pages import boards, charts, notes, words
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.history import History
from spielleiter.records.private_notes import with_notes
from spielleiter.records.reader import MAX_FILE_SIZE
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.replays.library import Entry, Listed, worth_listing
from spielleiter.web.rights import Access, Page, member_of, sides_seen
from spielleiter.web.season.contest_app import find_contest_app
from spielleiter.web.season.live_season import RECORD_PREFIX
from spielleiter.web.web_app import web_app_of

_BROKEN = Text(
    "Erwartet wird eine Aufzeichnung von Spielleiter (.jsonl) oder ein Replay eines Servers der Software-Challenge "
    "(.xml), auch mit .gz gepackt. Ist die Datei vollständig?",
    "Expected is a record of Spielleiter (.jsonl) or a replay of a server of the Software-Challenge (.xml), also "
    "packed as .gz. Is the file complete?",
)


# --- opening ----------------------------------------------------------------------------------------------------------


async def replay_list(request: Request) -> Response:
    """The records of this game master, and the form to open another one."""
    library, language = web_app_of(request).library, language_of(request)
    listed = await asyncio.to_thread(lambda: worth_listing(library.newest()))
    return respond(request, "replays/list.html", rows=[_row(each, language) for each in listed])


def _row(listed: Listed, language: Language) -> dict[str, Any]:
    """A record for the list."""
    key, record = listed.key, listed.history
    known = None if record is None else games.all_games().get(record.game_key)
    if record is None or known is None:
        return {"key": key, "title": key, "names": None}
    result, names = record.result, words.player_names(known, record.names, language)
    winner = None if result is None or result.winner is None else names[result.winner]
    if result is None:
        end = "unvollendet" if language == "de" else "unfinished"
    elif winner is None:
        end = result.describe().to(language)
    else:
        end = f"{winner} gewinnt" if language == "de" else f"{winner} wins"
    return {
        "key": key,
        "title": known.title.to(language),
        "names": names,
        "started": record.started,
        "plies": listed.plies,
        "end": end,
        "fault": record.offender is not None,
    }


async def open_replay(request: Request) -> Response:
    """Open the file that was sent."""
    app = web_app_of(request)
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise PageError(
                400,
                Text("Es kam keine Datei an.", "No file has come."),
                Text("Wähle eine Datei aus und versuche es noch einmal.", "Choose a file and try again."),
            )
        data = await file.read(MAX_FILE_SIZE + 1)
        name = file.filename
    try:
        entry = await asyncio.to_thread(app.library.add, data, name)
    except RecordError as problem:
        raise broken(problem) from None
    return RedirectResponse(f"/replay/{entry.key}", 303)


def broken(problem: RecordError) -> PageError:
    """The page about a file that is not a record."""
    what = Text(
        f"Diese Datei lässt sich nicht öffnen: {problem.text.de}", f"This file cannot be opened: {problem.text.en}"
    )
    return PageError(422, what, _BROKEN)


async def entry_of(request: Request, key: str | None = None) -> Entry:
    """The recorded game that a request is about: that in its address, unless the ``key`` of another one is given."""
    key = request.path_params["key"] if key is None else key
    try:
        found = await asyncio.to_thread(web_app_of(request).library.get, key)
    except RecordError as problem:
        raise broken(problem) from None
    if found is None:
        raise not_found("Diese Aufzeichnung gibt es hier nicht (mehr).", "There is no such record here (any more).")
    return await _seen(request, found)


async def _seen(request: Request, entry: Entry) -> Entry:
    """The game with the notes that the visitor may see."""
    history = entry.history
    if entry.is_brought:
        return entry
    if not entry.key.startswith(RECORD_PREFIX):
        return replace(entry, history=history.seen_by(await sides_seen(request, history.names, is_of_season=False)))
    contest, person = find_contest_app(request), await member_of(request)
    if contest is None or person is None or person.team_id is None:
        return entry
    team = person.team_id
    try:
        own = await contest.in_thread(lambda: contest.season.notes(entry.key, team))
    except StoreError:
        return entry
    return replace(entry, history=with_notes(history, own)) if own else entry


def ply_of(request: Request, entry: Entry) -> int:
    """The ply in the address, else the last one. Raises ``PageError``."""
    last = len(entry.history.plies)
    ply = request.path_params.get("ply", last)
    if not 0 <= ply <= last:
        raise not_found(f"Das Spiel hat nur {last} Züge.", f"The game has only {last} moves.")
    return int(ply)


# --- looking ----------------------------------------------------------------------------------------------------------


async def replay_page(request: Request) -> Response:
    """One position of a recorded game, with everything around it."""
    entry, language = await entry_of(request), language_of(request)
    ply, flipped = ply_of(request, entry), request.query_params.get("flip") == "1"
    history = entry.history
    shows_notes = bool(history.notes) and request.query_params.get("notes") != "0"
    update = replay_update(history, ply, language, flipped, shows_notes=shows_notes)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse(update.to_json(), headers={"vary": "accept, accept-language, cookie"})
    return respond(
        request,
        "replays/replay.html",
        preview=_preview(request, entry.key),
        entry=entry,
        history=history,
        input_kind=boards.input_kind(history.game),
        title=history.game.title.to(language),
        names=words.player_names(history.game, history.names, language),
        ply=ply,
        last=len(history.plies),
        flipped=flipped,
        shows_notes=shows_notes,
        update=update,
        rows=words.move_rows(history.game, history.plies, language),
        times=time_bars(history, ply, language),
        fault=history.offender is not None,
        interrupted=request.query_params.get("interrupted") == "1",
        engine_missing=web_app_of(request).analyst.why_unavailable(history.game),
    )


def _preview(request: Request, key: str) -> dict[str, str] | None:
    """Where the picture of this game is for links that are shared; only games of a season have one."""
    contest, number = find_contest_app(request), key.removeprefix(RECORD_PREFIX)
    if contest is None or number == key:
        return None
    return contest.season.preview(f"/season/game/{number}.png", f"/replay/{key}")


async def embedded_game(request: Request) -> Response:
    """A recorded game of the season for a frame in another page: board, players and controls."""
    key, language = f"{RECORD_PREFIX}{request.path_params['id']}", language_of(request)
    entry = await entry_of(request, key)
    history = entry.history
    return respond(
        request,
        "replays/embed.html",
        entry=entry,
        input_kind=boards.input_kind(history.game),
        names=history.names,
        last=len(history.plies),
        update=replay_update(history, len(history.plies), language, flipped=False),
        rows=words.move_rows(history.game, history.plies, language),
    )


def replay_update(
    history: History, ply: int, language: Language, flipped: bool, *, shows_notes: bool = False
) -> PageUpdate:
    """The changing parts of a replay; with what the players noted, as far as it is in ``history``."""
    look = Look(flipped=flipped)
    game, state, last = history.game, history.states[ply], len(history.plies)
    result = history.result if ply == last else None
    sides = words.players_at(history, ply, language, running=ply < last, result=result)
    return PageUpdate(
        parts={
            "board": boards.board(
                game, state, look=notes.noted_look(history, ply, language, look) if shows_notes else look
            ),
            **({"notes": notes.panel(history, ply, language)} if shows_notes else {}),
            "players": render("parts/players.html", language, sides=sides),
            "status": render(
                "parts/status.html",
                language,
                status=ply_text(history, ply, language),
                over=ply == last,
                mine=False,
            ),
        },
        notation=game.notation.format_state(state),
        over=state.outcome is not None,
        say=ply_text(history, ply, language),
    )


def time_bars(history: History, ply: int, language: Language, *, fills_width: bool = False) -> Markup:
    """The time of each move as a chart; empty if unmeasured."""
    times = [(move.team, move.seconds) for move in history.moves]
    # People have none: a limit that holds for one side only is not that of the game.
    limits = [each.per_move for each in history.limits if each is not None]
    limit = limits[0] if len(limits) == len(TEAMS) else None
    return charts.time_bars(times, limit, language, ply, fills_width=fills_width) or Markup()


def ply_text(history: History, ply: int, language: Language) -> str:
    """What happened at a ply: the start, a move in words, or how the game ended."""
    if ply == len(history.plies):
        if history.result is None:
            return "Hier bricht die Aufzeichnung ab." if language == "de" else "The record breaks off here."
        return words.ending(history, language)
    if ply == 0:
        return "Die Startstellung" if language == "de" else "The start"
    played = history.plies[ply - 1]
    return words.move_text(history.game, played.before, played.move, language)


PAGES = (
    Page("/replays", replay_list, Access.GUEST),
    Page("/replays", open_replay, Access.GUEST, "POST"),
    Page("/replay/{key}", replay_page, Access.SEASON_RECORD),
    Page("/replay/{key}/{ply:int}", replay_page, Access.SEASON_RECORD),
    Page("/embed/game/{id:int}", embedded_game, Access.EVERYBODY),
)
