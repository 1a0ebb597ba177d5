"""The analysis board: any position, a recorded game or a live one, with the engine's best lines beside it.

The server stores nothing about it. A page sends the start and the moves that lead to what it shows, and its address has
the variations: so a link works as long as its game is there, and on every server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from spielleiter import games
from spielleiter.errors import NotationError, PageError, Refused, UnknownGame
from spielleiter.feeds.live import LiveGame
from spielleiter.game import TEAMS, AnyGame, Language, Text, describe_outcome
from spielleiter.pages import boards, words
from spielleiter.pages.board_input import input_data, legal_move
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.records.history import History
from spielleiter.records.variations import (
    MAX_MOVES,
    Variation,
    check_variations,
    parse_variations,
    play_moves,
)
from spielleiter.records.writer import record_lines, record_name
from spielleiter.text import upper_first, whole_number
from spielleiter.web.analysis.engine_pool import EnginePool, Exploration
from spielleiter.web.analysis.engine_view import engine_update
from spielleiter.web.language import language_of
from spielleiter.web.play.board_input import answer_move, try_page
from spielleiter.web.rendering import respond
from spielleiter.web.replays.downloads import file_response
from spielleiter.web.replays.replay import entry_of
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.watch.watch import live_game_of
from spielleiter.web.web_app import web_app_of

MAX_POSITION = 5000
"""Characters of a position; no notation comes near."""


@dataclass(frozen=True, slots=True)
class Path:
    """A start, and the moves that lead to the position that is shown; in notation."""

    game: AnyGame
    start: str
    moves: tuple[str, ...]
    states: tuple[Any, ...]
    """All positions from the start, one more than there are moves."""
    flipped: bool

    @property
    def state(self) -> Any:
        return self.states[-1]

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Path:
        """The path that a page sent. Raises ``Refused``."""
        game, start = games.parse_position(str(fields.get("position", ""))[:MAX_POSITION])
        moves = tuple(filter(None, str(fields.get("moves", "")).split(";")))
        if len(moves) > MAX_MOVES:
            raise Refused(f"Das sind mehr als {MAX_MOVES} Züge.", f"These are more than {MAX_MOVES} moves.")
        states = play_moves(game, start, moves)
        return cls(game, game.notation.format_state(start), moves, states, fields.get("flip") == "1")


# --- the pages --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What is analysed: a game, or a position without one."""

    history: History
    """Without moves for a position; its variations are shown if the address has no others."""
    base: str
    """The address of the page."""
    back: str = ""
    """The page about the game."""
    is_running: bool = False
    """Whether more moves may be played."""
    notice: Text | None = None

    def title(self, language: Language) -> str:
        """Who plays which colour, or the game."""
        game, names = self.history.game, self.history.names
        if not self.back:
            return game.title.to(language)
        return " – ".join(words.side(game, names, team, language) for team in TEAMS)


async def free_board(request: Request) -> Response:
    """Any position: that of ``?position=``, or the start of ``?game=``."""
    asked, key = request.query_params.get("position", "")[:MAX_POSITION].strip(), request.query_params.get("game")
    notice = None
    try:
        if asked:
            game, state = games.parse_position(asked)
        else:
            game = games.load(key or games.CURRENT_SEASON)
            state = game.new_state(Random(0))
    except (NotationError, UnknownGame) as problem:
        raise no_position(problem.text) from None
    if game.setup is not None and (why := game.setup.why_impossible(state)) is not None:
        raise no_position(why)
    if key is not None and key != game.key and asked:
        notice = Text(
            f"Diese Stellung ist aus {game.title.de} ({game.key}), nicht aus {key}; das Brett wurde gewechselt.",
            f"This position is from {game.title.en} ({game.key}), not from {key}; the board was changed.",
        )
    return _page(request, _Subject(history=_position_alone(game, state), base="/analysis", notice=notice))


def _position_alone(game: AnyGame, state: Any) -> History:
    return History(game_key=game.key, id="analysis", start=game.notation.format_state(state), names=("", ""))


def no_position(why: Text) -> PageError:
    """A text that describes no position, or one that the rules forbid."""
    return PageError(400, Text("Das ist keine Stellung.", "Not a valid position."), why)


async def replay_board(request: Request) -> Response:
    """A recorded game."""
    entry = await entry_of(request)
    address = request.url_for("GET /replay/{key}", key=entry.key).path
    return _page(request, _Subject(history=entry.history, base=f"{address}/analysis", back=address))


async def _analysed(request: Request) -> LiveGame:
    """The running game. Raises ``PageError`` if the engine may not help with it."""
    app, live = web_app_of(request), await live_game_of(request)
    if not app.may_analyse(live):
        raise PageError(
            403,
            Text("In diesem Spiel spielt ein Mensch.", "A person plays in this game."),
            Text("Analysieren kannst du es, sobald es vorbei ist.", "You can analyse it as soon as it is over."),
        )
    return live


async def live_events(request: Request) -> Response:
    """The moves of a game that is being played, again and again."""
    live = await _analysed(request)
    return EventStream(live.channel, "moves", lambda: PageUpdate(played=[move.text for move in live.history.moves]))


async def live_board(request: Request) -> Response:
    """A game that is being played."""
    live = await _analysed(request)
    address = f"/watch/{live.room_id}"
    subject = _Subject(history=live.history, base=f"{address}/analysis", back=address, is_running=not live.is_over)
    return _page(request, subject)


def _variations(request: Request, history: History) -> tuple[Variation, ...]:
    """The variations in the address, else those of the game. Raises ``PageError`` if the rules forbid them."""
    text = request.query_params.get("tree")
    try:
        found = history.variations if text is None else parse_variations(text)
        check_variations(history.game, history.states, found)
    except Refused as problem:
        raise PageError(
            400, Text("Diese Varianten passen nicht zum Spiel.", "These variations do not fit the game."), problem.text
        ) from None
    return found


def _place(request: Request, played: int, variations: tuple[Variation, ...]) -> tuple[int | None, int]:
    """Where in the tree the page begins: the number of a variation, if it is in one, and how many moves are played."""
    before, _, behind = request.query_params.get("at", "").partition(".")
    line, count = whole_number(before), whole_number(behind)
    if line is not None and count is not None and line < len(variations):
        return line, min(count, len(variations[line].moves))
    return None, played if line is None else min(line, played)


def _page(request: Request, subject: _Subject) -> Response:
    app, language, history, game = web_app_of(request), language_of(request), subject.history, subject.history.game
    variations, played = _variations(request, history), tuple(move.text for move in history.moves)
    line, count = _place(request, len(played), variations)
    moves = played[:count]
    if line is not None:
        moves = (*played[: variations[line].ply], *variations[line].moves[:count])
    fields = {"position": history.start, "moves": ";".join(moves), "flip": request.query_params.get("flip", "0")}
    path = Path.of(fields)
    missing = app.analyst.why_unavailable(game)
    return respond(
        request,
        "analysis/board.html",
        subject=subject,
        title=subject.title(language),
        game=game,
        input_kind=boards.input_kind(game),
        games=[each for each in games.all_games().values() if not each.official],
        update=position_update(path, language),
        flipped=path.flipped,
        engine_missing=missing,
        count=len(moves),
        data={
            "start": history.start,
            "moves": played,
            "variations": [[each.ply, each.moves] for each in variations],
            "line": line,
            "count": count,
            "flip": fields["flip"],
            "running": subject.is_running,
            "engine": missing is None,
        },
    )


# --- what the script of the page asks for -----------------------------------------------------------------------------


def position_update(path: Path, language: Language) -> PageUpdate:
    """The changing parts of the page for one position, and the possible moves as data."""
    game, state = path.game, path.state
    sides = words.players(
        game, ("", ""), state, language,
        result=None, asked=None, now=0.0, used=lambda _: None, limits=(None, None), running=True,
    )  # fmt: skip
    status = _status(path, language)
    return PageUpdate(
        parts={
            "board": boards.board(game, state, flipped=path.flipped),
            "players": render("parts/players.html", language, sides=sides),
            "status": render("parts/status.html", language, status=status, over=state.outcome is not None, mine=False),
        },
        say=status,
        notation=game.notation.format_state(state),
        over=state.outcome is not None,
        play={
            "position": {
                "position": path.start,
                "moves": ";".join(path.moves),
                "flip": "1" if path.flipped else "0",
            },
            **input_data(game, state, language, flipped=path.flipped, mine=state.outcome is None, ply=len(path.moves)),
        },
    )


def _status(path: Path, language: Language) -> str:
    game, state = path.game, path.state
    if state.outcome is not None:
        one, two = game.teams
        return describe_outcome(state, (one.to(language), two.to(language))).to(language)
    color = game.color_to_move(state).to(language)
    return f"{color} ist am Zug." if language == "de" else f"{color} to move."


def _no_look(problem: Refused, language: Language) -> JSONResponse:
    return JSONResponse({"ok": False, "text": upper_first(problem.text.to(language))}, 400)


async def show_position(request: Request) -> Response:
    """The look of one position."""
    language = language_of(request)
    try:
        return JSONResponse(position_update(Path.of(request.query_params), language).to_json())
    except Refused as problem:
        return _no_look(problem, language)


def _position(request: Request) -> tuple[AnyGame, Any]:
    path = Path.of(request.query_params)
    return path.game, path.state


try_move = try_page(_position)


async def make_move(request: Request) -> Response:
    """A move on the board: what the page shows then, or why not."""

    async def play(form: Mapping[str, Any]) -> tuple[str, PageUpdate]:
        path = Path.of(form)
        move = legal_move(path.game, path.state, form)
        text = path.game.notation.format_move(path.state, move)
        after = replace(path, moves=(*path.moves, text), states=(*path.states, path.state.play(move)))
        return "/analysis", replace(position_update(after, language_of(request)), moved=text)

    return await answer_move(request, "/analysis", play)


class _EngineStream(EventStream):
    """What the engine finds, while there are viewers."""

    def __init__(self, pool: EnginePool, exploration: Exploration, path: Path, language: Language) -> None:
        last = path.moves[-1] if path.moves else None  # It is drawn.
        super().__init__(
            exploration.channel,
            (language, path.flipped, last),
            lambda: engine_update(pool, exploration, path.state, language, flipped=path.flipped),
        )
        self._pool = pool
        self._exploration = exploration

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the visitor leaves."""
        with self._pool.looking(self._exploration):
            await super().__call__(scope, receive, send)


async def engine_events(request: Request) -> Response:
    """What the engine finds in one position, deeper and deeper."""
    app, language = web_app_of(request), language_of(request)
    try:
        path = Path.of(request.query_params)
    except Refused as problem:
        return _no_look(problem, language)
    if (missing := app.analyst.why_unavailable(path.game)) is not None:
        return JSONResponse({"ok": False, "text": missing.to(language)}, 503)
    pool = app.engine_pool
    return _EngineStream(pool, pool.exploration(path.game, path.state), path, language)


# --- to take home -----------------------------------------------------------------------------------------------------


async def free_record(request: Request) -> Response:
    """A position and its variations as a record without moves."""
    try:
        path = Path.of(request.query_params)
    except Refused as problem:
        raise no_position(problem.text) from None
    record = _position_alone(path.game, path.states[0])
    return _download(replace(record, variations=_variations(request, record)))


async def replay_record(request: Request) -> Response:
    """A recorded game with the variations of the address."""
    record = (await entry_of(request)).history
    return _download(replace(record, variations=_variations(request, record)))


def _download(record: History) -> Response:
    lines = "".join(f"{line}\n" for line in record_lines(record))
    return file_response(lines, "application/jsonl", f"{record_name(record)}_variations.jsonl")


# Where there is a season, its games are public, and so is their analysis: the pool is bounded, and players come
# first.
PAGES = (
    Page("/analysis", free_board, Access.SPECTATOR),
    Page("/analysis/look", show_position, Access.SPECTATOR),
    Page("/analysis/events", engine_events, Access.SPECTATOR),
    Page("/analysis/try", try_move, Access.SPECTATOR),
    Page("/analysis/move", make_move, Access.SPECTATOR, "POST"),
    Page("/analysis/record", free_record, Access.SPECTATOR),
    Page("/replay/{key}/analysis", replay_board, Access.SEASON_RECORD),
    Page("/replay/{key}/analysis/record", replay_record, Access.SEASON_RECORD),
    Page("/watch/{room}/analysis", live_board, Access.SPECTATOR),
    Page("/watch/{room}/analysis/events", live_events, Access.SPECTATOR),
)
