"""A running program: what it printed, how it ended, what it left behind. Real processes, small ones."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import pytest

from spielleiter.programs.sandbox import PYTHON, Breach, LaunchSpec, Level, ResourceLimits, SandboxedProcess, start
from spielleiter.programs.sandbox.capture import Capture
from tests.support.hostile import run, works

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
def test_a_command_that_does_not_exist_is_reported(level: Level) -> None:
    works(level)

    async def play() -> tuple[int | None, bytes]:
        player = await start(LaunchSpec(("./no-such-program",)), level, ResourceLimits(), address=("127.0.0.1", 9))
        if player.listener is not None:
            player.listener.close()
        player.go()
        await player.wait()
        exit_status = await player.stop()
        return exit_status.code, exit_status.err

    assert asyncio.run(play()) == (127, b"./no-such-program: No such file or directory\n")


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
    began = time.monotonic()
    found = run(f"import subprocess, sys; {child}; sys.exit(5)", level, report_leftovers=True)
    assert found.exit_status.code == 5
    assert "sleep" in found.exit_status.leftovers
    assert set(found.exit_status.leftovers) <= {"sleep", "sh"}
    assert time.monotonic() - began < 10


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
def test_a_frozen_program_stands_still_with_its_children_but_not_the_sandbox(level: Level, kept_by: str) -> None:
    works(level)
    source = "import subprocess; child = subprocess.Popen(['/bin/sleep', '60']); print('up', flush=True); child.wait()"
    spec = LaunchSpec((PYTHON, "-c", source))

    async def play() -> list[set[str]]:
        player = await start(spec, level, ResourceLimits(), address=("127.0.0.1", 9))
        if player.listener is not None:
            player.listener.close()
        player.go()
        try:
            async with asyncio.timeout(20):
                while "up" not in player.last_words:  # noqa: ASYNC110 - a process tells us nothing
                    await asyncio.sleep(0.01)
                seen = []
                for frozen in (True, False):
                    player.freeze(frozen)
                    await asyncio.sleep(0.05)
                    seen.append(_states(player))
                return seen
        finally:
            await player.stop()

    stopped, running = asyncio.run(play())
    assert stopped == ({"D"} if kept_by == "cgroup" and level is not Level.NONE else {"T"})
    assert running == {"S"}


def _states(player: SandboxedProcess) -> set[str]:
    states = set()
    for pid in player._watchdog.player_pids():
        with open(f"/proc/{pid}/stat") as file:
            states.add(file.read().rpartition(")")[2].split()[0])
    assert len(player._watchdog.player_pids()) == 2
    return states


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
