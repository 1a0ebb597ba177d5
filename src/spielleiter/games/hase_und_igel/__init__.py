"""Hase und Igel, a race of two hares for whom carrots are fuel and ballast: season 2025."""

from __future__ import annotations

from spielleiter.games.hase_und_igel.moves import Card, Move
from spielleiter.games.hase_und_igel.rules import Hare, HaseUndIgelEnd, HaseUndIgelViolation, Rules, State

__all__ = ["GAMES", "Card", "Hare", "HaseUndIgelEnd", "HaseUndIgelViolation", "Move", "Rules", "State"]

GAMES = ()
