"""The start page, from which every game is one click away, and the form for everything else."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import NotationError, PageError, Refused, SettingsError, UnknownGame
from spielleiter.game import TEAMS, AnyGame, Language, Look, Text
from spielleiter.pages import boards
from spielleiter.pages.opponents import LADDER, PROGRAMS, suggested
from spielleiter.players import BUILT_IN, BuiltIn
from spielleiter.web.browsers import browser_of, give_browser, new_browser
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.play.choices import MAX_NAME, FormDefaults, clean_name, remember
from spielleiter.web.play.lobby import lobby_update
from spielleiter.web.play.seating import Seating, SeatKind, Table
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.uploads import store_upload
from spielleiter.web.web_app import WebApp, web_app_of

_START_SECONDS = 5.0
"""How long the browser waits for a game of programs to begin before it is sent to the table."""
_PREVIEW_PLIES = 12
_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class Preset:
    """What the form starts with."""

    game: AnyGame
    kinds: tuple[str, str]
    position: str = ""
    """A position to begin with, in notation; empty: the usual start."""
    values: Mapping[str, str] = field(default_factory=lambda: defaultdict(str))
    """What was typed or chosen in the other fields."""


async def front_page(request: Request) -> Response:
    """Where visitors arrive: at the contest if there is one, at the games otherwise."""
    slot = request.app.state.contest_slot
    if slot.app is not None and (request.state.role < Role.GUEST or "position" not in request.query_params):
        return RedirectResponse("/season", 303)
    if slot.file is not None and request.state.role >= Role.HOST:
        return RedirectResponse("/contest/new", 303)
    return await start_page(request)


async def start_page(request: Request) -> Response:
    """Every game, one click away; ``?position=`` leads on to the form for a game from there."""
    if "position" in request.query_params:
        return _form(request, _preset(request))
    app, choices = web_app_of(request), FormDefaults.of(request)
    known = sorted(games.seasons(), key=lambda game: game.key != choices.game)
    language = language_of(request)
    response = respond(
        request,
        "play/start.html",
        games=known,
        previews={game.key: _preview_picture(game) for game in known},
        choices=choices,
        max_name=MAX_NAME,
        current_season=games.CURRENT_SEASON,
        ladder=LADDER,
        programs=PROGRAMS,
        live=len(app.live.running()),
        update=lobby_update(app, browser_of(request), language),
        way=_way(known, language),
        first=next(game for game in known if game.key == games.CURRENT_SEASON),
    )
    give_browser(request, response)
    return response


def _way(known: Sequence[AnyGame], language: Language) -> dict[str, Any]:
    """What ``path.js`` needs to say where this browser goes on: the exercises of each game, and the levels."""
    counts = {game.key: 0 if game.lesson is None else len(game.lesson().questions) for game in known}
    return {
        "games": {game.key: {"title": game.title.to(language), "exercises": counts[game.key]} for game in known},
        "levels": [[player.name, _level_title(player).to(language)] for player in LADDER],
    }


def _level_title(player: BuiltIn) -> Text:
    if player.level is None:
        return player.title
    number, title = player.level.number, player.title
    return Text(f"Stufe {number}: {title.de}", f"Level {number}: {title.en}")


async def table_form(request: Request) -> Response:
    """The form for a game of any two players; ``?game=`` and ``?kind2=`` fill it in."""
    return _form(request, _preset(request))


@cache
def _preview_picture(game: AnyGame) -> Markup:
    return boards.board(game, _preview(game), look=Look(coordinates=False, score=False, last_move=False))


def _preset(request: Request) -> Preset:
    position = request.query_params.get("position", "")[:5000]
    if position:
        try:
            game, state = games.parse_position(position)
        except (NotationError, UnknownGame) as problem:
            raise PageError(400, Text("Das ist keine Stellung.", "Not a valid position."), problem.text) from None
        turn = state.to_move
        kinds = tuple(SeatKind.PERSON.value if team is turn else SeatKind.BUILT_IN.value for team in TEAMS)
        return Preset(game, (kinds[0], kinds[1]), position)
    choices = FormDefaults.of(request)
    game = games.all_games().get(request.query_params.get("game", choices.game)) or games.load(choices.game)
    second, level = request.query_params.get("kind2", SeatKind.BUILT_IN.value), suggested(choices.level)
    return Preset(
        game,
        (SeatKind.PERSON.value, second if second in tuple(SeatKind) else SeatKind.BUILT_IN.value),
        values=defaultdict(str, name1=choices.name, level1=level, level2=level),
    )


def _form(request: Request, preset: Preset, problem: Text | None = None, status: int = 200) -> HTMLResponse:
    known = games.seasons()
    previews = {game.key: _preview_picture(game) for game in known}
    if preset.position:
        previews[preset.game.key] = boards.board(preset.game, games.parse_position(preset.position)[1])
    return respond(
        request,
        "play/new_table.html",
        status,
        preset=preset,
        games=known if not preset.position else [preset.game],
        previews=previews,
        side=_to_move(preset).to(language_of(request)),
        current_season=games.CURRENT_SEASON,
        ladder=LADDER,
        programs=PROGRAMS,
        default=suggested(),
        why_weaker=BUILT_IN[suggested()].why_weaker(preset.game),
        teams=TEAMS,
        problem=problem,
        uploads=web_app_of(request).uploads is not None,
    )


def _to_move(preset: Preset) -> Text:
    if not preset.position:
        return Text("", "")
    game, state = games.parse_position(preset.position)
    return game.color_to_move(state)


def _preview(game: AnyGame) -> Any:
    """The same start position each time, and a few moves on, so that the picture shows what the game is about."""
    rng = Random(7)
    state = game.new_state(rng)
    for _ in range(_PREVIEW_PLIES):
        state = state.play_unchecked(rng.choice(state.legal_moves()))
        if state.outcome is not None:
            break
    return state


async def new_table(request: Request) -> Response:
    """Start the game that the form describes."""
    app, browser = web_app_of(request), browser_of(request) or new_browser()
    async with request.form(max_files=2, max_fields=30) as form:
        try:
            preset = _chosen(form)
        except (NotationError, UnknownGame) as problem:
            return _form(request, Preset(games.load(games.CURRENT_SEASON), ("person", "built-in")), problem.text, 400)
        seats: list[Seating] = []
        try:
            state = games.parse_position(preset.position)[1] if preset.position else preset.game.new_state(_random)
            if state.outcome is not None:
                raise SettingsError(
                    "In dieser Stellung ist das Spiel schon zu Ende.", "In this position the game is already over."
                )
            for number in (1, 2):
                seats.append(await _seating(request, app, form, preset, number))  # noqa: PERF401 - one may fail
            table = await app.tables.open(preset.game, (seats[0], seats[1]), state, browser)
        except Refused as problem:
            for seat in seats:
                if seat.upload is not None:
                    await asyncio.to_thread(shutil.rmtree, seat.upload, ignore_errors=True)
            return _form(request, preset, problem.text, 400)
        choices = _remembered(form, preset)
    address = f"/table/{table.key}"
    if await _begins_by_itself(table):
        assert table.room is not None
        address = f"/watch/{table.room.room_id}"
    response = RedirectResponse(address, 303)
    give_browser(request, response, browser)
    remember(request, response, **choices)
    return response


def _remembered(form: FormData, preset: Preset) -> dict[str, str]:
    """What the next form begins with."""
    kinds = dict(enumerate(preset.kinds, 1))
    return {
        "game": preset.game.key,
        "name": next((_name(form, number) for number in kinds if kinds[number] == SeatKind.PERSON), ""),
        "level": next((_level(form, number) for number in kinds if kinds[number] == SeatKind.BUILT_IN), ""),
    }


async def _begins_by_itself(table: Table) -> bool:
    """Whether no person is needed at the table, and the game has begun: then there is something to watch."""
    if table.person_teams() or any(seat.kind is SeatKind.JOINS for seat in table.seats):
        return False
    with suppress(TimeoutError):
        async with asyncio.timeout(_START_SECONDS):
            while table.live is None:
                await table.channel.wait(table.channel.version)
    return table.live is not None


def _field(form: FormData, name: str, max_length: int = 200) -> str:
    value = form.get(name, "")
    return value.strip()[:max_length] if isinstance(value, str) else ""


def _button(form: FormData) -> tuple[str, str, str]:
    """What the button of a start says: whom to play and what, and that of the path on which level."""
    opponent, key, level, *_ = (*_field(form, "play").split(), "", "", "")
    return opponent, key, level


def _level(form: FormData, number: int) -> str:
    return (_button(form)[2] if number == 2 else "") or _field(form, f"level{number}")


def _chosen(form: FormData) -> Preset:
    opponent, key, _ = _button(form)
    kinds = (_field(form, "kind1"), opponent or _field(form, "kind2"))
    values = {
        f"{name}{number}": _field(form, f"{name}{number}") for name in ("name", "level", "path") for number in (1, 2)
    }
    position = _field(form, "position", 5000)
    if position:
        return Preset(games.parse_position(position)[0], kinds, position, values)
    return Preset(games.load(key or _field(form, "game")), kinds, values=values)


async def _seating(request: Request, app: WebApp, form: FormData, preset: Preset, number: int) -> Seating:
    german, name = language_of(request) == "de", _name(form, number)
    match preset.kinds[number - 1]:
        case SeatKind.PERSON:
            if f"name{number}" not in form:  # A start from the lessons asks for no name.
                name = FormDefaults.of(request).name
            return Seating(SeatKind.PERSON, name or ("Mensch" if german else "Human"))
        case SeatKind.FRIEND:
            return Seating(SeatKind.FRIEND, name or ("Gast" if german else "Guest"))
        case SeatKind.BUILT_IN:
            player = _computer(_level(form, number))
            return Seating(SeatKind.BUILT_IN, player.title.to(language_of(request)), player.name)
        case SeatKind.JOINS:
            return Seating(SeatKind.JOINS, name or ("Gast" if german else "Guest"))
        case SeatKind.PROGRAM:
            if request.state.role < Role.HOST:
                raise SettingsError(
                    "Programme darf nur starten, wer den Spielleiter gestartet hat.",
                    "Only the host can start programs.",
                )
            return await _program(app, form, number, name)
    raise SettingsError(f"Wähle für Platz {number} einen Spieler.", f"Choose a player for seat {number}.")


def _computer(name: str) -> BuiltIn:
    """The built-in player for the seat. Raises ``SettingsError``."""
    if name not in BUILT_IN:
        raise SettingsError(f"Den Computer-Spieler {name!r} gibt es nicht.", f"There is no player {name!r}.")
    return BUILT_IN[name]


def _name(form: FormData, number: int) -> str:
    return clean_name(_field(form, f"name{number}"))


async def _program(app: WebApp, form: FormData, number: int, name: str) -> Seating:
    upload = form.get(f"upload{number}")
    if isinstance(upload, UploadFile) and upload.filename:
        path = await _stored(app, upload)
        return Seating(SeatKind.PROGRAM, name or path.stem[:MAX_NAME], str(path), path.parent)
    given = _field(form, f"path{number}", 4000)
    if not given:
        raise SettingsError(
            "Gib den Pfad deines Programms an oder lade es hoch.", "Give the path of your program, or upload it."
        )
    return Seating(SeatKind.PROGRAM, name or Path(given).stem[:MAX_NAME], given)


async def _stored(app: WebApp, upload: UploadFile) -> Path:
    """The uploaded program in a folder of its own; of its name only harmless letters stay."""
    if app.uploads is None:
        raise SettingsError("Hier können keine Programme hochgeladen werden.", "No programs can be uploaded here.")
    base = Path((upload.filename or "").replace("\\", "/")).name
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", base).lstrip(".-")[-80:] or "program"
    if not name.lower().endswith((".py", ".jar", ".zip")):
        raise SettingsError(
            "Hochladen lassen sich .py-Dateien, JARs und ZIPs mit start.sh; andere Programme startest du über ihren"
            " Pfad.",
            "You can upload .py files, JARs and ZIPs with start.sh; other programs are started by their path.",
        )
    path = app.uploads / secrets.token_hex(8) / name
    await store_upload(upload, path)
    return path


PAGES = (
    Page("/", front_page, Access.SPECTATOR),
    Page("/play", start_page, Access.GUEST),
    Page("/tables/new", table_form, Access.GUEST),
    Page("/tables", new_table, Access.GUEST, "POST"),
)
