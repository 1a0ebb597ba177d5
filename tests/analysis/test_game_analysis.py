"""The analysis of recorded games: losses, turning points and summaries by scripted judgements, and by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from spielleiter import games
from spielleiter.analysis import Analyst, GameAnalysis, Judgement, MoveClass, analyse
from spielleiter.errors import EngineMissing
from spielleiter.game import TEAMS, AnyGame, Team
from spielleiter.records.load import open_any
from spielleiter.records.record import GameRecord
from spielleiter.search import Budget
from tests.support.played import needs_engine
from tests.support.records_stage import Stage

GAME = games.load("piranhas-2026")


@pytest.fixture(autouse=True)
def _close_writers() -> Iterator[None]:
    yield
    while Stage.opened:
        Stage.opened.pop().writer.close()


class Scripted(Analyst):
    """Judges by a list of chances; the best move is the last legal one, or the one that will be played."""

    def __init__(self, chances: Sequence[float], record: GameRecord, agreeing: Sequence[int] = ()) -> None:
        super().__init__()
        self._chances = list(chances)
        self._record = record
        self._agreeing = agreeing
        self._ply = len(self._chances)

    def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement:
        self._ply -= 1  # From the end.
        if self._ply in self._agreeing:
            best = game.notation.parse_move(state, self._record.moves[self._ply].move)
        else:
            played = self._record.moves[self._ply].move if self._ply < len(self._record.moves) else None
            best = next(move for move in state.legal_moves() if game.notation.format_move(state, move) != played)
        return Judgement(self._chances[self._ply], best)


def analysed(folder: Path, chances: Sequence[float], agreeing: Sequence[int] = ()) -> GameAnalysis:
    record = open_any(Stage(folder, GAME).play(len(chances) - 1).end("left"))
    analysis, analyst = GameAnalysis.of(record), Scripted(chances, record, agreeing)
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


def test_a_summary_gives_average_loss_accuracy_and_classes(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.5, 0.25, 0.25, 0.19])
    one = analysis.summary(Team.ONE)
    assert (one.moves, round(one.average_loss, 3), round(one.accuracy or 0)) == (2, 0.155, 54)
    assert [one.classes[found] for found in MoveClass] == [0, 0, 1, 0, 1]
    assert one.text("Ada").de == (
        "Ada spielte mit einer Genauigkeit von 54,4 % und verlor im Mittel 15,5 Prozentpunkte Gewinnchance pro Zug"
        " (grobe Fehler: 1, Fehler: 0, Ungenauigkeiten: 1)."
    )
    assert "54.4 % and lost 15.5 percentage points" in one.text("Ada").en
    assert analysis.summary(Team.TWO).classes[MoveClass.BLUNDER] == 0


def test_a_slow_slide_is_found_where_no_move_was_a_blunder(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, [0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97])
    assert analysis.turning_points == []
    assert [(slide.first, slide.last, slide.team) for slide in analysis.slides] == [(1, 6, Team.ONE)]


def test_an_analysis_can_be_read_while_it_grows(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).play(3).end("left"))
    analysis, analyst = GameAnalysis.of(record), Scripted([0.5, 0.4, 0.3, 0.2], record)
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


def test_without_the_engine_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyst, "why_unavailable", lambda self, game: game.title)
    record = open_any(Stage(tmp_path, GAME).play(1).end("left"))
    with pytest.raises(EngineMissing, match="native engine") as refused:
        analyse(record, Budget(nodes=10))
    assert "Engine" in refused.value.text.de


def test_what_seems_an_error_is_looked_at_again_and_longer(tmp_path: Path) -> None:
    record = open_any(Stage(tmp_path, GAME).play(4).end("left"))
    analysis, asked = GameAnalysis.of(record), []
    first, second = [0.5, 0.1, 0.1, 0.1, 0.1], 0.5

    class Hasty(Analyst):
        def judge(self, game: AnyGame, state: Any, budget: Budget) -> Judgement:
            ply = analysis.states.index(state)
            asked.append((ply, budget.nodes))
            played = record.moves[ply].move if ply < 4 else None
            best = next(move for move in state.legal_moves() if game.notation.format_move(state, move) != played)
            return Judgement(first[ply] if budget.nodes == 10 else second, best)

    list(analysis.steps(Hasty(), Budget(nodes=10)))
    assert [ply for ply, nodes in asked if nodes == 10] == [4, 3, 2, 1, 0]
    assert {nodes for _, nodes in asked} == {10, 40}
    assert analysis.moves[0].loss == 0
    assert len(asked) == len(set(asked))  # Nothing twice.
