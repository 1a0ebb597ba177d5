"""The best level: a bubblewrap container for each game of each player, with nothing in it but what a program needs.

Its own processes (they die with it, grandchildren too), its own network with the game master only, its own files
on a sized piece of memory, system folders to read, no rights, a user of its own where we may choose one.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from spielleiter.programs.sandbox import system_paths
from spielleiter.programs.sandbox.limits import ResourceLimits

HOME = "/player"
"""The player's folder in the sandbox: fresh, filled with its files, writable."""
PORT = 13050
"""Where the player finds the game master; every sandbox has a network, and so this port, of its own."""
NICE = 5
"""Players are a little nicer than the game master: it answers at once also where they share its cores."""

_DEVICES = ("null", "full", "random", "urandom")
_ZERO = "zero"
"""Memory in it stays when it is unmapped: only for programs for which a control group counts that."""
_SHARED_MEMORY = "/shm"
"""What /dev/shm leads to: so its bytes and files are among those of the one file system that is counted."""
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
_BOOTSTRAP_CAPABILITIES = ("CAP_NET_ADMIN", "CAP_SETPCAP")
_CAPABILITIES_TO_CHANGE_USER = ("CAP_SETUID", "CAP_SETGID")
"""The bootstrap gives them all up before the player runs."""
_BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
_INSIDE_BOOTSTRAP = "/run/bootstrap.py"


def executable() -> str | None:
    """Where bubblewrap is, or ``None`` if it is not installed."""
    return shutil.which("bwrap") if sys.platform == "linux" else None


def command(
    bwrap: str,
    player: Sequence[str],
    resource_limits: ResourceLimits,
    *,
    environment: Mapping[str, str],
    control: int,
    files: tuple[int, int],
    report: int,
    seccomp: int | None,
    uid: int | None,
    counted: bool,
    hidden: Sequence[str],
    needed: tuple[str, ...] = (),
) -> list[str]:
    """The whole command line. ``files`` is the descriptor of the player's files (or -1) and their size.

    ``report`` is where the names of the processes go that the player leaves behind (or -1); ``counted`` says that a
    control group counts all memory; ``hidden`` are folders inside of readable ones that are not shown, and
    ``needed`` what this player must be able to read beside those.
    """
    readable = system_paths.readable(needed)
    arguments = [bwrap, *_namespaces(uid), "--as-pid-1", "--die-with-parent", "--new-session", "--clearenv"]
    arguments += ["--cap-drop", "ALL"]
    for capability in (*_BOOTSTRAP_CAPABILITIES, *(() if uid is None else _CAPABILITIES_TO_CHANGE_USER)):
        arguments += ["--cap-add", capability]
    if seccomp is not None:
        arguments += ["--seccomp", str(seccomp)]
    arguments += ["--size", str(resource_limits.disk + files[1] + 1_000_000), "--tmpfs", "/"]
    # First: where our package lies below /tmp, the folder would be made as its parent, for reading only.
    arguments += ["--perms", "1777", "--dir", "/tmp"]  # noqa: S108
    for folder in _parents((*readable, "/etc/hosts")):
        # Folders that bubblewrap makes by itself are open to root only.
        arguments += ["--perms", "0755", "--dir", folder]
    for path in readable:
        arguments += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    for path in hidden:
        arguments += ["--tmpfs", path, "--remount-ro", path]
    arguments += ["--ro-bind", str(_BOOTSTRAP), _INSIDE_BOOTSTRAP]
    arguments += ["--proc", "/proc", *_devices(zero=counted)]
    arguments += ["--perms", "0777", "--dir", HOME, "--chdir", HOME]
    for name, value in environment.items():
        arguments += ["--setenv", name, value]
    numbers = (
        control, files[0], PORT, -1 if uid is None else uid, resource_limits.processes,
        resource_limits.descriptors(counted=counted), NICE, report,
    )  # fmt: skip
    return [*arguments, "--", python(), "-I", "-S", _INSIDE_BOOTSTRAP, *map(str, numbers), *player]


def _devices(*, zero: bool) -> list[str]:
    """A /dev without terminals.

    For those bubblewrap's own would put the player into a second user namespace, in which no capability reaches the
    network.
    """
    arguments = ["--tmpfs", "/dev"]
    for name in (*_DEVICES, *([_ZERO] if zero else [])):
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in _DEVICE_LINKS.items():
        arguments += ["--symlink", target, f"/dev/{name}"]
    # /dev itself is a piece of memory without a limit, so it becomes read-only.
    arguments += ["--perms", "1777", "--dir", _SHARED_MEMORY, "--symlink", _SHARED_MEMORY, "/dev/shm"]  # noqa: S108
    return [*arguments, "--remount-ro", "/dev"]


def _namespaces(uid: int | None) -> list[str]:
    if uid is None:
        return ["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--hostname", "player"]
    return ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
            "--hostname", "player"]  # fmt: skip


def _parents(paths: Sequence[str]) -> list[str]:
    """The folders above ``paths``, the upper ones first."""
    return sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/"})


def python() -> str:
    """The Python that runs us, by its own name: in a virtual environment that leads to the environment's packages."""
    return sys.executable or "python3"
