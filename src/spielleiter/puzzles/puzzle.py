"""A puzzle: a position in which exactly one move wins by force; and the file of them in the folder of each game.

``puzzles.tsv`` has a line for each: the position in notation, within how many moves of both sides the win is forced,
the number of nodes from which on the engine finds the move, and the solution, its moves separated by ``; ``. The
solution begins and ends with a move of the solver, and each of those is the only one that wins, except that the last
one may be any that wins at once. ``python -m bench.puzzles`` makes the files and proves what stands in them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cache
from random import Random
from typing import Any

from spielleiter import games, plugins
from spielleiter.game import AnyGame, Text
from spielleiter.records.history import History

FILE = "puzzles.tsv"
_SEPARATOR = "; "


class Difficulty(Enum):
    """How much the engine has to search until it finds the solution."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"

    @property
    def text(self) -> Text:
        return {
            Difficulty.EASY: Text("leicht", "easy"),
            Difficulty.MEDIUM: Text("mittel", "medium"),
            Difficulty.HARD: Text("schwer", "hard"),
        }[self]

    @classmethod
    def of_nodes(cls, nodes: int) -> Difficulty:
        """The difficulty of a puzzle whose solution the engine finds with so many nodes."""
        return cls.EASY if nodes <= 64 else cls.MEDIUM if nodes <= 1024 else cls.HARD


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position and its solution."""

    game: AnyGame
    position: str
    plies: int
    """Within so many moves of both sides the win is there."""
    nodes: int
    """Number of nodes from which on the engine finds the solution."""
    solution: tuple[str, ...]
    """The moves of both sides in notation, the solver's first and last."""

    @property
    def id(self) -> str:
        """The same for the same position."""
        return hashlib.sha256(self.position.encode()).hexdigest()[:10]

    @property
    def difficulty(self) -> Difficulty:
        return Difficulty.of_nodes(self.nodes)

    @property
    def start(self) -> Any:
        """The position as a state."""
        return self.game.notation.parse_state(self.position)

    @property
    def own_moves(self) -> int:
        """How many moves the solver has to find."""
        line = self.line
        return sum(ply.team is line.first_state.to_move for ply in line.plies)

    @property
    def line(self) -> History:
        """The solution as a game that was played."""
        return History(game_key=self.game.key, id=self.id, start=self.position, names=("", "")).play(self.solution)

    def to_line(self) -> str:
        """The puzzle as it stands in the file."""
        return "\t".join((self.position, str(self.plies), str(self.nodes), _SEPARATOR.join(self.solution)))

    @classmethod
    def of_line(cls, line: str) -> Puzzle:
        """The puzzle that ``line`` of a file describes; its moves are read when they are played."""
        position, plies, nodes, solution = line.split("\t")
        game = games.load(position.split()[0])
        moves = tuple(solution.split(_SEPARATOR))
        return cls(game=game, position=position, plies=int(plies), nodes=int(nodes), solution=moves)


@cache
def all_puzzles() -> dict[str, Puzzle]:
    """The puzzles of all games by their ids, in an order without meaning that is always the same."""
    found: list[Puzzle] = []
    for folder, game in {games.folder_of(game): game for game in games.all_games().values()}.items():
        file = folder / FILE
        if not file.is_file():
            continue
        try:
            found += map(Puzzle.of_line, file.read_text(encoding="utf-8").splitlines())
        except ValueError as problem:
            if games.plugin_of(game) is None:
                raise
            why = plugins.describe(problem)
            plugins.warn(f"{file} fehlt: {why.de}", f"{file} is left out: {why.en}")
    Random(0).shuffle(found)
    return {puzzle.id: puzzle for puzzle in found}


def find_puzzle(identifier: str) -> Puzzle | None:
    """The puzzle with this id, if there is one."""
    return all_puzzles().get(identifier)


def daily_puzzle(day: date) -> Puzzle | None:
    """The puzzle of the day, the same everywhere; all of them have their day before one returns."""
    found = list(all_puzzles().values())
    return found[day.toordinal() % len(found)] if found else None
