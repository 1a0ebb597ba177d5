"""Runs first inside a bubblewrap sandbox: makes the player's folder and the socket it will meet the game master on.

    bwrap --as-pid-1 ... python3 -I -S bootstrap.py CONTROL FILES PORT UID PROCESSES DESCRIPTORS NICE REPORT PLAYER...

In the sandbox's own network nothing is reachable but what listens in it. So the listening socket is made here and
handed out through ``CONTROL`` (SCM_RIGHTS) to the game master, who accepts on it from outside: the player connects to
127.0.0.1:PORT as always. With it goes the root folder, so that its size can be watched. The bootstrap stays beside the
player as process 1 of the sandbox, and takes everything along when the player has ended; to a descriptor ``REPORT`` it
first writes the names of the processes that the player leaves behind. This file stands alone: the package is not there
in the sandbox, and every import costs each game its time.

It has the capabilities that it needs itself; the player has none. Without root, both have the same user: process 1 is
not dumpable, so that the player cannot write into it (``/proc/1/mem``), and handles no signal, so that it gets none.
"""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import sys
import time
from contextlib import suppress

SIOCSIFADDR = 0x8916
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 4, 24, 47, 4
CAPABILITY_VERSION = 0x20080522
MAX_CAPABILITIES = 64
CHUNK_SIZE = 1 << 20
RECEIVE_BUFFER, SEND_BUFFER = "4096 131072 131072", "4096 16384 65536"
"""The least, what a socket begins with (as everywhere) and the most: together ``SOCKET_BUFFERS`` of the watchdog."""
GRACE_SECONDS = 0.2
"""What ends this soon after the player was not left behind."""

libc = ctypes.CDLL(None, use_errno=True)


def unpack(files: int) -> None:
    """Write the program's files (see ``files.py``) into the current folder."""
    with open(files, "rb") as file:
        file.seek(0)
        while line := file.readline():
            mode, size, path = line[:-1].split(b" ", 2)
            folder = os.path.dirname(path)
            if folder:
                os.makedirs(folder, exist_ok=True)
            left = int(size)
            with open(path, "wb") as target:
                while left:
                    left -= target.write(file.read(min(left, CHUNK_SIZE)))
            os.chmod(path, int(mode, 8))


def write_etc(uid: int) -> None:
    """Write what programs look up: the names of this network, in which they are alone, and of their own user.

    ``localhost`` has no IPv6 address, because the game master does not listen on one.
    """
    texts = {
        "hosts": "127.0.0.1 localhost player\n",
        "resolv.conf": "",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
        "passwd": f"root:x:0:0:root:/:/bin/false\nplayer:x:{uid}:{uid}:player:/player:/bin/sh\n",
        "group": f"root:x:0:\nplayer:x:{uid}:\n",
    }
    for name, text in texts.items():
        path = f"/etc/{name}"
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, 0o644)


def add_address() -> None:
    """Give the loopback a second address, where the system lets us (AppArmor may take the capability away).

    To glibc a machine whose only address is 127.0.0.1 has no IPv4: with AI_ADDRCONFIG, which is the default of
    boost::asio, its getaddrinfo then knows no address at all, not even a numeric one.
    """
    request = struct.pack("16sH2x4s16x", b"lo:0", socket.AF_INET, socket.inet_aton("127.0.0.2"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, suppress(PermissionError):
        fcntl.ioctl(sock, SIOCSIFADDR, request)


def limit_buffers() -> None:
    """Keep the buffers of TCP in this network small: together they slow down the TCP of the whole machine.

    Where the system does not let us (AppArmor again), they are as large as everywhere on it.
    """
    for name, sizes in (("tcp_rmem", RECEIVE_BUFFER), ("tcp_wmem", SEND_BUFFER)):
        with suppress(OSError), open(f"/proc/sys/net/ipv4/{name}", "w", encoding="ascii") as file:
            file.write(sizes)


def drop_privileges(uid: int) -> None:
    """Give up every capability, and become the user ``uid`` unless it is negative."""
    for capability in range(MAX_CAPABILITIES):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid >= 0:
        # Only here: RLIMIT_NPROC means nothing to root, and a program that breaks out should be nobody.
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


def guard(report: int, *inherited: int) -> None:
    """Return in a new process, the player's; stay in this one until that has ended, and end as it did.

    This one keeps its user: without capabilities bubblewrap, whose death is to end it, could not signal another.
    """
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    player = os.fork()
    if not player:
        if report >= 0:
            os.close(report)
        return
    # Process 1 gets only the signals that it handles, and Python handles this one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    drop_privileges(-1)
    for file in inherited:
        os.close(file)
    ended = status = 0
    while ended != player:
        ended, status = os.wait()  # Also orphans, which are children of process 1.
    code = os.waitstatus_to_exitcode(status)
    if report >= 0:
        deadline = time.monotonic() + GRACE_SECONDS
        while (left := others()) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.write(report, b"".join(left))
    os._exit(128 - code if code < 0 else code)


def others() -> "list[bytes]":
    """The names of all living processes in the sandbox but this one, a line each."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal() and int(entry) != os.getpid():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    name, _, rest = file.read().partition(b"(")[2].rpartition(b")")
            except OSError:
                continue
            if rest.split()[0] not in (b"Z", b"X"):
                found.append(name + b"\n")
    return found


def main() -> None:
    """Prepare everything, wait for the word of the game master, become the player."""
    control, files, port, uid, processes, descriptors, nice, report = map(int, sys.argv[1:9])
    player = sys.argv[9:]
    write_etc(os.getuid() if uid < 0 else uid)
    add_address()
    limit_buffers()
    guard(report, *(file for file in (control, files) if file >= 0))
    drop_privileges(uid)
    problem = ""
    if files >= 0:
        try:
            unpack(files)
        except OSError as refusal:  # The program's own failure, not one of the sandbox: it ends when it may begin.
            problem = f"the program cannot be unpacked: {refusal.strerror}"
    root = os.open("/", os.O_RDONLY)
    listener = socket.create_server(("127.0.0.1", port))
    with socket.socket(fileno=control) as master:
        socket.send_fds(master, [b"ready"], [listener.fileno(), root])
        if not master.recv(1):
            sys.exit(1)  # The game master does not want to play any more.
    listener.close()
    os.close(root)
    if problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(127)
    os.nice(nice)
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    try:
        os.execvp(player[0], player)  # noqa: S606 - no shell is what we want
    except OSError as refusal:
        sys.stderr.write(f"{player[0]}: {refusal.strerror}\n")
        sys.exit(127)


main()
