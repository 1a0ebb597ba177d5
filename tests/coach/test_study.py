"""The costliest moves of a match that was really played, in bounded time; and what they become in report and drill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spielleiter.analysis import Analyst
from spielleiter.coach.drill import make_drill, read_drill, write_drill
from spielleiter.coach.own_games import OwnGames, read_own_games
from spielleiter.coach.report import CoachReport
from spielleiter.coach.study import MAX_CANDIDATES, Study
from spielleiter.errors import EngineMissing
from tests.support.coached_match import LOSER, played_match, shorten_looks
from tests.support.played import needs_engine

pytestmark = needs_engine


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> OwnGames:
    return read_own_games([played_match(tmp_path_factory.mktemp("study") / "match")], LOSER)


@pytest.fixture(scope="module")
def studied(own: OwnGames) -> Study:
    study = Study(own, 60.0)
    with pytest.MonkeyPatch.context() as patched:
        shorten_looks(patched)
        for done, total in study.steps():
            assert 0 < done <= total
    return study


def test_costly_moves_are_the_players_own_and_have_better_ones(own: OwnGames, studied: Study) -> None:
    assert 0 < len(studied.costly) <= MAX_CANDIDATES
    losses = [move.loss for move in studied.costly]
    assert losses == sorted(losses, reverse=True)
    for move in studied.costly:
        assert move.move_class.is_error
        assert move.played.before.to_move is move.game.team
        assert own.game.notation.format_state(move.played.before) == move.position
        assert move.game.history.plies[move.ply - 1] == move.played
        assert move.better
        assert move.played.text not in move.acceptable
    assert any(move.acceptable and move.acceptable[0] == move.better[0] for move in studied.costly)


def test_a_study_that_is_stopped_keeps_what_it_has_found(own: OwnGames) -> None:
    study = Study(own, 3.0)
    for done, _ in study.steps():
        if done == 12:
            break
    assert study.games == 0
    assert study.games_total == 2
    assert all(move.acceptable == () for move in study.costly)  # Nothing has had its second look.


def test_no_more_is_looked_at_when_the_time_is_up(own: OwnGames) -> None:
    moments = iter(range(0, 10_000, 10))
    study = Study(own, 5.0, now=lambda: float(next(moments)))
    assert list(study.steps()) == []
    assert study.costly == []


def test_without_the_engine_it_says_so(own: OwnGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyst, "why_unavailable", lambda self, game: game.title)
    with pytest.raises(EngineMissing):
        list(Study(own, 1.0).steps())


def test_the_report_of_a_study_is_json_in_both_languages(own: OwnGames, studied: Study) -> None:
    report = CoachReport.of(own, studied)
    german, english = json.loads(json.dumps([report.to_json("de"), report.to_json("en")]))
    assert german["results"] == english["results"] == {"won": 0, "drawn": 0, "lost": 2}
    assert english["studied_total"] == 2
    assert len(english["costly"]) <= 10
    assert any("Der teuerste Zug" in text for text in german["advice"])
    assert any("The costliest move" in text for text in english["advice"])


def test_the_drill_of_a_study_is_read_as_it_was_written(own: OwnGames, studied: Study, tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    drill = make_drill(own.game, own.player, studied.costly)
    assert drill.exercises
    assert write_drill(path, drill) == drill
    read = read_drill(path)
    assert [each.acceptable for each in read.exercises] == [each.acceptable for each in drill.exercises]
    assert write_drill(path, drill) == read  # The same positions are not added twice.
