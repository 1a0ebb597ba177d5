"""What the projector shows when, by a clock of the test."""

from __future__ import annotations

from typing import Any

import pytest

from spielleiter.analysis import Judgement
from spielleiter.feeds.live import LiveGame
from spielleiter.game import Text
from spielleiter.referee import GameEnded
from spielleiter.referee.verdict import undecided
from spielleiter.web.watch.show import (
    INTRODUCTION_SECONDS,
    RESULT_SECONDS,
    TURNING_POINT_SECONDS,
    Scene,
    Show,
    turning_point,
)
from tests.support import histories
from tests.support.live_games import SOURCE, course

STATES = course()
NOW = 1000.0


class Stage:
    """The show with games that need no game master."""

    def __init__(self, *, has_season: bool = True) -> None:
        self.show = Show()
        self.games: list[LiveGame] = []
        self.now = NOW
        self.has_season = has_season
        self.is_over = False

    def begin(self, room: str, plies: int = 5) -> LiveGame:
        game = LiveGame(room, histories.begin(STATES, room=room, names=("A", "B"), at=NOW), NOW, source=SOURCE)
        self.games.insert(0, game)
        self.move(game, plies)
        return game

    def move(self, game: LiveGame, plies: int) -> None:
        for made in list(histories.moves_between(STATES, NOW))[len(game.history.plies) : plies]:
            game.history.follow(made)
        game.asked = self.now

    def end(self, game: LiveGame) -> None:
        result = undecided(game.history.state, Text("ein Grund", "a reason"))
        game.history.follow(GameEnded(game.room_id, result, game.history.state, self.now))
        game.ended = self.now
        self.games.sort(key=lambda each: each.is_over)

    def shown(self) -> Any:
        return self.show.shown(self.games, has_season=self.has_season, is_over=self.is_over, now=self.now)


def test_a_search_without_a_result_is_not_shown_as_an_even_chance(stage: Stage) -> None:
    game = stage.begin("room", plies=3)
    game.judgements[0] = None
    assert game.chance_at(3) is None
    game.judgements[1] = Judgement(0.1, None, (), 8)
    game.judgements[2] = None
    assert (game.chance_at(0), game.chance_at(3)) == (None, 0.1)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_before_the_round_the_programme_and_at_the_end_the_winner(stage: Stage) -> None:
    assert stage.shown().scene is Scene.PROGRAMME
    stage.is_over = True
    assert stage.shown().scene is Scene.WINNER


def test_without_a_season_the_last_game_stays(stage: Stage) -> None:
    stage.has_season = False
    assert stage.shown().scene is Scene.WAITING
    game = stage.begin("room")
    stage.end(game)
    stage.now += 1000
    assert (stage.shown().scene, stage.shown().game) == (Scene.GAME, game)


def test_after_a_game_come_its_end_its_turning_point_and_the_programme(stage: Stage) -> None:
    game = stage.begin("M1-A1-1")
    best = STATES[3].legal_moves()[0]
    for ply, chance in enumerate((0.5, 0.5, 0.5, 0.5, 0.9, 0.9)):
        move = best if STATES[ply + 1].last_move != best else STATES[3].legal_moves()[1]
        game.judgements[ply] = Judgement(chance, move, (), 8)
    assert turning_point(game) == 3
    stage.end(game)
    assert stage.shown().scene is Scene.GAME
    stage.now += RESULT_SECONDS + 1
    shown = stage.shown()
    assert (shown.scene, shown.game, shown.ply) == (Scene.TURNING_POINT, game, 3)
    stage.now += TURNING_POINT_SECONDS
    assert stage.shown().scene is Scene.PROGRAMME


def test_the_next_game_of_the_encounter_comes_before_a_more_exciting_one(stage: Stage) -> None:
    first = stage.begin("M1-A1-1")
    assert stage.shown().game is first
    stage.end(first)
    second, other = stage.begin("M1-A1-2", 1), stage.begin("M1-A2-1", 30)
    assert stage.shown().game is first  # Its end stays for a moment.
    stage.now += RESULT_SECONDS + 1
    for game in (second, other):
        game.asked = stage.now
    assert stage.shown().game is second


def test_another_encounter_takes_over_only_if_it_is_clearly_more_exciting(stage: Stage) -> None:
    first = stage.begin("M1-A1-1", 20)
    assert stage.shown().game is first
    other = stage.begin("M1-A2-1", 21)
    assert stage.shown().game is first
    stage.now += 200
    other.asked = stage.now
    assert stage.shown().game in (first, other)


def test_a_picked_game_stays_also_when_it_is_over(stage: Stage) -> None:
    dull, exciting = stage.begin("M1-A1-1", 0), stage.begin("M1-A2-1", 30)
    assert stage.shown().game is exciting
    stage.show.pick(dull.room_id)
    assert stage.shown().game is dull
    stage.end(dull)
    stage.now += 100
    exciting.asked = stage.now
    assert stage.shown().game is dull
    stage.show.pick(None)
    assert stage.shown().game is exciting


def test_the_teams_are_introduced_once_while_the_first_game_of_their_encounter_begins(stage: Stage) -> None:
    game = stage.begin("M1-A1-1", 1)
    assert stage.shown().scene is Scene.INTRODUCTION
    stage.now += INTRODUCTION_SECONDS
    stage.move(game, 3)
    assert stage.shown().scene is Scene.GAME
    stage.end(game)
    stage.now += 100
    stage.begin("M1-A1-2", 0)
    assert stage.shown().scene is Scene.GAME, "the same teams"
    late = stage.begin("M1-A2-1", 20)
    stage.show.pick(late.room_id)
    assert stage.shown().scene is Scene.GAME, "picked by hand"


def test_a_game_that_is_further_on_is_shown_at_once(stage: Stage) -> None:
    stage.begin("M1-A1-1", 10)
    assert stage.shown().scene is Scene.GAME


def test_a_held_show_stays_where_it_is(stage: Stage) -> None:
    game = stage.begin("M1-A1-1", 5)
    stage.show.hold(stage.shown())
    stage.move(game, 9)
    assert stage.shown().ply == 5
    stage.show.hold(None)
    assert stage.shown().ply == 9


def test_of_a_move_one_sentence_is_said_when_the_engine_has_looked(stage: Stage) -> None:
    capture = next(
        ply
        for ply in range(1, len(STATES) - 1)
        if (STATES[ply].one | STATES[ply].two).bit_count() < (STATES[ply - 1].one | STATES[ply - 1].two).bit_count()
    )
    game = stage.begin("M1-A1-1", capture)
    waiting = stage.show.remark(game, capture, with_engine=True)
    assert waiting is None or waiting[0] < capture
    game.judgements[capture] = Judgement(0.5, STATES[capture].legal_moves()[0], (), 8)
    said = stage.show.remark(game, capture, with_engine=True)
    assert said is not None
    assert "frisst" in said[1].de
    game.judgements[capture - 1] = Judgement(1.0, None, (), 8)  # Too late: the sentence was said.
    assert stage.show.remark(game, capture, with_engine=True) == said
    assert stage.show.remark(stage.begin("M1-A2-1", capture), capture, with_engine=False) == said
