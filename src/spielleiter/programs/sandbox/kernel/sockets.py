"""Whose socket a TCP connection is: the kernel has a table of all sockets, and one of the files of each process."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress

_LOCAL_ADDRESS, _INODE = 1, 9
_WORD = 4
_TABLES = {4: "/proc/net/tcp", 6: "/proc/net/tcp6"}
_MAPPED = "::ffff:"


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
