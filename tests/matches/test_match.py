"""The loop of a match, with games that are made up: what is played, what is kept, when it stops."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from spielleiter.cli.match.command import parse_sprt
from spielleiter.errors import RecordError, SettingsError
from spielleiter.game import Limits, Team, Text
from spielleiter.matches.match import Match, MatchEnd, Stop
from spielleiter.matches.openings import Openings
from spielleiter.matches.pairings import Format
from spielleiter.matches.plan import MatchPlan, claim_folder, plan_from_json, read_plan
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import summarise
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.programs.entrants import Entrant, EntrantKind, with_unique_names
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.rating.sprt import Sprt

GAME = "piranhas-2019"


def players(*names: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(name=name, text=name, kind=EntrantKind.BUILT_IN) for name in names)


def first_wins(task: GameTask) -> Team | None:
    return Team.ONE if task.entrants[0].name == "ada" else Team.TWO


class MadeUp:
    """Plays games by a function; counts how many run at once."""

    notices: tuple[Text, ...] = ()

    def __init__(self, judge: Callable[[GameTask], Team | Fault | None] = first_wins, slots: int = 2) -> None:
        self.slots = slots
        self.judge = judge
        self.played: list[str] = []
        self.running = self.most = 0
        self.ends_after: int | None = None
        self.pressure: float | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            for _ in range(1 + len(self.played) % 3):
                await asyncio.sleep(0)
            if self.ends_after is not None and len(self.played) >= self.ends_after:
                await asyncio.Event().wait()
        finally:
            self.running -= 1
        self.played.append(task.id)
        found = self.judge(task)
        fault = found if isinstance(found, Fault) else None
        winner = Team.TWO if isinstance(found, Fault) else found
        one, two = (SideResult(name=entrant.name, points=(1, 1)) for entrant in task.entrants)
        if fault is not None:
            one = replace(one, fault=fault)
        row = MatchGame(
            id=task.id, sides=(one, two), winner=winner,
            counts=True, reason=Text("", ""), start=task.start, final=task.start, plies=1, seconds=0.1, started="now",
            pressure=self.pressure,
        )  # fmt: skip
        return FinishedGame(row, (b"log of one", b""), b"record")


def plan(*names: str, **changes: object) -> MatchPlan:
    values: dict[str, object] = {"game": GAME, "entrants": players(*(names or ("ada", "bob"))), "games": 10}
    return MatchPlan(**{**values, **changes})  # type: ignore[arg-type]


def run(match_plan: MatchPlan, folder: Path, executor: MadeUp, *, replay_busy: bool = False) -> MatchEnd:
    return asyncio.run(Match(match_plan, folder, executor, replay_busy=replay_busy).run())


def test_every_game_is_played_once_and_kept(tmp_path: Path) -> None:
    executor = MadeUp()
    end = run(plan(), tmp_path, executor)
    assert end.stop is Stop.COMPLETE
    assert sorted(executor.played) == sorted(row.id for row in end.rows) == sorted(set(executor.played))
    assert len(end.rows) == 10
    assert (tmp_path / "records" / f"{end.rows[0].id}.jsonl").read_bytes() == b"record"
    assert (tmp_path / end.rows[0].sides[0].log).read_bytes() == b"log of one"
    assert end.rows[0].sides[1].log == ""


def test_as_many_games_at_once_as_there_is_room_for(tmp_path: Path) -> None:
    executor = MadeUp(slots=3)
    run(plan(games=20), tmp_path, executor)
    assert executor.most == 3


@pytest.mark.parametrize("form", [form for form in Format if form is not Format.DUEL])
def test_broken_off_at_any_moment_exactly_the_missing_games_are_played(form: Format, tmp_path: Path) -> None:
    match_plan = plan("ada", "bob", "cyd", "dan", "eve", format=form, games=2)
    whole = MadeUp()
    expected = {row.id: row for row in run(match_plan, _new(tmp_path / "whole"), whole).rows}
    folder = _new(tmp_path / "broken")
    played: list[str] = []
    for _ in range(len(expected) + 1):
        executor = MadeUp()
        executor.ends_after = 1

        async def broken_off(executor: MadeUp = executor) -> None:
            task = asyncio.create_task(Match(match_plan, folder, executor).run())
            for _ in range(50):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])

        asyncio.run(broken_off())
        played += executor.played
    assert sorted(played) == sorted(expected)
    rest = MadeUp()
    end = run(match_plan, folder, rest)
    assert rest.played == []
    assert {row.id: row.winner for row in end.rows} == {name: row.winner for name, row in expected.items()}


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_failed_starts_that_are_not_in_a_row_do_not_stop_the_match(tmp_path: Path) -> None:
    # ONE fails each time, so each of the two fails in every second game only.
    end = run(plan(games=20), tmp_path, MadeUp(lambda task: Fault.NO_START, slots=1))
    assert (end.stop, len(end.rows)) == (Stop.COMPLETE, 20)


def test_a_player_that_never_starts_stops_the_match(tmp_path: Path) -> None:
    class Failing(MadeUp):
        async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
            played = await super().play(task)
            one, two = played.row.sides
            sides = tuple(
                replace(side, fault=Fault.NO_START, failure=Text("fehlt", "is missing")) if side.name == "bob" else side
                for side in (one, two)
            )
            return FinishedGame(replace(played.row, sides=(sides[0], sides[1])))

    def winner(task: GameTask) -> Team | Fault | None:
        return first_wins(task)

    end = run(plan(games=100), tmp_path, Failing(winner, slots=1))
    assert end.stop is Stop.NO_START
    assert len(end.rows) == 3
    assert "bob did not start 3 times in a row: is missing" in end.reason.en
    ada, bob = summarise(plan(games=100), end.rows).standings
    assert (ada.never_started, bob.never_started) == (False, True)
    assert [(each.fault, each.games, each.text.de) for each in bob.failures] == [(Fault.NO_START, 3, "fehlt")]


class BusyAtFirst(MadeUp):
    """The first attempt at each game of the first pair is lost on time on a busy machine, or all attempts are."""

    def __init__(self, *, always: bool = False, pressure: float | None = 0.5) -> None:
        super().__init__(self._late, slots=2)
        self.always = always
        self.pressure = pressure

    def _late(self, task: GameTask) -> Team | Fault | None:
        late = "00001" in task.id and (self.always or self.played.count(task.id) == 1)
        return Fault.LATE if late else first_wins(task)


def test_a_loss_on_time_on_a_busy_machine_is_counted_apart(tmp_path: Path) -> None:
    end = run(plan(games=4), tmp_path, BusyAtFirst())
    summary = summarise(plan(games=4), end.rows)
    assert [(standing.untimely, dict(standing.faults)) for standing in summary.standings] == [(1, {}), (1, {})]
    assert "--replay-busy" in " ".join(sentence.en for sentence in summary.sentences)


@pytest.mark.parametrize("load", [None, 0.05])
def test_a_loss_on_time_on_an_idle_machine_is_a_fault(load: float | None, tmp_path: Path) -> None:
    executor = BusyAtFirst(pressure=load)
    end = run(plan(games=4), tmp_path, executor, replay_busy=True)
    assert len(executor.played) == 4
    assert [dict(standing.faults) for standing in summarise(plan(games=4), end.rows).standings] == [{Fault.LATE: 1}] * 2


def test_games_lost_on_time_on_a_busy_machine_are_played_again_and_both_attempts_are_stored(tmp_path: Path) -> None:
    executor = BusyAtFirst()
    end = run(plan(games=4), tmp_path, executor, replay_busy=True)
    once = {f"1v2-0000{pair}{game}": 1 for pair in "12" for game in "ab"}
    assert Counter(executor.played) == once | {"1v2-00001a": 2, "1v2-00001b": 2}
    assert {(row.id, row.attempt) for row in end.rows} == {
        ("1v2-00001a", 2), ("1v2-00001b", 2), ("1v2-00002a", 1), ("1v2-00002b", 1),
    }  # fmt: skip
    assert {(row.id, row.attempt) for row in end.replaced} == {("1v2-00001a", 1), ("1v2-00001b", 1)}
    for row in (*end.rows, *end.replaced):
        assert (tmp_path / row.record).is_file()
    assert len({row.record for row in (*end.rows, *end.replaced)}) == 6
    summary = summarise(plan(games=4), end.rows, None, len(end.replaced))
    assert summary.replaced == summary.to_json()["replaced"] == 2
    assert summary.duel_tally is not None
    assert list(summary.duel_tally.pairs.counts) == [0, 0, 0, 0, 2]
    assert "Played again because the machine was busy: 2." in " ".join(sentence.en for sentence in summary.sentences)
    resumed = MadeUp()
    assert run(plan(games=4), tmp_path, resumed, replay_busy=True).rows == end.rows
    assert resumed.played == []


def test_resuming_replays_the_busy_games_of_an_earlier_run(tmp_path: Path) -> None:
    first = run(plan(games=4), tmp_path, BusyAtFirst())
    assert sum(any(row.untimely) for row in first.rows) == 2
    again = MadeUp()
    end = run(plan(games=4), tmp_path, again, replay_busy=True)
    assert sorted(again.played) == ["1v2-00001a", "1v2-00001b"]
    assert len(end.replaced) == 2
    assert not any(any(row.untimely) for row in end.rows)


def test_on_a_machine_that_stays_busy_a_game_counts_after_its_third_attempt(tmp_path: Path) -> None:
    executor = BusyAtFirst(always=True)
    end = run(plan(games=2), tmp_path, executor, replay_busy=True)
    assert len(executor.played) == 6
    assert [row.attempt for row in end.rows] == [3, 3]


def test_a_knock_out_waits_for_the_games_that_are_played_again(tmp_path: Path) -> None:
    match_plan = plan("ada", "bob", "cyd", "dan", format=Format.KNOCKOUT, games=2)
    undisturbed = run(match_plan, _new(tmp_path / "idle"), MadeUp())
    end = run(match_plan, _new(tmp_path / "busy"), BusyAtFirst(), replay_busy=True)
    assert {row.id: row.winner for row in end.rows} == {row.id: row.winner for row in undisturbed.rows}
    assert {row.id for row in end.replaced} == {row.id for row in undisturbed.rows if "00001" in row.id}


def test_an_sprt_ends_the_match_when_it_has_decided_and_stays_decided(tmp_path: Path) -> None:
    match_plan = plan(games=None, sprt=Sprt(0, 30))
    executor = MadeUp()
    end = run(match_plan, tmp_path, executor)
    assert end.stop is Stop.DECIDED
    assert 10 < len(end.rows) < 400
    again = MadeUp()
    assert run(match_plan, tmp_path, again).stop is Stop.DECIDED
    assert again.played == []
    summary = summarise(match_plan, end.rows)
    assert summary.duel is not None
    assert summary.duel.score == 1.0


def test_the_error_rates_and_the_model_of_an_sprt_stand_in_the_file_of_the_match(tmp_path: Path) -> None:
    chosen = plan(games=None, sprt=parse_sprt("0,30,alpha=0.01,beta=0.1,model=normalised"))
    assert chosen.sprt == Sprt(0, 30, 0.01, 0.1, "normalised")
    stored = json.loads(json.dumps(chosen.to_json()))
    assert plan_from_json(stored, chosen.entrants).sprt == chosen.sprt
    stored["sprt"] = [0, 30, 0.05, 0.05]  # as written before there were models
    assert plan_from_json(stored, chosen.entrants).sprt == parse_sprt("0,30")


def test_an_sprt_with_a_number_of_games_ends_there_at_the_latest(tmp_path: Path) -> None:
    end = run(plan(games=8, sprt=Sprt(0, 30)), tmp_path, MadeUp(lambda task: None))
    assert (end.stop, len(end.rows)) == (Stop.COMPLETE, 8)


def test_a_machine_that_fails_is_an_error_and_what_was_played_stays(tmp_path: Path) -> None:
    class Breaking(MadeUp):
        async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
            if len(self.played) == 4:
                raise SettingsError("Die Sandbox startet nicht.", "the sandbox does not start")
            return await super().play(task)

    with pytest.raises(SettingsError, match="the sandbox does not start"):
        run(plan(), tmp_path, Breaking(slots=1))
    executor = MadeUp()
    assert len(run(plan(), tmp_path, executor).rows) == 10
    assert len(executor.played) == 6


def test_a_game_that_comes_twice_counts_once(tmp_path: Path) -> None:
    class Twice(MadeUp):
        async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
            played = await super().play(task)
            return FinishedGame(replace(played.row, id="1v2-00001a"))

    assert len(run(plan(games=4), tmp_path, Twice(slots=1)).rows) == 1


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "records").write_text("in the way")
    with pytest.raises(RecordError, match="cannot be written"):
        run(plan(), tmp_path, MadeUp())


# --- the plan ---------------------------------------------------------------------------------------------------------


def test_a_plan_comes_back_from_its_file(tmp_path: Path) -> None:
    whole = plan(
        "ada", "bob", "cyd", format=Format.SWISS, rounds=2, seconds=0.5, openings=Openings(seed=3, random_moves=2)
    )
    claim_folder(tmp_path, whole, resume=False)
    assert plan_from_json(read_plan(tmp_path), whole.entrants) == whole
    claim_folder(tmp_path, whole, resume=True)


def test_the_results_of_another_match_are_not_touched(tmp_path: Path) -> None:
    claim_folder(tmp_path, plan(), resume=False)
    with pytest.raises(SettingsError, match="go on with --resume"):
        claim_folder(tmp_path, plan(), resume=False)
    with pytest.raises(SettingsError, match="another match, which differs in: games"):
        claim_folder(tmp_path, plan(games=20), resume=True)
    with pytest.raises(SettingsError, match="another match, which differs in: players"):
        claim_folder(tmp_path, plan("ada", "cyd"), resume=True)
    changed = (plan().entrants[0], replace(plan().entrants[1], text="bob:seed=2"))
    with pytest.raises(SettingsError, match="bob has changed"):
        claim_folder(tmp_path, plan(entrants=changed), resume=True)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format_version": 1}', '{"format_version": 99, "spielleiter": "9"}']
)
def test_a_damaged_plan_is_reported(text: str, tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(text)
    with pytest.raises(SettingsError, match=r"match\.json"):
        read_plan(tmp_path)


def test_a_folder_that_is_not_a_match_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="not a match folder"):
        read_plan(tmp_path)
    with pytest.raises(SettingsError, match="not a match folder"):
        claim_folder(tmp_path, plan(), resume=True)
    (tmp_path / "results.jsonl").write_text("")
    with pytest.raises(SettingsError, match="has results, but no"):
        claim_folder(tmp_path, plan(), resume=False)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"games": 7}, "even number"),
        ({"games": 0}, "even number"),
        ({"games": None}, "number of games, or --sprt"),
        ({"seconds": 0}, "between 0.01 and 3600"),
        ({"seconds": float("nan")}, "between 0.01 and 3600"),
        ({"format": Format.ROUND_ROBIN, "sprt": Sprt(0, 30)}, "--sprt compares two players"),
        ({"entrants": players("a", "a")}, "same name"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        plan(**changes)


def test_equal_names_get_numbers() -> None:
    assert [entrant.name for entrant in with_unique_names(players("a", "a", "b", "a"))] == ["a", "a (2)", "b", "a (3)"]


@pytest.mark.parametrize("clock", [(0.0, 0.0), (0.0, 1.0), (60.0, -1.0), (float("nan"), 0.0)])
def test_a_clock_without_time_is_refused(clock: tuple[float, float]) -> None:
    with pytest.raises(SettingsError, match=r"0\.1 to 86400 seconds"):
        plan(clock=clock)
    with pytest.raises(SettingsError, match="for a move or for a game"):
        plan(clock=(60.0, 0.5), seconds=1.0)


def test_a_plan_keeps_its_clock() -> None:
    with_clock = plan(clock=(60.0, 0.5))
    assert with_clock.limits() == Limits(60.0, 60.0, 0.5)
    assert plan_from_json(with_clock.to_json(), with_clock.entrants) == with_clock


def test_a_match_replays_games_lost_on_time_on_a_busy_machine_by_default(tmp_path: Path) -> None:
    executor = BusyAtFirst()
    end = asyncio.run(Match(plan(games=4), tmp_path, executor).run())
    assert len(executor.played) == 6
    assert not any(any(row.untimely) for row in end.rows)


def test_a_program_that_still_starts_when_its_time_is_over_on_a_busy_machine_is_tried_again(tmp_path: Path) -> None:
    executor = MadeUp(lambda task: Fault.NO_START)
    executor.pressure = 0.5
    end = asyncio.run(Match(plan(games=2), tmp_path, executor).run())
    assert [row.attempt for row in end.rows] == [3, 3]
