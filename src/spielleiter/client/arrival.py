"""When did these bytes reach this machine? The clock of a move runs since then, whatever we were doing meanwhile."""

from __future__ import annotations

import socket
import struct
import sys
import time

_SO_TIMESTAMPNS = 35
_STAMP = struct.Struct("qq")
_ANCILLARY = socket.CMSG_SPACE(_STAMP.size) if sys.platform == "linux" else 0
_OLDEST = 60.0
"""A stamp that says more has been taken by a clock that somebody has set since."""


def ask_for_stamps(sock: socket.socket) -> None:
    """Have the kernel note when bytes arrive, where it can; before connecting."""
    if _ANCILLARY:
        try:
            sock.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        except OSError:
            return  # Reading time will do.


def receive(sock: socket.socket, size: int) -> tuple[bytes, float]:
    """The next bytes and when they came, on the clock of ``time.monotonic``. Raises what ``recv`` raises."""
    if not _ANCILLARY:
        data = sock.recv(size)
        return data, time.monotonic()
    data, ancillary, _, _ = sock.recvmsg(size, _ANCILLARY)
    now = time.monotonic()
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS:
            seconds, nanoseconds = _STAMP.unpack(payload[: _STAMP.size])
            age = time.time() - (seconds + nanoseconds / 1e9)
            if 0 <= age <= _OLDEST:
                return data, now - age
    return data, now
