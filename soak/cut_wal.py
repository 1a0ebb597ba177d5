"""SQLite's log of writes (WAL) cut short and damaged at random places, as a power cut or a bad copy leaves it.

The promise: SQLite has written a game to disk when ``run`` says that it was recorded (``synchronous = FULL``). So
whatever is cut off behind that place costs no recorded game. A cut before it, which only a disk that lies or a bad copy
makes, costs the last games and no others: what is left is a season that can be proved, and ends as if undisturbed.
"""

from __future__ import annotations

import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from soak.scenario import Deadline, Findings
from soak.seasons import DisturbedSeason, undisturbed
from spielleiter.contest.run.contest import Contest
from spielleiter.errors import StoreError
from tests.support.contest_seasons import play

_HEADER, _FRAME = 32, 24
"""Bytes before the first frame, and before the page of a frame."""
_CUTS = 12
_ASSERTED = (
    "cut behind the last recorded game: none is lost; cut anywhere: only the last ones are; contest verify,"
    " and the season goes on to the same end"
)
Recorded = tuple[tuple[str, int], int]
"""A game, and the end of the log when it was said to be recorded."""


def run(deadline: Deadline) -> Findings:
    findings, rng = Findings(_ASSERTED), Random(1)
    context = get_context("spawn")
    kills = cuts = lost = ends = damaged = 0
    undisturbed()
    with TemporaryDirectory() as name:
        while not (deadline.is_past and kills):
            folder = Path(name, str(kills))
            folder.mkdir()
            season = DisturbedSeason(folder, str(folder / "season.db"), findings)
            here, there = context.Pipe()
            process = context.Process(target=_play, args=(season.path, season.url, there), daemon=True)
            process.start()
            there.close()
            recorded: list[Recorded] = [here.recv() for _ in range(rng.randrange(3, 60))]
            process.kill()
            process.join()
            recorded += _rest(here)
            kills += 1
            for number in range(_CUTS):
                cuts += 1
                is_harmless = number < _CUTS // 2
                missing, copy = _cut(folder, recorded, rng, findings, harmless=is_harmless)
                lost += missing
                damaged += copy is None
                if number == _CUTS - 1 and copy is not None:
                    ends += 1
                    copy.finish()
            shutil.rmtree(folder)
    findings.done = (
        f"{kills} organisers killed, {cuts} cuts or flipped bits of what they left: {cuts // 2} behind the last"
        f" recorded game, the others anywhere ({lost} games to be played again,"
        f" {damaged} stores damaged and refused); {ends} seasons played to their end"
    )
    return findings


def _play(season: Path, url: str, pipe: Connection) -> None:
    log = Path(f"{url}-wal")
    with Contest.open(season, url) as contest:
        with contest.store.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        play(contest, on_game=lambda encounter, game: pipe.send(((encounter.key, game.number), max(commits(log)))))


def _rest(pipe: Connection) -> Iterator[Recorded]:
    """What was said before the kill."""
    try:
        while True:
            yield pipe.recv()
    except (EOFError, ConnectionResetError):
        return


def commits(log: Path) -> Iterator[int]:
    """The ends of all transactions in the log that are not from before it was last used anew."""
    data = log.read_bytes()
    yield 0
    if len(data) < _HEADER:
        return
    (page,), salts = struct.unpack(">I", data[8:12]), data[16:24]
    size = _FRAME + page
    for at in range(_HEADER, len(data) - size + 1, size):
        if data[at + 8 : at + 16] != salts:
            return
        if struct.unpack(">I", data[at + 4 : at + 8])[0]:
            yield at + size


def _cut(
    folder: Path, recorded: list[Recorded], rng: Random, findings: Findings, *, harmless: bool
) -> tuple[int, DisturbedSeason | None]:
    """Cut a copy of what an organiser left, or flip a bit of it: how many games are gone, and the season in it."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    log = bytearray((folder / "season.db-wal").read_bytes())
    newest = recorded[-1][1]
    place = rng.randrange(newest if harmless else 0, len(log) + 1)
    if rng.random() < 0.3 and place < len(log):
        log[place] ^= 1 << rng.randrange(8)
    else:
        del log[place:]
    shutil.copy(folder / "season.db", copy)
    (copy / "season.db-wal").write_bytes(log)
    season = DisturbedSeason(copy, str(copy / "season.db"), findings)
    with closing(sqlite3.connect(season.url)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if whole != "ok" and not harmless:
        # Pages had gone into the file that it takes the rest of the log to understand: that is said, and no more.
        findings.expect(_is_refused(season), f"damage by a cut at {place} is not noticed: {whole}")
        return 0, None
    findings.expect(whole == "ok", f"cut at {place} of {len(log)}: {whole}")
    there = season.stored() if "games" in tables else set()
    games = [game for game, _ in recorded]
    missing = [game for game in games if game not in there]
    if harmless:
        findings.expect(not missing, f"lost by a cut at {place}, recorded by {newest}: {missing[:3]}")
    # One organiser plays in order: what is left is a beginning.
    findings.expect(games[len(games) - len(missing) :] == missing, f"a hole after a cut at {place}: {missing[:3]}")
    season.prove()
    return len(missing), season


def _is_refused(season: DisturbedSeason) -> bool:
    try:
        season.prove()
    except StoreError:
        return True
    return False
