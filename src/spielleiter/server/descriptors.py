"""File descriptors: as many as the settings of a server promise, if the system gives them."""

from __future__ import annotations

import logging
import sys

log = logging.getLogger("spielleiter.server")

_RESERVE = 100
"""For everything but clients: listeners, libraries, the log."""


def allow_connections(number: int) -> int:
    """Raise this process's limit of file descriptors as far as ``number`` clients need it; how many can be had.

    If that is less, the log says so.
    """
    if sys.platform == "win32":
        return number
    import resource

    # Each has a socket, and every second one opens a record.
    needed = number + number // 2 + _RESERVE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return number
    for new_hard in (hard, max(hard, needed)):  # Only root may raise the second.
        if new_hard == resource.RLIM_INFINITY or new_hard >= needed:
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (needed, new_hard))
            except (OSError, ValueError):
                continue
            return number
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    possible = max(0, (hard - _RESERVE) * 2 // 3)
    log.warning(
        "%d connections would need %d file descriptors; this system allows %d, enough for %d connections (ulimit -Hn)",
        number, needed, hard, possible,
    )  # fmt: skip
    return possible
