"""The addresses of learning: open to everybody, as rules are."""

from __future__ import annotations

from spielleiter.web.learn import exercises, lessons
from spielleiter.web.rights import Access, Page

PAGES = (
    Page("/learn", lessons.overview, Access.EVERYBODY),
    Page("/learn/{game}", lessons.lesson_page, Access.EVERYBODY),
    Page("/learn/{game}/{number:int}", exercises.exercise_page, Access.EVERYBODY),
    Page("/learn/{game}/{number:int}/move", exercises.answer, Access.EVERYBODY, "POST"),
    Page("/learn/{game}/{number:int}/try", exercises.try_move, Access.EVERYBODY),
)
