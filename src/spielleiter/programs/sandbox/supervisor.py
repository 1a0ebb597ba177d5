"""Runs a player beside the sandbox levels that have no process namespace: starts it, and takes all it started along.

    python3 -I -S supervisor.py LIFELINE

``LIFELINE`` is a pipe. First comes the spec, a line of JSON: every process could read a reservation on a
command line. The supervisor adopts whatever its player leaves behind (PR_SET_CHILD_SUBREAPER), so that neither a double
fork nor a new session escapes. It ends everything when the player has ended or when the pipe closes: because the game
is over, or because the game master was killed. With a descriptor ``report`` it first writes the names of the processes
to it that the player leaves behind. It stands alone, as ``bootstrap.py`` does.
"""

import ctypes
import json
import os
import resource
import select
import signal
import struct
import sys
import time
from contextlib import suppress
from typing import Any

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 4, 22, 36, 38
SECCOMP_MODE_FILTER = 2
CLONE_NEWNS = 0x20000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
RULE_PATH, RULE_PORT = 1, 2
READ = 0b1101  # execute, read files, read folders
LIST = 0b1000  # read folders: the names in them
FILE_ONLY = 0b1100_0000_0000_0111  # what can be granted on one file: execute, write, read, truncate, ioctl
CONNECT = 0b10
GRACE_SECONDS = 0.2
"""What ends this soon after the player was not left behind."""

libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """The version of Landlock in this kernel, 0 without it."""
    return max(0, int(libc.syscall(CREATE_RULESET, None, 0, 1)))


def restrict(readable: list[str], listable: list[str], writable: list[str], port: int) -> None:
    """Confine this process and its children to these paths and to connections to this port."""
    version = landlock_version()
    if version < 1:
        raise OSError("Landlock is not there")
    rights = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    everything = (1 << rights) - 1
    attributes = (ctypes.c_uint64 * 3)(everything, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    devices = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"]
    for paths, allowed in ((readable, READ), (listable, LIST), (writable, everything), (devices, 0b110)):
        for path in paths:
            grant_path(ruleset, path, allowed & everything)
    if version >= 4:
        rule = (ctypes.c_uint64 * 2)(CONNECT, port)
        libc.syscall(ADD_RULE, ruleset, RULE_PORT, rule, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.syscall(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")
    os.close(ruleset)


def grant_path(ruleset: int, path: str, allowed: int) -> None:
    """Allow this much below ``path``, if it is there."""
    try:
        where = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        allowed &= FILE_ONLY
    rule = allowed.to_bytes(8, sys.byteorder) + where.to_bytes(4, sys.byteorder)
    if libc.syscall(ADD_RULE, ruleset, RULE_PATH, rule, 0):
        raise OSError(ctypes.get_errno(), f"landlock_add_rule {path}")
    os.close(where)


def become_player(spec: "dict[str, Any]") -> None:
    """Take on all limits and become the player; never returns."""
    os.setsid()
    os.chdir(spec["folder"])
    os.nice(spec["nice"])
    for name, value in spec["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    for entrance in spec["entrances"]:
        with open(entrance, "wb") as file:
            file.write(b"0")
    if spec["uid"] is not None:
        own_view(spec["covers"])
        os.setgroups([])
        os.setresgid(*[spec["uid"]] * 3)
        os.setresuid(*[spec["uid"]] * 3)
    if spec["landlock"] is not None:
        restrict(**spec["landlock"])
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    if spec["filter"] is not None:
        filter_calls(bytes.fromhex(spec["filter"]))
    os.execvp(spec["player"][0], spec["player"])  # noqa: S606 - no shell is what we want


def own_view(covers: "dict[str, list[str]]") -> None:
    """Let the player see no processes of others (needs root), and in a closed folder only the paths it needs.

    Where the Python lies in root's home, another user could not start it.
    """
    if libc.unshare(CLONE_NEWNS) or libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None):
        return  # Not in this container; whether it is needed shows when the player starts.
    needed = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for paths in covers.values() for path in paths}
    # The mask of the player is not ours: the folders must be open to it.
    mask = os.umask(0o022)
    for folder, paths in covers.items():
        libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, b"size=1m,mode=755")
        for path in paths:
            os.makedirs(path, exist_ok=True)
            libc.mount(b"/proc/self/fd/%d" % needed[path], os.fsencode(path), None, MS_BIND | MS_REC, None)
    libc.mount(b"proc", b"/proc", b"proc", 0, b"hidepid=2")
    os.umask(mask)


def filter_calls(program: bytes) -> None:
    """Confine this process and its children to the system calls that ``program`` allows."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def descendants(pid: int) -> "list[int]":
    """All processes below ``pid``."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    children = [int(child) for child in file.read().split()]
                found += children
                waiting += children
        except OSError:
            continue
    return found


def report_leftovers(report: int) -> None:
    """Write the names of the processes that the player has left behind."""
    deadline = time.monotonic() + GRACE_SECONDS
    while (left := living(descendants(os.getpid()))) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.write(report, b"".join(left))
    os.close(report)


def living(pids: "list[int]") -> "list[bytes]":
    """The names of those of these processes that have not ended, a line each."""
    found = []
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                name, _, rest = file.read().partition(b"(")[2].rpartition(b")")
        except OSError:
            continue
        if rest.split()[0] not in (b"Z", b"X"):
            found.append(name + b"\n")
    return found


def end_all() -> None:
    """Kill until no process is left."""
    while True:
        for pid in descendants(os.getpid()):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def read_spec(lifeline: int) -> "dict[str, Any]":
    """The first line that comes through the pipe."""
    text = b""
    while not text.endswith(b"\n"):
        part = os.read(lifeline, 1 << 16)
        if not part:
            os._exit(137)
        text += part
    return dict(json.loads(text))


def start(spec: "dict[str, Any]", lifeline: int) -> int:
    """The process of the player."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.close(lifeline)
        if spec["report"] is not None:
            os.close(spec["report"])
        become_player(spec)
    except BaseException as problem:  # noqa: BLE001 - two of us must never go on
        os.write(2, f"{spec['player'][0]}: {getattr(problem, 'strerror', None) or problem}\n".encode())
    finally:
        os._exit(127)


def wait_for(pid: int, lifeline: int, wake: int) -> "int | None":
    """The exit code of ``pid``; ``None`` if the lifeline closed before."""
    while True:
        ready = select.select([lifeline, wake], [], [])[0]
        if lifeline in ready:
            return None
        os.read(wake, 4096)
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                # A player that lets itself be traced by us only stops; its end comes later, or with the lifeline's.
                if ended[0] == pid and not os.WIFSTOPPED(ended[1]):
                    return os.waitstatus_to_exitcode(ended[1])
        except ChildProcessError:
            return None


def main() -> None:
    """Start the player, wait until it ends or its lifeline closes; whatever happens, no process is left."""
    lifeline = int(sys.argv[1])
    spec = read_spec(lifeline)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # The player may be a process of the same user: it must not reach into this one.
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    wake, waker = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    code = None
    try:
        code = wait_for(start(spec, lifeline), lifeline, wake)
        if spec["report"] is not None and code is not None:
            report_leftovers(spec["report"])
    finally:
        end_all()
        os._exit(137 if code is None else 128 - code if code < 0 else code)


if __name__ == "__main__":
    main()
