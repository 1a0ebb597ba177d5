"""Which puzzles follow one another: those of a game and a difficulty, or all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from spielleiter import games
from spielleiter.errors import PageError, UnknownGame
from spielleiter.game import AnyGame, Text
from spielleiter.puzzles import Difficulty, Puzzle, all_puzzles

_ALL = "all"
_CHOOSE = Text("Wähle unter „Rätsel“ ein Spiel und eine Stufe.", "Choose a game and a difficulty under 'Puzzles'.")


@dataclass(frozen=True, slots=True)
class PuzzleStream:
    """The puzzles of a game and a difficulty; ``None`` stands for all of them."""

    game: AnyGame | None = None
    difficulty: Difficulty | None = None

    @classmethod
    def of(cls, text: str) -> Self:
        """The stream that an address names, as ``piranhas-2026.hard``; all if it names none. Raises ``PageError``."""
        key, _, level = (text or f"{_ALL}.{_ALL}").partition(".")
        try:
            game = None if key == _ALL else games.load(key)
            difficulty = None if level == _ALL else Difficulty(level)
        except UnknownGame as unknown:
            raise PageError(404, Text("Dieses Spiel gibt es nicht.", "There is no such game."), unknown.text) from None
        except ValueError:
            raise PageError(404, Text("Diese Stufe gibt es nicht.", "There is no such difficulty."), _CHOOSE) from None
        return cls(game, difficulty)

    def __str__(self) -> str:
        return f"{self.game.key if self.game else _ALL}.{self.difficulty.value if self.difficulty else _ALL}"

    def puzzles(self) -> list[Puzzle]:
        """Its puzzles in their order."""
        return [
            puzzle
            for puzzle in all_puzzles().values()
            if self.game in (None, puzzle.game) and self.difficulty in (None, puzzle.difficulty)
        ]

    def after(self, identifier: str) -> Puzzle:
        """The puzzle that follows the one with this id, after the last one the first. Raises ``PageError``."""
        found = self.puzzles()
        if not found:
            nothing = Text("Dafür gibt es noch keine Rätsel.", "There are no puzzles of this kind yet.")
            raise PageError(404, nothing, _CHOOSE)
        places = {puzzle.id: place for place, puzzle in enumerate(found)}
        return found[(places.get(identifier, -1) + 1) % len(found)]
