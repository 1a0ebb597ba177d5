"""Writes the public part of a season: records, standings, games, decisions, and the site, as a folder or a ZIP.

Only public facts go in: no output of programs, no program files, no accounts, not who decided something.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from spielleiter.contest.read.reader import SeasonReader, reading, unpack
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.snapshot import AuditEntry, SeasonGame, SeasonSnapshot
from spielleiter.errors import WRITE, ContestError, refusing
from spielleiter.pages.formatting import csv_text
from spielleiter.pages.season.site import Progress, fill_site, new_folder
from spielleiter.pages.season.views import StandingsView, standings_of
from spielleiter.programs.temporary import temporary_folder

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
        with refusing(ContestError, target, WRITE):
            # First of all, so that a place that cannot be written is known before the work is done.
            with zipfile.ZipFile(draft, "x", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
                _fill(contest, folder, on_progress)
                _pack(folder, packed, target.stem)
            draft.rename(target)
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
    with reading(contest) as reader:
        snapshot = reader.snapshot().seen_by(None)
        games = reader.games()
        _write(folder / "season.toml", reader.file())
        _write(folder / "audit.json", _json([_ruling(entry) for entry in snapshot.audit]))
        (folder / "standings").mkdir()
        for number, (stage, group) in enumerate(snapshot.standings):
            view = standings_of(snapshot, stage, group)
            # A group is letters and digits, but not every disk takes every letter.
            of = f"-{group if group.isascii() else number}" if group else ""
            _write(folder / "standings" / f"{stage.value}{of}.json", _json(standings_json(view)))
            _write(folder / "standings" / f"{stage.value}{of}.csv", csv_text(standings_rows(view)))
        _write(folder / "encounters.csv", csv_text(encounter_rows(snapshot)))
        _write(folder / "games.csv", csv_text(game_rows(snapshot, games)))
        (folder / "records").mkdir()
        _write_records(reader, snapshot, games, folder / "records")
        (folder / "site").mkdir()
        fill_site(reader, snapshot, folder / "site", on_progress=on_progress)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _ruling(ruling: AuditEntry) -> dict[str, str]:
    return {
        "at": ruling.at.isoformat(),
        "action": ruling.action,
        "subject": ruling.subject,
        "reason": ruling.reason,
    }


def _write_records(reader: SeasonReader, snapshot: SeasonSnapshot, games: Sequence[SeasonGame], folder: Path) -> None:
    names = {game.id: game.name(snapshot.by_id[game.encounter]) for game in games if game.has_record}
    ids = list(names)
    for start in range(0, len(ids), _AT_ONCE):
        for id_, record in reader.records(ids[start : start + _AT_ONCE]).items():
            (folder / f"{names[id_]}.jsonl").write_bytes(unpack(record))


# --- spreadsheets -----------------------------------------------------------------------------------------------------


def standings_rows(standings: StandingsView) -> list[dict[str, Any]]:
    """The rows of the standings for further work; averages exact and rounded."""
    rows = []
    for place, row in enumerate(standings.rows, 1):
        totals, rating = row.totals, standings.ratings.get(row.team)
        average = totals.average
        rows.append(
            {
                "rank": row.rank,
                "shared": row.shared,
                "team": row.team,
                "school": standings.teams[row.team].school,
                "encounters": totals.encounters,
                "won": totals.won,
                "drawn": totals.drawn,
                "lost": totals.lost,
                "victory_points": totals.victory_points,
                "encounter_points": totals.encounter_points,
                "secondary": totals.secondary,
                "average_exact": None if average is None else f"{average.numerator}/{average.denominator}",
                "average": None if average is None else round(float(average), 6),
                "elo": None if rating is None else round(rating.elo, 1),
                "elo_margin": None if rating is None else round(rating.margin, 1),
                "goes_on": place <= standings.goes_on,
                "ranked_by": standings.ranked_by.en,
            }
        )
    return rows


def standings_json(standings: StandingsView) -> dict[str, Any]:
    """The standings of a group with their lots; the criteria are names of columns, the most important first."""
    return {
        "phase": standings.stage.value,
        "group": standings.group,
        "ranking": standings.ranking.value,
        "criteria": [criterion.value for criterion in standings.ranking.criteria],
        "ranked_by": standings.ranked_by.en,
        "finished": standings.finished,
        "encounters": standings.total,
        "goes_on": standings.goes_on,
        "rows": standings_rows(standings),
        "lots": [{"order": list(drawn.lot.order), "seed": drawn.lot.seed} for drawn in standings.lots],
    }


def _by_side(name: str, pair: tuple[Any, Any]) -> dict[str, Any]:
    return {f"{name}_first": pair[0], f"{name}_second": pair[1]}


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
            **_by_side("won", each.won),
            "drawn": each.drawn,
            **_by_side("secondary", each.secondary),
            "finished": None if each.finished is None else each.finished.isoformat(),
            "winner": None if each.winner is None else each.teams[each.winner].name,
            "lot_seed": each.lot_seed,
        }
        for each in snapshot.encounters
    ]


def game_rows(snapshot: SeasonSnapshot, games: Iterable[SeasonGame]) -> list[dict[str, Any]]:
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
                **_by_side("points", game.points),
                **_by_side("secondary", game.secondary),
                **_by_side("fault", game.faults),
                "decision": game.decision,
                "annulled": game.annulled,
                "reason": game.reason.en,
                "plies": game.plies,
                "seconds": game.seconds,
                "pressure": game.pressure,
                "started": game.started.isoformat(),
                "final": game.final,
                "record": f"records/{game.name(encounter)}.jsonl" if game.has_record else None,
            }
        )
    return rows
