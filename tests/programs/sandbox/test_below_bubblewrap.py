"""Attacks on the levels where a player shares processes, files and network with others."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from spielleiter.programs.sandbox import Level, launch
from spielleiter.programs.sandbox.kernel.users import OwnUser
from spielleiter.programs.sandbox.promises import Attack
from tests.support.hostile import against, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")
levels = pytest.mark.parametrize("level", [Level.LANDLOCK, Level.LIMITS], ids=lambda level: level.value)
DAEMON = """
    import os, time
    if not os.fork():
        os.setsid()
        if not os.fork():
            print("hidden", flush=True)
            os.close(1); os.close(2)
            time.sleep(60)
        os._exit(0)
    os.wait()
"""


@levels
@pytest.mark.parametrize("filtered", [True, False], ids=["filtered", "unfiltered"])
def test_a_player_that_lets_itself_be_traced_does_not_break_its_supervisor(
    level: Level, filtered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not filtered:
        monkeypatch.setattr(launch, "player_filter", lambda **_: None)
    source = """
    import ctypes, signal
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    os.kill(os.getpid(), signal.SIGSTOP)
    """
    found = run(DAEMON + source, level, seconds=1)
    assert found.out == "hidden\n"
    assert (found.exit_status.code, found.exit_status.err) == (None, b"")


@levels
def test_a_player_of_the_same_user_leaves_its_supervisor_in_peace(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OwnUser, "claim", lambda: None)
    source = """
        import os, resource, signal
        def attempt(act):
            try:
                act()
            except OSError as problem:
                print(problem.strerror)
        attempt(lambda: os.kill(os.getppid(), signal.SIGKILL))
        attempt(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0)))
        attempt(lambda: os.pidfd_open(os.getppid()))
    """
    assert run(source, level).out == "Operation not permitted\n" * 3


@levels
@pytest.mark.parametrize("victim", ["os.getppid()", "-os.getppid()", "-1"], ids=["supervisor", "group", "everybody"])
def test_nothing_outlives_the_game_of_a_player_that_kills_its_supervisor(
    level: Level, victim: str, kept_by: str
) -> None:
    source = f"""
    for number in (15, 9):
        try:
            os.kill({victim}, number)
        except OSError as problem:
            print("refused", flush=True)
    print("end", flush=True)
    time.sleep(60)
    """
    found = run(DAEMON + source, level, until=lambda player: "end" in player.last_words)
    assert found.out.count("refused") == 2


@against(Attack.PRIVILEGES, Level.LANDLOCK, Level.LIMITS)
def test_a_player_is_never_root_and_has_no_rights(level: Level) -> None:
    source = """
        import ctypes, os
        status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
        libc = ctypes.CDLL(None)
        print(os.getuid() != 0, status["CapEff"].strip("0"), status["NoNewPrivs"], status["Seccomp"])
        print(libc.unshare(0x10000000), libc.ptrace(0, 0, 0, 0), libc.mount(b"x", b"/tmp", b"tmpfs", 0, None))
    """
    assert run(source, level).out == "True  1 2\n-1 -1 -1\n"


@against(Attack.UNIX_SOCKETS)
def test_unix_sockets_are_not_reached_by_their_paths(level: Level, tmp_path: Path) -> None:
    source = """
        import socket, sys
        def attempt(make):
            try:
                make()
                print("reached")
            except OSError:
                pass
        attempt(lambda: socket.socket(socket.AF_UNIX).connect(sys.argv[3]))
        attempt(lambda: socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b"x", sys.argv[4]))
        socket.socketpair()
        print("done")
    """
    tmp_path.chmod(0o755)
    paths = [f"/tmp/spielleiter-test-{os.getpid()}-{kind}" for kind in ("stream", "datagram")]
    with socket.socket(socket.AF_UNIX) as stream, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagram:
        for sock, path in zip((stream, datagram), paths, strict=True):
            sock.bind(path)
            os.chmod(path, 0o777)
        stream.listen()
        try:
            assert run(source, level, arguments=tuple(paths)).out == "done\n"
        finally:
            for path in paths:
                os.unlink(path)


@levels
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give every player a user of its own")
def test_processes_of_others_are_not_seen(level: Level) -> None:
    source = """
        import os
        print({os.stat(f"/proc/{entry}").st_uid for entry in os.listdir("/proc") if entry.isdecimal()} == {os.getuid()})
    """
    assert run(source, level).out == "True\n"
