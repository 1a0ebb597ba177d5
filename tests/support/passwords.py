"""Password hashes that cost nothing, for tests of accounts; the real parameters are tested on their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import argon2
import pytest

from spielleiter.contest.accounts import accounts

CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@contextmanager
def quick_hashing() -> Iterator[None]:
    """Hash passwords quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_hasher", lambda: CHEAP)
        accounts._nobodys_password.cache_clear()
        yield
    accounts._nobodys_password.cache_clear()
