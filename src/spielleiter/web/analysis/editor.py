"""The board editor: set up a position by hand; what the rules forbid is explained, and its notation goes in and out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from spielleiter import games
from spielleiter.errors import NotationError, PageError, Refused, UnknownGame
from spielleiter.game import AnyGame, Language, Text
from spielleiter.game.board_input import Setup, read_position, write_position
from spielleiter.pages import boards
from spielleiter.pages.board_input import input_data
from spielleiter.pages.updates import PageUpdate
from spielleiter.text import upper_first
from spielleiter.web.analysis.board import MAX_POSITION, no_position
from spielleiter.web.language import language_of
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page


async def edit_page(request: Request) -> Response:
    """The editor with the position of ``?position=``, or the start of ``?game=``."""
    asked, language = request.query_params.get("position", "")[:MAX_POSITION], language_of(request)
    try:
        if asked:
            game, state = games.parse_position(asked)
        else:
            game = games.load(request.query_params.get("game", games.CURRENT_SEASON))
            state = game.new_state(Random(0))
    except (NotationError, UnknownGame) as problem:
        raise no_position(problem.text) from None
    setup = _setup_of(game)
    notation = game.notation.format_state(state)
    rows, fields = read_position(notation, setup.empty)
    start = game.notation.format_state(game.new_state(Random(0)))
    return respond(
        request,
        "analysis/editor.html",
        game=game,
        setup=setup,
        fields=list(zip(setup.fields, fields, strict=True)),
        input_kind=boards.input_kind(game),
        games=[each for each in games.all_games().values() if each.setup is not None and not each.official],
        board=boards.board(game, state),
        notation=notation,
        data={
            "game": game.key,
            "rows": rows,
            "start": start,
            "squares": input_data(game, state, language, flipped=False, mine=False, ply=0),
        },
    )


def _setup_of(game: AnyGame) -> Setup:
    if game.setup is None:
        raise PageError(
            404,
            Text("Für dieses Spiel gibt es keinen Brett-Editor.", "There is no board editor for this game."),
            Text("Füge die Stellung als Notation ein.", "Paste the position in notation."),
        )
    return game.setup


async def check_setup(request: Request) -> Response:
    """What was set up, or pasted as notation: the picture, or what the rules forbid about it."""
    form, language = await request.form(max_files=0, max_fields=20), language_of(request)
    try:
        game = games.load(str(form.get("game", "")))
        text = str(form.get("position", "")).strip()[:MAX_POSITION] or _composed(game, form)
        return JSONResponse(_checked(game, text, language))
    except Refused as problem:
        why = problem.problem if isinstance(problem, NotationError) else problem.text
        return JSONResponse({"ok": False, "text": upper_first(why.to(language))})


def _composed(game: AnyGame, form: Mapping[str, Any]) -> str:
    setup = _setup_of(game)
    tokens = {"", *(stamp.token for stamp in setup.stamps)}
    try:
        rows = json.loads(str(form.get("rows", "")))
        if not all(token in tokens for row in rows for token in row):
            raise TypeError
    except (ValueError, TypeError, RecursionError):
        raise Refused("Das ist kein Spielfeld.", "Not a valid board.") from None
    fields = (str(form.get(f"field-{number}", "")).strip()[:100] or "?" for number in range(len(setup.fields)))
    return write_position(game.key, rows, tuple(fields), setup.empty)


def _checked(game: AnyGame, text: str, language: Language) -> dict[str, Any]:
    """The picture of a position. Raises ``Refused`` if it is none of this game, or the rules forbid it."""
    key = text.split(maxsplit=1)[0]
    if key != game.key and (other := games.all_games().get(key)) is not None:
        raise Refused(
            f"Diese Stellung ist aus {other.title.de} ({key}); hier wird {game.title.de} ({game.key}) aufgebaut.",
            f"This position is from {other.title.en} ({key}); here {game.title.en} ({game.key}) is set up.",
        )
    setup, state = _setup_of(game), game.notation.parse_state(text)
    if (why := setup.why_impossible(state)) is not None:
        raise Refused(why.de, why.en)
    notation = game.notation.format_state(state)
    rows, fields = read_position(notation, setup.empty)
    color = game.color_to_move(state)
    over = Text("Das Spiel ist in dieser Stellung zu Ende.", "The game is over in this position.")
    said = Text(f"{color.de} ist am Zug.", f"{color.en} to move.") if state.outcome is None else over
    return {
        "ok": True,
        "text": said.to(language),
        "rows": rows,
        "fields": fields,
        "update": PageUpdate(parts={"board": boards.board(game, state)}, notation=notation).to_json(),
    }


PAGES = (
    Page("/analysis/edit", edit_page, Access.SPECTATOR),
    Page("/analysis/edit", check_setup, Access.SPECTATOR, "POST"),
)
