"""The games of one player, from matches and records; and what is said about sources that are not whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.coach.own_games import read_own_games
from spielleiter.errors import RecordError, SettingsError
from spielleiter.game import Team, Text
from spielleiter.matches.plan import PLAN, RESULTS
from spielleiter.matches.results import ResultFile
from spielleiter.programs.side_result import Fault
from tests.support.coached_match import GAME, LOSER, WINNER, played_match
from tests.support.records_stage import Stage

PIRANHAS = games.load(GAME)


@pytest.fixture(autouse=True)
def _close_writers() -> Iterator[None]:
    yield
    while Stage.opened:
        Stage.opened.pop().writer.close()


@pytest.fixture
def match(tmp_path: Path) -> Path:
    return played_match(tmp_path / "match")


def test_a_match_is_seen_from_the_side_of_the_player(match: Path) -> None:
    loser, winner = (read_own_games([match], player) for player in (LOSER, WINNER))
    assert [game.team for game in loser.games] == [Team.ONE, Team.TWO]
    assert [game.opponent for game in loser.games] == [WINNER, WINNER]
    assert [game.points for game in loser.games] == [0.0, 0.0]
    assert [game.points for game in winner.games] == [1.0, 1.0]
    assert {game.limit for game in loser.games} == {2.0}
    assert all(game.side.move_times for game in loser.games)
    assert len({game.history.start for game in loser.games}) == 1
    assert loser.notices == ()


def test_records_alone_say_the_same_as_the_match(match: Path) -> None:
    by_match, by_records = read_own_games([match], LOSER), read_own_games([match / "records"], LOSER)
    assert [(game.team, game.points, game.history.start, game.side.fault) for game in by_match.games] == [
        (game.team, game.points, game.history.start, game.side.fault) for game in by_records.games
    ]


def test_a_player_who_is_not_there_is_refused_with_those_who_are(match: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        read_own_games([match], "random:sed=4")
    assert f"meinst du {LOSER}? Bekannt sind {WINNER}, {LOSER}" in refused.value.text.de
    assert "has no game here" in refused.value.text.en


def test_a_match_that_is_still_being_played_says_so(match: Path) -> None:
    playing = ResultFile(match / RESULTS)
    try:
        own = read_own_games([match], LOSER)
    finally:
        playing.close()
    assert len(own.games) == 2
    [notice] = own.notices
    assert "das Match läuft noch; hier zählt, was schon zu Ende ist (Spiele: 2 von 2)" in notice.de
    assert "still being played; only what has ended counts here (games: 2 of 2)" in notice.en
    assert read_own_games([match], LOSER).notices == ()


def test_a_match_that_was_killed_says_how_many_games_are_missing_and_how_to_go_on(match: Path) -> None:
    first, _ = (match / RESULTS).read_text().splitlines()
    (match / RESULTS).write_text(first + "\n" + '{"half a line')
    own = read_own_games([match], LOSER)
    assert len(own.games) == 1
    [notice] = own.notices
    assert f"(Spiele: 1 von 2). Es geht weiter mit: spielleiter match --resume {match}" in notice.de
    assert f"(games: 1 of 2). Go on with: spielleiter match --resume {match}" in notice.en


def test_a_match_that_ends_when_a_test_is_decided_has_no_missing_games(match: Path) -> None:
    plan = json.loads((match / PLAN).read_text())
    (match / PLAN).write_text(json.dumps({**plan, "games": 100, "sprt": [0, 10, 0.05, 0.05]}))
    assert read_own_games([match], LOSER).notices == ()


def test_only_the_last_attempt_of_a_game_counts_and_its_failure_is_known(match: Path) -> None:
    results = ResultFile(match / RESULTS)
    row = results.rows[0]
    crashed = replace(row.sides[0], fault=Fault.CRASH, failure=Text("IndexError (p.py, Zeile 3)", "IndexError (p.py)"))
    results.append(replace(row, attempt=2, sides=(crashed, row.sides[1]), record="records/gone.jsonl"))
    results.close()
    own = read_own_games([match], LOSER)
    assert [game.side.fault for game in own.games] == [None, Fault.CRASH]
    assert own.games[1].side.failure.en == "IndexError (p.py)"
    assert own.games[1].history.moves == ()
    assert own.games[1].side.move_times
    assert "fehlt die Aufzeichnung" in own.notices[0].de


def test_a_record_that_breaks_off_counts_its_moves_and_no_result(tmp_path: Path) -> None:
    path = Stage(tmp_path, PIRANHAS).play(5).path
    own = read_own_games([path], "Ada")
    assert [game.points for game in own.games] == [None]
    assert "Abgebrochen" in own.notices[0].de
    assert "Broken off" in own.notices[0].en


def test_a_fault_is_read_from_a_record(tmp_path: Path) -> None:
    path = Stage(tmp_path, PIRANHAS).play(4).end("late")
    [game] = read_own_games([path], "Ada").games
    assert (game.side.fault, game.points) == (Fault.LATE, 0.0)
    assert game.history.result is not None
    assert game.history.result.reason.en


def test_records_of_two_games_are_not_mixed(tmp_path: Path) -> None:
    for key in (GAME, "blokus-2027"):
        (tmp_path / key).mkdir()
        Stage(tmp_path / key, games.load(key)).play(2).end("left")
    with pytest.raises(SettingsError, match="records of different games") as refused:
        read_own_games([tmp_path], "Ada")
    assert "verschiedener Spiele (blokus-2027, piranhas-2026)" in refused.value.text.de


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no record in this folder"):
        read_own_games([tmp_path], "Ada")
