"""How much somebody may ask of the server."""

from __future__ import annotations

import pytest

from spielleiter.referee import credit
from spielleiter.referee.credit import Credit, CreditByKey


def test_a_credit_grows_with_time_up_to_its_burst_and_can_be_overdrawn() -> None:
    account = Credit(rate=2, burst=10, now=0.0)
    assert account.charge(12, now=0.0) == -2
    assert account.left(1.0) == 0
    assert account.left(3.5) == 5
    assert account.left(1000.0) == 10


def test_keys_do_not_share_their_credit() -> None:
    accounts = CreditByKey(rate=1, burst=2)
    accounts.charge("a", 2, now=0.0)
    assert (accounts.left("a", 0.0), accounts.left("b", 0.0), accounts.left("a", 1.0)) == (0, 2, 1)


def test_ever_new_keys_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credit, "_MAX_KEYS", 3)
    accounts = CreditByKey(rate=0, burst=2)
    for number in range(10):
        accounts.charge(f"{number}", 1, now=0.0)
    assert len(accounts._credits) == 3
    assert accounts.left("9", 0.0) == 1
