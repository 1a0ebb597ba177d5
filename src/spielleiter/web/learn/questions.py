"""Exercises on a board: the rules judge every answer, from a script or from a form without one."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from spielleiter.game import AnyGame
from spielleiter.pages import questions
from spielleiter.pages.opponents import LADDER
from spielleiter.pages.questions import LessonQuestion
from spielleiter.web.classroom.seats import note_achieved
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.learn.lessons import taught
from spielleiter.web.play.board_input import try_page
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page


async def question_page(request: Request) -> Response:
    """One exercise; with an answer in the address it says what is right or wrong, with ``?solution`` it tells."""
    asked, language = _asked(request), language_of(request)
    fields = request.query_params
    checked = questions.check(asked, fields, language) if questions.has_answer(fields) else None
    if checked is not None and checked.is_right:
        note_achieved(request, "lesson", asked.game.key, str(asked.number))
    context = questions.page_context(asked, fields, language, checked)
    return respond(request, "learn/question.html", first_level=LADDER[0], **context)


def _asked(request: Request) -> LessonQuestion:
    game, _ = taught(request)
    found = LessonQuestion.find(game, request.path_params["number"])
    if found is None:
        raise not_found("Diese Übung gibt es nicht.", "There is no such exercise.")
    return found


async def answer(request: Request) -> Response:
    """Judge what a script sent: a move, squares."""
    asked, language = _asked(request), language_of(request)
    form = await request.form(max_files=0, max_fields=10)
    checked = questions.check(asked, form, language)
    if not checked.is_right:
        return JSONResponse({"ok": False, "text": checked.text})
    note_achieved(request, "lesson", asked.game.key, str(asked.number))
    is_guest = request.state.role >= Role.GUEST
    update = questions.right_update(asked, checked, language, is_guest=is_guest, first_level=LADDER[0])
    return JSONResponse({"ok": True, "update": update.to_json()})


def _position(request: Request) -> tuple[AnyGame, Any]:
    asked = _asked(request)
    return asked.game, asked.question.state


try_move = try_page(_position)


PAGES = (
    Page("/learn/{game}/{number:int}", question_page, Access.EVERYBODY),
    Page("/learn/{game}/{number:int}/move", answer, Access.EVERYBODY, "POST"),
    Page("/learn/{game}/{number:int}/try", try_move, Access.EVERYBODY),
)
