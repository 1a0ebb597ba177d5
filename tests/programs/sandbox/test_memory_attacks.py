"""Ways to hold memory that no process maps. Each holds ten times its limit where nobody counts or refuses it."""

from __future__ import annotations

import asyncio
import sys

import pytest

from spielleiter.programs.sandbox import (
    PYTHON,
    Breach,
    ExitStatus,
    LaunchSpec,
    Level,
    ProgramFile,
    ProgramFiles,
    ResourceLimits,
    start,
)
from spielleiter.programs.sandbox.kernel import cgroup
from spielleiter.programs.sandbox.promises import Attack
from spielleiter.programs.sandbox.watchdog import SOCKET_BUFFERS
from tests.support.hostile import Run, against, run, works

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")
MB = 1_000_000
LIMITS = ResourceLimits(memory=100 * MB, disk=10 * MB)

# Each step holds 10 MB more; ``refused`` is what the kernel says without a control group.
ATTACK = """
    import ctypes, errno, mmap, os, socket, sys, time
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = libc.mmap.restype = ctypes.c_void_p
    STEP = 10_000_000
    held, listeners = [], []

    def problem():
        return OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def memfd():
        file = os.memfd_create("hidden")
        for _ in range(STEP // 1_000_000):
            os.write(file, bytes(1_000_000))
        held.append(file)

    def system_v():
        name = libc.shmget(0, ctypes.c_size_t(STEP), 0o1600)
        if name < 0:
            raise problem()
        address = libc.shmat(name, None, 0)
        ctypes.memset(address, 1, STEP)
        libc.shmdt(ctypes.c_void_p(address))

    def shared(flags=0x21, file=-1):
        address = libc.mmap(None, ctypes.c_size_t(STEP), 3, flags, file, 0)
        if address == ctypes.c_void_p(-1).value:
            raise problem()
        ctypes.memset(address, 1, STEP)
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(STEP), 4)

    def device():
        held.append(os.open("/dev/zero", os.O_RDWR))
        shared(1, held[-1])

    def sockets():
        size = 0
        while size < STEP:
            pair = socket.socketpair()
            held.append(pair)
            for end in pair:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_000_000)
                end.setblocking(False)
                try:
                    while True:
                        size += end.send(bytes(100_000))
                except BlockingIOError:
                    pass

    def connection(accept):
        # The bytes that a connection to ourselves holds, sent and never received.
        if not listeners:
            listeners.append(socket.create_server(("127.0.0.1", 0), backlog=4096))
        listener = listeners[0]
        ends = [socket.create_connection(listener.getsockname())]
        if accept:
            ends.append(listener.accept()[0])
        held.append(ends)
        size = 0
        for end in ends:
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                end.setsockopt(socket.SOL_SOCKET, option, 4_000_000)
            end.setblocking(False)
            waits = 0
            while waits < 3 and size < STEP:
                try:
                    size += end.send(bytes(100_000))
                except BlockingIOError:
                    waits += 1
                    time.sleep(0.0005)
        return size

    def tcp(accept=True):
        size = 0
        while size < STEP:
            size += connection(accept)

    def not_accepted():
        tcp(accept=False)

    def ten_connections():
        print("held", sum(connection(True) for _ in range(10)), flush=True)
        raise SystemExit

    def semaphores():
        for _ in range(5):
            if libc.semget(0, 32_000, 0o1600) < 0:
                raise problem()

    def messages():
        for _ in range(640):
            queue = libc.msgget(0, 0o1600)
            if queue < 0:
                raise problem()
            for _ in range(2):
                libc.msgsnd(queue, b"1" * 8 + bytes(8_000), ctypes.c_size_t(8_000), 0o4000)

    def page_tables():
        size = STEP // 4096 << 21
        address = libc.mmap(None, ctypes.c_size_t(size), 1, 0x4022, -1, 0)
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 15)
        for at in range(0, size, 1 << 21):
            ctypes.c_char.from_address(address + at).value

    def attributes():
        for number in range(160):
            os.setxattr("player.py", f"user.{len(held)}-{number}", bytes(60_000))
        held.append(None)

    for way in sys.argv[3].split(","):
        steps = 0
        try:
            for steps in range(30 if way in ("tcp", "not_accepted") else 100):
                globals()[way]()
                time.sleep(0.002)
            print(way, "all", steps + 1, flush=True)
        except OSError as refused:
            print(way, "refused", steps, errno.errorcode.get(refused.errno), flush=True)
        time.sleep(20 if steps else 0)
"""
COUNTED = ("sockets", "page_tables")
"""Also without a control group; the buffers of a socket stay as small as the kernel makes them."""
SYSTEM_V = ("system_v", "semaphores", "messages")
MAPPED = ("memfd", "shared")
HIDDEN = (*SYSTEM_V, *MAPPED, "device")


def attack(level: Level, *ways: str) -> Run:
    """One way that holds memory until it is stopped, or several of which each should be refused at its first step."""
    return run(ATTACK, level, LIMITS, arguments=(",".join(ways),))


def assert_refused(level: Level, *ways: str) -> None:
    assert [line.rpartition(" ")[0] for line in attack(level, *ways).out.splitlines()] == [
        f"{way} refused 0" for way in ways
    ]


@against(Attack.HIDDEN_MEMORY, Level.BUBBLEWRAP)
@pytest.mark.parametrize("way", [*HIDDEN, *COUNTED])
def test_unmapped_memory_is_counted_by_a_control_group(way: str, level: Level) -> None:
    if not cgroup.available():
        pytest.skip("there are no control groups to be had here")
    found = attack(level, way)
    assert found.exit_status.breach is Breach.MEMORY
    assert found.out == ""
    # What many sockets may hold is counted in full beside what the group says that they hold.
    assert 90 * MB < found.exit_status.peak_memory < (230 if way == "sockets" else 140) * MB


@against(Attack.HIDDEN_MEMORY, Level.BUBBLEWRAP)
def test_it_is_refused_where_it_is_not_counted(level: Level, no_cgroup: None) -> None:
    assert_refused(level, *HIDDEN)


@pytest.mark.parametrize("way", COUNTED)
def test_sockets_and_page_tables_are_counted_everywhere(way: str, no_cgroup: None) -> None:
    assert attack(Level.BUBBLEWRAP, way).exit_status.breach is Breach.MEMORY


def test_few_connections_to_oneself_hold_little(kept_by: str) -> None:
    """What TCP holds slows down everybody on the machine long before it is too much memory."""
    assert int(attack(Level.BUBBLEWRAP, "ten_connections").out.split()[1]) < 10 * 2 * SOCKET_BUFFERS


@pytest.mark.parametrize("way", ["tcp", "not_accepted"])
def test_many_connections_to_oneself_are_counted(way: str, kept_by: str) -> None:
    found = attack(Level.BUBBLEWRAP, way)
    assert found.exit_status.breach in (Breach.MEMORY, Breach.SOCKETS)
    assert found.out == ""


def test_a_flood_of_sockets_is_ended(kept_by: str) -> None:
    source = """
        import socket, time
        kept = [socket.socket() for _ in range(200)]
        time.sleep(20)
    """
    found = run(source, Level.BUBBLEWRAP, ResourceLimits(sockets=100))
    assert found.exit_status.breach is Breach.SOCKETS


def test_netlink_is_for_the_interfaces_only(kept_by: str) -> None:
    source = """
        import socket
        print(socket.if_nameindex())
        try:
            socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 2)
        except OSError as refused:
            print(refused.strerror)
    """
    assert run(source, Level.BUBBLEWRAP).out == "[(1, 'lo')]\nProtocol not supported\n"


def test_a_control_group_counts_connections_below_bubblewrap_too() -> None:
    if not cgroup.available():
        pytest.skip("there are no control groups to be had here")
    found = attack(Level.LIMITS, "tcp")
    assert (found.exit_status.breach, found.out) == (Breach.MEMORY, "")


def test_attributes_of_files_are_refused_everywhere(kept_by: str) -> None:
    assert_refused(Level.BUBBLEWRAP, "attributes")


@against(Attack.HIDDEN_MEMORY, Level.LANDLOCK, Level.LIMITS)
def test_the_same_holds_below_bubblewrap(level: Level, kept_by: str) -> None:
    if kept_by == "filter":
        assert_refused(level, *MAPPED)
    else:
        assert [attack(level, way).exit_status.breach for way in MAPPED] == [Breach.MEMORY] * 2


def test_nothing_of_system_v_is_there_to_outlive_the_game_below_bubblewrap(kept_by: str) -> None:
    assert_refused(Level.LIMITS, *SYSTEM_V)


def test_many_processes_at_once_stay_near_the_limit() -> None:
    source = """
        import os, time
        for _ in range(150):
            if not os.fork():
                kept = bytearray(os.urandom(1000) * 3_000)
                time.sleep(20)
        time.sleep(20)
    """
    found = run(source, Level.BUBBLEWRAP, LIMITS)
    assert found.exit_status.breach is Breach.MEMORY
    assert found.exit_status.peak_memory < 140 * MB


def test_files_in_the_player_s_own_folder_count_as_disk_and_not_as_memory(kept_by: str) -> None:
    source = """
        import time
        with open("large", "wb") as file:
            for _ in range(90):
                file.write(bytes(1_000_000))
        kept = b"x" * 60_000_000
        time.sleep(0.2)
        print("fine")
    """
    found = run(source, Level.BUBBLEWRAP, ResourceLimits(memory=100 * MB, disk=100 * MB))
    assert (found.out, found.exit_status.breach) == ("fine\n", None)
    assert found.exit_status.peak_memory < 100 * MB


def test_the_files_that_a_program_brings_are_in_its_control_group_but_not_its_memory() -> None:
    """They lie in memory: what nobody counts, every program could bring 500 MB of."""
    if not cgroup.available():
        pytest.skip("there are no control groups to be had here")
    works(Level.BUBBLEWRAP)
    source = b"""
kept = b"x" * 60_000_000
import time
time.sleep(0.2)
print("fine")
"""
    files = [ProgramFile("player.py", source), ProgramFile("ballast", bytes(80 * MB))]
    spec = LaunchSpec((PYTHON, "player.py"), (), ProgramFiles.of(files, "test"))

    async def play() -> tuple[int, ExitStatus]:
        player = await start(spec, Level.BUBBLEWRAP, LIMITS, address=("127.0.0.1", 9))
        assert player.listener is not None
        player.listener.close()
        group = player._resources.cgroup
        unpacked = 0 if group is None else group.memory
        player.go()
        await player.wait()
        return unpacked, await player.stop()

    unpacked, status = asyncio.run(play())
    assert 80 * MB < unpacked < 110 * MB
    assert (status.out, status.breach) == (b"fine\n", None)
    assert 60 * MB < status.peak_memory < 100 * MB
