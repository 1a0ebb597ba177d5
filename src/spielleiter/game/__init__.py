"""THE CONTRACT: what a game is to everything else. Import from here; the modules beside are its parts."""

from spielleiter.game.drawing import Arrow, Look, Square
from spielleiter.game.game import AnyGame, Game, Limits, Notation, Recordings, ScorePart
from spielleiter.game.outcome import TEAMS, End, Outcome, Reason, Team, Violation, victory_points
from spielleiter.game.perft import divide, perft, playout, random_game
from spielleiter.game.state import GameState, MoveT, StateT
from spielleiter.game.text import Language, Text

__all__ = [
    "TEAMS",
    "AnyGame",
    "Arrow",
    "End",
    "Game",
    "GameState",
    "Language",
    "Limits",
    "Look",
    "MoveT",
    "Notation",
    "Outcome",
    "Reason",
    "Recordings",
    "ScorePart",
    "Square",
    "StateT",
    "Team",
    "Text",
    "Violation",
    "divide",
    "perft",
    "playout",
    "random_game",
    "victory_points",
]
