from collections.abc import Callable
from typing import Final, Self, final

__all__ = [
    "FEATURES",
    "RULE_SETS",
    "VERSION",
    "Searcher",
    "describe",
    "legal_moves",
    "perft",
    "play",
    "playout",
    "playouts",
]

VERSION: Final[str]
FEATURES: Final[tuple[str, ...]]
RULE_SETS: Final[tuple[str, ...]]

_Outcome = tuple[int | None, str]
_Line = tuple[list[str], int, float]
_Answer = tuple[list[_Line], int, int, float]

def describe(position: str, /) -> tuple[str, int, int, _Outcome | None, list[int], list[int]]: ...
def legal_moves(position: str, /) -> list[str]: ...
def play(position: str, move: str, /) -> str: ...
def perft(position: str, depth: int, /) -> int: ...
def playout(position: str, seed: int, /) -> tuple[int | None, list[int], list[int]]: ...
def playouts(position: str, number: int, seed: int, /) -> tuple[int, int, int]: ...

@final
class Searcher:
    def __new__(cls, table_mib: int = 64) -> Self: ...
    def search(
        self,
        position: str,
        /,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        threads: int = 1,
        lines: int = 1,
        tree: bool = False,
        watch: Callable[[_Answer | None], object] | None = None,
    ) -> _Answer: ...
