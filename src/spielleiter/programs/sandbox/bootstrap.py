"""Runs first inside a bubblewrap sandbox: makes the player's folder and the socket it will meet the game master on.

    bwrap ... python3 -I -S bootstrap.py CONTROL FILES PORT UID PROCESSES DESCRIPTORS NICE REPORT ENTRANCES PLAYER...

In the sandbox's own network nothing is reachable but what listens in it. So the listening socket is made here and
handed out through ``CONTROL`` (SCM_RIGHTS) to the game master, who accepts on it from outside: the player connects to
127.0.0.1:PORT as always. With it goes the root folder, so that its size can be watched. With a descriptor ``REPORT``
the bootstrap stays beside the player, and writes the names of the processes to it that the player leaves behind.
``ENTRANCES`` are descriptors, with commas between, by which the player enters its control group. This file stands
alone: the package is not there in the sandbox, and every import costs each game its time.

It has the capabilities that it needs itself; the player has none.
"""

import ctypes
import fcntl
import os
import resource
import socket
import struct
import sys
import time
from contextlib import suppress

SIOCSIFADDR = 0x8916
PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
CAPABILITY_VERSION = 0x20080522
MAX_CAPABILITIES = 64
GRACE_SECONDS = 0.2
"""What ends this soon after the player was not left behind."""


def unpack(files: int) -> None:
    """Write the program's files (see ``files.py``) into the current folder."""
    with open(files, "rb") as file:
        file.seek(0)
        while line := file.readline():
            mode, size, path = line[:-1].split(b" ", 2)
            folder = os.path.dirname(path)
            if folder:
                os.makedirs(folder, exist_ok=True)
            with open(path, "wb") as target:
                target.write(file.read(int(size)))
            os.chmod(path, int(mode, 8))


def write_etc(uid: int) -> None:
    """Write what programs look up: the names of this network, which has nobody else in it, and of their own user.

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


def drop_privileges(uid: int) -> None:
    """Give up every capability, and become the user ``uid`` unless it is negative."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(MAX_CAPABILITIES):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid >= 0:
        # Only here: RLIMIT_NPROC means nothing to root, and whoever breaks out should be nobody.
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


def guard(report: int) -> None:
    """Return in a new process, the player's; stay in this one until that has ended, and end as it did."""
    pid = os.fork()
    if not pid:
        os.close(report)
        return
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    deadline = time.monotonic() + GRACE_SECONDS
    while (left := others()) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.write(report, b"".join(left))
    os._exit(128 - code if code < 0 else code)


def others() -> "list[bytes]":
    """The names of all living processes in the sandbox but its first one and this one, a line each."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal() and int(entry) not in (1, os.getpid()):
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
    entrances = [int(file) for file in sys.argv[9].split(",") if file]
    player = sys.argv[10:]
    write_etc(os.getuid() if uid < 0 else uid)
    add_address()
    drop_privileges(uid)
    if files >= 0:
        unpack(files)
    root = os.open("/", os.O_RDONLY)
    listener = socket.create_server(("127.0.0.1", port))
    with socket.socket(fileno=control) as master:
        socket.send_fds(master, [b"ready"], [listener.fileno(), root])
        if not master.recv(1):
            sys.exit(1)  # The game master does not want to play any more.
    listener.close()
    os.close(root)
    if report >= 0:
        guard(report)
    for entrance in entrances:
        os.write(entrance, b"0")
        os.close(entrance)
    os.nice(nice)
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    try:
        os.execvp(player[0], player)  # noqa: S606 - no shell is what we want
    except OSError as problem:
        sys.stderr.write(f"{player[0]}: {problem.strerror}\n")
        sys.exit(127)


main()
