"""Writes a season down for everybody: records, standings, games, decisions, and the site, as a folder or a ZIP.

Only what everybody may know goes in: no output of programs, no program files, no accounts, not who decided something.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import GameFilesRow, SeasonRow
from spielleiter.errors import ContestError
from spielleiter.pages.season.reader import read_games, read_snapshot
from spielleiter.pages.season.site import Progress, cannot_write, fill_site, new_folder
from spielleiter.pages.season.snapshot import GameView, SeasonSnapshot
from spielleiter.pages.season.views import StandingsView, standings_of
from spielleiter.pages.spreadsheets import csv_text
from spielleiter.programs.temporary import temporary_folder
from spielleiter.rating.standings import Order

_AT_ONCE = 200


def export(contest: Contest, target: Path, *, on_progress: Progress = lambda done, total: None) -> None:
    """Write the season into a new folder, or into a new ZIP if the name ends so.

    Raises ``ContestError`` or ``StoreError``; then nothing is left behind.
    """
    if target.suffix.lower() != ".zip":
        with new_folder(target) as folder:
            _fill(contest, folder, on_progress)
        return
    if target.exists():
        raise ContestError(
            f"{target}: Hier ist schon etwas; nenne eine neue Datei", f"{target}: already exists; name a new file"
        )
    draft = target.with_name(f".{target.name}.part")
    folder = temporary_folder("export")
    try:
        # First of all, so that a place that cannot be written is known before the work is done.
        with zipfile.ZipFile(draft, "x", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
            _fill(contest, folder, on_progress)
            _pack(folder, packed, target.stem)
        draft.rename(target)
    except OSError as problem:
        raise cannot_write(target, problem) from None
    finally:
        draft.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


def _pack(folder: Path, packed: zipfile.ZipFile, name: str) -> None:
    """Pack a folder so that it unpacks into one folder."""
    for root, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = Path(root) / file
            packed.write(path, Path(name) / path.relative_to(folder))


def _fill(contest: Contest, folder: Path, on_progress: Progress) -> None:
    with contest.store.reading() as session:
        snapshot = read_snapshot(session, contest.season)
        games = read_games(session)
        _write(folder / "season.toml", session.get_one(SeasonRow, 1).file)
        _write(folder / "audit.json", _json([_ruling(snapshot, at) for at in range(len(snapshot.rulings))]))
        (folder / "standings").mkdir()
        for number, (stage, group) in enumerate(snapshot.standings):
            view = standings_of(snapshot, stage, group)
            # A group is letters and digits, but not every disk takes every letter.
            of = f"-{group if group.isascii() else number}" if group else ""
            _write(folder / "standings" / f"{stage.value}{of}.json", _json(standings_json(view, contest.season.order)))
            _write(folder / "standings" / f"{stage.value}{of}.csv", csv_text(standings_rows(view)))
        _write(folder / "encounters.csv", csv_text(encounter_rows(snapshot)))
        _write(folder / "games.csv", csv_text(game_rows(snapshot, games)))
        (folder / "records").mkdir()
        _write_records(session, snapshot, games, folder / "records")
        (folder / "site").mkdir()
        fill_site(session, snapshot, folder / "site", on_progress=on_progress)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _ruling(snapshot: SeasonSnapshot, at: int) -> dict[str, str]:
    ruling = snapshot.rulings[at]
    return {
        "at": ruling.at.isoformat(),
        "action": ruling.action,
        "subject": ruling.subject,
        "reason": ruling.reason,
    }


def _write_records(session: Session, snapshot: SeasonSnapshot, games: Sequence[GameView], folder: Path) -> None:
    names = {game.id: game.name(snapshot.by_id[game.encounter]) for game in games if game.has_record}
    ids = list(names)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        for id_, record in session.execute(
            select(GameFilesRow.game_id, GameFilesRow.record).where(GameFilesRow.game_id.in_(some))
        ):
            (folder / f"{names[id_]}.jsonl").write_bytes(zlib.decompress(record))


# --- spreadsheets -----------------------------------------------------------------------------------------------------


def standings_rows(standings: StandingsView) -> list[dict[str, Any]]:
    """The lines of the standings for further work; averages exact and rounded."""
    rows = []
    for line in standings.lines:
        average = line.totals.average
        rows.append(
            {
                "rank": line.rank,
                "shared": line.shared,
                "team": line.team.name,
                "school": line.team.school,
                "encounters": line.totals.encounters,
                "won": line.totals.won,
                "drawn": line.totals.drawn,
                "lost": line.totals.lost,
                "victory_points": line.totals.victory_points,
                "encounter_points": line.totals.encounter_points,
                "secondary": line.totals.secondary,
                "average_exact": None if average is None else f"{average.numerator}/{average.denominator}",
                "average": None if average is None else round(float(average), 6),
                "elo": None if line.rating is None else round(line.rating.elo, 1),
                "elo_margin": None if line.rating is None else round(line.rating.margin, 1),
                "goes_on": line.goes_on,
            }
        )
    return rows


def standings_json(standings: StandingsView, order: Order) -> dict[str, Any]:
    """The standings of a group with their lots."""
    return {
        "phase": standings.stage.value,
        "group": standings.group,
        "order": "games" if order is Order.BY_GAMES else "encounters",
        "finished": standings.finished,
        "encounters": standings.total,
        "goes_on": standings.goes_on,
        "rows": standings_rows(standings),
        "lots": [{"order": list(drawn.lot.order), "seed": drawn.lot.seed} for drawn in standings.lots],
    }


def encounter_rows(snapshot: SeasonSnapshot) -> list[dict[str, Any]]:
    """All encounters, one line each."""
    days = {day.id: day.number for day in snapshot.days}
    return [
        {
            "encounter": each.key,
            "phase": each.stage.value,
            "group": each.group,
            "matchday": None if each.day is None else days[each.day],
            "first": each.teams[0].name,
            "second": each.teams[1].name,
            "games": each.games,
            "won_first": each.won[0],
            "won_second": each.won[1],
            "drawn": each.drawn,
            "secondary_first": each.secondary[0],
            "secondary_second": each.secondary[1],
            "finished": None if each.finished is None else each.finished.isoformat(),
            "winner": None if each.winner is None else each.teams[each.winner].name,
            "lot_seed": each.lot_seed,
        }
        for each in snapshot.encounters
    ]


def game_rows(snapshot: SeasonSnapshot, games: Iterable[GameView]) -> list[dict[str, Any]]:
    """All games, one line each."""
    rows = []
    for game in games:
        encounter = snapshot.by_id[game.encounter]
        rows.append(
            {
                "game": game.name(encounter),
                "encounter": encounter.key,
                "number": game.number,
                "first": encounter.teams[0].name,
                "second": encounter.teams[1].name,
                "began": encounter.teams[game.one].name,
                "points_first": game.points[0],
                "points_second": game.points[1],
                "secondary_first": game.secondary[0],
                "secondary_second": game.secondary[1],
                "fault_first": game.faults[0],
                "fault_second": game.faults[1],
                "decision": game.decision,
                "annulled": game.annulled,
                "reason": game.reason.en,
                "plies": game.plies,
                "seconds": game.seconds,
                "started": game.started.isoformat(),
                "final": game.final,
                "record": f"records/{game.name(encounter)}.jsonl" if game.has_record else None,
            }
        )
    return rows
