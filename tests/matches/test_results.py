"""The file of results: whole lines, forced to the disk, one writer."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from spielleiter.errors import RecordError
from spielleiter.game import Cause, Team, Text
from spielleiter.matches.results import MatchGame, ResultFile, read_rows
from spielleiter.programs.sandbox import Breach
from spielleiter.programs.side_result import Fault, SideResult


def row(number: int = 1, winner: Team | None = Team.ONE, **changes: object) -> MatchGame:
    one = SideResult(name="ada", points=(2, 7), move_times=(0.1, 0.25), peak_memory=5, sandbox="bubblewrap")
    two = SideResult(name="bob", points=(0, 3), fault=Fault.CRASH, exit_code=-11, last_words="Ü\n")
    pair = f"1v2-{(number + 1) // 2:05d}"
    values: dict[str, object] = {
        "id": f"{pair}{'ab'[(number + 1) % 2]}", "pair": pair, "round": 0, "sides": (one, two), "winner": winner,
        "counts": True, "reason": Text("weil", "because"), "start": "s", "final": "f", "plies": 4, "seconds": 1.5,
        "started": "2026-01-01T00:00:00.000Z",
    }  # fmt: skip
    return MatchGame(**{**values, **changes})  # type: ignore[arg-type]


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path)
    rows = [row(1), row(2, None), row(3, Team.TWO, counts=False)]
    for each in rows:
        file.append(each)
    file.close()
    again = ResultFile(path)
    assert again.rows == rows
    again.close()


def test_a_line_that_was_cut_is_dropped_and_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path)
    file.append(row(1))
    file.append(row(2))
    file.close()
    whole = path.read_bytes()
    for cut in range(len(whole.splitlines(keepends=True)[0]), len(whole), 37):
        path.write_bytes(whole[:cut])
        file = ResultFile(path)
        assert len(file.rows) == 1
        file.append(row(2))
        file.close()
        assert path.read_bytes() == whole


def test_two_matches_cannot_write_into_one_file(tmp_path: Path) -> None:
    file = ResultFile(tmp_path / "results.jsonl")
    with pytest.raises(RecordError, match="another match"):
        ResultFile(tmp_path / "results.jsonl")
    file.close()
    ResultFile(tmp_path / "results.jsonl").close()


@pytest.mark.parametrize(
    ("text", "said"),
    [(b"{}\n", ":1: 'id' is missing"), (b"nonsense\n", ":1: damaged"), (b'{"sides":[1,2],"winner":null}\n', ":1: ")],
)
def test_a_damaged_file_is_reported_with_its_line(text: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(text)
    with pytest.raises(RecordError, match=said):
        ResultFile(tmp_path / "results.jsonl")


@pytest.mark.parametrize("change", [{"pressure": "much"}, {"plies": None}, {"host": ["a"]}])
def test_a_value_of_another_type_is_reported_with_its_line(change: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text(json.dumps({**row(1).to_json(), **change}) + "\n")
    with pytest.raises(RecordError, match=f":1: {next(iter(change))} must be"):
        ResultFile(tmp_path / "results.jsonl")


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    file = ResultFile(tmp_path / "results.jsonl")
    file.append(row(1))
    file.append(row(1))
    file.close()
    with pytest.raises(RecordError, match="twice"):
        list(read_rows(tmp_path / "results.jsonl"))


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path)
    file.append(row(1))
    before = path.read_bytes()
    real = os.write

    def almost_full(target: int, data: bytes) -> int:
        if len(data) > 100:
            return real(target, data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", almost_full)
    with pytest.raises(RecordError, match="No space left"):
        file.append(row(2))
    monkeypatch.undo()
    assert path.read_bytes() == before
    file.append(row(2))
    file.close()
    assert len(list(read_rows(path))) == 2


def test_every_cause_and_every_breach_has_its_fault_and_every_fault_its_cause() -> None:
    for cause in Cause:
        fault = Fault.from_cause(cause)
        assert (fault is None) is (cause is Cause.REGULAR)
        assert fault is None or (fault.cause is cause and not fault.is_of_process)
    for breach in Breach:
        assert Fault.from_breach(breach).is_of_process
        assert Fault.from_breach(breach).cause is Cause.LEFT
    for fault in Fault:
        assert fault.text.de
        assert fault.text.en


def test_a_file_of_version_1_0_is_read_with_the_load_that_it_has(tmp_path: Path) -> None:
    data = row(1).to_json()
    del data["pressure"]
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(data | {"others_load": 0.4}) + "\n")
    [(found, _)] = read_rows(path)
    assert found.pressure == 0.4
