"""Hase und Igel to learn: the rules in words and pictures, and exercises."""

from __future__ import annotations

from functools import cache

from spielleiter.game import Lesson
from spielleiter.games.hase_und_igel.lesson.sections import sections, summary
from spielleiter.games.hase_und_igel.moves import Move
from spielleiter.games.hase_und_igel.rules import Rules, State


@cache
def lesson(rules: Rules) -> Lesson[State, Move]:
    """The lesson of one rule set."""
    return Lesson(summary(), sections(rules))
