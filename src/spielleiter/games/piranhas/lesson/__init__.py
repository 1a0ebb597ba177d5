"""Piranhas to learn: the rules in words and pictures, and exercises."""

from __future__ import annotations

from functools import cache

from spielleiter.game import Lesson
from spielleiter.games.piranhas.lesson.sections import sections, summary
from spielleiter.games.piranhas.rules import Move, Rules, State


@cache
def lesson(rules: Rules) -> Lesson[State, Move]:
    """The lesson of one rule set."""
    return Lesson(summary(rules), sections(rules))
