"""Recorded games: the list, opening one, walking through it ply by ply, and taking it home."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, GameResult, Language, Limits, Look, Team, Text
from spielleiter.records.reading import LARGEST_FILE
from spielleiter.records.record import GameRecord
from spielleiter.records.replay_xml import replay_bytes
from spielleiter.records.writing import record_lines, record_name
from spielleiter.web import charts, pictures, views
from spielleiter.web.language import language_of
from spielleiter.web.library import Entry, Shelved
from spielleiter.web.routes.common import PageProblem, hall_of, not_found

_BROKEN = Text(
    "Erwartet wird eine Aufzeichnung von Spielleiter (.jsonl) oder ein Replay eines Servers der Software-Challenge "
    "(.xml), auch mit .gz gepackt. Ist die Datei vollständig?",
    "Expected is a record of Spielleiter (.jsonl) or a replay of a server of the Software-Challenge (.xml), also "
    "packed as .gz. Is the file complete?",
)


# --- opening ----------------------------------------------------------------------------------------------------------


async def replay_list(request: Request) -> Response:
    """The records of this game master, and the form to open another one."""
    entries = await asyncio.to_thread(hall_of(request).library.entries)
    language = language_of(request)
    return views.page(request, "replays.html", rows=[_row(entry, language) for entry in entries])


def _row(entry: Entry, language: Language) -> dict[str, Any]:
    """A record for the list."""
    record = entry.record
    known = None if record is None else games.all_games().get(record.game)
    if record is None or known is None:
        return {"key": entry.key, "title": entry.key, "names": None}
    result = record.result
    winner = None if result is None or result.winner is None else record.names[result.winner]
    if result is None:
        end = "unvollendet" if language == "de" else "unfinished"
    elif winner is None:
        end = result.reason.to(language)
    else:
        end = f"{winner} gewinnt" if language == "de" else f"{winner} wins"
    return {
        "key": entry.key,
        "title": known.title.to(language),
        "names": record.names,
        # In the time of this machine: mostly the reader sits at it.
        "started": None if record.started is None else record.started.astimezone().strftime("%d.%m.%Y, %H:%M"),
        "plies": len(record.moves),
        "end": end,
        "fault": offender(record) is not None,
    }


async def open_replay(request: Request) -> Response:
    """Open the file that was sent."""
    hall = hall_of(request)
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise PageProblem(
                400,
                Text("Es kam keine Datei an.", "No file has come."),
                Text("Wähle eine Datei aus und versuche es noch einmal.", "Choose a file and try again."),
            )
        data = await file.read(LARGEST_FILE + 1)
        name = file.filename
    try:
        shelved = await asyncio.to_thread(hall.library.add, data, name)
    except RecordError as problem:
        raise broken(problem) from None
    return RedirectResponse(f"/replay/{shelved.key}", 303)


def broken(problem: RecordError) -> PageProblem:
    """The page about a file that is no record."""
    return PageProblem(
        422, Text(f"Diese Datei lässt sich nicht öffnen: {problem}", f"This file cannot be opened: {problem}"), _BROKEN
    )


async def room_replay(request: Request) -> Response:
    """The record that was written of a room."""
    hall, room = hall_of(request), request.path_params["room"]
    key = await asyncio.to_thread(hall.library.of_room, room)
    if key is None:
        raise not_found("Von diesem Spiel gibt es keine Aufzeichnung.", "There is no record of this game.")
    fault = "/fault" if request.query_params.get("fault") == "1" else ""
    return RedirectResponse(f"/replay/{key}{fault}", 303)


async def shelved_of(request: Request) -> Shelved:
    """The recorded game that a request is about."""
    try:
        found = await asyncio.to_thread(hall_of(request).library.get, request.path_params["key"])
    except RecordError as problem:
        raise broken(problem) from None
    if found is None:
        raise not_found("Diese Aufzeichnung gibt es hier nicht (mehr).", "There is no such record here (any more).")
    return found


def _ply(request: Request, shelved: Shelved) -> int:
    ply = request.path_params.get("ply", shelved.plies)
    if not 0 <= ply <= shelved.plies:
        raise not_found(f"Das Spiel hat nur {shelved.plies} Züge.", f"The game has only {shelved.plies} moves.")
    return int(ply)


# --- looking ----------------------------------------------------------------------------------------------------------


async def replay_page(request: Request) -> Response:
    """One position of a recorded game, with everything around it."""
    shelved, language = await shelved_of(request), language_of(request)
    ply, flipped = _ply(request, shelved), request.query_params.get("flip") == "1"
    look = replay_look(shelved, ply, language, flipped)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse(look, headers={"vary": "accept, accept-language, cookie"})
    record = shelved.record
    return views.page(
        request,
        "replay.html",
        shelved=shelved,
        laying=hasattr(shelved.game.touch, "lay"),
        record=record,
        title=shelved.game.title.to(language),
        names=record.names,
        ply=ply,
        last=shelved.plies,
        flipped=flipped,
        look=look,
        rows=move_list(shelved, language),
        fault=offender(record) is not None,
        pictures=pictures.can_draw(),
        engine_missing=hall_of(request).analyst.absence(shelved.game),
    )


def replay_look(shelved: Shelved, ply: int, language: Language, flipped: bool) -> dict[str, Any]:
    """The changing parts of a replay."""
    game, record, state = shelved.game, shelved.record, shelved.states[ply]
    moves = [(move.team, None if move.times is None else move.times.took) for move in record.moves]
    limits = record.limits
    done = record.moves[:ply]
    sides = views.players(
        game, record.names, state, language,
        result=_result(record) if ply == shelved.plies else None,
        asked=None, running=ply < shelved.plies,
        used=lambda team: sum(move.times.took for move in done if move.team is team and move.times is not None),
        limits=limits,
    )  # fmt: skip
    limit = next((each.soft for each in limits if each is not None), None)
    return {
        "parts": {
            "board": views.board(game, state, flipped=flipped),
            "players": views.part("parts/players.html", language, sides=sides),
            "status": views.part(
                "parts/status.html",
                language,
                status=_status(shelved, ply, language),
                over=ply == shelved.plies,
                mine=False,
            ),
            "times": charts.time_bars(moves, limit, ply, language) or "",
        },
        "ply": ply,
        "last": shelved.plies,
        "notation": game.notation.format_state(state),
        "over": state.outcome is not None,
        "say": _status(shelved, ply, language),
    }


def _result(record: GameRecord) -> GameResult | None:
    told = record.result
    return None if told is None else GameResult(told.teams, told.winner, told.reason)


def _status(shelved: Shelved, ply: int, language: Language) -> str:
    record, game = shelved.record, shelved.game
    if ply == shelved.plies:
        if record.result is None:
            return "Hier bricht die Aufzeichnung ab." if language == "de" else "The record breaks off here."
        outcome = shelved.states[-1].outcome
        result = _result(record)
        assert result is not None
        if record.result.end is not None and outcome is not None:
            result = GameResult(result.teams, result.winner, result.reason, outcome)
        return views.ending(game, record.names, result, language)
    if ply == 0:
        return "Die Startstellung" if language == "de" else "The start"
    move = game.notation.parse_move(shelved.states[ply - 1], record.moves[ply - 1].move)
    return views.spoken(game, shelved.states[ply - 1], move, language)


def move_list(shelved: Shelved, language: Language) -> list[dict[str, Any]]:
    """The moves of a recorded game with their notation, words and times."""
    cache_key = ("moves", language)
    if cache_key not in shelved.pictures:
        rows = []
        for number, recorded in enumerate(shelved.record.moves, 1):
            before = shelved.states[number - 1]
            move = shelved.game.notation.parse_move(before, recorded.move)
            rows.append(
                {
                    "ply": number,
                    "team": recorded.team.name.lower(),
                    "text": recorded.move,
                    "words": views.spoken(shelved.game, before, move, language),
                    "seconds": None if recorded.times is None else recorded.times.took,
                }
            )
        shelved.pictures[cache_key] = rows
    found: list[dict[str, Any]] = shelved.pictures[cache_key]
    return found


# --- taking it home ---------------------------------------------------------------------------------------------------


def _file(data: bytes | str, media_type: str, name: str) -> Response:
    return Response(data, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


async def download(request: Request) -> Response:
    """The game as a record, a replay or a film."""
    shelved, form = await shelved_of(request), request.path_params["form"]
    name = record_name(shelved.record)
    match form:
        case "record":
            lines = "".join(f"{line}\n" for line in record_lines(shelved.record))
            return _file(lines, "application/jsonl", f"{name}.jsonl")
        case "xml":
            data = await asyncio.to_thread(replay_bytes, shelved.record, language_of(request))
            return _file(data, "application/xml", f"{name}.xml")
        case "gif" if pictures.can_draw():
            async with hall_of(request).filming:  # A film takes seconds: one at a time, and each only once.
                if "gif" not in shelved.pictures:
                    shelved.pictures["gif"] = await asyncio.to_thread(pictures.gif, shelved.game, shelved.states)
            return _file(shelved.pictures["gif"], "image/gif", f"{name}.gif")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")


async def picture(request: Request) -> Response:
    """One position as a picture."""
    shelved, form = await shelved_of(request), request.path_params["form"]
    ply = _ply(request, shelved)
    name, state = f"{record_name(shelved.record)}_{ply}", shelved.states[ply]
    theme: Literal["light", "dark"] = "dark" if request.query_params.get("theme") == "dark" else "light"
    if form == "svg":
        return _file(shelved.game.draw(state, Look(theme=theme)), "image/svg+xml", f"{name}.svg")
    if form == "png" and pictures.can_draw():
        data = await asyncio.to_thread(pictures.png, shelved.game, state, theme=theme)
        return _file(data, "image/png", f"{name}.png")
    raise not_found("Diese Form gibt es hier nicht.", "There is no such form here.")


def limits_for(record: GameRecord, team: Team) -> Limits | None:
    """What ``team`` had for the move that was awaited at the end of the record."""
    return record.limits_at(len(record.moves), team)[-1]


def offender(record: GameRecord) -> Team | None:
    """The team whose fault ended the game, if just one did."""
    if record.result is None:
        return None
    guilty = [team for team in TEAMS if record.result.teams[team].cause.value != "REGULAR"]
    return guilty[0] if len(guilty) == 1 else None
