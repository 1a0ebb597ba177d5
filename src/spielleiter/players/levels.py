"""The eight opponents from beginner to expert, with names for people.

Their limits and ratings are data of each game. ``python -m bench.levels`` plays the tournament that rates them; its
numbers are in docs/players.md with their errors. Only differences of Elo mean something: in every game level 8 has 2000
by definition. On the engine a level never depends on the time or the machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from spielleiter.game import AnyGame, Limit, Text
from spielleiter.players.engine import LimitedPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayingLevel:
    """One of the eight opponents."""

    number: int
    title: Text
    text: Text
    """How it plays, in one sentence."""

    @property
    def name(self) -> str:
        """Its name as a built-in player."""
        return f"level{self.number}"

    def limit(self, game: AnyGame) -> Limit:
        return game.level_limits[self.number - 1]

    def elo(self, game: AnyGame) -> int | None:
        """Its rating in ``game``; ``None`` if the levels of the game are not rated yet."""
        return game.level_ratings[self.number - 1] if game.level_ratings else None

    def make(self, seed: int | None = None) -> LimitedPlayer:
        """A player of this level."""
        return LimitedPlayer(self.limit, seed=seed)


LEVELS = (
    PlayingLevel(
        number=1,
        title=Text("Anfänger", "Beginner"),
        text=Text("spielt oft irgendeinen Zug", "often plays just any move"),
    ),
    PlayingLevel(
        number=2,
        title=Text("Neuling", "Novice"),
        text=Text("sieht nur den eigenen Zug und patzt noch oft", "sees only its own move, and still blunders often"),
    ),
    PlayingLevel(
        number=3,
        title=Text("Gelegenheitsspieler", "Casual player"),
        text=Text("sieht nur den eigenen Zug und patzt manchmal", "sees only its own move, and blunders now and then"),
    ),
    PlayingLevel(
        number=4,
        title=Text("Hobbyspieler", "Hobby player"),
        text=Text("sieht nur den eigenen Zug, patzt aber selten", "sees only its own move, but rarely blunders"),
    ),
    PlayingLevel(
        number=5,
        title=Text("Fortgeschrittener", "Advanced player"),
        text=Text("denkt manchmal an deine Antwort", "sometimes thinks of your answer"),
    ),
    PlayingLevel(
        number=6,
        title=Text("Vereinsspieler", "Club player"),
        text=Text("rechnet oft mit deiner Antwort", "often reckons with your answer"),
    ),
    PlayingLevel(
        number=7,
        title=Text("Turnierspieler", "Tournament player"),
        text=Text("rechnet immer mit deiner Antwort", "always reckons with your answer"),
    ),
    PlayingLevel(
        number=8,
        title=Text("Experte", "Expert"),
        text=Text("schaut mindestens drei Züge voraus", "looks at least three moves ahead"),
    ),
)
"""The weaker ones first."""
