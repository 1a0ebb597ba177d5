"""The eight opponents from beginner to expert, with names for people and ratings from one tournament.

``python -m bench.levels`` plays the tournament; its numbers stand here, and with their errors in docs/players.md. Only
differences of Elo mean something: in every game level 8 has 2000 by definition. A level never depends on the time or
the machine. A look ahead is worth less in Blokus than elsewhere, so it has limits of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spielleiter.game import Text
from spielleiter.players.native import Limit, LimitedPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayingLevel:
    """One of the eight opponents."""

    number: int
    title: Text
    text: Text
    """How it plays, in one sentence."""
    limit: Limit
    of_family: Mapping[str, Limit]
    """Its limit in games that have one of their own."""
    elo: Mapping[str, int]
    """Its rating in each family of games."""

    @property
    def name(self) -> str:
        """Its name as a built-in player."""
        return f"level{self.number}"

    def make(self, seed: int | None = None) -> LimitedPlayer:
        """A player of this level."""
        return LimitedPlayer(self.limit, self.of_family, seed=seed)


LEVELS = (
    PlayingLevel(
        number=1,
        title=Text("Anfänger", "Beginner"),
        text=Text("sieht nur den eigenen Zug und übersieht dabei viel", "sees only its own move, and overlooks much"),
        limit=Limit(1, temperature=0.038),
        of_family={"blokus": Limit(1, temperature=0.1, choice=20)},
        elo={"piranhas": 863, "ostseeschach": 1217, "blokus": 1242},
    ),
    PlayingLevel(
        number=2,
        title=Text("Neuling", "Novice"),
        text=Text("sieht nur den eigenen Zug und irrt sich manchmal", "sees only its own move, and errs sometimes"),
        limit=Limit(1, temperature=0.015),
        of_family={"blokus": Limit(1, temperature=0.1)},
        elo={"piranhas": 926, "ostseeschach": 1387, "blokus": 1314},
    ),
    PlayingLevel(
        number=3,
        title=Text("Gelegenheitsspieler", "Casual player"),
        text=Text(
            "spielt ordentlich, denkt aber selten an deine Antwort", "plays decently, but rarely thinks of your answer"
        ),
        limit=Limit(1.3),
        of_family={"blokus": Limit(1.2, temperature=0.05)},
        elo={"piranhas": 1109, "ostseeschach": 1484, "blokus": 1482},
    ),
    PlayingLevel(
        number=4,
        title=Text("Hobbyspieler", "Hobby player"),
        text=Text(
            "macht kaum Flüchtigkeitsfehler, denkt aber nicht immer an deine Antwort",
            "rarely slips, but does not always think of your answer",
        ),
        limit=Limit(1.75),
        of_family={"blokus": Limit(1.3, temperature=0.03)},
        elo={"piranhas": 1225, "ostseeschach": 1566, "blokus": 1602},
    ),
    PlayingLevel(
        number=5,
        title=Text("Fortgeschrittener", "Advanced player"),
        text=Text("rechnet oft mit deiner Antwort", "often reckons with your answer"),
        limit=Limit(2.5),
        of_family={"blokus": Limit(1.5, temperature=0.02)},
        elo={"piranhas": 1423, "ostseeschach": 1671, "blokus": 1673},
    ),
    PlayingLevel(
        number=6,
        title=Text("Vereinsspieler", "Club player"),
        text=Text("rechnet immer mit deiner Antwort", "always reckons with your answer"),
        limit=Limit(3.2),
        of_family={"blokus": Limit(2, temperature=0.015)},
        elo={"piranhas": 1602, "ostseeschach": 1806, "blokus": 1733},
    ),
    PlayingLevel(
        number=7,
        title=Text("Turnierspieler", "Tournament player"),
        text=Text("denkt mindestens drei Züge voraus", "looks at least three moves ahead"),
        limit=Limit(4.1),
        of_family={"blokus": Limit(3)},
        elo={"piranhas": 1813, "ostseeschach": 1893, "blokus": 1927},
    ),
    PlayingLevel(
        number=8,
        title=Text("Experte", "Expert"),
        text=Text("denkt mindestens vier Züge voraus", "looks at least four moves ahead"),
        limit=Limit(5),
        of_family={"blokus": Limit(4)},
        elo={"piranhas": 2000, "ostseeschach": 2000, "blokus": 2000},
    ),
)
"""The weaker ones first."""
