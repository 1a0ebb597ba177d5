"""The check finds what is wrong with a program: one bad program for each trap."""

from __future__ import annotations

import asyncio
import textwrap
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spielleiter import games
from spielleiter.game import Cause, Limits, Text
from spielleiter.programs.check import CheckReport, CheckSettings, FirstVerdict, Mark, check_program
from spielleiter.programs.check import findings as found_by
from spielleiter.programs.check import run as run_module
from spielleiter.programs.check.findings import Finding
from spielleiter.programs.check.throttle import measure_speed, slowdown
from spielleiter.programs.check.trial import Incident, Patience, Trial, TrialPlan, run_trial
from spielleiter.programs.entrants import resolve
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import Level, ProgramFile, choose
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.programs.start_script import lint_start_script
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.text import NO_TEXT
from tests.support.machine import Machine
from tests.support.players import late_start

pytestmark = pytest.mark.sandbox

PIRANHAS = games.load("piranhas-2026")
QUICK = Patience(to_join=60.0, to_end=30.0, pause=0.3)
"""Quick with what works, and patient on a busy machine."""

PLAYER = """
import os, subprocess, sys, threading, time
from random import Random
from spielleiter.client import Hooks, play

rng = Random(1)
{before}

class Player(Hooks):
    def choose(self, state, seconds):
        {choose}
        return rng.choice(state.legal_moves())

    def game_over(self, result, why):
        {over}

play(Player(), game="piranhas-2026"{options})
{after}
"""


def make(folder: Path, **parts: str) -> str:
    values = {"before": "", "choose": "pass", "over": "pass", "after": "", "options": "", **parts}
    file = folder / "player.py"
    file.write_text(PLAYER.format(**values), encoding="utf-8")
    return str(file)


def check(text: str, **settings: object) -> CheckReport:
    values = {
        "level": level(), "game": PIRANHAS, "slowdown": 1.0, "patience": QUICK, "start": late_start(), **settings
    }  # fmt: skip
    return asyncio.run(check_program(resolve(text), CheckSettings(**values)))


@cache
def level() -> Level:
    """The best that works here, as ``spielleiter check`` takes it."""
    return asyncio.run(choose()).level


def finding(report: CheckReport, key: str) -> Finding:
    [found] = [finding for finding in report.findings if finding.key == key]
    return found


def crosses(report: CheckReport) -> set[str]:
    for found in report.findings:
        assert (found.fix is not None) is (found.mark in (Mark.BAD, Mark.NOTE)), "each cross and note has its fix"
    return {found.key for found in report.findings if found.mark is Mark.BAD}


def notes(report: CheckReport) -> set[str]:
    """What a program is told that has passed."""
    assert crosses(report) == set()
    assert report.passed
    return {found.key for found in report.findings if found.mark is Mark.NOTE}


def test_a_good_program_gets_only_ticks_and_its_game_is_found(tmp_path: Path) -> None:
    steps: list[Text] = []
    first: list[FirstVerdict] = []
    settings = CheckSettings(level=level(), slowdown=1.5, patience=QUICK)
    report = asyncio.run(check_program(resolve(make(tmp_path)), settings, steps.append, first.append))
    assert [found for found in report.findings if found.mark is not Mark.GOOD] == []
    assert report.passed
    assert report.game is PIRANHAS
    assert len([step for step in steps if "move" not in step.en]) == 6
    assert [step.en for step in steps].count("A game as team ONE: 7 moves") <= 1
    [verdict] = first
    assert verdict.moves == 10
    assert len(report.trials) == 5
    assert {trial.plan.form.name for trial in report.trials} == {"LONG", "SHORT", "EQUALS", "MIXED"}


def test_a_quick_check_is_over_after_the_first_moves_of_each_side(tmp_path: Path) -> None:
    report = check(make(tmp_path), quick=True, start=None)
    assert report.passed
    assert report.quick
    assert [trial.plan.name for trial in report.trials] == ["one", "two"]
    assert all(10 <= len(trial.times) < 20 for trial in report.trials)
    by_key = {found.key: found for found in report.findings}
    assert by_key["sides"].detail.en.startswith("2 games, ")
    assert {"forecast", "pause", "ends"}.isdisjoint(by_key)


def test_a_quick_check_of_a_program_that_thinks_ends_before_its_tenth_move(tmp_path: Path) -> None:
    report = check(
        make(tmp_path, before="import time", choose="time.sleep(0.4)"), quick=True, quick_seconds=0.1, start=None
    )
    assert report.passed
    assert all(1 <= len(trial.times) < 10 for trial in report.trials)


def test_a_quick_check_names_a_fault_of_the_first_moves(tmp_path: Path) -> None:
    report = check(make(tmp_path, choose="raise ValueError('my book')"), quick=True, start=None)
    assert not report.passed
    [cross] = [found for found in report.findings if found.mark is Mark.BAD]
    assert cross.key == "sides"
    assert "my book" in cross.failure.en or "my book" in cross.detail.en


def test_a_program_that_crashes_at_the_start_is_reported_with_its_error(tmp_path: Path) -> None:
    report = check(make(tmp_path, before="raise SystemExit('no book found')"))
    assert crosses(report) == {"arguments"}
    assert finding(report, "arguments").failure.en == "no book found"
    assert not report.started
    assert finding(report, "sides").mark is Mark.UNKNOWN
    assert not report.passed


@pytest.mark.parametrize(
    ("script", "detail", "fix"),
    [
        ("#!/bin/sh\nsleep 60 &\n", "ended while sleep ran in the background", "without &"),
        ("#!/bin/sh\nexec ./bot\n", "ended before it joined the game", "chmod +x"),
        ("#!/bin/sh\nexec nothing-of-this-name\n", "ended before it joined the game", "cannot be started here"),
    ],
    ids=["in the background", "not executable", "not there"],
)
def test_a_start_file_that_starts_nothing_is_reported_with_the_fix(
    script: str, detail: str, fix: str, tmp_path: Path
) -> None:
    (tmp_path / "start.sh").write_text(script)
    (tmp_path / "start.sh").chmod(0o755)
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    found = finding(check(str(tmp_path)), "arguments")
    assert detail in found.detail.en
    assert found.fix is not None
    assert fix in found.fix.en


def test_a_program_that_ignores_its_reservation_is_found(tmp_path: Path) -> None:
    report = check(make(tmp_path, before="sys.argv = [a for a in sys.argv if 'reserv' not in a and a != '-r']"))
    assert "reservation" in crosses(report)
    assert "joinPrepared" in (finding(report, "reservation").fix or Text("", "")).en


def test_a_program_that_knows_only_long_options_passes_with_a_note(tmp_path: Path) -> None:
    report = check(make(tmp_path, before="if '-h' in sys.argv: sys.exit('unknown option -h')"))
    assert notes(report) == {"arguments"}
    assert "-h H -p P -r R" in finding(report, "arguments").detail.en
    assert finding(report, "arguments").failure.en == "unknown option -h"
    assert finding(report, "sides").mark is Mark.GOOD, "the second game was played with the form that it knows"


def test_a_program_that_does_not_know_the_arguments_of_the_contest_is_found(tmp_path: Path) -> None:
    report = check(make(tmp_path, before="if '--host' in sys.argv: sys.exit('unknown option --host')"))
    assert "arguments" in crosses(report)
    assert "--host H --port P --reservation R" in finding(report, "arguments").detail.en
    assert report.started


def test_a_program_that_ignores_equals_signs_passes_with_a_note(tmp_path: Path) -> None:
    report = check(make(tmp_path, before="sys.argv = [a for a in sys.argv if '=' not in a]"))
    assert notes(report) == {"arguments"}
    found = finding(report, "arguments")
    assert found.detail.en.startswith("not with: --reservation=R --port=P --host=H. ")
    if level() is Level.BUBBLEWRAP:
        assert "took its defaults (port 13050, no reservation)" in found.detail.en
    assert finding(report, "reservation").mark is Mark.GOOD, "it knows joinPrepared"


def test_packages_that_a_start_script_installs_are_no_log(tmp_path: Path) -> None:
    install = "open('wheel', 'wb').write(os.urandom(15_000_000))"
    report = check(make(tmp_path, before=install))
    assert report.passed
    assert notes(report) == set()
    report = check(make(tmp_path, over=install))
    assert notes(report) == {"log"}
    assert "15 MB in files" in finding(report, "log").detail.en


def test_an_illegal_move_is_reported_with_the_position(tmp_path: Path) -> None:
    file = tmp_path / "raw.py"
    file.write_text(
        textwrap.dedent("""
        import re, socket, sys
        options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
        sock = socket.create_connection((options["--host"], int(options["--port"])))
        sock.sendall(f'<protocol><joinPrepared reservationCode="{options["--reservation"]}"/>'.encode())
        seen = ""
        while data := sock.recv(65536):
            seen += data.decode()
            if "moveRequest" in seen:
                room = re.search('roomId="(.*?)"', seen)[1]
                move = '<data class="move"><from x="4" y="4"/><direction>UP</direction></data>'
                sock.sendall(f'<room roomId="{room}">{move}</room>'.encode())
                seen = ""
            if "<left" in seen:
                break
        """),
        encoding="utf-8",
    )
    report = check(str(file), start=None)
    assert "sides" in crosses(report)
    sides = finding(report, "sides")
    assert sides.detail.en == "Red: Illegal move of raw: There is no fish on the starting square."
    assert sides.detail.de == "Rot: Ungültiger Zug von raw: Auf dem Startfeld ist kein Fisch."
    assert 'spielleiter show "piranhas-2026 ' in (sides.fix or Text("", "")).en


def test_a_program_that_is_too_slow_is_found(tmp_path: Path) -> None:
    report = check(make(tmp_path, choose="time.sleep(2.2)"))
    assert {"time", "sides"} <= crosses(report)
    assert "longest 2." in finding(report, "time").detail.en


def test_a_program_that_hangs_at_the_end_passes_with_a_note(tmp_path: Path) -> None:
    report = check(make(tmp_path, after="time.sleep(60)"), patience=replace(QUICK, to_end=1.5))
    assert notes(report) == {"ends"}


def test_a_process_that_is_left_behind_is_noted(tmp_path: Path) -> None:
    sleeper = "subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)"
    report = check(make(tmp_path, before=sleeper))
    assert notes(report) == {"leftovers"}
    assert "sleep" in finding(report, "leftovers").detail.en


def test_an_endless_log_is_found(tmp_path: Path) -> None:
    report = check(make(tmp_path, choose="while True: print('x' * 10000)"))
    assert "log" in crosses(report)
    report = check(make(tmp_path, over="print('x' * 3_000_000)"))
    assert notes(report) == {"log"}
    assert "3 MB" in finding(report, "log").detail.en


def test_a_program_that_fails_at_strange_words_passes_with_a_note(tmp_path: Path) -> None:
    strict = "import spielleiter.client.session as s; s.Session._ignore = lambda self, event: 1 / 0"
    report = check(make(tmp_path, before=strict))
    assert notes(report) == {"unknown_elements"}


def test_a_program_that_cannot_wait_is_found(tmp_path: Path) -> None:
    impatient = textwrap.dedent("""
        import spielleiter.client.sync as shell
        real = shell.TimestampReader.receive

        def receive(self, sock, size):
            sock.settimeout(1.0)
            return real(self, sock, size)

        shell.TimestampReader.receive = receive
    """)
    report = check(make(tmp_path, before=impatient), patience=replace(QUICK, pause=2.5))
    assert "pause" in notes(report), "no game of the contest is paused"


def test_a_program_that_takes_one_read_for_one_position_passes(tmp_path: Path) -> None:
    # One of 2025 has a buffer for one position; ours is slow to read, too, as on a busy machine.
    narrow = textwrap.dedent("""
        import os, time
        import spielleiter.client.sync as shell
        real = shell.TimestampReader.receive

        def receive(self, sock, size):
            time.sleep(0.015)
            received = real(self, sock, size)
            if received[0].count(b'"memento"') > 1:
                os._exit(7)
            return received

        shell.TimestampReader.receive = receive
    """)
    assert not crosses(check(make(tmp_path, before=narrow)))


# --- a game alone -----------------------------------------------------------------------------------------------------


def test_a_probe_has_no_clock_for_the_program_but_an_end(tmp_path: Path) -> None:
    plan = TrialPlan(name="pause", incident=Incident.PAUSE, moves=3)
    slow = try_out(make(tmp_path, before="waits = iter([2.3])", choose="time.sleep(next(waits, 0))"), plan)
    assert found_by.incident(slow, Incident.PAUSE, PIRANHAS).mark is Mark.GOOD
    stuck = try_out(make(tmp_path, choose="time.sleep(60)"), plan, replace(QUICK, to_go_on=1.0, to_end=0.1))
    found = found_by.incident(stuck, Incident.PAUSE, PIRANHAS)
    assert (found.mark, found.detail.en) == (Mark.NOTE, "Red: did not move for 1 s")
    assert found_by.ends([stuck], 5.0).mark is Mark.UNKNOWN, "its game has not ended"


def try_out(text: str, plan: TrialPlan, patience: Patience = QUICK) -> Trial:
    sandbox = level()  # Trying it out takes an event loop of its own.

    async def run() -> Trial:
        async with GameMaster(MasterSettings(port=0)) as master:
            return await run_trial(Launcher(master, sandbox), PIRANHAS, resolve(text), plan, patience)

    return asyncio.run(run())


@pytest.mark.parametrize("busy_games", [1, 1000])
def test_a_game_that_was_not_judged_is_played_again(
    busy_games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[TrialPlan] = []

    async def play(launcher: Any, game: Any, entrant: Any, plan: TrialPlan, patience: Any, on_move: Any) -> Trial:
        plans.append(plan)
        busy = Text("voll", "busy") if len(plans) <= busy_games else NO_TEXT
        side = SideResult(
            name="mine", points=(2, 1), move_times=(0.1,) * 5, ended_after=0.1, exit_code=0, peak_memory=9
        )
        return Trial(plan=plan, side=side, not_judged=busy, incident_survived=True)

    monkeypatch.setattr(run_module, "run_trial", play)
    report = check(make(tmp_path))
    assert crosses(report) == set()
    if busy_games == 1:
        assert report.passed
        assert len(plans) == 6, "five games, one of them twice"
        assert finding(report, "sides").detail.en == "two games without a fault, 10 moves"
    else:
        assert not report.passed
        assert len(plans) == 6, "both games three times"
        for key in ("sides", "time", "forecast", "pause", "unknown_elements", "ends"):
            assert finding(report, key).mark is Mark.UNKNOWN


# --- without a program ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"#!/bin/sh\nexec python3 player.py\n", []),
        (b"exec python3 player.py\n", ["not a shebang"]),
        (b"#!/bin/sh\r\nexec x\r\n", ["CR LF"]),
        (b"\xef\xbb\xbf#!/bin/sh\n", ["byte order mark"]),
        (b"#!/bin/sh\n# Spa\xdf\n", ["line 2 is no UTF-8"]),
        (b"exec x\r\n# \xff", ["not a shebang", "CR LF", "line 2 is no UTF-8"]),
    ],
)
def test_a_start_file_is_looked_at(data: bytes, expected: list[str]) -> None:
    problems = lint_start_script(ProgramFile("start.sh", data, True))
    assert len(problems) == len(expected)
    for (what, fix), words in zip(problems, expected, strict=True):
        assert words in what.en
        assert fix.de
    assert len(lint_start_script(ProgramFile("start.sh", data, False))) == len(expected) + 1


@pytest.mark.parametrize("ending", [b"\r\n", b"\n"])
def test_a_start_file_with_windows_lines_is_a_cross(ending: bytes, tmp_path: Path) -> None:
    make(tmp_path)
    script = tmp_path / "start.sh"
    script.write_bytes(ending.join([b"#!/bin/sh", b'exec python3 player.py "$@"', b""]))
    script.chmod(0o755)
    report = check(str(tmp_path))
    if ending == b"\n":
        assert report.passed
    else:
        assert crosses(report) >= {"start_file", "arguments"}


def report_of(cause: Cause | None = None, joined: bool = True, **values: Any) -> Trial:
    """A trial that ended so, or has not ended; ``values`` are fields of it or of its side."""
    fault = None if cause is None else Fault.from_cause(cause)
    own: dict[str, Any] = {"exit_code": 0}
    own |= {name: values.pop(name) for name in ("move_times", "exit_code", "peak_memory") if name in values}
    side = SideResult(name="one", points=(), fault=fault, joined_after=0.1 if joined else None, ended_after=0.1, **own)
    return Trial(plan=TrialPlan(name="one"), side=side, has_ended=cause is not None, **values)


def test_too_much_memory_is_a_cross() -> None:
    assert found_by.memory([report_of(peak_memory=1_400_000_000)]).mark is Mark.GOOD
    assert found_by.memory([report_of(peak_memory=1_600_000_000)]).mark is Mark.BAD
    assert found_by.memory([report_of()]).mark is Mark.UNKNOWN


def test_times_are_reported_with_their_spread() -> None:
    limits = Limits(2.0, 10.0)
    good = found_by.in_time([report_of(move_times=(0.1,) * 95 + (1.5,) * 5)], limits)
    assert good.mark is Mark.GOOD
    assert good.detail.en == "1 game, 100 moves: median 0.100 s, 95 % 1.500 s, longest 1.500 s"
    assert found_by.in_time([report_of(move_times=(0.1, 2.1))], limits).mark is Mark.BAD
    assert found_by.forecast(None, PIRANHAS, 2.0).mark is Mark.UNKNOWN
    crashed = report_of(move_times=(0.1,), cause=Cause.LEFT, reason=Text("weg", "gone"))
    assert found_by.forecast(crashed, PIRANHAS, 2.0).mark is Mark.BAD, "it was in time, until it crashed"


def test_what_was_not_tried_is_neither_tick_nor_cross() -> None:
    absent = report_of(joined=False)
    for found in (
        found_by.both_sides([absent], PIRANHAS),
        found_by.ends([absent], 5.0),
        found_by.incident(None, Incident.PAUSE, PIRANHAS),
        found_by.incident(absent, Incident.UNKNOWN_ELEMENTS, PIRANHAS),
        found_by.log([absent]),
        found_by.incident(report_of(cause=Cause.REGULAR), Incident.PAUSE, PIRANHAS),
        found_by.both_sides([report_of(cause=Cause.REGULAR)], PIRANHAS),
    ):
        assert found.mark is Mark.UNKNOWN, found


@pytest.mark.parametrize("cause", [Cause.REGULAR, Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT, Cause.LEFT, None])
def test_no_finding_rests_on_a_game_that_was_not_judged(cause: Cause | None) -> None:
    failed = report_of(cause=cause, move_times=(0.1, 9.9), not_judged=Text("voll", "busy"), exit_code=None)
    absent = report_of(joined=False, not_judged=Text("voll", "busy"), exit_code=None)
    for found in (
        found_by.arguments([failed, absent]),
        found_by.both_sides([failed, failed], PIRANHAS),
        found_by.in_time([failed], Limits(2.0, 10.0)),
        found_by.forecast(failed, PIRANHAS, 2.0),
        found_by.incident(failed, Incident.PAUSE, PIRANHAS),
        found_by.ends([failed], 5.0),
    ):
        assert (found.mark, found.detail) == (Mark.UNKNOWN, Text("nicht geprüft: voll", "not tried: busy")), found


def test_a_faster_machine_means_a_larger_slowdown() -> None:
    speed = measure_speed()
    assert speed > 0
    assert slowdown(10.0) == 1.0
    assert slowdown(400.0) == 2 * slowdown(200.0) > 2


def test_a_late_move_on_a_busy_machine_is_not_judged(machine: Machine, tmp_path: Path) -> None:
    hasty = replace(PIRANHAS, limits=Limits(0.3, 5.0))
    late = make(tmp_path, choose="time.sleep(0.5)")
    assert {"sides", "time"} <= crosses(check(late, game=hasty))
    machine.be_busy(0.62)
    report = check(late, game=hasty)
    assert crosses(report) == set()
    assert not report.passed
    for key in ("sides", "time"):
        found = finding(report, key)
        assert (found.mark, found.detail.en) == (
            Mark.UNKNOWN, "not tried: the machine was busy (pressure 62 %)",
        )  # fmt: skip


def test_a_start_that_takes_too_long_on_a_busy_machine_is_not_judged(machine: Machine, tmp_path: Path) -> None:
    slow, hasty = make(tmp_path, before="time.sleep(60)"), replace(QUICK, to_join=0.2)
    assert crosses(check(slow, patience=hasty)) == {"arguments"}
    machine.be_busy()
    report = check(slow, patience=hasty)
    assert crosses(report) == set()
    assert "the machine was busy" in finding(report, "arguments").detail.en
