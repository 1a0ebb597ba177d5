"""Positions and games as pieces of pages: templates, boards, players, moves, and sentences about them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from spielleiter import __version__, games
from spielleiter.game import TEAMS, AnyGame, Cause, GameResult, Language, Limits, Look, Team, Text
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.live import Ply

HERE = Path(__file__).parent
_STYLE = re.compile(r"<style>@media\(prefers-color-scheme:dark\)\{svg\.sl-board\{(.*?)\}\}</style>")
_SIZE = re.compile(r' width="[0-9]+" height="[0-9]+"')

_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


# --- templates --------------------------------------------------------------------------------------------------------


def part(name: str, language: Language, **context: Any) -> str:
    """A piece of a page in one language."""

    def either(de: str, en: str) -> str:
        return de if language == "de" else en

    def word(text: Text) -> str:
        return text.to(language)

    def seconds(value: float) -> str:
        return f"{value:.2f}".replace(".", "," if language == "de" else ".")

    return _templates.get_template(name).render(
        _=either,
        word=word,
        seconds=seconds,
        lang=language,
        version=__version__,
        static=static,
        family=family,
        **context,
    )


def page(request: Request, name: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A whole page in the language of the browser."""
    role: Role = getattr(request.state, "role", Role.STRANGER)
    html = part(
        name,
        language_of(request),
        now=f"{time.monotonic():.3f}",
        path=request.url.path,
        here=_here(request),
        is_host=role >= Role.HOST,
        is_guest=role >= Role.GUEST,
        has_contest=getattr(request.app.state, "office", None) is not None,
        **context,
    )
    return HTMLResponse(html, status, headers={"vary": "accept-language, cookie"})


def _here(request: Request) -> str:
    """Where to come back to after a choice: this page, if it can be opened by its address."""
    if request.method != "GET":
        return "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


@cache
def static_version() -> str:
    """A name for the present contents of all files: it stands in their addresses, so that browsers may keep them."""
    files = sorted(path for path in (HERE / "static").rglob("*") if path.is_file())
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file, which never changes under this address."""
    return f"/static/{static_version()}/{name}"


# --- boards -----------------------------------------------------------------------------------------------------------


def board(game: AnyGame, state: Any, *, flipped: bool = False, look: Look | None = None) -> Markup:
    """The picture of a position, in the colours of the reader's theme, as a strict page may show it."""
    svg = game.draw(state, look or Look(flipped=flipped))
    svg = _SIZE.sub("", _STYLE.sub("", svg, count=1), count=1)
    return Markup(f'<div class="board" data-game="{family(game)}">{svg}</div>')  # noqa: S704 - drawn by ourselves


def plain_svg(svg: str, game: AnyGame) -> Markup:
    """Another picture of the game in the same way."""
    svg = _SIZE.sub("", _STYLE.sub("", svg, count=1), count=1)
    return Markup(f'<div class="picture" data-game="{family(game)}">{svg}</div>')  # noqa: S704


def family(game: AnyGame) -> str:
    """The name of the game without its season: the same colours for all its rule sets."""
    return game.key.split("-")[0]


@cache
def dark_colours() -> str:
    """The style sheet that gives every game's pictures their dark colours; made out of the pictures themselves."""
    rules = []
    for name, game in {family(game): game for game in games.all_games().values()}.items():
        found = _STYLE.search(game.draw(game.new_state(Random(0)), Look()))
        if found:
            rules.append(f'[data-game="{name}"] svg{{{found[1]}}}')
    return "@media(prefers-color-scheme:dark){\n" + "\n".join(rules) + "\n}\n"


def move_look(game: AnyGame, state: Any, move: Any, look: Look) -> Look:
    """``look`` with ``move`` drawn on the board."""
    return look if game.board_input is None else game.board_input.show_move(state, move, look)


def input_kind(game: AnyGame) -> str:
    """How people play the game, as scripts and style sheets name it."""
    return "none" if game.board_input is None else game.board_input.kind


# --- sentences --------------------------------------------------------------------------------------------------------


def side(game: AnyGame, names: tuple[str, str], team: Team, language: Language) -> str:
    """A player with his colour: ``Ada (Rot)``."""
    colour = game.team_name(team).to(language)
    return f"{names[team]} ({colour})" if names[team] else colour


def color_to_move(game: AnyGame, state: Any) -> Text:
    """The colour whose turn it is; in some games a team has two."""
    own = None if game.board_input is None else game.board_input.color_to_move(state)
    return own or game.team_name(state.to_move)


def ending(game: AnyGame, names: tuple[str, str], result: GameResult, language: Language) -> str:
    """How a game ended, in one sentence."""
    why = (result.reason if result.outcome is None else result.outcome.reason.text).to(language)
    if result.winner is not None:
        winner = side(game, names, result.winner, language)
        return f"{winner} gewinnt: {why}" if language == "de" else f"{winner} wins: {why}"
    if result.outcome is not None:
        return f"Unentschieden: {why}" if language == "de" else f"Draw: {why}"
    return f"Ohne Entscheidung: {why}" if language == "de" else f"No decision: {why}"


_CAUSES = {
    Cause.LEFT: Text("ist gegangen", "has left"),
    Cause.RULE_VIOLATION: Text("Regelverstoß", "broke a rule"),
    Cause.SOFT_TIMEOUT: Text("zu langsam", "too slow"),
    Cause.HARD_TIMEOUT: Text("keine Antwort", "no answer"),
}


def cause(what: Cause, language: Language) -> Markup:
    """A fault in a word, with its name in the protocol for those who look for it; nothing if there was none."""
    if what is Cause.REGULAR:
        return Markup()
    return Markup('<span class="badge bad" title="{}">{}</span>').format(what.value, _CAUSES[what].to(language))


def points(game: AnyGame, state: Any, team: Team, language: Language) -> list[tuple[str, int]]:
    """The figures of a team without the victory points, which are for the end."""
    parts = zip(game.scores[1:], state.points(team)[1:], strict=False)
    return [(score.text.to(language), value) for score, value in parts]


def spoken(game: AnyGame, before: Any, move: Any, language: Language) -> str:
    """A move in words."""
    if game.board_input is None:
        return game.notation.format_move(before, move)
    return game.board_input.move_text(before, move).to(language)


def move_rows(game: AnyGame, start: Any, plies: Sequence[Ply], language: Language) -> list[dict[str, Any]]:
    """The moves of a game for a list, with notation and words."""
    rows, before = [], start
    for number, ply in enumerate(plies, 1):
        rows.append(
            {
                "ply": number,
                "team": ply.team.name.lower(),
                "text": ply.text,
                "words": spoken(game, before, ply.move, language),
                "seconds": ply.seconds,
            }
        )
        before = ply.after
    return rows


def limit_of(limits: Limits | None) -> float | None:
    """The seconds for a move, ``None`` without a clock."""
    return None if limits is None else limits.soft


def players(
    game: AnyGame,
    names: tuple[str, str],
    state: Any,
    language: Language,
    *,
    result: GameResult | None,
    asked: float | None,
    used: Callable[[Team], float],
    limits: tuple[Limits | None, Limits | None],
    running: bool,
) -> list[dict[str, Any]]:
    """Both sides for a page: name, colour, points, clock, and whose turn it is.

    ``asked`` is when the one to move was asked, on the monotonic clock; ``None`` if no clock runs.
    """
    return [
        {
            "team": team.name.lower(),
            "name": names[team] or game.team_name(team).to(language),
            "colour": game.team_name(team).to(language),
            "points": points(game, state, team, language),
            "turn": running and result is None and state.outcome is None and state.to_move is team,
            "asked": asked,
            "thinking": 0.0 if asked is None else max(0.0, time.monotonic() - asked),
            "used": used(team),
            "limit": limit_of(limits[team]),
            "won": result is not None and result.winner is team,
            "cause": "" if result is None else cause(result.teams[team].cause, language),
        }
        for team in TEAMS
    ]
