"""When did these bytes reach this machine? The kernel's answer, on our own clock.

Linux stamps arriving bytes if the socket asked for it; for a server the *listening* socket must have asked before the
connection was made. A timestamp is wall-clock time; we need it on the monotonic clock by which moves are judged. Both
clocks are read together, so a timestamp becomes "so long before now". If the wall clock was set, that would be
wrong: the distance of the two clocks is watched, and after a jump timestamps are not trusted for a while. Without a
timestamp the time of reading counts.
"""

from __future__ import annotations

import socket
import struct
import sys
import time

_SO_TIMESTAMPNS = 35
_SECONDS_AND_NANOSECONDS = struct.Struct("qq")
_ANCILLARY = socket.CMSG_SPACE(_SECONDS_AND_NANOSECONDS.size) if sys.platform == "linux" else 0
_JUMP = 0.002
"""Clocks that drift apart by more between two checks have been set; adjusting a clock gently is far slower.

A caller that checks rarely, as a thinking client does, may mistake the one for the other: then the time of reading
counts once, which is harmless.
"""
_DISTRUST = 2.0
"""Seconds after a jump in which bytes stamped before it may still come in."""


def enable_timestamps(sock: socket.socket) -> bool:
    """Whether bytes on this socket, or on the future connections of a listening one, will have timestamps."""
    if sys.platform != "linux":
        return False
    try:
        sock.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


class TimestampReader:
    """Reads sockets together with the time at which the last byte came, in seconds of ``time.monotonic``."""

    def __init__(self) -> None:
        self._distance = _read_clocks()[1]
        self._trusted_from = 0.0

    def check_clocks(self) -> float:
        """Now; notices if the wall clock was set since the last check. A server calls it at least every second."""
        now, distance = _read_clocks()
        if abs(distance - self._distance) > _JUMP:
            self._trusted_from = now + _DISTRUST
        self._distance = distance
        return now

    def receive(self, sock: socket.socket, size: int) -> tuple[bytes, float, float | None]:
        """The next bytes, when we read them, and when the kernel got them if known. Raises what ``recv`` raises."""
        if not _ANCILLARY:
            data = sock.recv(size)
            return data, time.monotonic(), None
        data, ancillary, _, _ = sock.recvmsg(size, _ANCILLARY)
        now = self.check_clocks()
        for level, kind, payload in ancillary:
            if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS and now >= self._trusted_from:
                seconds, nanoseconds = _SECONDS_AND_NANOSECONDS.unpack(payload[: _SECONDS_AND_NANOSECONDS.size])
                return data, now, seconds + nanoseconds / 1e9 - self._distance
        return data, now, None


def _read_clocks() -> tuple[float, float]:
    """The monotonic time, and by how much the wall clock is ahead of it."""
    # We may lose the processor between two readings; then the distance is wrong, so read again.
    while True:
        before, wall, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        if after - before < 100_000:
            return after / 1e9, (wall - after) / 1e9
