"""The level is chosen by trying; where a better one is missing, that is said."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox import LaunchSpec, Level, ProgramFiles, ResourceLimits, bubblewrap, choose, start
from tests.support.hostile import works


def test_without_bubblewrap_the_next_level_is_taken_and_the_reason_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    choice = asyncio.run(choose())
    assert choice.level is not Level.BUBBLEWRAP
    level, why = choice.missed[0]
    assert (level, why.en) == (Level.BUBBLEWRAP, "bubblewrap is not installed (the program bwrap)")
    with pytest.raises(SettingsError, match="sandbox bubblewrap does not work here: bubblewrap is not installed"):
        asyncio.run(choose("bubblewrap"))


def test_a_bubblewrap_that_does_not_work_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = shutil.which("false")
    monkeypatch.setattr(bubblewrap, "executable", lambda: broken)
    choice = asyncio.run(choose())
    assert choice.level is not Level.BUBBLEWRAP
    assert "does not start" in choice.missed[0][1].en


def test_untrusted_programs_need_bubblewrap_or_a_weaker_level_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    with pytest.raises(SettingsError, match="apt install bubblewrap") as refused:
        asyncio.run(choose(untrusted=True))
    assert 'sandbox = "landlock" in season.toml' in refused.value.text.en
    assert asyncio.run(choose("limits", untrusted=True)).level is Level.LIMITS


def test_an_unknown_level_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="expected one of auto, bubblewrap, landlock, limits, none"):
        asyncio.run(choose("jail"))


def test_every_level_has_its_meaning_in_both_languages() -> None:
    for level in Level:
        assert level.text.de
        assert level.text.en


@pytest.mark.parametrize("option", ["-showversion", "-XX:+UseSerialGC", "-XX:+UseG1GC", "-XX:+UseParallelGC", "-Xmx1g"])
def test_a_jvm_starts_in_the_best_sandbox_with_the_collector_and_heap_that_it_wants(option: str) -> None:
    java = shutil.which("java")
    if java is None:
        pytest.skip("there is no Java here")
    works(Level.BUBBLEWRAP)
    code, said = asyncio.run(_run(java, option, "-XX:+PrintFlagsFinal", "-version"))
    assert code == 0, said
    heap = int(re.findall(rb"MaxHeapSize += (\d+)", said)[0])
    assert heap == 2**30 if option == "-Xmx1g" else 900_000_000 < heap < 1_200_000_000


def test_a_go_program_knows_its_limit(tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        pytest.skip("there is no Go here")
    works(Level.BUBBLEWRAP)
    source = tmp_path / "limit.go"
    source.write_text('package main\nimport "runtime/debug"\nfunc main() { println(debug.SetMemoryLimit(-1)) }\n')
    subprocess.run([go, "build", "-o", tmp_path / "limit", source], check=True, cwd=tmp_path)
    files = ProgramFiles.read({"limit": tmp_path / "limit"}, "limit")
    assert asyncio.run(_run("./limit", files=files)) == (0, b"1200000000\n")


@pytest.mark.parametrize("runtime", [["java", "-version"], ["node", "-e", "console.log(1)"], ["go", "version"]])
def test_run_times_start_also_where_memory_is_kept_by_the_filter(runtime: list[str], kept_by: str) -> None:
    program = shutil.which(runtime[0])
    if program is None:
        pytest.skip(f"there is no {runtime[0]} here")
    works(Level.BUBBLEWRAP)
    code, said = asyncio.run(_run(program, *runtime[1:]))
    assert code == 0, said


async def _run(*command: str, files: ProgramFiles | None = None) -> tuple[int | None, bytes]:
    """How a program ended, and what it printed."""
    player = await start(LaunchSpec(command, files=files), Level.BUBBLEWRAP, ResourceLimits(), address=("", 0))
    assert player.listener is not None
    player.listener.close()
    player.go()
    async with asyncio.timeout(60):
        await player.wait()
    exit_status = await player.stop()
    return exit_status.code, exit_status.out + exit_status.err
