"""The kernel's timestamps: before the reading, on the monotonic clock, and not trusted when a clock was set."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator

import pytest

from spielleiter import timestamps
from spielleiter.timestamps import TimestampReader, enable_timestamps

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux stamps arriving bytes")


@pytest.fixture(name="pair")
def fixture_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two ends of a connection; the first has timestamps, because its listener asked for them."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert enable_timestamps(listener)
        with socket.create_connection(listener.getsockname()) as far:
            near, _ = listener.accept()
            with near:
                yield near, far


def test_bytes_are_stamped_when_they_came_not_when_they_are_read(pair: tuple[socket.socket, socket.socket]) -> None:
    near, far = pair
    reader = TimestampReader()
    sent = time.monotonic()
    far.sendall(b"move")
    time.sleep(0.05)  # The subject: they lie there for a while before they are read.
    data, read, stamp = reader.receive(near, 100)
    assert data == b"move"
    assert stamp is not None
    assert sent - 0.001 <= stamp <= read - 0.04


def test_after_the_wall_clock_was_set_no_timestamp_is_trusted(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    near, far = pair
    reader = TimestampReader()
    real = timestamps._read_clocks
    monkeypatch.setattr(timestamps, "_read_clocks", lambda: (real()[0], real()[1] + 3600))
    far.sendall(b"move")
    data, read, stamp = reader.receive(near, 100)
    assert (data, stamp) == (b"move", None)
    assert read <= time.monotonic()


def test_a_socket_that_never_asked_has_no_timestamps() -> None:
    near, far = socket.socketpair()
    with near, far:
        far.sendall(b"move")
        data, _, stamp = TimestampReader().receive(near, 100)
    assert (data, stamp) == (b"move", None)
