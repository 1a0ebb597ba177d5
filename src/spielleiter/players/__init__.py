"""The built-in players, from random to expert: ``load("student")`` gives one by its name."""

from spielleiter.players.builtin import RandomPlayer, SearchingPlayer, thinking_time
from spielleiter.players.native import EnginePlayer, Novice
from spielleiter.players.registry import BUILT_IN, BuiltIn, load

__all__ = ["BUILT_IN", "BuiltIn", "EnginePlayer", "Novice", "RandomPlayer", "SearchingPlayer", "load", "thinking_time"]
