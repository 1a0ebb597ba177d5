"""How busy this machine is, and what that says about a game."""

from __future__ import annotations

import os
import time
from dataclasses import replace

import pytest

from spielleiter import pressure
from spielleiter.pressure import BUSY, PressureMeter, Reading, current_pressure, is_busy
from tests.support.burners import burners
from tests.support.machine import Machine

BEFORE = Reading(at=100.0, stalled=50.0, used=80.0, stolen=1.0, players=10.0, ours=5.0)
"""A machine with two cores."""


def after(*, stalled: float = 0, used: float = 0, stolen: float = 0, players: float = 0, ours: float = 0) -> Reading:
    """Ten seconds later."""
    return Reading(110.0, 50 + stalled, 80 + used, 1 + stolen, 10 + players, 5 + ours)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (after(), 0.0),
        (after(stalled=0.2, used=10.5, players=10), 0.02),
        (after(stalled=8, used=20, players=4), 0.8),
        (after(stalled=2, used=20, players=10), 0.2),
    ],
    ids=["idle", "a game alone", "four burners", "a burner on the core that the game leaves free"],
)
def test_pressure_is_the_share_of_time_in_which_something_waited_for_a_core(now: Reading, expected: float) -> None:
    assert now.pressure_since(BEFORE, 2) == pytest.approx(expected)


def test_a_program_that_waits_for_its_own_threads_is_under_no_pressure() -> None:
    assert not is_busy(after(stalled=9, used=10.4, players=10).pressure_since(BEFORE, 2))


def test_games_that_take_the_cores_from_each_other_are_under_pressure() -> None:
    assert is_busy(after(stalled=7, used=20, players=10).pressure_since(BEFORE, 2))


def test_what_the_host_of_a_virtual_machine_keeps_is_pressure() -> None:
    assert after(used=6, stolen=4, players=6).pressure_since(BEFORE, 2) == pytest.approx(0.4)


def test_without_psi_the_share_of_others_counts() -> None:
    before = replace(BEFORE, stalled=None)
    now = replace(after(used=17, players=5, ours=2), stalled=None)
    assert now.pressure_since(before, 2) == pytest.approx(0.5)


def test_where_the_system_does_not_tell_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pressure, "_read", lambda path: None)
    assert PressureMeter().pressure() is None
    assert not is_busy(None)


def test_a_moment_too_short_to_tell_says_nothing() -> None:
    assert replace(after(stalled=1, used=1), at=100.1).pressure_since(BEFORE, 2) is None


def test_a_burst_at_the_end_of_a_long_game_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter([
        BEFORE,
        replace(BEFORE, at=400.0, used=100.0),
        Reading(at=410.0, stalled=59.0, used=120.0, stolen=1.0, players=10.0, ours=5.0),
    ])  # fmt: skip
    monkeypatch.setattr(Reading, "now", lambda players: next(readings))
    monkeypatch.setattr(time, "monotonic", lambda: 400.0)
    meter = PressureMeter()
    meter.mark()
    assert meter.pressure() == pytest.approx(0.9)


def test_without_psi_the_run_queue_says_how_busy_it_is_now(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.be_busy(0.62)
    assert current_pressure() == pytest.approx(0.62)
    machine.has_psi = False
    monkeypatch.setattr(os, "getloadavg", lambda: (8.0, 0.0, 0.0), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert current_pressure() == pytest.approx(0.75)


@pytest.mark.slow
def test_six_burners_are_felt(real_machine: None) -> None:
    if PressureMeter().overall() is None and current_pressure() is None:
        pytest.skip("this system does not tell")
    with burners(3 * (os.cpu_count() or 1)):
        meter = PressureMeter()
        time.sleep(1.0)  # Real burners need real time.
        assert (meter.pressure() or 0.0) >= BUSY
