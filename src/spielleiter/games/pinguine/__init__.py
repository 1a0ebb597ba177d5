"""Pinguine, penguins who slide over ice floes and catch fish until nobody can move: season 2023."""

from __future__ import annotations

from spielleiter.games.pinguine.moves import Move
from spielleiter.games.pinguine.rules import PinguineEnd, PinguineViolation, Rules, State

__all__ = ["GAMES", "Move", "PinguineEnd", "PinguineViolation", "Rules", "State"]

GAMES = ()
