"""How often somebody may try a password."""

from __future__ import annotations

import pytest

from spielleiter.contest.accounts.attempts import Attempts, Bound

FREE = Bound(100, 60.0)


def test_failures_of_a_name_are_bounded_from_wherever_they_come() -> None:
    attempts = Attempts(FREE, FREE, Bound(3, 60.0))
    for number in range(3):
        assert attempts.try_acquire("ada", f"10.0.0.{number}", 0.0) == 0.0
    assert attempts.try_acquire("ADA", "10.0.0.9", 10.0) == 50.0
    assert attempts.try_acquire("bob", "10.0.0.9", 10.0) == 0.0


def test_failures_of_an_address_are_bounded_whatever_the_name() -> None:
    attempts = Attempts(FREE, Bound(3, 60.0))
    for number in range(3):
        assert attempts.try_acquire(f"name{number}", "10.0.0.1", 0.0) == 0.0
    assert attempts.try_acquire("another", "10.0.0.1", 59.0) == 1.0
    assert attempts.try_acquire("another", "10.0.0.2", 59.0) == 0.0


@pytest.mark.parametrize("written", ["ADA", "  ada ", "\uff21\uff44\uff41", "\U0001d4d0\U0001d4ed\U0001d4ea"])
def test_a_name_counts_however_it_is_written(written: str) -> None:
    attempts = Attempts(Bound(1, 60.0), FREE)
    assert attempts.try_acquire("ada", "10.0.0.1", 0.0) == 0.0
    assert attempts.try_acquire(written, "10.0.0.1", 0.0) > 0.0


def test_a_stranger_locks_nobody_out_who_was_there_before() -> None:
    attempts = Attempts()
    attempts.try_acquire("olga", "10.0.0.1", 0.0)
    attempts.succeeded("olga", "10.0.0.1")
    for number in range(1000):
        attempts.try_acquire("olga", f"192.0.2.{number % 250}", 1.0)
    assert attempts.try_acquire("olga", "192.0.2.1", 2.0) > 0.0
    assert attempts.try_acquire("olga", "198.51.100.7", 2.0) > 0.0, "a stranger from anywhere waits"
    assert attempts.try_acquire("olga", "10.0.0.1", 2.0) == 0.0, "an address that is known"
    assert attempts.try_acquire("olga", "192.0.2.1", 2.0, device="laptop") == 0.0, "a device that is known"


def test_a_known_device_and_a_known_address_cannot_guess_for_ever() -> None:
    attempts = Attempts()
    attempts.succeeded("olga", "10.0.0.1")
    for device in ("", "stolen"):
        waits = [attempts.try_acquire("olga", "10.0.0.1", 0.0, device) for _ in range(11)]
        assert waits[:10] == [0.0] * 10
        assert waits[10] > 0.0


def test_the_window_slides() -> None:
    attempts = Attempts(Bound(2, 60.0), FREE)
    assert attempts.try_acquire("ada", "x", 0.0) == 0.0
    assert attempts.try_acquire("ada", "x", 30.0) == 0.0
    assert attempts.try_acquire("ada", "x", 59.0) == 1.0
    assert attempts.try_acquire("ada", "x", 60.0) == 0.0
    assert attempts.try_acquire("ada", "x", 61.0) == 29.0


def test_being_refused_does_not_make_the_wait_longer() -> None:
    attempts = Attempts(Bound(1, 60.0), FREE)
    attempts.try_acquire("ada", "x", 0.0)
    assert [attempts.try_acquire("ada", "x", now) for now in (10.0, 20.0, 30.0)] == [50.0, 40.0, 30.0]


def test_a_right_password_is_not_a_failure() -> None:
    attempts = Attempts(Bound(2, 60.0), Bound(2, 60.0))
    for _ in range(10):
        assert attempts.try_acquire("ada", "x", 0.0) == 0.0
        attempts.succeeded("ada", "x")
    assert len(attempts) == 0


def test_a_right_password_for_one_name_does_not_allow_more_tries_of_others() -> None:
    attempts = Attempts(FREE, Bound(3, 60.0))
    attempts.try_acquire("victim", "x", 0.0)
    attempts.try_acquire("victim", "x", 0.0)
    attempts.try_acquire("mallory", "x", 0.0)
    attempts.succeeded("mallory", "x")
    assert attempts.try_acquire("victim", "x", 1.0) == 0.0
    assert attempts.try_acquire("victim", "x", 1.0) > 0.0


def test_memory_is_bounded() -> None:
    attempts = Attempts(max_keys=100)
    for number in range(1000):
        attempts.try_acquire(f"name{number}" * 100, f"10.0.{number // 250}.{number % 250}", 0.0)
    assert len(attempts) <= 100
