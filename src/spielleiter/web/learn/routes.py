"""The addresses of learning: open to everybody, as rules are."""

from __future__ import annotations

from spielleiter.web.learn import lessons, questions
from spielleiter.web.rights import Access, Page

PAGES = (
    Page("/learn", lessons.overview, Access.EVERYBODY),
    Page("/learn/{game}", lessons.lesson_page, Access.EVERYBODY),
    Page("/learn/{game}/{number:int}", questions.question_page, Access.EVERYBODY),
    Page("/learn/{game}/{number:int}/move", questions.answer, Access.EVERYBODY, "POST"),
    Page("/learn/{game}/{number:int}/try", questions.try_move, Access.EVERYBODY),
)
