from __future__ import annotations

import asyncio
import hashlib
import os
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from spielleiter.contest.run import programs
from spielleiter.contest.run.conductor import open_entrant
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import activate, arrange_friendly, has_programs, submit
from spielleiter.contest.run.proof import prove
from spielleiter.contest.run.standings import totals
from spielleiter.contest.season.file import parse_season
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.season.snapshot import CheckedProgram
from spielleiter.contest.store import ActivationRow, EncounterRow, GameRow, ProgramFileRow, ProgramRow, now
from spielleiter.errors import ContestError, ProgramError, SettingsError
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import resolve
from spielleiter.programs.sandbox import choose
from spielleiter.programs.side_result import Fault, SideResult
from tests.support.contest_small_season import found, play, season_text

pytestmark = pytest.mark.slow

PLAYER = """
from spielleiter.client import play
import random
print("hello from the player")
play(lambda state, seconds: random.Random(1).choice(state.legal_moves()))
"""


REAL = season_text(season="time = 1.5").replace("in_process = true", "")
"""A season in which programs are processes."""


def take_in(contest: Contest, team: str, player: str) -> CheckedProgram:
    async def run() -> CheckedProgram:
        level = (await choose("auto")).level
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            return await submit(contest, team, player, who="Ada", executor=executor)

    return asyncio.run(run())


def make_zip(path: Path, start: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("start.sh", start)
    return path


def test_a_program_that_plays_is_kept_by_its_hash_and_plays_when_activated(tmp_path: Path) -> None:
    player = tmp_path / "player.py"
    player.write_text(PLAYER)
    with found(tmp_path, REAL) as contest:
        program = take_in(contest, "ada", str(player))
        assert program.passed, program.report
        assert program.number == 2  # The built-in one of the season file is the first.
        assert {finding["check"] for finding in program.report["findings"] if finding["good"]} >= {"sides", "time"}
        assert "hello from the player" in program.report["games"][0]["log"]
        with contest.store.reading() as session:
            file = session.get_one(ProgramFileRow, program.digest)
            assert hashlib.sha256(file.data).hexdigest() == program.digest
        activated = activate(contest, "Ada", who="Ada")
        assert (activated.program.number, activated.day.en) == (2, "Championship, matchday 1")
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        with contest.store.reading() as session:
            rows = session.scalars(select(GameRow).join(EncounterRow).where(EncounterRow.stage == "championship")).all()
            assert len(rows) == 4
            used = session.scalars(select(EncounterRow).where(EncounterRow.games > 0)).all()
            of_ada = next(one for one in used if "Ada" in (one.first.name, one.second.name))
            assert program.digest in {each.digest for each in of_ada.programs if each is not None}
            assert all(row.fault_first is None and row.fault_second is None for row in rows), rows[0].reason_en
        # The same bytes again are the same program.
        assert take_in(contest, "Ada", str(player)).number == program.number
        assert prove(contest).difference is None


def test_a_program_that_fails_is_kept_with_its_log_but_cannot_be_activated(tmp_path: Path) -> None:
    broken = make_zip(tmp_path / "broken.zip", "#!/bin/sh\necho no java here >&2\nexit 3\n")
    with found(tmp_path, REAL) as contest:
        program = take_in(contest, "Ada", str(broken))
        assert not program.passed
        assert any("no java here" in game["log"] for game in program.report["games"])
        with pytest.raises(ContestError, match="has failed its check"):
            activate(contest, "Ada", program.number, who="Ada")
        # Without a number it is the newest that passed.
        assert activate(contest, "Ada", who="Ada").program.number == 1


LATE_RANDOM = """
from time import sleep
from spielleiter.client import play
waits = iter([1.8])

def choose(state, seconds):
    sleep(next(waits, 0))
    return state.legal_moves()[0]

play(choose)
"""
CRASHES_LATE = """
from spielleiter.client import play
moves = iter(range(3))

def choose(state, seconds):
    next(moves)
    return state.legal_moves()[0]

play(choose)
"""


def test_a_crash_is_found_though_the_opponent_of_the_check_is_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "late.py").write_text(LATE_RANDOM)
    (tmp_path / "player.py").write_text(CRASHES_LATE)
    late = resolve(str(tmp_path / "late.py"))
    monkeypatch.setattr(programs, "resolve", lambda text: late)
    with found(tmp_path, REAL) as contest:
        program = take_in(contest, "Ada", str(tmp_path / "player.py"))
        assert not program.passed
        assert program.was_judged
        [sides] = [finding for finding in program.report["findings"] if finding["check"] == "sides"]
        assert "StopIteration" in sides["failure"]["en"] + sides["detail"]["en"]


class BusyMachine:
    """An executor on which ``random`` is late in its first games, each of which ends without a move."""

    slots = 1

    def __init__(self, late_games: int) -> None:
        self.late_games = late_games
        self.tasks: list[GameTask] = []

    async def play(self, task: GameTask, on_line: object = None) -> FinishedGame:
        self.tasks.append(task)
        is_late = len(self.tasks) <= self.late_games
        own = SideResult(name="program", points=(2, 1), move_times=() if is_late else (0.1,) * 15, exit_code=0)
        random = SideResult(name="random", points=(0, 0), fault=Fault.NO_START if is_late else None)
        text = Text("random kam nicht", "random did not come") if is_late else Text("Ende", "end")
        row = MatchGame(
            id=task.id, sides=(own, random) if task.entrants[1].name == "random" else (random, own), winner=None,
            counts=True, reason=text, start="", final="", plies=0 if is_late else 30, seconds=0.1, started="",
        )  # fmt: skip
        return FinishedGame(row)


def submit_on(contest: Contest, machine: BusyMachine, player: Path) -> CheckedProgram:
    return asyncio.run(submit(contest, "Ada", str(player), who="Ada", executor=machine))  # type: ignore[arg-type]


def test_a_game_that_random_spoiled_is_played_again(tmp_path: Path) -> None:
    machine = BusyMachine(late_games=3)
    with found(tmp_path, REAL) as contest:
        program = submit_on(contest, machine, make_zip(tmp_path / "player.zip", "#!/bin/sh\n"))
    assert program.passed
    assert len({task.id for task in machine.tasks}) == len(machine.tasks) == 5
    [sides] = [finding for finding in program.report["findings"] if finding["check"] == "sides"]
    assert sides["detail"]["en"] == "two games without a fault, 30 moves"
    assert {task.can_timeout for task in machine.tasks} == {(True, False), (False, True)}, (
        "only the program has a clock"
    )


def test_a_program_whose_games_random_spoiled_has_neither_passed_nor_failed(tmp_path: Path) -> None:
    machine = BusyMachine(late_games=1000)
    with found(tmp_path, REAL) as contest:
        program = submit_on(contest, machine, make_zip(tmp_path / "player.zip", "#!/bin/sh\n"))
        assert (program.passed, program.was_judged) == (False, False)
        assert not [finding for finding in program.report["findings"] if finding["known"] and not finding["good"]]
        [sides] = [finding for finding in program.report["findings"] if finding["check"] == "sides"]
        assert sides["detail"]["en"] == "not tried: random did not come"
        with pytest.raises(ContestError, match="is not checked yet"):
            activate(contest, "Ada", program.number, who="Ada")
    assert len(machine.tasks) == 6


@pytest.mark.parametrize("quota", ["max_versions = 1", "max_upload = 1"])
def test_a_team_has_a_quota_of_versions_and_bytes(quota: str, tmp_path: Path) -> None:
    player = make_zip(tmp_path / "player.zip", "#!/bin/sh\nexit 3\n")
    if "upload" in quota:
        with zipfile.ZipFile(player, "a") as archive:
            archive.writestr("book", os.urandom(1_200_000))
    with found(tmp_path, season_text(season=f"time = 1.5\n{quota}").replace("in_process = true", "")) as contest:
        if "versions" in quota:
            take_in(contest, "Ada", str(player))
            make_zip(player, "#!/bin/sh\nexit 4\n")
        with pytest.raises(ContestError, match=r"programs with .* MB already; allowed are"):
            take_in(contest, "Ada", str(player))


def test_only_built_in_players_are_trusted(tmp_path: Path) -> None:
    player = make_zip(tmp_path / "player.zip", "#!/bin/sh\nexit 3\n")
    with found(tmp_path, REAL) as contest:
        assert not has_programs(contest)
        take_in(contest, "Ada", str(player))
        assert has_programs(contest)


def _no_file(tmp_path: Path) -> str:
    return str(tmp_path / "nothing.zip")


def _no_zip(tmp_path: Path) -> str:
    (tmp_path / "text.zip").write_text("not a zip")
    return str(tmp_path / "text.zip")


def _no_start(tmp_path: Path) -> str:
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("readme.txt", "")
    return str(tmp_path / "empty.zip")


def _leads_out(tmp_path: Path) -> str:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("start.sh", "#!/bin/sh\n")
        archive.writestr("../../etc/passwd", "")
    return str(tmp_path / "evil.zip")


@pytest.mark.parametrize("make", [_no_file, _no_zip, _no_start, _leads_out])
def test_something_that_is_not_a_program_is_refused_and_nothing_is_kept(
    tmp_path: Path, make: Callable[[Path], str]
) -> None:
    with found(tmp_path, REAL) as contest:
        with pytest.raises((ContestError, ProgramError)):
            take_in(contest, "Ada", make(tmp_path))
        with contest.store.reading() as session:
            assert len(session.scalars(select(ProgramRow)).all()) == 4
            assert session.scalars(select(ProgramFileRow)).all() == []


def test_an_unknown_team_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with (
        found(tmp_path) as contest,
        pytest.raises(ContestError, match=r"no team 'Adda': expected one of .*Ada"),
    ):
        activate(contest, "Adda", who="x")


def test_programs_change_between_days_and_never_within_one(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        take_in(contest, "Ada", "greedy")
        # Stopping after a day does not open the next one.
        assert activate(contest, "Ada", 2, who="x").day.en == "Championship, matchday 2"
        play(contest, Until(Stage.CHAMPIONSHIP))
        with contest.store.reading() as session:
            used: dict[int, set[str]] = {}
            for one in session.scalars(select(EncounterRow).where(EncounterRow.stage == Stage.CHAMPIONSHIP)):
                for team, program in ((one.first, one.first_program), (one.second, one.second_program)):
                    if team.name == "Ada":
                        assert one.matchday is not None
                        assert program is not None
                        used.setdefault(one.matchday.number, set()).add(program.name)
        assert used == {1: {"random:seed=0"}, 2: {"greedy"}, 3: {"greedy"}}


def test_an_activation_after_the_deadline_is_refused_and_not_kept(tmp_path: Path) -> None:
    past = (now() - timedelta(days=1)).isoformat()
    text = season_text(championship=f"deadline = {past}", final=False)
    with found(tmp_path, text) as contest:
        with pytest.raises(ContestError, match="the deadline was"):
            activate(contest, "Ada", who="x")
        with contest.store.reading() as session:
            assert len(session.scalars(select(ActivationRow)).all()) == 4


def test_an_activation_after_the_last_day_has_begun_is_refused(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest)
        with pytest.raises(ContestError, match="last matchday has begun"):
            activate(contest, "Ada", who="x")


def test_a_day_with_a_date_is_played_with_what_was_active_then(tmp_path: Path) -> None:
    soon = [(now() + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
    with found(tmp_path, season_text(championship=f"dates = [{', '.join(soon)}]")) as contest:
        state = play(contest)
        assert state is not None
        assert state.blocker.value == "date"
        take_in(contest, "Ada", "greedy")
        assert activate(contest, "Ada", 2, who="x").day.en == "Championship, matchday 1"
        play(contest, Until(Stage.CHAMPIONSHIP, 1), ahead=True)
        with contest.store.reading() as session:
            used = session.scalars(select(EncounterRow).where(EncounterRow.games > 0)).all()
            names = {program.name for one in used for program in (one.first_program, one.second_program) if program}
        assert "greedy" in names


def test_friendly_games_never_count(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        id_, _ = arrange_friendly(contest, "Ada", "Döner")
        play(contest, only=id_)
        with contest.store.reading() as session:
            encounter = session.get_one(EncounterRow, id_)
            assert (encounter.key, encounter.games, encounter.finished is not None) == ("X1", 2, True)
            assert all(sums.games == 0 for sums in totals(session, Stage.CHAMPIONSHIP, "A").values())
        with pytest.raises(ContestError, match="against itself"):
            arrange_friendly(contest, "Ada", "ada")
        assert prove(contest).difference is None


def test_a_team_without_a_program_cannot_play_a_friendly_game(tmp_path: Path) -> None:
    with found(tmp_path, season_text(players={"Ada": ""})) as contest:
        with pytest.raises(ContestError, match="no active program"):
            arrange_friendly(contest, "Ada", "Döner")
        with pytest.raises(ContestError, match="does not have a program that passed"):
            activate(contest, "Ada", who="x")


def test_a_program_whose_file_is_gone_is_reported(tmp_path: Path) -> None:
    program = ProgramRow(number=3, name="x.zip", builtin=False, digest="00")
    with pytest.raises(ContestError, match="program 3 of 'Ada' is missing"):
        open_entrant("Ada", program, None)


def test_a_program_that_prints_nul_bytes_is_kept(tmp_path: Path) -> None:
    noisy = make_zip(tmp_path / "noisy.zip", "#!/bin/sh\nprintf 'a\\000b' >&2\nexit 1\n")
    with found(tmp_path, REAL) as contest:
        program = take_in(contest, "Ada", str(noisy))
        assert "a\ufffdb" in program.report["games"][0]["log"]


def test_a_season_within_this_process_takes_no_programs(tmp_path: Path) -> None:
    with found(tmp_path) as contest, pytest.raises(ContestError, match="built-in players only"):
        take_in(contest, "Ada", str(make_zip(tmp_path / "player.zip", "#!/bin/sh\n")))
    with pytest.raises(SettingsError, match=r"line \d+: 'bot.zip' is not a built-in player"):
        parse_season(season_text(players={"Ada": "bot.zip"}))
