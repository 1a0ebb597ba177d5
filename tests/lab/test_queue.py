"""The queue of tests: what stands on the disk, in which order it is played, and what is refused before it waits."""

from __future__ import annotations

import io
import json
import os
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from spielleiter.errors import BoundsError, ProgramError, Refused, SettingsError
from spielleiter.lab.findings import read_findings
from spielleiter.lab.kept_versions import UploadedZip, keep_version
from spielleiter.lab.queue import LabQueue, QueueState, WantedTest
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import RESULTS, read_plan
from spielleiter.matches.play_settings import PlaySettings
from spielleiter.matches.results import LineFile
from spielleiter.programs.entrants import resolve
from spielleiter.rating.sprt import Sprt
from spielleiter.text import Text

QUICK = WantedTest(versions=("greedy", "random"), game="piranhas-2026", pairs=2, in_process=True)


@pytest.fixture
def queue(tmp_path: Path) -> LabQueue:
    return LabQueue(tmp_path / "lab")


def numbers(queue: LabQueue) -> list[int]:
    return [test.number for test in queue.waiting()]


def git(folder: Path, *words: str) -> None:
    who = {f"GIT_{role}_{what}": "ada@example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, env={**os.environ, **who})


# --- states -----------------------------------------------------------------------------------------------------------


def test_a_test_is_the_folder_of_a_match_and_is_there_again_for_another_process(queue: LabQueue) -> None:
    test = queue.submit(replace(QUICK, sprt=Sprt(0, 30), note=" what \n is new ", concurrency=3))
    again = LabQueue(queue.folder)
    assert again.tests == [test]
    assert (test.number, test.note, test.concurrency, test.state) == (1, "what is new", 3, QueueState.WAITING)
    assert test.players == ("greedy", "random")
    plan = again.plan(1)
    assert (plan.games, plan.sprt, plan.openings.random_moves) == (4, Sprt(0, 30), 4)
    assert read_plan(again.match_folder(1))["players"][0]["name"] == "greedy"
    assert read_findings(again.match_folder(1)).summary.played == 0


def test_tests_are_played_in_the_order_that_was_chosen(queue: LabQueue) -> None:
    for _ in range(3):
        queue.submit(QUICK)
    assert numbers(queue) == [1, 2, 3]
    queue.move(3, up=True)
    queue.move(1, up=True)  # The first stays the first.
    queue.move(2, up=False)
    assert numbers(queue) == numbers(LabQueue(queue.folder)) == [1, 3, 2]


def test_a_stopped_test_waits_again_at_its_place_and_a_failed_one_says_why(queue: LabQueue) -> None:
    for _ in range(3):
        queue.submit(QUICK)
    queue.end(1, QueueState.STOPPED)
    queue.end(2, QueueState.FAILED, Text("kaputt", "broken"))
    assert numbers(queue) == [3]
    failed = LabQueue(queue.folder).get(2)
    assert failed is not None
    assert failed.problem.en == "broken"
    assert failed.ended
    queue.resume(1)
    queue.resume(2)
    assert numbers(queue) == [1, 2, 3]
    assert queue.tests[1].problem.en == queue.tests[1].ended == ""


def test_what_others_submit_is_found_and_no_number_is_given_twice(queue: LabQueue) -> None:
    other = LabQueue(queue.folder)
    assert queue.submit(QUICK).number == 1
    assert other.submit(QUICK).number == 2
    assert queue.refresh()
    assert not queue.refresh()
    assert numbers(queue) == [1, 2]


def test_two_who_take_the_same_number_at_once_get_two(queue: LabQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    LabQueue(queue.folder).submit(QUICK)
    monkeypatch.setattr(queue, "refresh", lambda: False)  # It was not there a moment ago.
    assert queue.submit(QUICK).number == 2


def test_one_process_plays_a_queue(queue: LabQueue) -> None:
    queue.claim()
    other = LabQueue(queue.folder)
    with pytest.raises(SettingsError, match="already played in another window"):
        other.claim()
    queue.close()
    other.claim()
    other.close()


def test_a_test_is_running_while_somebody_writes_its_results_and_waits_afterwards(queue: LabQueue) -> None:
    test = queue.submit(QUICK)
    assert not queue.is_running(test)
    results = LineFile(queue.match_folder(test.number) / RESULTS)
    assert queue.is_running(test)
    results.close()
    assert not queue.is_running(test)


def test_a_damaged_file_costs_its_test_alone(queue: LabQueue) -> None:
    queue.submit(QUICK)
    queue.submit(QUICK)
    path = queue.match_folder(1) / "queued.json"
    for text in ("", "{", "[]", json.dumps({**json.loads(path.read_text()), "state": "NONSENSE"})):
        path.write_text(text)
        first = LabQueue(queue.folder).get(1)
        assert first is not None
        assert first.state is QueueState.FAILED
        assert "queued.json" in first.problem.en
        assert numbers(LabQueue(queue.folder)) == [2]


def test_only_folders_with_a_plain_number_are_tests(queue: LabQueue) -> None:
    queue.submit(QUICK)
    for name in ("01", "0", "-1", "9" * 40, "٣", "notes", ".5"):
        (queue.folder / "tests" / name).mkdir()
    assert [test.number for test in LabQueue(queue.folder).tests] == [1]


def test_a_full_disk_refuses_a_test_and_leaves_nothing(queue: LabQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.submit(QUICK)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SettingsError, match="No space left"):
            queue.submit(QUICK)
        with pytest.raises(SettingsError, match="No space left"):
            queue.end(1, QueueState.FAILED)
    assert [path.name for path in (queue.folder / "tests").iterdir()] == ["1"]
    assert numbers(queue) == [], "this process knows it nevertheless"
    assert numbers(LabQueue(queue.folder)) == [1], "the next one plays it again"


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"versions": ("greedy", "greedy")}, "both sides are the same version"),
        ({"versions": ("greedy", "manual:Ada")}, "manual player cannot play in a queue"),
        ({"versions": ("nobody-at-all", "random")}, "no player 'nobody-at-all'"),
        ({"versions": ("greedy:nonsense=3", "random")}, "nonsense"),
        ({"versions": ("nowhere@HEAD", "random")}, "nowhere is not the folder of a player in git"),
        ({"pairs": 0}, "1 to 1000000 pairs"),
        ({"pairs": None}, "give a number of games"),
        ({"seconds": 0.0}, "between 0.01 and 3600"),
        ({"nodes": 5}, "nodes"),
        ({"openings": Openings(random_moves=5000)}, "every game is over"),
        ({"cores": (4000, 4001), "in_process": False}, "no such processor cores here: 4000, 4001"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_what_makes_no_sense_is_refused_before_it_waits(queue: LabQueue, changes: dict[str, object], said: str) -> None:
    with pytest.raises(Refused, match=said):
        queue.submit(replace(QUICK, **changes))  # type: ignore[arg-type]
    assert not queue.tests
    assert not list(queue.folder.glob("tests/*"))


def test_senseless_bounds_are_said_in_both_languages() -> None:
    for bounds in ((30, 0), (0, 30, 0.6, 0.6), (0, 900)):
        with pytest.raises(BoundsError) as problem:
            Sprt(*bounds)
        assert "SPRT" in problem.value.text.de or "Irrtum" in problem.value.text.de
        assert problem.value.text.de != problem.value.text.en


def test_on_a_cluster_no_cores_are_chosen(queue: LabQueue) -> None:
    with pytest.raises(SettingsError, match="leave out --cluster"):
        queue.submit(replace(QUICK, in_process=False, cores=(0, 1)), PlaySettings(cluster="local:1"))


# --- versions ---------------------------------------------------------------------------------------------------------

PLAYER = "from spielleiter.client import play\nplay(lambda state, seconds: state.legal_moves()[{}])\n"


def test_a_folder_is_kept_as_it_was(tmp_path: Path) -> None:
    hugo, kept = tmp_path / "hugo", tmp_path / "kept"
    hugo.mkdir()
    (hugo / "player.py").write_text(PLAYER.format(0))
    first = keep_version(kept, str(hugo))
    (hugo / "player.py").write_text(PLAYER.format(1))
    second = keep_version(kept, str(hugo))
    assert first.player == second.player == "hugo"
    assert first.entrant.name != second.entrant.name
    assert PLAYER.format(0) in (Path(first.entrant.text) / "player.py").read_text()
    assert resolve(first.entrant.text).digest == first.entrant.digest
    assert keep_version(kept, str(hugo)) == second
    assert len(list(kept.iterdir())) == 2


def test_a_file_is_kept_with_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "hugo.py").write_text("import worth\n" + PLAYER.format(0))
    (tmp_path / "worth.py").write_text("")
    version = keep_version(tmp_path / "kept", str(tmp_path / "hugo.py"))
    place = Path(version.entrant.text)
    assert place.name == "hugo.py"
    assert (place.parent / "worth.py").is_file()
    assert version.entrant.digest == resolve(str(tmp_path / "hugo.py")).digest


def test_commits_are_versions_of_the_player_whose_folder_it_is(tmp_path: Path) -> None:
    hugo = tmp_path / "bots" / "hugo"
    hugo.mkdir(parents=True)
    git(tmp_path / "bots", "init", "-q")
    for move in (0, 1):
        (hugo / "player.py").write_text(PLAYER.format(move))
        git(hugo, "add", ".")
        git(hugo, "commit", "-q", "-m", f"move {move}")
    new, old = (keep_version(tmp_path / "kept", f"{hugo}@{name}") for name in ("HEAD", "HEAD~1"))
    assert new.player == old.player == "hugo"
    assert new.entrant.name.startswith("hugo@")
    assert new.entrant.name != old.entrant.name
    assert (Path(old.entrant.text) / "player.py").read_text() == PLAYER.format(0)
    for missing in ("nothing", "HEAD~9", "--help"):
        with pytest.raises(SettingsError) as problem:
            keep_version(tmp_path / "kept", f"{hugo}@{missing}")
        assert missing in problem.value.text.en
    assert not [path for path in (tmp_path / "kept").iterdir() if path.name.startswith(".")]


def test_the_same_files_under_two_names_are_one_version(queue: LabQueue, tmp_path: Path) -> None:
    hugo = tmp_path / "hugo"
    hugo.mkdir()
    (hugo / "player.py").write_text(PLAYER.format(0))
    git(hugo, "init", "-q")
    git(hugo, "add", ".")
    git(hugo, "commit", "-q", "-m", "begin")
    with pytest.raises(SettingsError, match=r"the same version: hugo@\w+ = hugo@\w+"):
        queue.submit(replace(QUICK, versions=(f"{hugo}@HEAD", str(hugo)), in_process=False))


def test_a_test_knows_what_its_commits_say(queue: LabQueue, tmp_path: Path) -> None:
    hugo = tmp_path / "hugo"
    hugo.mkdir()
    (hugo / "player.py").write_text(PLAYER.format(0))
    git(hugo, "init", "-q")
    git(hugo, "add", ".")
    git(hugo, "commit", "-q", "-m", "<b>" + "begin " * 100)
    queue.submit(replace(QUICK, versions=(f"{hugo}@HEAD", "random"), in_process=False))
    first = LabQueue(queue.folder).get(1)
    assert first is not None
    assert first.subjects[0].startswith("<b>begin begin")
    assert (len(first.subjects[0]), first.subjects[1]) == (200, "")


def packed(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_a_zip_is_kept_and_its_name_leads_nowhere(tmp_path: Path) -> None:
    data = packed({"start.sh": "#!/bin/sh\nexec true\n"})
    (tmp_path / "upload.zip").write_bytes(data)
    version = keep_version(tmp_path / "kept", UploadedZip("../../etc/<b>.zip", tmp_path / "upload.zip"))
    assert Path(version.entrant.text).parent == tmp_path / "kept"
    assert version.player == "_b_"
    assert Path(version.entrant.text).read_bytes() == data
    assert resolve(version.entrant.text).digest == version.entrant.digest


def bomb() -> bytes:
    """A ZIP whose directory says that 600 MB are in it."""
    data = packed({"start.sh": "#!/bin/sh\n"})
    entry = data.rindex(b"PK\1\2")
    return data[: entry + 24] + (600_000_000).to_bytes(4, "little") + data[entry + 28 :]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "ZIP"),
        (b"PK\x03\x04 and then nothing", "ZIP"),
        (packed({"readme.txt": "no player"}), r"no start\.sh"),
        (bomb(), "500 MB"),
        (
            packed({"start.sh": "#!/bin/sh\n", "spielleiter.json": json.dumps({"games": ["blokus-2027"]})}),
            "packed for blokus-2027, but the game is piranhas-2026",
        ),
    ],
    ids=["empty", "cut", "no player", "bomb", "another game"],
)
def test_a_zip_that_is_no_player_of_this_game_is_refused(
    queue: LabQueue, tmp_path: Path, data: bytes, said: str
) -> None:
    (tmp_path / "upload.zip").write_bytes(data)
    version = UploadedZip("hugo.zip", tmp_path / "upload.zip")
    with pytest.raises((ProgramError, SettingsError), match=said):
        queue.submit(replace(QUICK, versions=(version, "random"), in_process=False))
    assert not queue.tests
