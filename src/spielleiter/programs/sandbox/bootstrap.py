"""Runs first inside a bubblewrap sandbox: makes the player's folder and the socket it will meet the game master on.

    bwrap ... python3 -I -S bootstrap.py CONTROL PARCEL PORT UID PROCESSES NICE PLAYER ARG...

In the sandbox's own network nothing is reachable but what listens in it. So the listening socket is made here and
handed out through ``CONTROL`` (SCM_RIGHTS) to the game master, who accepts on it from outside: the player connects to
127.0.0.1:PORT as always. With it goes the root folder, so that its size can be watched. This file stands alone: the
package is not there in the sandbox, and every import costs each game its time.
"""

import os
import resource
import socket
import sys


def unpack(parcel: int) -> None:
    """Write the files of the parcel (see ``parcel.py``) into the current folder."""
    with open(parcel, "rb") as file:
        file.seek(0)
        while line := file.readline():
            mode, size, path = line[:-1].split(b" ", 2)
            folder = os.path.dirname(path)
            if folder:
                os.makedirs(folder, exist_ok=True)
            with open(path, "wb") as target:
                target.write(file.read(int(size)))
            os.chmod(path, int(mode, 8))


def main() -> None:
    """Prepare everything, wait for the word of the game master, become the player."""
    control, parcel, port, uid, processes, nice = map(int, sys.argv[1:7])
    player = sys.argv[7:]
    if uid >= 0:
        # Only here: RLIMIT_NPROC means nothing to root, and whoever breaks out should be nobody.
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    if parcel >= 0:
        unpack(parcel)
    root = os.open("/", os.O_RDONLY)
    listener = socket.create_server(("127.0.0.1", port))
    with socket.socket(fileno=control) as master:
        socket.send_fds(master, [b"ready"], [listener.fileno(), root])
        if not master.recv(1):
            sys.exit(1)  # The game master does not want to play any more.
    listener.close()
    os.close(root)
    os.nice(nice)
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    try:
        os.execvp(player[0], player)  # noqa: S606 - no shell is what we want
    except OSError as problem:
        sys.stderr.write(f"{player[0]}: {problem.strerror}\n")
        sys.exit(127)


main()
