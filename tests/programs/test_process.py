"""Real processes, small ones."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from spielleiter.errors import ProgramError
from spielleiter.programs import proc as processes
from spielleiter.programs.process import Output, RunningProgram
from spielleiter.programs.program import PlayerProgram, ProgramKind


def program(*command: str) -> PlayerProgram:
    return PlayerProgram("test", ProgramKind.COMMAND, command, Path.cwd())


def python(code: str) -> PlayerProgram:
    return program(sys.executable, "-c", code)


def run(given: PlayerProgram, body: Callable[[RunningProgram], Awaitable[None]], **options: int) -> RunningProgram:
    running = RunningProgram(given, most_output=options.get("most_output"))

    async def main() -> None:
        async with asyncio.timeout(30), running:
            await body(running)

    asyncio.run(main())
    return running


def alive(pid: int) -> bool:
    return any(info.pid == pid for info in processes._processes())


def test_output_and_exit_code_are_kept() -> None:
    async def body(running: RunningProgram) -> None:
        assert await running.wait(10) == 3
        assert running.stdout.text == "out\n"
        assert running.stderr.text == "err\n"

    run(program("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), body)


def test_the_arguments_come_behind_the_command() -> None:
    async def main() -> None:
        async with RunningProgram(program("/bin/echo", "a"), ["--host=b", "c d"]) as running:
            await running.wait(10)
            assert running.stdout.text == "a --host=b c d\n"

    asyncio.run(main())


def test_a_program_that_does_not_end_is_ended() -> None:
    async def body(running: RunningProgram) -> None:
        assert await running.wait(0.05) is None
        assert running.exit_code is None

    running = run(program("/bin/sleep", "60"), body)
    assert running.exit_code == -9


def test_a_command_that_does_not_exist_is_told() -> None:
    async def body(running: RunningProgram) -> None:
        pass

    with pytest.raises(ProgramError, match="cannot be started: No such file"):
        run(program("/no/such/program"), body)


@pytest.mark.parametrize(
    "start",
    [
        "subprocess.Popen(['/bin/sleep', '60'])",
        "subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)",
        "subprocess.Popen(['/bin/sh', '-c', 'sleep 60 & sleep 60'], start_new_session=True)",
    ],
)
def test_children_are_found_and_ended_wherever_they_flee(start: str) -> None:
    found: list[int] = []

    async def body(running: RunningProgram) -> None:
        assert await running.wait(10) == 0
        found.extend(info.pid for info in running.leftovers())
        assert found
        assert running.leftovers()[0].name in ("sleep", "sh")

    began = time.monotonic()
    run(python(f"import subprocess; {start}"), body)
    assert time.monotonic() - began < 10
    assert not any(alive(pid) for pid in found)


def test_a_program_without_children_leaves_nothing() -> None:
    async def body(running: RunningProgram) -> None:
        assert await running.wait(10) == 0
        assert running.leftovers() == []

    run(python("pass"), body)


def test_endless_output_ends_the_program_and_fills_no_memory() -> None:
    async def body(running: RunningProgram) -> None:
        assert await running.wait(20) == -9

    running = run(python("while True: print('x' * 1000)"), body, most_output=2_000_000)
    assert running.wrote_too_much
    assert running.stdout.total > 2_000_000
    assert len(running.stdout.text) < 200_000


def test_memory_is_watched() -> None:
    async def body(running: RunningProgram) -> None:
        while running.peak_memory < 150_000_000:  # noqa: ASYNC110 - it is looked up, not told
            await asyncio.sleep(0.05)

    run(python("x = bytearray(150_000_000); import time; time.sleep(60)"), body)


def test_output_keeps_its_beginning_and_its_end() -> None:
    output = Output(keep=10)
    for number in range(100):
        output.add(f"{number:03d},".encode())
    assert output.total == 400
    assert output.text.startswith("000,001,00")
    assert output.text.endswith("098,099,")
    assert "[... 380 bytes ...]" in output.text
    short = Output(keep=10)
    short.add(b"0123456789")
    short.add(b"abc")
    assert short.text == "0123456789abc"


def test_our_own_session_is_seen() -> None:
    own = [info for info in processes.of_session(os.getsid(0)) if info.pid == os.getpid()]
    assert len(own) == 1
    assert own[0].memory > 1_000_000
