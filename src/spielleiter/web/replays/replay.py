"""Recorded games: the list, opening one, walking through it ply by ply, and taking it home."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import PageError, RecordError
from spielleiter.game import TEAMS, GameResult, Language, Limits, Team, Text
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.records.reader import MAX_FILE_SIZE
from spielleiter.records.record import GameRecord, RecordedMove
from spielleiter.web.contest.contest_app import find_contest_app
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.replays.library import Entry, LoadedRecord
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
    entries = await asyncio.to_thread(web_app_of(request).library.entries)
    language = language_of(request)
    return respond(request, "replays/list.html", rows=[_row(entry, language) for entry in entries])


def _row(entry: Entry, language: Language) -> dict[str, Any]:
    """A record for the list."""
    record = entry.record
    known = None if record is None else games.all_games().get(record.game)
    if record is None or known is None:
        return {"key": entry.key, "title": entry.key, "names": None}
    result, names = record.result, words.player_names(known, record.names, language)
    winner = None if result is None or result.winner is None else names[result.winner]
    if result is None:
        end = "unvollendet" if language == "de" else "unfinished"
    elif winner is None:
        end = result.describe().to(language)
    else:
        end = f"{winner} gewinnt" if language == "de" else f"{winner} wins"
    return {
        "key": entry.key,
        "title": known.title.to(language),
        "names": names,
        "started": record.started,
        "plies": len(record.moves),
        "end": end,
        "fault": offender(record) is not None,
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
        loaded = await asyncio.to_thread(app.library.add, data, name)
    except RecordError as problem:
        raise broken(problem) from None
    return RedirectResponse(f"/replay/{loaded.key}", 303)


def broken(problem: RecordError) -> PageError:
    """The page about a file that is no record."""
    what = Text(
        f"Diese Datei lässt sich nicht öffnen: {problem.text.de}", f"This file cannot be opened: {problem.text.en}"
    )
    return PageError(422, what, _BROKEN)


async def loaded_record_of(request: Request, key: str | None = None) -> LoadedRecord:
    """The recorded game that a request is about: that in its address, unless the ``key`` of another one is given."""
    key = request.path_params["key"] if key is None else key
    try:
        found = await asyncio.to_thread(web_app_of(request).library.get, key)
    except RecordError as problem:
        raise broken(problem) from None
    if found is None:
        raise not_found("Diese Aufzeichnung gibt es hier nicht (mehr).", "There is no such record here (any more).")
    return found


def ply_of(request: Request, loaded: LoadedRecord) -> int:
    """The ply in the address, else the last one. Raises ``PageError``."""
    ply = request.path_params.get("ply", loaded.plies)
    if not 0 <= ply <= loaded.plies:
        raise not_found(f"Das Spiel hat nur {loaded.plies} Züge.", f"The game has only {loaded.plies} moves.")
    return int(ply)


# --- looking ----------------------------------------------------------------------------------------------------------


async def replay_page(request: Request) -> Response:
    """One position of a recorded game, with everything around it."""
    loaded, language = await loaded_record_of(request), language_of(request)
    ply, flipped = ply_of(request, loaded), request.query_params.get("flip") == "1"
    look = replay_look(loaded, ply, language, flipped)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse(look, headers={"vary": "accept, accept-language, cookie"})
    record = loaded.record
    return respond(
        request,
        "replays/replay.html",
        preview=_preview(request, loaded.key),
        loaded=loaded,
        input_kind=boards.input_kind(loaded.game),
        record=record,
        title=loaded.game.title.to(language),
        names=words.player_names(loaded.game, record.names, language),
        ply=ply,
        last=loaded.plies,
        flipped=flipped,
        look=look,
        rows=move_list(loaded, language),
        times=time_bars(record, ply, language),
        fault=offender(record) is not None,
        interrupted=request.query_params.get("interrupted") == "1",
        engine_missing=web_app_of(request).analyst.why_unavailable(loaded.game),
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
    loaded = await loaded_record_of(request, key)
    return respond(
        request,
        "replays/embed.html",
        loaded=loaded,
        input_kind=boards.input_kind(loaded.game),
        names=loaded.record.names,
        last=loaded.plies,
        look=replay_look(loaded, loaded.plies, language, flipped=False),
        rows=move_list(loaded, language),
    )


def replay_look(loaded: LoadedRecord, ply: int, language: Language, flipped: bool) -> dict[str, Any]:
    """The changing parts of a replay."""
    game, record, state = loaded.game, loaded.record, loaded.states[ply]
    done = record.moves[:ply]
    sides = words.players(
        game, record.names, state, language,
        result=_result(record) if ply == loaded.plies else None,
        asked=None, now=0.0, running=ply < loaded.plies,
        used=lambda team: _used(record, done, team),
        limits=record.limits,
    )  # fmt: skip
    return {
        "parts": {
            "board": boards.board(game, state, flipped=flipped),
            "players": render("parts/players.html", language, sides=sides),
            "status": render(
                "parts/status.html",
                language,
                status=ply_text(loaded, ply, language),
                over=ply == loaded.plies,
                mine=False,
            ),
        },
        "ply": ply,
        "last": loaded.plies,
        "notation": game.notation.format_state(state),
        "over": state.outcome is not None,
        "say": ply_text(loaded, ply, language),
    }


def _used(record: GameRecord, done: Sequence[RecordedMove], team: Team) -> float | None:
    """The seconds that a team used for these moves; ``None`` if nobody measured."""
    if all(move.timing is None for move in record.moves):
        return None
    return sum(move.timing.elapsed for move in done if move.team is team and move.timing is not None)


def time_bars(record: GameRecord, ply: int, language: Language, *, fills_width: bool = False) -> Markup:
    """The time of each move as a chart; empty if nobody measured."""
    times = [(move.team, None if move.timing is None else move.timing.elapsed) for move in record.moves]
    limit = next((each.per_move for each in record.limits if each is not None), None)
    return charts.time_bars(times, limit, language, ply, fills_width=fills_width) or Markup()


def _result(record: GameRecord) -> GameResult | None:
    result = record.result
    return None if result is None else GameResult(result.teams, result.winner, result.reason, resigned=result.resigned)


def ply_text(loaded: LoadedRecord, ply: int, language: Language) -> str:
    """What happened at a ply: the start, a move in words, or how the game ended."""
    record, game = loaded.record, loaded.game
    if ply == loaded.plies:
        if record.result is None:
            return "Hier bricht die Aufzeichnung ab." if language == "de" else "The record breaks off here."
        outcome = loaded.states[-1].outcome
        result = _result(record)
        assert result is not None
        if record.result.end is not None and outcome is not None:
            result = GameResult(result.teams, result.winner, outcome.reason.text, outcome)
        return words.ending(game, record.names, result, language)
    if ply == 0:
        return "Die Startstellung" if language == "de" else "The start"
    move = game.notation.parse_move(loaded.states[ply - 1], record.moves[ply - 1].move)
    return words.move_text(game, loaded.states[ply - 1], move, language)


def move_list(loaded: LoadedRecord, language: Language) -> list[dict[str, Any]]:
    """The moves of a recorded game with their notation, words and times."""
    cache_key = ("moves", language)
    if cache_key not in loaded.pictures:
        rows = []
        for number, recorded in enumerate(loaded.record.moves, 1):
            before = loaded.states[number - 1]
            move = loaded.game.notation.parse_move(before, recorded.move)
            rows.append(
                {
                    "ply": number,
                    "text": words.move_label(loaded.game, before, move, recorded.move, language),
                    "words": words.move_text(loaded.game, before, move, language),
                    "seconds": None if recorded.timing is None else recorded.timing.elapsed,
                }
            )
        loaded.pictures[cache_key] = rows
    found: list[dict[str, Any]] = loaded.pictures[cache_key]
    return found


def limits_for(record: GameRecord, team: Team) -> Limits | None:
    """What ``team`` had for the move that was awaited at the end of the record."""
    return record.limits_at(len(record.moves), team)[-1]


def offender(record: GameRecord) -> Team | None:
    """The team whose fault ended the game, if just one did."""
    if record.result is None or record.result.resigned:
        return None
    guilty = [team for team in TEAMS if record.result.teams[team].cause.value != "REGULAR"]
    return guilty[0] if len(guilty) == 1 else None
