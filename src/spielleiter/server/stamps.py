"""When did these bytes reach this machine? The kernel's answer, on our own clock.

Linux stamps arriving bytes if the *listening* socket asked for it before the connection was made. A stamp is
wall-clock time; we need it on the monotonic clock that the referee uses. Both clocks are read together, so a stamp
becomes "so long before now". If somebody set the wall clock, that would be wrong: the distance of the two clocks is
watched, and after a jump stamps are not trusted for a while. Without a stamp the referee judges by reading time.
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
"""Clocks that drift apart by more between two looks have been set; adjusting a clock gently is far slower."""
_DISTRUST = 2.0
"""Seconds after a jump in which bytes stamped before it may still come in."""


def ask_for_stamps(listener: socket.socket) -> bool:
    """Whether bytes on the connections of ``listener`` will be stamped; call it before it listens."""
    if sys.platform != "linux":
        return False
    try:
        listener.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


class StampReader:
    """Reads sockets and tells when the last byte came, in seconds of ``time.monotonic``."""

    def __init__(self) -> None:
        self._distance = _read_clocks()[1]
        self._trusted_from = 0.0

    def look_at_clocks(self) -> float:
        """Now; notices if the wall clock was set since the last look. To be called at least every second."""
        now, distance = _read_clocks()
        if abs(distance - self._distance) > _JUMP:
            self._trusted_from = now + _DISTRUST
        self._distance = distance
        return now

    def receive(self, peer: socket.socket, size: int) -> tuple[bytes, float, float | None]:
        """The next bytes, when we read them, and when the kernel got them if it tells. Raises what ``recv`` raises."""
        if not _ANCILLARY:
            data = peer.recv(size)
            return data, time.monotonic(), None
        data, ancillary, _, _ = peer.recvmsg(size, _ANCILLARY)
        now = self.look_at_clocks()
        for level, kind, payload in ancillary:
            if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS and now >= self._trusted_from:
                seconds, nanoseconds = _SECONDS_AND_NANOSECONDS.unpack(payload[: _SECONDS_AND_NANOSECONDS.size])
                return data, now, seconds + nanoseconds / 1e9 - self._distance
        return data, now, None


def _read_clocks() -> tuple[float, float]:
    """The monotonic time, and by how much the wall clock is ahead of it."""
    # We may lose the processor between two looks; then the distance is wrong, so look again.
    while True:
        before, wall, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        if after - before < 100_000:
            return after / 1e9, (wall - after) / 1e9
