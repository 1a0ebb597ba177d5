"""Exercises on a board: the rules judge every answer, from a script or from a form without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from spielleiter.errors import Refused
from spielleiter.game import (
    AnyGame,
    AnyQuestion,
    ChoiceQuestion,
    Feedback,
    Language,
    MoveQuestion,
    SquaresQuestion,
    Text,
    framed,
)
from spielleiter.pages import boards, words
from spielleiter.pages.environment import render
from spielleiter.text import upper_first
from spielleiter.web.language import language_of
from spielleiter.web.learn.lessons import taught
from spielleiter.web.play.board_input import find_move, input_data, problem_text, try_fields
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond

_MAX_FIELD = 2000
_ANSWERS = ("text", "squares", "choice")
"""What a form without a script sends: one of them."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question of a lesson and its place there."""

    game: AnyGame
    question: AnyQuestion
    number: int
    """From 1."""
    total: int
    section: int
    """The index of the section that it belongs to."""

    @property
    def address(self) -> str:
        return f"/learn/{self.game.key}/{self.number}"


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer that was judged: what to say, and the board to show with it."""

    is_right: bool
    text: str
    board: Markup


# --- the page ---------------------------------------------------------------------------------------------------------


async def exercise_page(request: Request) -> Response:
    """One exercise; with an answer in the address it says what is right or wrong, with ``?solution`` it tells."""
    exercise, language = _exercise(request), language_of(request)
    question, fields = exercise.question, request.query_params
    checked = _check(exercise, fields, language) if _has_answer(fields) else None
    solution = None
    if checked is None and "solution" in fields:
        solution = _solution(exercise, language)
    is_open = (checked is None or not checked.is_right) and solution is None
    return respond(
        request,
        "learn/exercise.html",
        exercise=exercise,
        game=exercise.game,
        question=question,
        kind=_kind(exercise),
        play=_play(exercise, language, is_open=is_open),
        board=checked.board if checked is not None else solution.board if solution is not None else _board(exercise),
        checked=checked,
        solution=solution,
        example=_example(exercise),
        given={name: fields.get(name, "") for name in _ANSWERS},
    )


def _exercise(request: Request) -> Exercise:
    game, lesson = taught(request)
    number = request.path_params["number"]
    numbered = [(index, question) for index, section in enumerate(lesson.sections) for question in section.questions]
    if not 1 <= number <= len(numbered):
        raise not_found("Diese Übung gibt es nicht.", "There is no such exercise.")
    section, question = numbered[number - 1]
    return Exercise(game, question, number, len(numbered), section)


def _kind(exercise: Exercise) -> str:
    """How the question is answered, as scripts and style sheets name it."""
    match exercise.question:
        case MoveQuestion():
            return boards.input_kind(exercise.game)
        case SquaresQuestion():
            return "squares"
        case ChoiceQuestion():
            return "none"
        case _:
            assert_never(exercise.question)


def _play(exercise: Exercise, language: Language, *, is_open: bool) -> dict[str, Any]:
    """What ``play.js`` needs to ask for the answer."""
    question = exercise.question
    is_move = isinstance(question, MoveQuestion)
    data = input_data(
        exercise.game, question.state, language, flipped=False, mine=is_move and is_open, ply=0 if is_open else 1
    )
    data |= {"room": None, "playing": False, "can": []}
    if isinstance(question, SquaresQuestion):
        data |= {"kind": "squares", "mine": is_open, "single": len(question.solution()) == 1}
    return data if not isinstance(question, ChoiceQuestion) else {"kind": "none"}


def _board(exercise: Exercise) -> Markup:
    return boards.board(exercise.game, exercise.question.state, look=exercise.question.look)


def _example(exercise: Exercise) -> str:
    """How an answer is typed, by an example that does not give the answer away."""
    game, question = exercise.game, exercise.question
    match question:
        case MoveQuestion():
            start = question.state
            return game.notation.format_move(start, start.legal_moves()[-1])
        case SquaresQuestion() if game.board_input is not None:
            row = game.board_input.rows[0]
            return " ".join(game.board_input.square_name(square) for square in row[:2])
        case _:
            return ""


# --- answers ----------------------------------------------------------------------------------------------------------


async def answer(request: Request) -> Response:
    """Judge what a script sent: a move, squares."""
    exercise, language = _exercise(request), language_of(request)
    form = await request.form(max_files=0, max_fields=10)
    checked = _check(exercise, form, language)
    if not checked.is_right:
        return JSONResponse({"ok": False, "text": checked.text})
    feedback = render("learn/feedback.html", language, exercise=exercise, checked=checked)
    look = {
        "parts": {"board": checked.board, "feedback": feedback},
        "play": _play(exercise, language, is_open=False),
        "say": checked.text,
    }
    return JSONResponse({"ok": True, "look": look})


async def try_move(request: Request) -> Response:
    """Whether a move would be legal, and if not, why."""
    exercise = _exercise(request)
    return JSONResponse(try_fields(exercise.game, exercise.question.state, request.query_params, language_of(request)))


def _has_answer(fields: Mapping[str, str]) -> bool:
    return any(name in fields for name in _ANSWERS)


def _check(exercise: Exercise, form: Mapping[str, Any], language: Language) -> CheckedAnswer:
    game, question, board = exercise.game, exercise.question, _board(exercise)
    try:
        match question:
            case MoveQuestion():
                move = find_move(game, form)(question.state)
                feedback = question.check(move)
                if feedback.is_right:
                    board = boards.board(game, question.state.play_unchecked(move))
            case SquaresQuestion():
                feedback = question.check(_squares(game, str(form.get("squares", ""))[:_MAX_FIELD]))
                if feedback.is_right:
                    board = boards.board(game, question.state, look=framed(question.solution()))
            case ChoiceQuestion():
                feedback = _check_choice(question, str(form.get("choice", "")))
            case _:
                assert_never(question)
    except (Refused, ValueError, KeyError) as problem:
        return CheckedAnswer(False, problem_text(problem, language), board)
    return CheckedAnswer(feedback.is_right, upper_first(feedback.text.to(language)), board)


def _squares(game: AnyGame, text: str) -> list[tuple[int, int]]:
    """The squares with these names. Raises ``Refused`` if there is no such square."""
    assert game.board_input is not None
    names = {game.board_input.square_name(square).lower(): square for row in game.board_input.rows for square in row}
    chosen = []
    for name in text.replace(";", " ").split():
        if name.lower() not in names:
            raise Refused(f"Ein Feld namens {name} gibt es nicht.", f"There is no square called {name}.")
        chosen.append(names[name.lower()])
    return chosen


def _check_choice(question: ChoiceQuestion[Any], chosen: str) -> Feedback:
    if not chosen.isdecimal() or int(chosen) >= len(question.options):
        return Feedback(False, Text("Wähle eine der Antworten.", "Choose one of the answers."))
    return question.check(int(chosen))


def _solution(exercise: Exercise, language: Language) -> CheckedAnswer:
    """The answer for those who give up, drawn where it can be."""
    game, question = exercise.game, exercise.question
    match question:
        case MoveQuestion():
            move = question.solutions()[0]
            look = boards.move_look(game, question.state, move, question.look)
            text = words.move_text(game, question.state, move, language)
            return CheckedAnswer(False, text, boards.board(game, question.state, look=look))
        case SquaresQuestion():
            assert game.board_input is not None
            solution = sorted(question.solution())
            names = ", ".join(game.board_input.square_name(square) for square in solution)
            return CheckedAnswer(False, names, boards.board(game, question.state, look=framed(solution)))
        case ChoiceQuestion():
            return CheckedAnswer(False, question.options[question.solution()][0].to(language), _board(exercise))
        case _:
            assert_never(question)
