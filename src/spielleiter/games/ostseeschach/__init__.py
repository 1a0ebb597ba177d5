"""Ostseeschach, the game of 2022: sea creatures on a chess board who stack up and run for ambers (see RULES.md)."""

from __future__ import annotations

from random import Random

from spielleiter.game import AnyGame, Game, ScorePart, Text
from spielleiter.games.ostseeschach.drawing import draw, draw_text
from spielleiter.games.ostseeschach.moves import SIZE, Figure, Kind, Move
from spielleiter.games.ostseeschach.notation import OstseeschachNotation
from spielleiter.games.ostseeschach.recordings import OstseeschachRecordings
from spielleiter.games.ostseeschach.rules import OstseeschachEnd, OstseeschachViolation, Rules, State

__all__ = [
    "GAMES",
    "Figure",
    "Kind",
    "Move",
    "OstseeschachEnd",
    "OstseeschachNotation",
    "OstseeschachRecordings",
    "OstseeschachViolation",
    "Rules",
    "State",
]


def _garbage_move(rng: Random) -> Move:
    """A move out of thin air, now and then off the board."""
    x0, y0, x1, y1 = (rng.randint(-1, SIZE) for _ in range(4))
    return Move((x0, y0), (x1, y1))


def _game(rules: Rules) -> Game[State, Move]:
    """The season under one rule set."""
    return Game(
        key=rules.key,
        wire_name=rules.wire_name,
        year=rules.year,
        title=Text(
            f"Ostseeschach {rules.year}{' (offiziell)' if rules.official else ''}",
            f"Baltic Sea Chess {rules.year}{' (official)' if rules.official else ''}",
        ),
        teams=(Text("Rot", "Red"), Text("Blau", "Blue")),
        new_state=lambda rng: State.start(rules, rng),
        notation=OstseeschachNotation(rules),
        recordings=OstseeschachRecordings(rules),
        scores=(  # R23
            ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),
            ScorePart("Bernsteine", Text("Bernsteine", "ambers"), "AVERAGE"),
            ScorePart(
                "Leichtfiguren Vorne",
                Text("vorderste Leichtfigur", "foremost light figure"),
                "AVERAGE",
                ranking=False,
            ),
        ),
        draw=draw,
        draw_text=draw_text,
        garbage_move=_garbage_move,
        official=rules.official,
    )


GAMES: tuple[AnyGame, ...] = (
    _game(Rules("ostseeschach-2022", official=False)),
    _game(Rules("ostseeschach-2022-official", official=True)),
)
