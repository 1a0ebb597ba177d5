"""Users of their own for player programs, where we may choose one (as root): one that breaks out should be nobody."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass

_FIRST_UID, _MAX_UIDS = 64_000, 1_000
"""A range that distributions leave free."""


@dataclass(slots=True)
class OwnUser:
    """A user id that no other player on this machine has, until it is released."""

    uid: int
    _claim: socket.socket

    @classmethod
    def claim(cls) -> OwnUser | None:
        """A free user id, or ``None`` where we may not choose one."""
        if sys.platform != "linux" or os.geteuid() != 0:
            return None
        for uid in range(_FIRST_UID, _FIRST_UID + _MAX_UIDS):
            # A name that the kernel gives to one process at a time, and takes back when that one dies.
            claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                claim.bind(f"\0spielleiter-player-{uid}")
            except OSError:
                claim.close()
            else:
                return cls(uid, claim)
        return None

    def release(self) -> None:
        """Let others have it. All its processes must be gone."""
        self._claim.close()
