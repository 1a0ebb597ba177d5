"""A running program: what it printed, how it ended, what it left behind. Real processes, small ones."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from functools import partial

import pytest

from spielleiter.programs.sandbox import (
    PYTHON,
    Breach,
    LaunchSpec,
    Level,
    ProgramFiles,
    ResourceLimits,
    SandboxedProcess,
    start,
)
from spielleiter.programs.sandbox.capture import Capture
from tests.support.hostile import LIMITING, run, works
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")
every = pytest.mark.parametrize("level", tuple(Level), ids=lambda level: level.value)


@every
def test_output_and_exit_code_are_there(level: Level) -> None:
    found = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", level)
    assert (found.exit_status.code, found.out, found.exit_status.err) == (3, "out\n", b"err\n")


@every
def test_a_signal_is_a_negative_exit_code(level: Level) -> None:
    assert run("import os; os.kill(os.getpid(), 11)", level).exit_status.code == -signal.SIGSEGV


@every
def test_the_arguments_come_behind_the_command_with_the_address_in_them(level: Level) -> None:
    found = run("import sys; print(*sys.argv[1:-1])", level, arguments=("--at={host}:{port}", "c d"))
    address = "127.0.0.1 13050" if level is Level.BUBBLEWRAP else "127.0.0.1 9"
    assert found.out == f"{address} --at={address.replace(' ', ':')} c d\n"


@every
def test_a_program_that_does_not_end_is_ended(level: Level) -> None:
    found = run("import time; print('up'); time.sleep(60)", level, until=lambda player: "up" in player.last_words)
    assert (found.exit_status.code, found.exit_status.breach) == (None, None)


@every
@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (LaunchSpec(("./no-such-program",)), b"./no-such-program: No such file or directory\n"),
        (
            LaunchSpec((PYTHON, "-V"), files=ProgramFiles(b"644 1 %s\nx" % (b"x" * 300))),
            b"the program cannot be unpacked: File name too long\n",
        ),
    ],
    ids=["no such command", "name too long"],
)
def test_a_program_that_cannot_be_started_says_why_and_the_sandbox_stands(
    level: Level, spec: LaunchSpec, said: bytes
) -> None:
    works(level)

    async def play() -> tuple[int | None, bytes]:
        player = await start(spec, level, ResourceLimits(), address=("127.0.0.1", 9))
        if player.listener is not None:
            player.listener.close()
        player.go()
        await player.wait()
        exit_status = await player.stop()
        return exit_status.code, exit_status.err

    assert asyncio.run(play()) == (127, said)


@every
@pytest.mark.parametrize(
    "child",
    [
        "subprocess.Popen(['/bin/sleep', '60'])",
        "subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)",
        "subprocess.Popen(['/bin/sh', '-c', 'sleep 60 & sleep 60'], start_new_session=True)",
    ],
    ids=["child", "session", "grandchildren"],
)
def test_children_are_reported_and_ended_wherever_they_flee(child: str, level: Level) -> None:
    found = run(f"import subprocess, sys; {child}; sys.exit(5)", level, report_leftovers=True)
    assert found.exit_status.code == 5
    assert "sleep" in found.exit_status.leftovers
    assert set(found.exit_status.leftovers) <= {"sleep", "sh"}


@every
def test_a_program_whose_children_have_ended_leaves_nothing(level: Level) -> None:
    source = "import subprocess; subprocess.run(['/bin/sleep', '0']); subprocess.Popen(['/bin/sleep', '0.05'])"
    found = run(source, level, report_leftovers=True)
    assert (found.exit_status.code, found.exit_status.leftovers) == (0, ())


@every
def test_endless_output_ends_the_program_if_it_is_limited(level: Level) -> None:
    found = run("while True: print('x' * 1000)", level, ResourceLimits(output=2_000_000, log=100_000))
    assert (found.exit_status.code, found.exit_status.breach) == (None, Breach.OUTPUT)
    assert len(found.exit_status.out) < 110_000


@every
def test_memory_and_written_files_are_measured(level: Level) -> None:
    source = """
        import time
        x = bytearray(150_000_000)
        with open("log.txt", "wb") as file:
            file.write(bytes(3_000_000))
        time.sleep(1)
    """
    found = run(source, level)
    assert found.exit_status.peak_memory > 150_000_000
    assert 3_000_000 <= found.exit_status.disk_growth < 3_200_000


@every
def test_a_frozen_program_stands_still_with_its_children(level: Level, kept_by: str) -> None:
    works(level)
    source = "import subprocess; child = subprocess.Popen(['/bin/sleep', '60']); print('up', flush=True); child.wait()"
    spec = LaunchSpec((PYTHON, "-c", source))
    stopped = "D" if kept_by == "cgroup" and level is not Level.NONE else "T"

    async def play() -> None:
        player = await start(spec, level, ResourceLimits(), address=("127.0.0.1", 9))
        if player.listener is not None:
            player.listener.close()
        player.go()
        try:
            async with asyncio.timeout(60):
                await until(lambda: "up" in player.last_words)
                for frozen, state in ((True, stopped), (False, "S")):
                    player.freeze(frozen)
                    await until(partial(_all_are, state, player))
        finally:
            await player.stop()

    asyncio.run(play())


FORK_CHAIN = """
import os, subprocess, time
link = 'link() { kill -CONT 0; echo .; [ $1 = 500 ] && exec /bin/sh -c "$LINK"; link $(($1 + 1)) & exit; }; link 0'
for _ in range(8):
    subprocess.Popen(["/bin/sh", "-c", link], env={"LINK": link})
# In one piece: "print" writes the end of the line by itself, and the dot of a link may come between.
os.write(1, b"up\\n")
time.sleep(120)
"""
WAKING_TIMER = """
import ctypes, os, signal, struct, time
libc = ctypes.CDLL(None)
signal.signal(signal.SIGCONT, lambda *_: None)
for wait in range(5_000_000, 13_000_000, 1_000_000):
    timer = ctypes.c_void_p()
    libc.timer_create(1, struct.pack("Qii48x", 0, signal.SIGCONT, 0), ctypes.byref(timer))
    libc.timer_settime(timer, 0, struct.pack("qqqq", 0, wait, 0, wait), None)
end = time.monotonic() + 120
print("up", flush=True)
while time.monotonic() < end:
    sum(range(10_000))
    os.write(1, b".")
"""
STARTING_OTHERS = """
import os, subprocess
print("up", flush=True)
for _ in range(3):
    os.fork()
while True:
    subprocess.run(["/bin/true"])
    os.write(1, b".")
"""


async def _frozen(source: str, level: Level) -> tuple[Breach | None, bool]:
    """What a frozen program went over, and whether it stood still in the end."""
    player = await start(LaunchSpec((PYTHON, "-c", source)), level, ResourceLimits(), address=("127.0.0.1", 9))
    if player.listener is not None:
        player.listener.close()
    player.go()
    try:
        # Not its last words: they are two thousand bytes, and a program that prints all the time soon has others.
        await until(lambda: b"up\n" in player._out.text)
        player.freeze(True)
        printed = -1
        for _ in range(150):
            if player.output_size == printed:
                break
            printed = player.output_size
            await asyncio.sleep(0.4)
        return player.breach, player.output_size == printed
    finally:
        await player.stop()


@pytest.mark.parametrize(
    ("source", "level"),
    [*((FORK_CHAIN, level) for level in LIMITING), (WAKING_TIMER, Level.BUBBLEWRAP)],
    ids=[*(f"chain-{level.value}" for level in LIMITING), "timer"],
)
def test_a_program_that_wakes_itself_stands_still_or_is_ended(source: str, level: Level, no_cgroup: None) -> None:
    works(level)
    breach, stood_still = asyncio.run(_frozen(source, level))
    assert (breach in (None, Breach.PONDERING), stood_still) == (True, True)


def test_a_program_that_starts_others_all_the_time_stands_still_and_is_not_blamed(no_cgroup: None) -> None:
    works(Level.BUBBLEWRAP)
    assert asyncio.run(_frozen(STARTING_OTHERS, Level.BUBBLEWRAP)) == (None, True)


def _all_are(state: str, player: SandboxedProcess) -> bool:
    states = set()
    for pid in player._watchdog.player_pids():
        with open(f"/proc/{pid}/stat") as file:
            states.add(file.read().rpartition(")")[2].split()[0])
    assert len(player._watchdog.player_pids()) == 2
    return states == {state}


def test_output_has_its_beginning_and_its_end() -> None:
    async def capture(*chunks: bytes) -> Capture:
        ours, theirs = os.pipe()
        capture = Capture(ours, 20)
        for chunk in chunks:
            os.write(theirs, chunk)
            await asyncio.sleep(0.001)
        os.close(theirs)
        await capture.finish()
        return capture

    long = asyncio.run(capture(*(f"{number:03d},".encode() for number in range(100))))
    assert long.total == 400
    assert long.text.startswith(b"000,001,00")
    assert long.text.endswith(b"8,099,")
    assert b"[... 380 bytes left out ...]" in long.text
    assert asyncio.run(capture(b"0123456789", b"abc")).text == b"0123456789abc"
