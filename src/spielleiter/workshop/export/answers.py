"""Answers the requests of a page without a server, in the browser: the same addresses, fields and updates as there.

Whatever a page asks is answered in one line of JSON; nothing of a stranger runs here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

from spielleiter import games, players
from spielleiter.errors import PageError, Refused, UnknownGame
from spielleiter.game import AnyGame, Language, Text
from spielleiter.pages import puzzles, questions
from spielleiter.pages.board_input import legal_move
from spielleiter.pages.puzzles import PuzzleStream, Refutation
from spielleiter.pages.questions import LessonQuestion
from spielleiter.pages.updates import PageUpdate
from spielleiter.puzzles import Attempt, Progress, Puzzle, daily_puzzle, find_puzzle
from spielleiter.text import choose_language, upper_first, whole_number
from spielleiter.workshop.export.addresses import file_of, with_files
from spielleiter.workshop.export.computer_game import ComputerGame
from spielleiter.workshop.export.pages import answered_page
from spielleiter.workshop.games import OPPONENTS
from spielleiter.workshop.session import connect_engine

__all__ = ["connect_engine", "handle", "warm_up"]

_BACK = Text("Geh zurück und versuche es noch einmal.", "Go back and try again.")
_REFUTATION_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: the parts of its address, its fields, and the language of the page."""

    parts: tuple[str, ...]
    fields: Mapping[str, str]
    language: Language


def handle(request: str, emit: Callable[[str], None]) -> None:
    """Answer a request with one event; nothing that people can cause is raised."""
    wanted = json.loads(request)
    language: Language = "de" if wanted["language"] == "de" else "en"
    choose_language(language)
    emit(json.dumps({"event": "answer", **answer(wanted["address"], wanted.get("fields"), language)}))
    emit(json.dumps({"event": "done"}))


def warm_up() -> None:
    """Import what the first request would have to."""
    import_module("spielleiter.players")
    games.all_games()


def answer(address: str, form: Mapping[str, str] | None, language: Language) -> dict[str, Any]:
    """What comes back: ``html`` for a page, ``json`` for a script. With a ``form`` something is to be done."""
    path, _, query = address.partition("?")
    fields = dict(parse_qsl(query, keep_blank_values=True)) | dict(form or {})
    routes = (
        (found, view)
        for pattern, is_action, view in _ROUTES
        if is_action is (form is not None) and (found := pattern.fullmatch(path))
    )
    found, view = next(routes, (None, _missing_page))
    parts = () if found is None else tuple(part or "" for part in found.groups())
    try:
        said = view(Asked(parts, fields, language))
    except PageError as problem:
        return _problem(problem, language)
    except Refused as problem:
        if view in _PAGES:
            return _problem(PageError(404, problem.text, _BACK), language)
        return {"json": {"ok": False, "text": upper_first(problem.text.to(language))}}
    if isinstance(said, str):
        return {"html": said}
    return {"json": _with_files(said)}


def _missing_page(asked: Asked) -> str:
    raise PageError(404, Text("Diese Seite gibt es nicht.", "There is no such page."), _BACK)


def _problem(problem: PageError, language: Language) -> dict[str, Any]:
    page = answered_page("puzzle")
    title, advice = problem.text.to(language), problem.advice.to(language)
    return {"html": page.render("problem.html", language, title=title, advice=advice, back="/")}


def _with_files(said: Any) -> Any:
    """JSON with HTML somewhere in it, whose links lead to the files of the folder."""
    match said:
        case str():
            return with_files(said)
        case dict():
            files = {name: _with_files(value) for name, value in said.items()}
            return files if "address" not in said else files | {"address": file_of(said["address"])}
        case list():
            return [_with_files(value) for value in said]
    return said


def _ok(update: PageUpdate | None = None, text: str = "") -> dict[str, Any]:
    return {"ok": True, "text": text} | ({} if update is None else {"update": update.to_json()})


# --- exercises --------------------------------------------------------------------------------------------------------


def _question(asked: Asked) -> LessonQuestion:
    key, number = asked.parts[:2]
    try:
        found = LessonQuestion.find(games.load(key), whole_number(number) or 0)
    except UnknownGame:
        found = None
    if found is None:
        raise PageError(404, Text("Diese Übung gibt es nicht.", "There is no such exercise."), _BACK)
    return found


def _answer_question(asked: Asked) -> dict[str, Any]:
    question = _question(asked)
    checked = questions.check(question, asked.fields, asked.language)
    if not checked.is_right:
        return {"ok": False, "text": checked.text}
    return _ok(questions.right_update(question, checked, asked.language, is_guest=False, first_level=None))


def _try_question(asked: Asked) -> dict[str, Any]:
    question = _question(asked)
    return _try(question.game, question.question.state, asked)


def _try(game: AnyGame, state: Any, asked: Asked) -> dict[str, Any]:
    legal_move(game, state, asked.fields)
    return _ok()


# --- puzzles ----------------------------------------------------------------------------------------------------------


def _puzzle(asked: Asked) -> Puzzle:
    found = find_puzzle(asked.parts[0])
    if found is None:
        raise PageError(404, Text("Dieses Rätsel gibt es nicht.", "There is no such puzzle."), _BACK)
    return found


def _stream(asked: Asked) -> PuzzleStream:
    return PuzzleStream.of(asked.fields.get("stream", ""))


def _puzzle_page(asked: Asked) -> str:
    return _show_puzzle(puzzles.find_attempt(_puzzle(asked), asked.parts[1]), asked)


def _daily_page(asked: Asked) -> str:
    found = daily_puzzle(date.today())
    if found is None:
        raise PageError(404, Text("Es gibt noch keine Rätsel.", "There are no puzzles yet."), _BACK)
    return _show_puzzle(Attempt.replay(found, []), asked)


def _next_page(asked: Asked) -> str:
    return _show_puzzle(Attempt.replay(_stream(asked).after(asked.fields.get("after", "")), []), asked)


def _show_puzzle(attempt: Attempt, asked: Asked) -> str:
    context = puzzles.page_context(attempt, _refutation(attempt), _stream(asked), asked.language)
    return answered_page("puzzle").render("puzzles/puzzle.html", asked.language, engine_missing=None, **context)


def _solution_page(asked: Asked) -> str:
    puzzle, ply = _puzzle(asked), whole_number(asked.parts[1]) or 0
    if ply > len(puzzle.solution):
        raise PageError(404, Text("So lang ist die Lösung nicht.", "The solution is not that long."), puzzles.BACK)
    context = puzzles.solution_context(puzzle, ply, _stream(asked), asked.language)
    return answered_page("puzzle").render("puzzles/solution.html", asked.language, **context)


def _move_in_puzzle(asked: Asked) -> dict[str, Any]:
    before, after = puzzles.play(_puzzle(asked), asked.fields)
    return _ok(puzzles.move_update(before, after, _refutation(after), _stream(asked), asked.language))


def _try_in_puzzle(asked: Asked) -> dict[str, Any]:
    attempt = puzzles.find_attempt(_puzzle(asked), asked.fields.get("line", ""))
    return _try(attempt.puzzle.game, attempt.state, asked)


def _refutation(attempt: Attempt) -> Refutation:
    """What the strongest player of the browser answers to a wrong move."""
    state, game = attempt.state, attempt.puzzle.game
    if attempt.progress is not Progress.WRONG or state.outcome is not None:
        return puzzles.unanswered(attempt)
    if state.to_move is attempt.states[0].to_move:
        return Refutation(state, None)
    move = players.load(OPPONENTS[-1]).choose(state, min(_REFUTATION_SECONDS, game.limits.soft))
    return Refutation(state.play(move), move)


# --- a game against the computer --------------------------------------------------------------------------------------


def _table_page(asked: Asked) -> str:
    game = ComputerGame.of(asked.fields)
    return answered_page("table").render("play/table.html", asked.language, **game.page_context(asked.language))


def _move_at_table(asked: Asked) -> dict[str, Any]:
    return _ok(ComputerGame.of(asked.fields).move(asked.fields).update(asked.language))


def _computer_moves(asked: Asked) -> dict[str, Any]:
    return _ok(ComputerGame.of(asked.fields).answer().update(asked.language))


def _act_at_table(asked: Asked) -> dict[str, Any]:
    return _ok(ComputerGame.of(asked.fields).act(asked.parts[0]).update(asked.language))


def _try_at_table(asked: Asked) -> dict[str, Any]:
    game = ComputerGame.of(asked.fields)
    return _try(game.game, game.history.state, asked)


def _ply_at_table(asked: Asked) -> dict[str, Any]:
    ply = whole_number(asked.parts[0])
    return ComputerGame.of(asked.fields).look_at(-1 if ply is None else ply, asked.language).to_json()


_PAGES = (_puzzle_page, _daily_page, _next_page, _solution_page, _table_page)
_ROUTES: tuple[tuple[re.Pattern[str], bool, Callable[[Asked], Any]], ...] = tuple(
    (re.compile(pattern), is_action, view)
    for pattern, is_action, view in (
        (r"/learn/([\w-]+)/([0-9]+)/move", True, _answer_question),
        (r"/learn/([\w-]+)/([0-9]+)/try", False, _try_question),
        (r"/puzzles/daily", False, _daily_page),
        (r"/puzzles/next", False, _next_page),
        (r"/puzzles/([\w.-]+)/move", True, _move_in_puzzle),
        (r"/puzzles/([\w.-]+)/try", False, _try_in_puzzle),
        (r"/puzzles/([\w.-]+)/solution/([0-9]+)", False, _solution_page),
        (r"/puzzles/([\w.-]+)(?:/([0-9.]+))?", False, _puzzle_page),
        (r"/table/computer", False, _table_page),
        (r"/table/computer/try", False, _try_at_table),
        (r"/table/computer/ply/([0-9]+)", False, _ply_at_table),
        (r"/table/computer/move", True, _move_at_table),
        (r"/table/computer/answer", True, _computer_moves),
        (r"/table/computer/([a-z-]+)", True, _act_at_table),
    )
)
