"""What the projector shows: one scene at a time, the same for all viewers.

It follows by itself: a game, how it ended, its turning point, the next game, and between the rounds the programme. An
organiser or the host may pick the game, and hold the show where it is. Law: everything here happens in the event loop,
and players never wait for it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from spielleiter.analysis import Judgement, comment
from spielleiter.analysis.commentary import missed_chance
from spielleiter.contest.season.names import parse_game_name
from spielleiter.feeds.channel import Channel
from spielleiter.feeds.live import LiveGame
from spielleiter.game import Team, Text
from spielleiter.pages.season.page_index import Pages

INTRODUCTION_SECONDS = 9.0
"""How long the two teams of an encounter are introduced, while its first game begins."""
RESULT_SECONDS = 6.0
"""How long the end of a game is shown."""
TURNING_POINT_SECONDS = 10.0
"""And so long its turning point after that."""
PROGRAMME_SECONDS = 10.0
"""How long one page of the programme is shown."""
_CLEAR_LEAD = 0.25
_ASLEEP_SECONDS = 90.0
"""Seconds without a move until the projector leaves a game."""
_OPENING_PLIES = 4
"""A game that is further on when it comes to the screen is shown at once."""
_REMARK_PLIES = 4
"""Plies for which a sentence stays on the screen, unless another one comes."""


MAX_QUESTIONS = 100
MAX_BROWSERS = 5000
"""For each question."""


class Guesses:
    """Who wins? The guesses of a class: one for each browser and encounter; the oldest questions are forgotten."""

    def __init__(self) -> None:
        self._questions: OrderedDict[str, dict[str, int]] = OrderedDict()

    def guess(self, question: str, browser: str, side: int) -> bool:
        """Remember that ``browser`` now believes in ``side`` (0 or 1); ``False`` if too many have guessed."""
        answers = self._questions.setdefault(question, {})
        self._questions.move_to_end(question)
        while len(self._questions) > MAX_QUESTIONS:
            self._questions.popitem(last=False)
        if browser not in answers and len(answers) >= MAX_BROWSERS:
            return False
        answers[browser] = side
        return True

    def counts(self, question: str) -> tuple[int, int]:
        """How many believe in each side."""
        answers = self._questions.get(question, {}).values()
        second = sum(answers)
        return len(answers) - second, second

    def of(self, browser: str) -> dict[str, int]:
        """What this browser has guessed, by question."""
        return {question: answers[browser] for question, answers in self._questions.items() if browser in answers}


class Scene(Enum):
    """What kind of thing is shown."""

    WAITING = "waiting"
    CLASS = "class"
    """What the host of a class has chosen: the join code, a task, pairs, a table."""
    PROGRAMME = "programme"
    INTRODUCTION = "introduction"
    GAME = "game"
    TURNING_POINT = "turning-point"
    WINNER = "winner"


@dataclass(frozen=True, slots=True)
class Shown:
    """What is on the screen: a scene, and of a game the position after so many plies."""

    scene: Scene
    game: LiveGame | None = None
    ply: int = 0


class Show:
    """The state of the projector."""

    def __init__(self) -> None:
        self.channel = Channel()
        """Every change of what is shown."""
        self.guesses = Guesses()
        self.picked: str | None = None
        """The room that was picked by hand; ``None``: the most exciting game."""
        self.held: Shown | None = None
        """Where the show was held; ``None``: it goes on."""
        self.pages: Pages | None = None
        """The season as it was read last, if there is one."""
        self._on_stage: str | None = None
        self._introduced: tuple[str, float] = ("", 0.0)
        """The encounter whose teams were introduced last, and until when."""
        self._remarks: dict[tuple[str, int], Text | None] = {}
        self._task: asyncio.Task[None] | None = None
        self._seen = 0.0

    def close(self) -> None:
        """Show nothing more."""
        if self._task is not None:
            self._task.cancel()
        self.channel.close()

    # --- by itself ----------------------------------------------------------------------------------------------------

    def watched(self, run: Callable[[], asyncio.Task[None]]) -> None:
        """There is a viewer; ``run`` starts what keeps the show going, if it does not run."""
        self._seen = time.monotonic()
        if self._task is None or self._task.done():
            self._task = run()

    @property
    def is_watched(self) -> bool:
        """Whether there was a viewer in the last minute."""
        return time.monotonic() - self._seen < 60.0

    def shown(self, games: Sequence[LiveGame], *, has_season: bool, is_over: bool, now: float) -> Shown:
        """What to show now. ``games`` are running ones first, then finished ones, the newest first in both."""
        if self.held is not None:
            return self.held
        game = self._choose(games, has_season=has_season, now=now)
        if game is None:
            between = Scene.WINNER if is_over else Scene.PROGRAMME
            return Shown(between if has_season else Scene.WAITING)
        if game.is_over and game.room_id != self.picked and now - game.ended >= RESULT_SECONDS:
            ply = turning_point(game)
            if ply is not None and now - game.ended < RESULT_SECONDS + TURNING_POINT_SECONDS:
                return Shown(Scene.TURNING_POINT, game, ply)
        if has_season and self._introduces(game, now):
            return Shown(Scene.INTRODUCTION, game)
        return Shown(Scene.GAME, game, len(game.history.plies))

    def _introduces(self, game: LiveGame, now: float) -> bool:
        """Whether the teams are introduced: as soon as the first game of their encounter comes to the screen."""
        name = parse_game_name(game.room_id)
        if name is None or game.is_over or game.room_id == self.picked:
            return False
        encounter, until = self._introduced
        if encounter != name.encounter:
            is_new = name.number == 1 and len(game.history.plies) <= _OPENING_PLIES
            until = now + INTRODUCTION_SECONDS if is_new else 0.0
            self._introduced = name.encounter, until
        return now < until

    def _choose(self, games: Sequence[LiveGame], *, has_season: bool, now: float) -> LiveGame | None:
        """The game for the screen: the picked one, the present one and its end, the next of its encounter, the best."""
        by_room = {game.room_id: game for game in games}
        if self.picked is not None and self.picked in by_room:
            self._on_stage = self.picked
            return by_room[self.picked]
        present = None if self._on_stage is None else by_room.get(self._on_stage)
        if present is not None and present.is_over and now - present.ended < _stay(present):
            return present
        running = [game for game in games if not game.is_over]
        same = [game for game in running if self._on_stage and _encounter(game.room_id) == _encounter(self._on_stage)]
        best = max(same or running, key=lambda game: excitement(game, now), default=None)
        if best is not None and present in running and present is not None:
            stays = excitement(best, now)[0] < excitement(present, now)[0] + _CLEAR_LEAD
            best = present if stays or same else best
        if best is None:  # A quick game may be over before it was seen.
            best = next((game for game in games if not has_season or now - game.ended < RESULT_SECONDS), None)
        self._on_stage = None if best is None else best.room_id
        return best

    # --- by hand ------------------------------------------------------------------------------------------------------

    def pick(self, room_id: str | None) -> None:
        """Show this game, or by itself again."""
        self.picked, self.held = room_id, None
        self.channel.publish()

    def hold(self, shown: Shown | None) -> None:
        """Stay here; ``None``: go on."""
        self.held = shown
        self.channel.publish()

    # --- words --------------------------------------------------------------------------------------------------------

    def remark(self, live: LiveGame, ply: int, *, with_engine: bool) -> tuple[int, Text] | None:
        """The newest sentence about the last moves before ``ply``, and to which ply it belongs."""
        for at in range(ply, max(0, ply - _REMARK_PLIES), -1):
            said = self._said(live, at, with_engine=with_engine)
            if said is not None:
                return at, said
        return None

    def _said(self, live: LiveGame, ply: int, *, with_engine: bool) -> Text | None:
        """The one sentence about a move: made once, when the engine has looked or will not any more."""
        key = (f"{live.room_id} {live.started}", ply)
        if key not in self._remarks:
            judged = judgements(live, ply)
            is_newest = ply == len(live.history.plies) and not live.is_over
            if with_engine and is_newest and judged[-1] is None:
                return None
            if len(self._remarks) > 2000:
                self._remarks.clear()
            played = live.history.plies[ply - 1]
            self._remarks[key] = comment(live.history.game, played, judged)
        return self._remarks[key]


def judgements(live: LiveGame, ply: int) -> list[Judgement | None]:
    """What the engine thinks of all positions until ``ply``."""
    return [live.judgements.get(at) for at in range(ply + 1)]


def turning_point(live: LiveGame) -> int | None:
    """The ply before the worst blunder of a game, of those that the engine is sure of; ``None`` if there was none."""
    judged = judgements(live, len(live.history.plies))
    losses = {ply: missed_chance(played, judged[ply], judged[ply + 1]) for ply, played in enumerate(live.history.plies)}
    found = {ply: loss for ply, loss in losses.items() if loss is not None}
    return max(found, key=lambda ply: found[ply], default=None)


def _stay(live: LiveGame) -> float:
    return RESULT_SECONDS + (TURNING_POINT_SECONDS if turning_point(live) is not None else 0.0)


def _encounter(room_id: str) -> str:
    """What two games of one encounter have in common."""
    name = parse_game_name(room_id)
    return room_id if name is None else name.encounter


def excitement(live: LiveGame, now: float) -> tuple[float, float]:
    """How much a game is worth looking at: a close score counts, that there is something on the board, and moves."""
    if live.is_over:
        return (-2.0, live.started)
    if now - live.asked > _ASLEEP_SECONDS or live.is_lost:
        return (-1.0, live.asked)
    one, two = (sum(live.history.state.points(team)[1:2]) for team in (Team.ONE, Team.TWO))
    closeness = 1.0 - abs(one - two) / max(1, one + two)
    played = min(1.0, len(live.history.plies) / 30)
    return (closeness * (0.3 + played), live.started)
