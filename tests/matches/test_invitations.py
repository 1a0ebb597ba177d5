"""The reservations of those who join manually."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.matches.invitations import INVITATIONS, with_reservations
from spielleiter.programs.entrants import resolve_all


def test_every_manual_player_has_their_own_code_for_the_whole_match(tmp_path: Path) -> None:
    entrants = resolve_all(["manual:Ada", "random", "manual:Bob"])
    ada, computer, bob = with_reservations(tmp_path, entrants)
    assert computer.reservation == ""
    assert len({ada.reservation, bob.reservation}) == 2
    # Resumed with another player, those from before keep theirs.
    again = with_reservations(tmp_path, resolve_all(["manual:Bob", "manual:Cem"]))
    assert again[0].reservation == bob.reservation
    assert ada.digest == entrants[0].digest
    assert ada.reservation not in repr(ada)


def test_nobody_else_reads_the_codes(tmp_path: Path) -> None:
    with_reservations(tmp_path, resolve_all(["manual:Ada", "random"]))
    assert stat.S_IMODE((tmp_path / INVITATIONS).stat().st_mode) == 0o600


def test_without_manual_players_there_is_no_file(tmp_path: Path) -> None:
    with_reservations(tmp_path, resolve_all(["random", "random"]))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", ["", "[]", "not json"])
def test_a_broken_file_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / INVITATIONS).write_text(content)
    with pytest.raises(SettingsError, match="cannot be read"):
        with_reservations(tmp_path, resolve_all(["manual:Ada", "random"]))
