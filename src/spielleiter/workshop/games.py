"""Games of a workshop's player, one or many, against a built-in player: what happens in them, as it happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from spielleiter import players
from spielleiter.errors import CodeRefused, EngineMissing
from spielleiter.game import AnyGame, AnyPlayer, Limits, Team, Text
from spielleiter.matches.openings import Openings
from spielleiter.players.direct_game import DirectGame
from spielleiter.rating.elo import EloEstimate, estimate, more_games
from spielleiter.rating.formatting import number
from spielleiter.rating.pairs import PlayedGame, Tally, tally
from spielleiter.records.history import History
from spielleiter.referee import GameEnded, MoveMade
from spielleiter.search import engine
from spielleiter.workshop.player import WorkshopPlayer
from spielleiter.workshop.problems import Problem
from spielleiter.workshop.program import Program

OWN = Text("mein-spieler", "my-player")
"""What a player is called whose author has not named it."""
RANDOM_MOVES = 4
"""Random moves at the beginning of each game of a match, so that the games differ."""
OPPONENTS = ("random", "greedy", "student", "solid", "explorer")
"""The players in Python, the weakest first."""
ENGINE_OPPONENTS = (*(level.name for level in players.LEVELS), "club", "expert")
"""Opponents on the engine, the weakest first, where the release includes it as WebAssembly."""


def require_engine(opponent: str) -> None:
    """Raise ``EngineMissing`` if the opponent plays on the engine, and the page has not brought it."""
    if opponent.partition(":")[0] in ENGINE_OPPONENTS and engine.why_unavailable() is not None:
        # A level that searches in Python would be another player.
        raise EngineMissing(
            "Die Engine ist hier nicht geladen. Wähle einen Gegner in Python.",
            "The engine is not loaded here. Choose an opponent in Python.",
        )


def opponent_title(name: str) -> Text:
    """What people call an opponent."""
    player = players.BUILT_IN[name]
    if player.level is None:
        return player.title
    return Text(f"Stufe {player.level.number}", f"Level {player.level.number}")


@dataclass(frozen=True, slots=True)
class GameSetup:
    """How a game is played."""

    game: AnyGame
    opponent: str
    seconds: float
    """For a move."""
    names: tuple[str, str]
    """Names of the workshop's player and its opponent."""

    @property
    def limits(self) -> Limits:
        usual = self.game.limits
        return Limits(self.seconds, self.seconds * usual.hard / usual.soft)


class WorkshopGame:
    """One game between the program and a built-in player."""

    def __init__(self, program: Program, setup: GameSetup, start: Any, team: Team) -> None:
        """``team`` is the side of the program. Raises ``CodeRefused`` if the program makes no player.

        Raises ``EngineMissing`` if the opponent needs the engine, and the page has not brought it.
        """
        require_engine(setup.opponent)
        self.setup, self.team = setup, team
        self.own = WorkshopPlayer(program, setup.game, lambda: self.history)
        opponent: AnyPlayer = players.load(setup.opponent)
        own, other = setup.names
        is_first = team is Team.ONE
        self.direct = DirectGame(
            "workshop",
            setup.game,
            start,
            (self.own, opponent) if is_first else (opponent, self.own),
            (own, other) if is_first else (other, own),
            limits=setup.limits,
            can_timeout=(is_first, not is_first),
            explain=_explain,
        )

    @property
    def history(self) -> History:
        return self.direct.history

    def play(self) -> Iterator[MoveMade | GameEnded]:
        """Play to the end; ``history`` has what has happened."""
        for event in self.direct.play():
            self.history.follow(event)
            yield event

    @property
    def problem(self) -> Problem | None:
        """What the program did wrong, once the game is over."""
        result = self.history.result
        if result is None or self.team not in result.offenders():
            return None
        return self.own.last.problem or Problem("move", result.reason)


def _explain(team: Team, error: Exception) -> Text:
    return error.problem.text if isinstance(error, CodeRefused) else Text(repr(error), repr(error))


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """One finished game of a match."""

    number: int
    team: Team
    """The side of the program."""
    history: History
    problem: Problem | None

    @property
    def points(self) -> float:
        """1, ½ or 0 for the program."""
        assert self.history.result is not None
        winner = self.history.result.winner
        return 0.5 if winner is None else float(winner is self.team)


def play_match(program: Program, setup: GameSetup, games: int, seed: int = 0) -> Iterator[ProgramResult]:
    """Games in pairs: every start twice, with sides swapped."""
    openings = Openings(seed=seed, random_moves=RANDOM_MOVES)
    for index in range(games):
        start = setup.game.notation.parse_state(openings.position(setup.game, index // 2))
        team = Team(index % 2)
        played = WorkshopGame(program, replace(setup, opponent=_seeded(setup.opponent, index)), start, team)
        for _ in played.play():
            pass
        yield ProgramResult(index, team, played.history, played.problem)


def _seeded(opponent: str, index: int) -> str:
    """The same opponent, playing the same way each time that this game is played."""
    return f"{opponent}:seed={index}" if "seed" in players.BUILT_IN[opponent].options else opponent


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """What the games of a match say."""

    tally: Tally
    elo: EloEstimate
    sentences: tuple[Text, ...]


_OWN_KEY, _OTHER_KEY = "own", "other"


def summarise(games: list[ProgramResult], setup: GameSetup) -> MatchSummary:
    """The result in pairs, with its error, and what it would take to know more."""
    played = [
        PlayedGame(
            *((_OWN_KEY, _OTHER_KEY) if game.team is Team.ONE else (_OTHER_KEY, _OWN_KEY)),
            None if game.history.result is None else game.history.result.winner,
            str(game.number // 2),
        )
        for game in games
    ]
    counted = tally(played, _OWN_KEY, _OTHER_KEY)
    elo = estimate(counted)
    return MatchSummary(counted, elo, (elo.explain(*setup.names), *_how_many_more(counted, elo)))


_CLOSE = 20.0
"""Elo: players that are nearer are hardly worth telling apart."""


def _how_many_more(counted: Tally, elo: EloEstimate) -> Iterator[Text]:
    if not elo.games or elo.decided:
        return
    more = max(2, more_games(counted, max(abs(elo.elo), _CLOSE)))
    if abs(elo.elo) < _CLOSE:
        close = number(_CLOSE)
        yield Text(
            f"Die beiden sind fast gleich stark: Auf {close.de} Elo genau weißt du es nach {more} weiteren Spielen.",
            f"The two are about equal: it takes {more} more games to know it to {close.en} Elo.",
        )
    else:
        yield Text(
            f"Spiele noch {more} Spiele, um es zu wissen, wenn es so weitergeht.",
            f"Play {more} more games to know, if things go on as they are.",
        )
