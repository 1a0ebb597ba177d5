"""Whose socket a TCP connection is, and what waits in it unread.

The kernel has a table of all sockets, and one of the files of each process. That table is dear (milliseconds, it looks
into every hash bucket), and for a network of its own the quick way to it, netlink, is closed. So what is unread is
asked of the socket itself: a duplicate of it lives for some microseconds. Our own side cannot tell: the kernel at the
other end acknowledges what no program has read yet (``SIOCOUTQ`` is 0 at once).
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import cache

_LOCAL_ADDRESS, _INODE = 1, 9
_WORD = 4
_TABLES = {4: "/proc/net/tcp", 6: "/proc/net/tcp6"}
_MAPPED = "::ffff:"
_PIDFD_GETFD = 438
"""The number of the system call on every architecture that we know."""
_FIONREAD = 0x541B
_KNOWN_MACHINES = ("x86_64", "aarch64")


def owns_socket(pids: Iterable[int], address: tuple[str, int]) -> bool:
    """Whether one of these processes has the socket with this address of its own.

    Also if that cannot be known: the system has no such tables, or we may not look at a process.
    """
    if sys.platform != "linux":
        return True
    inodes = _inodes(address)
    for pid in pids:
        try:
            files = os.listdir(f"/proc/{pid}/fd")
        except PermissionError:
            return True
        except OSError:
            continue  # It has ended.
        for file in files:
            with suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{file}") in inodes:
                    return True
    return False


def _inodes(address: tuple[str, int]) -> set[str]:
    """The sockets with this address of their own, as the files of a process name them."""
    host, port = address[0].partition("%")[0].removeprefix(_MAPPED), address[1]
    # An IPv4 address may be that of an IPv6 socket.
    tables = [(6, host)] if ":" in host else [(4, host), (6, f"{_MAPPED}{host}")]
    found = set()
    for version, own_host in tables:
        wanted = f"{_as_printed(own_host)}:{port:04X}"
        with suppress(FileNotFoundError), open(_TABLES[version], encoding="ascii") as table:
            for line in table:
                fields = line.split()
                if fields[_LOCAL_ADDRESS] == wanted:
                    found.add(f"socket:[{fields[_INODE]}]")
    return found


def _as_printed(host: str) -> str:
    """The address as the kernel prints it: each word of four bytes as the number that it is on this machine."""
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = (packed[at : at + _WORD] for at in range(0, len(packed), _WORD))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)


# --- what is unread ---------------------------------------------------------------------------------------------------


def unread_bytes(pids: Iterable[int], address: tuple[str, int]) -> int | None:
    """The bytes that wait in the socket of these processes with this address of its own; ``None`` if unknown."""
    if sys.platform != "linux" or platform.machine() not in _KNOWN_MACHINES:
        return None
    import fcntl

    for pid in pids:
        with suppress(OSError):
            for sock in _sockets_of(pid):
                if sock.getsockname()[:2] == address:
                    return int(struct.unpack("i", fcntl.ioctl(sock, _FIONREAD, bytes(4)))[0])
    return None


def _sockets_of(pid: int) -> Iterator[socket.socket]:
    """A duplicate of each TCP socket of a process, closed when the next one is asked for. Raises ``OSError``."""
    process = os.pidfd_open(pid)
    try:
        for file in os.listdir(f"/proc/{pid}/fd"):
            if not os.readlink(f"/proc/{pid}/fd/{file}").startswith("socket:"):
                continue
            own = _libc().syscall(_PIDFD_GETFD, process, int(file), 0)
            if own < 0:
                raise OSError(ctypes.get_errno(), "pidfd_getfd")
            with closing(socket.socket(fileno=own)) as sock:
                if sock.family in (socket.AF_INET, socket.AF_INET6) and sock.type == socket.SOCK_STREAM:
                    yield sock
    finally:
        os.close(process)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
