"""The machine of the tests counts as idle, however busy it is: what they assert must not depend on that."""

from __future__ import annotations

import time

import pytest

from spielleiter import pressure


class Machine:
    """What the kernel says of two cores that other programs use; ``be_busy`` sets the pressure from now on."""

    def __init__(self) -> None:
        self._pressure = self._stalled = self._used = 0.0
        self._since = time.monotonic()
        self.has_psi = True

    def be_busy(self, share: float = 0.6) -> None:
        self._count()
        self._pressure = share

    def _count(self) -> None:
        now = time.monotonic()
        self._stalled += self._pressure * (now - self._since)
        self._used += (now - self._since) if self._pressure else 0.0
        self._since = now

    def read(self, path: str) -> str | None:
        """The text of a file of the kernel."""
        self._count()
        if path == "/proc/stat":
            return f"cpu  {1e6 * self._used:.0f} 0 0 0 0 0 0 0 0 0\n"
        if not self.has_psi:
            return None
        average = 100 * self._pressure
        return f"some avg10={average:.2f} avg60=0.00 avg300=0.00 total={1e6 * self._stalled:.0f}\nfull total=0\n"


@pytest.fixture
def real_machine() -> None:
    """For tests that measure this machine."""


@pytest.fixture(autouse=True)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made_up = Machine()
    if "real_machine" not in request.fixturenames:
        monkeypatch.setattr(pressure, "_read", made_up.read)
    return made_up
