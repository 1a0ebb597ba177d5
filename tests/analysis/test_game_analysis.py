"""The analysis of recorded games: losses, turning points and summaries by scripted judgements, and by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.analysis import Analyst, GameAnalysis, Judgement, MoveClass, analyse
from spielleiter.analysis.losses import Glances
from spielleiter.errors import EngineMissing
from spielleiter.game import TEAMS, AnyGame, Limits, Team
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.tasks import GameTask
from spielleiter.programs.entrants import resolve_all
from spielleiter.records.history import History
from spielleiter.records.load import open_any
from spielleiter.records.reader import parse_record
from spielleiter.search import Budget, engine
from tests.support.played import needs_engine
from tests.support.records_stage import Stage

GAME = games.load("piranhas-2026")
NO_HURRY = Limits(soft=3600.0, hard=7200.0)


@pytest.fixture(autouse=True)
def _close_writers() -> Iterator[None]:
    yield
    while Stage.opened:
        Stage.opened.pop().writer.close()


class Scripted(Analyst):
    """Judges by a list of chances; the best move is another than the one that will be played, or that one."""

    def __init__(self, chances: Sequence[float | None], record: History, agreeing: Sequence[int] = ()) -> None:
        super().__init__()
        self._chances = list(chances)
        self._record = record
        self._agreeing = agreeing
        self._ply = len(self._chances)

    def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement | None:
        self._ply -= 1  # From the end.
        chance = self._chances[self._ply]
        if chance is None:
            return None
        if self._ply in self._agreeing:
            best = game.notation.parse_move(state, self._record.moves[self._ply].text)
        else:
            played = self._record.moves[self._ply].text if self._ply < len(self._record.moves) else None
            best = next(move for move in state.legal_moves() if game.notation.format_move(state, move) != played)
        return Judgement(chance, best)


def analysed(folder: Path, chances: Sequence[float | None], agreeing: Sequence[int] = ()) -> GameAnalysis:
    record = open_any(Stage(folder, GAME).play(len(chances) - 1).end("left"))
    analysis, analyst = GameAnalysis(record), Scripted(chances, record, agreeing)
    while not analysis.is_complete:
        analysis.judge_next(analyst)
    return analysis


def test_a_team_loses_what_its_own_move_gave_away(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.5, 0.3, 0.4, 0.6, 0.1])
    assert [move.team for move in analysis.moves] == [Team.ONE, Team.TWO, Team.ONE, Team.TWO]
    assert [round(move.loss, 2) for move in analysis.moves] == [0.2, 0.1, 0.0, 0.0]
    assert [move.better is not None for move in analysis.moves] == [True, True, False, False]


def test_the_move_that_the_engine_would_play_loses_nothing(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.9, 0.1, 0.5], agreeing=[0])
    assert [round(move.loss, 2) for move in analysis.moves] == [0.0, 0.4]


def test_the_worst_blunders_are_the_turning_points_in_their_order(tmp_path: Path) -> None:
    swings = [1.0, 0.0] * 7 + [0.15, 0.3]
    analysis = analysed(tmp_path, swings)
    assert len(analysis.turning_points) == 5
    plies = [move.ply for move in analysis.turning_points]
    assert plies == sorted(plies)
    assert 15 not in plies


def test_a_summary_gives_average_losses_accuracy_and_classes(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.5, 0.25, 0.25, 0.19])
    analysis.glances.update({0: Glances(stake=0.2), 2: Glances(points=0.4, stake=0.25)})
    one = analysis.summary(Team.ONE)
    assert (one.moves, round(one.average_loss, 3), round(one.accuracy or 0)) == (2, 0.155, 38)
    assert [one.classes[found] for found in MoveClass] == [0, 0, 1, 0, 1, 0]
    assert one.text("Ada").de == (
        "Ada spielte mit einer Genauigkeit von 38,0 % und verlor pro Zug im Mittel 15,5 Prozentpunkte Gewinnchance und"
        " 0,2 erwartete Punkte (grobe Fehler: 1, Fehler: 0, Ungenauigkeiten: 1)."
    )
    assert "38.0 % and lost 15.5 percentage points" in one.text("Ada").en
    two = analysis.summary(Team.TWO)
    assert (two.classes[MoveClass.BLUNDER], two.classes[MoveClass.NO_DIFFERENCE]) == (0, 1)
    assert two.text("Bo").en == "Nothing was ever at stake for Bo."


def test_a_search_without_a_result_gives_no_chance_and_judges_no_move(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.01, 0.01, None, 0.01, 0.0])
    assert analysis.chances == [0.01, 0.01, None, 0.01, 0.0]
    assert [move.ply for move in analysis.moves] == [1, 4]
    assert analysis.turning_points == analysis.slides == []


def test_a_second_look_without_a_result_takes_no_value_away(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).play(1).end("left"))
    analysis, asked = GameAnalysis(record), []

    class Busy(Analyst):
        def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement | None:
            ply = analysis.states.index(state)
            asked.append((ply, budget.nodes))
            other = next(move for move in state.legal_moves() if move != analysis.states[1].last_move)
            return Judgement((0.9, 0.1)[ply], other) if budget.nodes == 10 else None

        def glance(self, game: AnyGame, state: Any) -> Judgement | None:
            return None

    list(analysis.steps(Busy(), Budget(nodes=10)))
    assert asked[2:] == [(1, 40), (0, 40)]
    assert analysis.chances == [0.9, 0.1]


def test_a_slide_goes_on_over_a_position_of_which_nothing_is_known(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.4, 0.5, None, 0.7, 0.8, 0.9])
    assert [(slide.first, slide.last) for slide in analysis.slides] == [(0, 5)]


def test_a_position_of_which_a_hasty_look_saw_nothing_is_looked_at_until_something_is_known(
    tmp_path: Path,
) -> None:
    record = open_any(Stage(tmp_path, GAME).play(3).end("left"))
    analysis, asked, hasty = GameAnalysis(record), [], Budget(nodes=10)

    class Busy(Analyst):
        def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement | None:
            ply = analysis.states.index(state)
            asked.append((ply, budget))
            return None if ply == 0 or (ply == 2 and budget == hasty) else Judgement(0.5, state.legal_moves()[0])

        def glance(self, game: AnyGame, state: Any) -> Judgement | None:
            return Judgement(0.5)

    list(analysis.steps(Busy(), hasty))
    assert asked == [(3, hasty), (2, hasty), (2, Budget(depth=1)), (1, hasty), (0, hasty), (0, Budget(depth=1))]
    assert analysis.chances == [None, 0.5, 0.5, 0.5]


def test_a_slow_slide_is_found_where_no_move_was_a_blunder(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97])
    assert analysis.turning_points == []
    assert [(slide.first, slide.last, slide.team) for slide in analysis.slides] == [(1, 6, Team.ONE)]


def test_an_analysis_can_be_read_while_it_grows(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).play(3).end("left"))
    analysis, analyst = GameAnalysis(record), Scripted([0.5, 0.4, 0.3, 0.2], record)
    assert analysis.moves == analysis.turning_points == []
    analysis.judge_next(analyst)
    analysis.judge_next(analyst)
    assert analysis.chances == [None, None, 0.3, 0.2]
    assert len(analysis.moves) == 1
    assert not analysis.is_complete


def test_without_a_move_nothing_is_lost(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.5])
    assert [analysis.summary(team).average_loss for team in TEAMS] == [0.0, 0.0]
    assert [analysis.summary(team).accuracy for team in TEAMS] == [None, None]
    assert analysis.summary(Team.ONE).text("Ada").de == "Ada hat nicht gezogen."


@needs_engine
def test_a_whole_game_ends_with_its_outcome(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).end("regular"))
    seen: list[tuple[int, int]] = []
    analysis = analyse(record, Budget(nodes=300), progress=lambda done, total: seen.append((done, total)))
    assert record.result is not None
    winner = record.result.winner
    assert analysis.chances[-1] == (0.5 if winner is None else float(winner is Team.ONE))
    assert len(analysis.moves) == len(record.moves)
    assert all(0 <= move.loss <= 1 for move in analysis.moves)
    assert seen[-1] == (len(analysis.states), len(analysis.states))


@needs_engine
def test_nodes_give_the_same_analysis_every_time(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).play(12).end("left"))
    first, second = (analyse(record, Budget(nodes=300)).chances for _ in range(2))
    assert first == second


@pytest.mark.slow
@needs_engine
def test_who_lays_random_pieces_has_a_far_lower_accuracy_than_a_good_player_in_the_same_game() -> None:
    game = games.load("blokus-2021")
    one, two = resolve_all(["random:seed=1", "level8:seed=1"])
    start = game.notation.format_state(game.new_state(Random(1)))
    finished = play_in_process(GameTask(id="g", game=game.key, start=start, entrants=(one, two), limits=NO_HURRY))
    assert finished.record is not None
    analysis = analyse(parse_record(finished.record), Budget(nodes=500))
    lots, good = (analysis.summary(team) for team in TEAMS)
    assert finished.row.winner is Team.TWO
    assert lots.accuracy is not None
    assert good.accuracy is not None
    assert lots.accuracy < 30 < 50 < good.accuracy
    assert lots.classes[MoveClass.BEST] < lots.moves / 5
    assert lots.average_points > 2 * good.average_points


def test_without_the_engine_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    record = open_any(Stage(tmp_path, GAME).play(1).end("left"))
    with pytest.raises(EngineMissing, match="native engine") as refused:
        analyse(record, Budget(nodes=10))
    assert "Engine" in refused.value.text.de


def test_what_seems_an_error_is_looked_at_again_and_longer(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).play(4).end("left"))
    analysis, asked = GameAnalysis(record), []
    first, second = [0.5, 0.1, 0.1, 0.1, 0.1], 0.5

    class Hasty(Analyst):
        def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement:
            ply = analysis.states.index(state)
            asked.append((ply, budget.nodes))
            played = record.moves[ply].text if ply < 4 else None
            best = next(move for move in state.legal_moves() if game.notation.format_move(state, move) != played)
            return Judgement(first[ply] if budget.nodes == 10 else second, best)

        def glance(self, game: AnyGame, state: Any) -> Judgement | None:
            return None

    list(analysis.steps(Hasty(), Budget(nodes=10)))
    assert [ply for ply, nodes in asked if nodes == 10] == [4, 3, 2, 1, 0]
    assert {nodes for _, nodes in asked} == {10, 40}
    assert analysis.moves[0].loss == 0
    assert len(asked) == len(set(asked))  # Nothing twice.
