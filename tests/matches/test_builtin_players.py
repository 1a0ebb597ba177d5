"""Built-in players in a match: as processes like everybody else, and in this process for quick tests."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games, players
from spielleiter.analysis.adjudication import Adjudication
from spielleiter.errors import SettingsError, UnknownPlayer
from spielleiter.game import Clock, Limits
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor, assign_cores, available_cores
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.match import Match, MatchEnd
from spielleiter.matches.plan import MatchPlan, plan_from_json
from spielleiter.matches.tasks import GameTask
from spielleiter.programs.entrants import EntrantKind, resolve, resolve_all
from spielleiter.programs.sandbox import Level
from spielleiter.programs.side_result import Fault
from spielleiter.records.load import open_any
from spielleiter.records.reader import parse_record
from spielleiter.records.verify import Flaw, verify_record
from tests.support.hostile import works
from tests.support.no_sockets import forbid_sockets


def run(plan: MatchPlan, folder: Path, level: Level = Level.NONE) -> MatchEnd:
    async def play() -> MatchEnd:
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            return await Match(plan, folder, executor).run()

    return asyncio.run(play())


@pytest.mark.sandbox
def test_built_in_players_run_as_programs_in_the_sandbox(tmp_path: Path) -> None:
    works(Level.BUBBLEWRAP)
    plan = MatchPlan(game="ostseeschach-2022", entrants=resolve_all(["random:seed=1", "greedy"]), games=2)
    end = run(plan, tmp_path, Level.BUBBLEWRAP)
    assert [row.names for row in end.rows] == [("random:seed=1", "greedy"), ("greedy", "random:seed=1")]
    for row in end.rows:
        assert [side.fault for side in row.sides] == [None, None], row.reason
        assert [side.exit_code for side in row.sides] == [0, 0]
        assert all(side.sandbox.startswith("bubblewrap, ") for side in row.sides)


def test_a_match_in_this_process_opens_no_game_master_and_no_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbid_sockets(monkeypatch)
    plan = MatchPlan(game="piranhas-2026", entrants=resolve_all(["random", "greedy"]), games=2, in_process=True)
    assert len(run(plan, tmp_path).rows) == 2


@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
def test_in_process_games_are_played_and_repeatable(key: str, tmp_path: Path) -> None:
    plan = MatchPlan(game=key, entrants=resolve_all(["random:seed=1", "random:seed=2"]), games=4, in_process=True)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = run(plan, tmp_path / "a"), run(plan, tmp_path / "b")
    assert [row.final for row in first.rows] == [row.final for row in second.rows]
    assert {side.sandbox for row in first.rows for side in row.sides} == {"in-process"}
    for row in first.rows:
        assert verify_record(open_any(tmp_path / "a" / row.record)).findings == ()


def test_a_built_in_player_gets_the_time_limit() -> None:
    entrant = resolve("random:seed=3")
    assert entrant.kind is EntrantKind.BUILT_IN
    assert entrant.launch_spec((), limits=Limits(0.5)).arguments == ("--limit", "0.5")


def test_wrong_options_of_a_built_in_player_are_reported() -> None:
    with pytest.raises(UnknownPlayer, match="has no option 'depht'"):
        resolve("student:depht=3")


class Odd:
    """Does something wrong in its third move."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.moves = 0

    def choose(self, state: Any, seconds: float) -> Any:
        self.moves += 1
        if self.moves == 3:
            if self.how == "late":
                began = time.process_time()
                while time.process_time() < began + seconds + 0.01:
                    pass
            elif self.how == "kept waiting":
                time.sleep(seconds + 0.05)
            elif self.how == "crash":
                raise RuntimeError("boom")
            elif self.how == "illegal":
                return games.load("ostseeschach-2022").garbage_move(Random(0))
        return state.legal_moves()[0]


@pytest.mark.parametrize("how", ["late", "crash", "illegal"])
def test_a_fault_in_process_is_a_result_as_anywhere(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = MatchPlan(
        game="ostseeschach-2022", entrants=resolve_all(["random:seed=1", "random:seed=2"]), games=2, in_process=True,
        seconds=0.05,
    )  # fmt: skip
    real = players.load
    monkeypatch.setattr(players, "load", lambda text: Odd(how) if text == "random:seed=2" else real(text))
    for row in run(plan, tmp_path).rows:
        assert {side.name: side.fault for side in row.sides} == {"random:seed=1": None, "random:seed=2": Fault(how)}
        assert row.winner is not None
        assert row.names[row.winner] == "random:seed=1"
        assert verify_record(open_any(tmp_path / row.record)).is_sound


def test_in_process_only_what_a_player_computes_itself_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "load", lambda text: Odd("kept waiting"))
    game = games.load("ostseeschach-2022")
    start = game.notation.format_state(game.new_state(Random(1)))
    one, two = resolve_all(["random:seed=1", "random:seed=2"])
    played = play_in_process(GameTask(id="g", game=game.key, start=start, entrants=(one, two), limits=Limits(0.05)))
    assert [side.fault for side in played.row.sides] == [None, None]
    record = parse_record(played.record, "g")
    assert record.clock is Clock.PROCESSOR
    assert verify_record(record).findings == ()


def test_every_player_has_a_core_of_its_own_where_there_are_enough() -> None:
    assert assign_cores([0, 1, 2, 3, 4], 2) == [((1,), (2,)), ((3,), (4,))]
    assert assign_cores([0, 1], 2) == [((), ()), ((), ())]
    assert assign_cores([0, 1], 1) == [((0,), (1,))]


@pytest.mark.skipif(sys.platform != "linux", reason="cores are chosen on Linux only")
def test_cores_that_are_not_there_or_do_not_suffice_are_refused() -> None:
    settings = ArenaSettings(level=Level.NONE)
    cores = available_cores()
    with pytest.raises(SettingsError, match="no such processor cores here: 4000"):
        LocalExecutor(settings, cores=(*cores, 4000))
    with pytest.raises(SettingsError, match=f"2 games at once need 4 cores.*chosen: {min(len(cores), 3)}"):
        LocalExecutor(settings, cores=cores[:3], concurrency=2)
    if len(cores) > 1:
        assert LocalExecutor(settings, cores=cores[:2]).slots == 1


def test_a_program_of_ours_gets_the_clock() -> None:
    entrant = resolve("random")
    assert entrant.launch_spec((), limits=Limits.of_game(60, 0.5)).arguments == ("--limit", "60+0.5")


def test_a_game_with_a_clock_is_played_in_this_process_and_its_record_is_sound() -> None:
    game = games.load("ostseeschach-2022")
    one, two = resolve_all(["greedy", "random"])
    start = game.notation.format_state(game.new_state(Random(1)))
    task = GameTask(id="g", game=game.key, start=start, entrants=(one, two), limits=Limits.of_game(600, 1))
    record = parse_record(play_in_process(task).record, "g")
    assert record.limits[0] == Limits(600, 600, 1)
    assert verify_record(record).is_sound
    hasty = replace(record, limits=(Limits.of_game(0.0001, 0.0), None))
    assert Flaw.LATE_MOVE in [finding.kind for finding in verify_record(hasty).findings]


@pytest.mark.slow
def test_games_between_programs_are_ended_early_too(tmp_path: Path) -> None:
    plan = MatchPlan(
        game="ostseeschach-2022",
        entrants=resolve_all(["greedy:seed=1", "random:seed=1"]),
        games=2,
        clock=(600.0, 1.0),
        adjudication=Adjudication(lead=1, moves=2),
    )
    rows = run(plan, tmp_path).rows
    # A game may be over while its last positions are still looked at.
    assert any(row.adjudicated for row in rows)
    for row in rows:
        assert [side.fault for side in row.sides] == [None, None], row.reason
        assert verify_record(open_any(tmp_path / row.record)).findings == ()


def test_a_seed_makes_a_match_repeatable_move_by_move(tmp_path: Path) -> None:
    def moves(folder: str, seed: int | None, *names: str) -> list[tuple[str, ...]]:
        entrants = resolve_all(names)
        plan = MatchPlan(game="piranhas-2026", entrants=entrants, games=2, in_process=True, player_seed=seed)
        (tmp_path / folder).mkdir()
        rows = run(plan, tmp_path / folder).rows
        assert {name for row in rows for name in row.names} == {entrant.name for entrant in entrants}
        return [tuple(move.text for move in open_any(tmp_path / folder / row.record).moves) for row in rows]

    first = moves("first", 5, "random", "level1")
    assert moves("again", 5, "random", "level1") == first
    assert moves("other", 6, "random", "level1") != first
    alike = moves("alike", 5, "random", "random")
    assert alike[0] != alike[1], "each game and each side has chance of its own"
    given = moves("given", 5, "random:seed=1", "random:seed=2")
    assert moves("given again", 9, "random:seed=1", "random:seed=2") == given


def test_a_match_that_was_planned_without_a_seed_for_players_goes_on_without() -> None:
    plan = MatchPlan(game="piranhas-2026", entrants=resolve_all(["random", "greedy"]), games=2, player_seed=3)
    stored = plan.to_json()
    assert plan_from_json(stored, plan.entrants) == plan
    del stored["player_seed"], stored["challengers"]
    assert plan_from_json(stored, plan.entrants).player_seed is None


def test_a_game_that_is_even_late_ends_as_a_draw_and_its_record_is_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.analysis.adjudication.engine_chance", lambda game, nodes: lambda state: 0.51)
    game = games.load("ostseeschach-2022")
    one, two = resolve_all(["random:seed=1", "random:seed=2"])
    rule = Adjudication(draw=0.02, after=6, moves=3)
    start = game.notation.format_state(game.new_state(Random(1)))
    task = GameTask(id="g", game=game.key, start=start, entrants=(one, two), limits=Limits(60.0), adjudication=rule)
    played = play_in_process(task)
    assert (played.row.winner, played.row.adjudicated, played.row.plies) == (None, True, 8)
    assert played.row.victory_points == (1, 1)
    assert "as a draw after 3 moves" in played.row.reason.en
    assert verify_record(parse_record(played.record, "g")).findings == ()
