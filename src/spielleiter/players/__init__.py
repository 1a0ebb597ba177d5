"""The built-in players, from random to expert: ``load("student")`` gives one by its name."""

from spielleiter.players.builtin import RandomPlayer, SearchingPlayer, thinking_time
from spielleiter.players.native import EnginePlayer, Novice
from spielleiter.players.onnx import OnnxPlayer
from spielleiter.players.registry import BUILT_IN, NETWORK, BuiltIn, load

__all__ = [
    "BUILT_IN",
    "NETWORK",
    "BuiltIn",
    "EnginePlayer",
    "Novice",
    "OnnxPlayer",
    "RandomPlayer",
    "SearchingPlayer",
    "load",
    "thinking_time",
]
