"""Exports, backups and proofs of the season, one of each kind at a time, in processes of low priority."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from spielleiter.game import Text
from spielleiter.programs.temporary import temporary_folder
from spielleiter.web.season.workers import Workers

log = logging.getLogger("spielleiter.web")


class ArchiveKind(StrEnum):
    """What can be made of a season."""

    EXPORT = "export"
    BACKUP = "backup"
    VERIFY = "verify"

    @property
    def suffix(self) -> str:
        """How the name of its file ends; empty if it makes none."""
        return {ArchiveKind.EXPORT: ".zip", ArchiveKind.BACKUP: ".db", ArchiveKind.VERIFY: ""}[self]


@dataclass(frozen=True, slots=True)
class ArchiveJob:
    """How far one of them is."""

    running: bool = False
    done: int = 0
    total: int = 0
    text: Text | None = None
    """What became of it."""
    good: bool = True
    file: Path | None = None
    at: datetime | None = None


class ArchiveJobs:
    """The last of each kind."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._folder: Path | None = None
        self._number = 0
        self.jobs = {kind: ArchiveJob() for kind in ArchiveKind}

    def start(self, kind: ArchiveKind) -> None:
        """Begin one; nothing happens while one of the kind is made."""
        if self.jobs[kind].running:
            return
        self._set(kind, ArchiveJob(running=True))
        self._workers.spawn(self._run(kind))

    def close(self) -> None:
        """Remove the files."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _set(self, kind: ArchiveKind, job: ArchiveJob) -> None:
        self.jobs[kind] = job
        self._workers.channel.publish()

    async def _run(self, kind: ArchiveKind) -> None:
        try:
            self._set(kind, await self._make(kind))
        except (OSError, ValueError) as problem:
            log.error("the %s failed: %s", kind, problem)
            text = Text(f"Bei uns ist etwas schiefgegangen: {problem}", f"Something went wrong on our side: {problem}")
            self._set(kind, ArchiveJob(text=text, good=False, at=datetime.now(UTC)))

    async def _make(self, kind: ArchiveKind) -> ArchiveJob:
        """The finished job. Raises ``OSError`` or ``ValueError`` if its process fails."""
        target = self._new_target(kind)
        order = {"kind": kind, "store": self._workers.contest.store.url, "target": str(target)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "spielleiter.web.season.archive_process", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.create_task(process.stderr.read())  # A full pipe would stop it.
        try:
            process.stdin.write(json.dumps(order).encode())
            process.stdin.close()
            while not (line := await process.stdout.readline()).startswith(b"{"):
                if not line:
                    lines = (await said).decode("utf-8", "replace").strip().splitlines()
                    raise ValueError(lines[-1][:300] if lines else "no answer")
                done, total = map(int, line.split())
                self._set(kind, ArchiveJob(running=True, done=done, total=total))
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            said.cancel()
        answer = json.loads(line)
        good = "done" in answer
        text = Text(**(answer["done"] if good else answer["refused"]))
        made = target if good and target is not None and target.exists() else None
        return ArchiveJob(text=text, good=good, file=made, at=datetime.now(UTC))

    def _new_target(self, kind: ArchiveKind) -> Path | None:
        """Where the file will be; the one before it goes."""
        if not kind.suffix:
            return None
        if self._folder is None:
            self._folder = temporary_folder("archive")
        for old in self._folder.glob(f"*{kind.suffix}"):
            old.unlink(missing_ok=True)
        self._number += 1
        return self._folder / f"season-{self._number}{kind.suffix}"
