"""THE CONTRACT: what a game is to everything else. Import from here; the modules beside are its parts."""

from spielleiter.game.board_input import AnyBoardInput, Orientation, PieceMoves, Step, Tile, TilePlacement
from spielleiter.game.codec import Codec, Dialect, ResultForm, ScoreForm, StateWriter, WinnerForm
from spielleiter.game.commentary import Commentary, Remark, Weight, rounds_left
from spielleiter.game.drawing import Arrow, Look, SelfDrawing, Square
from spielleiter.game.element import Element
from spielleiter.game.encoding import Encoding, Plane
from spielleiter.game.game import AnyGame, Game, Limits, Notation, Recordings, ScorePart
from spielleiter.game.outcome import (
    TEAM_NAMES,
    TEAMS,
    End,
    Outcome,
    Reason,
    Team,
    Violation,
    describe_end,
    victory_points,
)
from spielleiter.game.perft import divide, perft, playout, random_game
from spielleiter.game.player import AnyPlayer, Player
from spielleiter.game.result import Cause, GameResult, TeamResult
from spielleiter.game.state import GameState, MoveT, RuleSet, StateT, require_move, require_text
from spielleiter.game.timing import Clock, MoveTiming
from spielleiter.text import Language, Text

__all__ = [
    "TEAMS",
    "TEAM_NAMES",
    "AnyBoardInput",
    "AnyGame",
    "AnyPlayer",
    "Arrow",
    "Cause",
    "Clock",
    "Codec",
    "Commentary",
    "Dialect",
    "Element",
    "Encoding",
    "End",
    "Game",
    "GameResult",
    "GameState",
    "Language",
    "Limits",
    "Look",
    "MoveT",
    "MoveTiming",
    "Notation",
    "Orientation",
    "Outcome",
    "PieceMoves",
    "Plane",
    "Player",
    "Reason",
    "Recordings",
    "Remark",
    "ResultForm",
    "RuleSet",
    "ScoreForm",
    "ScorePart",
    "SelfDrawing",
    "Square",
    "StateT",
    "StateWriter",
    "Step",
    "Team",
    "TeamResult",
    "Text",
    "Tile",
    "TilePlacement",
    "Violation",
    "Weight",
    "WinnerForm",
    "describe_end",
    "divide",
    "perft",
    "playout",
    "random_game",
    "require_move",
    "require_text",
    "rounds_left",
    "victory_points",
]
