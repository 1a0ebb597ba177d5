"""The built-in players, from random to expert: ``load("student")`` gives one by its name."""

from spielleiter.game import Limit
from spielleiter.players.builtin import RandomPlayer, SearchingPlayer, thinking_time
from spielleiter.players.engine import EnginePlayer, LimitedPlayer
from spielleiter.players.levels import LEVELS, PlayingLevel
from spielleiter.players.onnx import OnnxPlayer
from spielleiter.players.registry import BUILT_IN, NETWORK, BuiltIn, load, seeded

__all__ = [
    "BUILT_IN",
    "LEVELS",
    "NETWORK",
    "BuiltIn",
    "EnginePlayer",
    "Limit",
    "LimitedPlayer",
    "OnnxPlayer",
    "PlayingLevel",
    "RandomPlayer",
    "SearchingPlayer",
    "load",
    "seeded",
    "thinking_time",
]
