"""What serve, web and play say at their start."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.cli import start_message
from spielleiter.cli.start_message import _still_there, player_lines
from spielleiter.web.server import default_class


def test_on_loopback_the_way_into_the_network_is_named() -> None:
    where, command = player_lines("127.0.0.1", 13050)
    assert (
        where.en == "Address for players: 127.0.0.1:13050 (this machine only; --host 0.0.0.0 opens it to the network)"
    )
    assert command.en == "A player joins with: python player.py --host 127.0.0.1 --port 13050"


def test_in_the_network_every_address_is_named_and_the_command_has_one_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_message, "reachable", lambda host: ["192.168.1.5", "fd00::2", "::1"])
    where, command = player_lines("::", 4711)
    assert where.de == "Adresse für Spieler: 192.168.1.5:4711, [fd00::2]:4711, [::1]:4711"
    assert command.de == "Ein Spieler tritt bei mit: python player.py --host 192.168.1.5 --port 4711"


def test_the_class_that_is_open_is_the_one_that_would_be_forgotten() -> None:
    usual = _still_there(1, default_class()).en
    assert "(1 person, " in usual
    assert usual.endswith("To start afresh: spielleiter class --forget")
    assert _still_there(30, Path("my 8b")).de.endswith("Neu anfangen: spielleiter class --forget --folder 'my 8b'")
