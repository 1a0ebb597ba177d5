"""A disk that is full in mid-season: that of SQLite, of PostgreSQL, and that of the temporary files of games.

The disk is a tmpfs of our own, filled by a file; making room is deleting it. Mounting it needs root.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from soak.postgres import PostgresServer
from soak.postgres_killed import hear_of_games
from soak.scenario import Deadline, Findings
from soak.seasons import ASSERTED, DisturbedSeason, undisturbed

_CHUNK = 1 << 12
_SIZES = {"SQLite": 16, "PostgreSQL": 256}
"""Megabytes of the disk of each store."""


class Disk:
    """A small disk, mounted in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, left: int) -> None:
        """Fill it up, but for some bytes."""
        room = os.statvfs(self.folder)
        size = room.f_bavail * room.f_frsize - left
        with self._filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(_CHUNK, size))

    def make_room(self) -> None:
        self._filler.unlink(missing_ok=True)


@contextmanager
def mounted_disk(megabytes: int) -> Iterator[Disk]:
    """A disk of this size. Raises ``OSError`` where nobody may mount one."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OSError(f"mount: {done.stderr.strip()}")
        try:
            yield Disk(folder)
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()


def run(deadline: Deadline) -> Findings:
    findings, rng = Findings(f"{ASSERTED}; each full disk is one clear line that says so"), Random(1)
    if os.geteuid():
        findings.unavailable = "root, who may mount a small disk"
        return findings
    full: Counter[str] = Counter()
    undisturbed()
    rounds = 0
    while not (deadline.is_past and rounds):
        rounds += 1
        for store, megabytes in _SIZES.items():
            with mounted_disk(megabytes) as disk:
                full[store] += (_on_sqlite if store == "SQLite" else _on_postgres)(disk, rng, findings)
    each = ", ".join(f"{count} times on {store}" for store, count in full.items())
    findings.done = f"disk (tmpfs) full in mid-season {each}; {rounds} seasons each"
    return findings


def _on_sqlite(disk: Disk, rng: Random, findings: Findings) -> int:
    season = DisturbedSeason(disk.folder, str(disk.folder / "season.db"), findings)
    for _ in range(4):
        _fill_in_mid_season(season, disk, rng.randrange(0, 200_000), rng, findings)
        disk.make_room()
        season.check_recorded()
        season.prove()
    season.finish()
    return len(season.refusals)


def _on_postgres(disk: Disk, rng: Random, findings: Findings) -> int:
    server = PostgresServer.create(disk.folder / "one")
    try:
        season = DisturbedSeason(disk.folder, server.url, findings)
        for _ in range(2):
            # The log of PostgreSQL grows by files of 16 MB, which it also uses again.
            _fill_in_mid_season(season, disk, rng.randrange(0, 500_000), rng, findings)
            disk.make_room()
            if not server.is_running:  # It gives up if its own log cannot grow.
                server.start()
            server.wait_for("SELECT 1")
            season.check_recorded()
            season.prove()
        season.finish()
        return len(season.refusals)
    finally:
        server.kill()


def _fill_in_mid_season(season: DisturbedSeason, disk: Disk, left: int, rng: Random, findings: Findings) -> None:
    organiser = season.organiser()
    hear_of_games(organiser, rng.randrange(2, 15))
    disk.fill(left)
    if organiser.give_up():
        # Without room for its log PostgreSQL ends itself, and can say nothing any more.
        says_why = "the disk is full" in organiser.refusal or "cannot be reached" in organiser.refusal
        findings.expect(says_why, f"does not say that the disk is full: {organiser.refusal}")
    season.ended(organiser)
