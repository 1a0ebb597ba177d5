"""How busy this machine is with other programs than ours."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from spielleiter.matches import cpu_load
from spielleiter.matches.cpu_load import CpuLoad


class Clocks:
    """A machine with two cores whose clocks stand still until somebody sets them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.everybody = self.ours = self.players = 0.0
        monkeypatch.setattr(cpu_load, "os", SimpleNamespace(cpu_count=lambda: 2))
        monkeypatch.setattr(cpu_load, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(cpu_load, "_busy", lambda: self.everybody)
        monkeypatch.setattr(cpu_load, "_ours", lambda: self.ours)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def test_what_we_and_our_players_use_is_nobody_elses_load(clocks: Clocks) -> None:
    load = CpuLoad(lambda: clocks.players)
    clocks.now, clocks.everybody, clocks.ours, clocks.players = 10.0, 8.0, 2.0, 5.0
    assert load.share() == pytest.approx(0.05)
    assert load.notices() == ()
    clocks.everybody = 17.0
    assert load.share() == pytest.approx(0.5)
    assert "50%" in load.notices()[0].en


def test_a_game_is_judged_by_the_load_of_its_own_time(clocks: Clocks) -> None:
    load = CpuLoad()
    clocks.now, clocks.everybody = 10.0, 20.0
    before = load.reading()
    clocks.now, clocks.everybody = 20.0, 21.0
    assert load.share(before) == pytest.approx(0.05)
    assert load.share() == pytest.approx(21 / 40)


def test_where_the_system_does_not_tell_nothing_is_claimed(clocks: Clocks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_load, "_busy", lambda: None)
    load = CpuLoad()
    assert load.share() is None
    assert load.notices() == ()
