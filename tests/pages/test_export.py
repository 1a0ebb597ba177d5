"""The export: everything that proves a season, and nothing that is private."""

from __future__ import annotations

import csv
import json
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.standings import group_standings
from spielleiter.contest.season.model import Stage
from spielleiter.errors import ContestError
from spielleiter.pages.export import export
from spielleiter.pages.formatting import csv_text
from spielleiter.records.reader import read_record
from tests.support.page_seasons import HOSTILE, NICE, SECRET, found, season_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(played: Contest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export as whoever gets the ZIP unpacks it."""
    target = tmp_path_factory.mktemp("export")
    export(played, target / "season.zip")
    assert [path.name for path in target.iterdir()] == ["season.zip"]
    with zipfile.ZipFile(target / "season.zip") as packed:
        assert packed.testzip() is None
        packed.extractall(target)
    assert {path.name for path in target.iterdir()} == {"season.zip", "season"}
    return target / "season"


def test_the_standings_are_those_of_the_season(played: Contest, folder: Path) -> None:
    with played.store.reading() as session:
        ranked = group_standings(session, played.season, Stage.CHAMPIONSHIP, "B")
    data = json.loads((folder / "standings" / "championship-B.json").read_text(encoding="utf-8"))
    with (folder / "standings" / "championship-B.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [row["team"] for row in data["rows"]] == [row.team for row in ranked.rows]
    for row, json_row, line in zip(ranked.rows, data["rows"], lines, strict=True):
        assert Fraction(json_row["average_exact"]) == row.totals.average
        assert Fraction(line["average_exact"]) == row.totals.average
        assert float(line["average"]) == pytest.approx(float(row.totals.average or 0), abs=1e-6)
        assert int(line["victory_points"]) == row.totals.victory_points
    assert (folder / "standings" / "champions-league.csv").is_file()


def test_the_order_follows_from_the_exported_games_and_criteria_alone(folder: Path) -> None:
    data = json.loads((folder / "standings" / "championship-B.json").read_text(encoding="utf-8"))
    assert data["ranked_by"] == "Ranked by wins, then average size of the shoal."
    assert data["criteria"] == ["won", "average"]
    with (folder / "games.csv").open(encoding="utf-8", newline="") as file:
        games = [row for row in csv.DictReader(file) if row["encounter"].startswith("M") and row["annulled"] != "True"]
    found: dict[str, dict[str, Fraction]] = {}
    for row in data["rows"]:
        own = [(game, side) for game in games for side in ("first", "second") if game[side] == row["team"]]
        total = sum(int(game[f"secondary_{side}"]) for game, side in own)
        won = sum(game[f"points_{side}"] == "2" for game, side in own)
        found[row["team"]] = {"won": Fraction(won), "average": Fraction(total, len(own))}

    def worth(team: str) -> list[Fraction]:
        return [found[team][criterion] for criterion in data["criteria"]]

    for row in data["rows"]:
        assert row["rank"] == 1 + sum(worth(other) > worth(row["team"]) for other in found)


def test_every_record_can_be_read_and_is_named_in_the_list(folder: Path) -> None:
    with (folder / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(list((folder / "records").iterdir()))
    for row in rows[::7]:
        record = read_record(folder / row["record"])
        assert record.is_finished
        assert len(record.moves) == int(row["plies"])
        assert row["record"] == f"records/{row['game']}.jsonl"


def test_the_rest_is_there(folder: Path, played: Contest) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {"season.toml", "audit.json", "standings", "encounters.csv", "games.csv", "records", "site"}
    assert (folder / "season.toml").read_bytes() == (played.folder / "season.toml").read_bytes()
    audit = json.loads((folder / "audit.json").read_text(encoding="utf-8"))
    assert [entry["action"] for entry in audit] == ["annul"]
    assert (folder / "site" / "index.html").is_file()


def test_nothing_private_is_exported(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert SECRET not in text, path
            assert "secret-" not in text, path


def test_a_folder_holds_the_same_files_as_a_zip(tmp_path: Path) -> None:
    with found(tmp_path / "small", season_text(NICE)) as contest:
        for name in ("season", "season.zip"):
            export(contest, tmp_path / name)
    with zipfile.ZipFile(tmp_path / "season.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    written, unpacked = tmp_path / "season", tmp_path / "unpacked" / "season"
    files = {path.relative_to(written) for path in written.rglob("*") if path.is_file()}
    assert files == {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["there.zip", "there"])
def test_nothing_is_written_over(played: Contest, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    with pytest.raises(ContestError, match=r"not empty|already exists"):
        export(played, tmp_path / name)
    assert (tmp_path / name).read_text() == "precious"


def test_a_place_that_cannot_be_written_is_a_clear_message(played: Contest, tmp_path: Path) -> None:
    for name in ("x.zip", "x"):
        with pytest.raises(ContestError, match="cannot be written"):
            export(played, tmp_path / "missing" / name)


def test_no_name_becomes_a_formula(folder: Path) -> None:
    assert "=1+1" in HOSTILE
    for path in folder.rglob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")]
    assert csv_text([]) == ""
