"""Exercises on a board: what a page shows of one, and how the rules judge an answer to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, assert_never

from markupsafe import Markup

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
from spielleiter.pages.board_input import find_move, input_data
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.text import upper_first, whole_number

_MAX_FIELD = 2000
_ANSWERS = ("text", "squares", "choice")
"""What a form without a script sends: one of them."""


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """A question of a lesson and its place there."""

    game: AnyGame
    question: AnyQuestion
    number: int
    """The first is 1."""
    total: int
    section: int
    """The index of the section that it belongs to."""

    @classmethod
    def find(cls, game: AnyGame, number: int) -> Self | None:
        """The exercise with this number; ``None`` if the game has none."""
        sections = () if game.lesson is None else game.lesson().sections
        numbered = [(index, question) for index, section in enumerate(sections) for question in section.questions]
        if not 1 <= number <= len(numbered):
            return None
        section, question = numbered[number - 1]
        return cls(game, question, number, len(numbered), section)

    @property
    def address(self) -> str:
        return f"/learn/{self.game.key}/{self.number}"


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer that was judged: what to say, and the board to show with it."""

    is_right: bool
    text: str
    board: Markup
    state: Any
    """The position on the board."""


def page_context(
    asked: LessonQuestion, fields: Mapping[str, str], language: Language, checked: CheckedAnswer | None
) -> dict[str, Any]:
    """What the page of an exercise shows, after an answer or (``?solution``) with the solution."""
    question = asked.question
    solution = _solution(asked, language) if checked is None and "solution" in fields else None
    shown = checked or solution or CheckedAnswer(False, "", _board(asked), question.state)
    return {
        "asked": asked,
        "game": asked.game,
        "question": question,
        "kind": _kind(asked),
        "play": _play(asked, shown.state, language, is_open=not shown.is_right and solution is None),
        "board": shown.board,
        "checked": checked,
        "solution": solution,
        "example": _example(asked),
        "given": {name: fields.get(name, "") for name in _ANSWERS},
    }


def right_update(asked: LessonQuestion, checked: CheckedAnswer, language: Language, **context: Any) -> PageUpdate:
    """What changes on the page with the right answer; ``context`` is what only the server knows of the visitor."""
    feedback = render("learn/feedback.html", language, asked=asked, checked=checked, **context)
    return PageUpdate(
        parts={"board": checked.board, "feedback": feedback},
        play=_play(asked, checked.state, language, is_open=False),
        say=checked.text,
    )


def _kind(asked: LessonQuestion) -> str:
    """How the question is answered, as scripts and style sheets name it."""
    match asked.question:
        case MoveQuestion():
            return boards.input_kind(asked.game)
        case SquaresQuestion():
            return "squares"
        case ChoiceQuestion():
            return "choice"
        case _:
            assert_never(asked.question)


def _play(asked: LessonQuestion, state: Any, language: Language, *, is_open: bool) -> dict[str, Any]:
    """What ``play.js`` needs to ask for the answer, or to show the board after it."""
    question = asked.question
    is_move = isinstance(question, MoveQuestion)
    data = input_data(asked.game, state, language, flipped=False, mine=is_move and is_open, ply=0 if is_open else 1)
    if isinstance(question, SquaresQuestion):
        data |= {"hand": "squares", "mine": is_open, "single": len(question.solution()) == 1}
    return data


def _board(asked: LessonQuestion) -> Markup:
    return boards.board(asked.game, asked.question.state, look=asked.question.look)


def _example(asked: LessonQuestion) -> str:
    """How an answer is typed, by an example that does not give it away if that can be helped."""
    game, question = asked.game, asked.question
    match question:
        case MoveQuestion():
            state, moves = question.state, question.state.legal_moves()
            wrong = (move for move in moves if question.shortfall(state, move) is not None)
            return game.notation.format_move(state, next(wrong, moves[0]))
        case SquaresQuestion() if game.board_input is not None:
            row = game.board_input.rows[0]
            return " ".join(game.board_input.square_name(square) for square in row[:2])
        case _:
            return ""


def has_answer(fields: Mapping[str, str]) -> bool:
    """Whether a form without a script has answered."""
    return any(name in fields for name in _ANSWERS)


def check(asked: LessonQuestion, form: Mapping[str, Any], language: Language) -> CheckedAnswer:
    """What the rules say of an answer."""
    game, question, board = asked.game, asked.question, _board(asked)
    state = question.state
    try:
        match question:
            case MoveQuestion():
                move = find_move(game, state, form)
                feedback = question.check(move)
                if feedback.is_right:
                    state = state.play_unchecked(move)
                    board = boards.board(game, state)
            case SquaresQuestion():
                feedback = question.check(_squares(game, str(form.get("squares", ""))[:_MAX_FIELD]))
                if feedback.is_right:
                    board = boards.board(game, state, look=framed(question.solution()))
            case ChoiceQuestion():
                feedback = _check_choice(question, str(form.get("choice", "")))
            case _:
                assert_never(question)
    except Refused as problem:
        return CheckedAnswer(False, upper_first(problem.text.to(language)), board, state)
    return CheckedAnswer(feedback.is_right, upper_first(feedback.text.to(language)), board, state)


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
    number = whole_number(chosen)
    if number is None or number >= len(question.options):
        return Feedback(False, Text("Wähle eine der Antworten.", "Choose one of the answers."))
    return question.check(number)


def _solution(asked: LessonQuestion, language: Language) -> CheckedAnswer:
    """The answer for those who give up, drawn where it can be."""
    game, question = asked.game, asked.question
    state, look = question.state, question.look
    match question:
        case MoveQuestion():
            move = question.solutions()[0]
            look = boards.move_look(game, state, move, look)
            text = words.move_text(game, state, move, language)
        case SquaresQuestion():
            assert game.board_input is not None
            solution = sorted(question.solution())
            look = framed(solution)
            text = ", ".join(game.board_input.square_name(square) for square in solution)
        case ChoiceQuestion():
            text = question.options[question.solution()][0].to(language)
        case _:
            assert_never(question)
    return CheckedAnswer(False, text, boards.board(game, state, look=look), state)
