"""Programs of a team: uploaded, checked, activated."""

from __future__ import annotations

import io
import socket
import stat
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("httpx")
from sqlalchemy import select

from spielleiter.contest.accounts import accounts
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import (
    ActivationRow,
    ProgramRow,
)
from spielleiter.errors import ContestError
from spielleiter.games import CURRENT_SEASON
from spielleiter.programs.sandbox import Level
from tests.support.contest_site import (
    PASSWORD,
    PROGRAM,
    ContestSite,
    Visitor,
)
from tests.support.contest_small_season import found, season_text
from tests.support.night import by_day
from tests.support.uploads import FORMS, upload_of

pytestmark = pytest.mark.slow

PLAYER = b"""
from spielleiter.client import play

print("hello", "from", "inside")
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""


def upload(visitor: Visitor, data: bytes, name: str = "player.zip") -> str:
    """Send a program: where that leads."""
    answer = visitor.post("/contest/my/programs", files={"program": (name, data)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def wait_for_check(contest: ContestSite, name: str) -> None:
    check = contest.jobs.checks.of_team(contest.people[name].team_id)
    contest.wait(check.channel, lambda: check.over)


def test_a_program_is_checked_in_the_background_and_can_be_activated(
    contest: ContestSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ada = contest.visitor("ada")
    assert upload(ada, PLAYER, "../my <b>player</b>.py") == "/contest/my/check"
    assert "&lt;b&gt;" not in ada.text("/contest/my/check")
    with ada.client.stream("GET", "/contest/my/check/events") as events:
        assert next(line for line in events.iter_lines() if line.startswith("data:")).count("check")
    assert "/contest/my/check" in ada.text("/contest/my")
    assert upload(ada, b"another one") == "/contest/my"
    assert "is being checked" in ada.notices("/contest/my")
    wait_for_check(contest, "ada")
    shown = ada.text("/contest/my/check")
    assert "A game against random as Blue" in shown
    assert f"/contest/my/programs/{PROGRAM + 1}" in shown
    page = ada.text(f"/contest/my/programs/{PROGRAM + 1}")
    assert "hello from inside" in page
    assert "passed" in page
    assert ada.get(f"/contest/my/programs/{PROGRAM + 1}/download").content[:2] == b"PK"
    ada.post(f"/contest/my/programs/{PROGRAM + 1}/activate")
    assert f"plays with program {PROGRAM + 1}" in ada.notices("/contest/my")
    newest = contest.scalars(select(ActivationRow).order_by(ActivationRow.id.desc()))[0]
    assert newest.who == "ada (member)"
    assert contest.scalars(select(ProgramRow.name).where(ProgramRow.number == PROGRAM + 1)) == ["b_.py"]
    assert not list(tmp_path.glob("spielleiter-upload-*"))


@pytest.mark.sandbox
@pytest.mark.parametrize("form", by_day(FORMS, ["C++"]))
def test_the_upload_page_takes_what_the_kits_of_the_organisers_make(
    form: str, tmp_path: Path, serve_contest: Callable[[Contest], ContestSite]
) -> None:
    text = season_text(teams=("Ada", "Bit")).replace("in_process = true", "").replace("piranhas-2026", CURRENT_SEASON)
    name, data = upload_of(form)
    with found(tmp_path, text) as season:
        invitation = accounts.invite(season.store, who="test", team="Ada")
        accounts.accept(season.store, invitation, "ada", PASSWORD)
        contest = serve_contest(season)
        ada = contest.visitor("ada")
        assert upload(ada, data, name) == "/contest/my/check"
        wait_for_check(contest, "ada")
        [program] = contest.scalars(select(ProgramRow).where(~ProgramRow.builtin))
        assert program.passed, program.report
        assert "✗" not in ada.text(f"/contest/my/programs/{program.number}")


def zipped(**files: bytes | str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def zip_with_link() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        entry = zipfile.ZipInfo("start.sh")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    return target.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"this is no archive", "player.zip", "not a readable ZIP"),
        (zipped(**{"../../../evil.sh": "x"}), "player.zip", "leads out of the ZIP"),
        (zipped(**{"/etc/evil": "x"}), "player.zip", "leads out of the ZIP"),
        (zipped(readme="no program"), "player.zip", "no start.sh"),
        (zipped(**{"a.jar": "", "b.jar": ""}), "player.zip", "several JARs"),
        (zip_with_link(), "player.zip", "link or a device"),
        (zipped(**{"start.sh": "x"})[:-30], "player.zip", "not a readable ZIP"),
        (b"\0\0\0", "player.py", "no Python file"),
        (b"(" * 100_000, "player.py", "no Python file"),
        (b"def broken(:\n", "player.py", "invalid syntax"),
    ],
    ids=["no_zip", "leads_out", "absolute", "no_start", "jars", "link", "cut_off", "binary", "nested", "broken"],
)
def test_a_hostile_upload_is_refused_and_nothing_is_kept(
    contest: ContestSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, name: str, said: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bob = contest.visitor("bob")
    before = contest.scalars(select(ProgramRow.id))
    assert upload(bob, data, name) == "/contest/my/check"
    wait_for_check(contest, "bob")
    page = bob.text("/contest/my/check")
    assert said in page.replace("&#39;", "'")
    assert str(tmp_path) not in page
    assert contest.scalars(select(ProgramRow.id)) == before
    assert not list(tmp_path.glob("spielleiter-upload-*"))


def test_a_program_that_fails_is_kept_with_its_log_but_cannot_be_activated(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    script = "#!/bin/sh\necho 'I have no idea' >&2\nexit 3\n"
    upload(bob, zipped(**{"start.sh": script}))
    wait_for_check(contest, "bob")
    number = contest.jobs.checks.of_team(contest.people["bob"].team_id).number
    page = bob.text(f"/contest/my/programs/{number}")
    assert '<p class="failure">I have no idea</p>' in page
    assert '<a href="#log-one">' in page
    assert 'id="log-one"' in page
    assert "failed" in page
    bob.post(f"/contest/my/programs/{number}/activate")
    assert "failed its check" in bob.notices("/contest/my")


def test_a_note_of_the_check_is_no_cross(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    upload(bob, PLAYER + b"import time\ntime.sleep(60)\n", "slow_end.py")
    wait_for_check(contest, "bob")
    number = contest.jobs.checks.of_team(contest.people["bob"].team_id).number
    page = bob.text(f"/contest/my/programs/{number}")
    assert '<li class="advice"><span class="tick" aria-hidden="true">~</span><span class="unseen">note: </span>' in page
    assert "still ran 1 s after the end" in page
    assert '<li class="bad">' not in page
    assert '<span class="badge good">' in page


def test_a_program_that_was_packed_for_another_game_is_told_so(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    upload(bob, zipped(**{"start.sh": "#!/bin/sh\n", "spielleiter.json": '{"games": ["blokus-2027"]}'}))
    wait_for_check(contest, "bob")
    shown = bob.text("/contest/my/check")
    assert "this program was packed for blokus-2027, but the game is piranhas-2026" in shown


def test_a_jar_is_taken_and_its_folder_on_this_machine_is_never_shown(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    assert upload(bob, b"this is no JAR", "My bot.JAR") == "/contest/my/check"
    wait_for_check(contest, "bob")
    number = contest.jobs.checks.of_team(contest.people["bob"].team_id).number
    page = bob.text(f"/contest/my/programs/{number}")
    assert "My bot.JAR" in page
    assert "corrupt jarfile" in page or "Java is not installed" in page
    assert tempfile.gettempdir() not in page


def test_a_program_whose_games_were_not_judged_is_not_shown_as_failed(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    upload(bob, zipped(**{"start.sh": "#!/bin/sh\nexit 5\n"}))
    wait_for_check(contest, "bob")
    team, number = contest.people["bob"].team_id, contest.jobs.checks.of_team(contest.people["bob"].team_id).number
    with contest.store.transaction() as session:
        row = session.scalars(select(ProgramRow).where(ProgramRow.team_id == team, ProgramRow.number == number)).one()
        row.report = {**row.report, "judged": False}
        for other in session.scalars(select(ProgramRow).where(ProgramRow.team_id == team, ProgramRow.id != row.id)):
            other.passed = True
    for page in ("/contest/my", f"/contest/my/programs/{number}", f"/season/team/{team}"):
        shown = bob.text(page)
        assert "not checked" in shown
        assert '<span class="badge bad">' not in shown


@pytest.mark.parametrize(("name", "said"), [("virus.exe", "ZIP with start.sh"), ("", "Choose a file")])
def test_other_files_are_not_even_tried(contest: ContestSite, name: str, said: str) -> None:
    bob = contest.visitor("bob")
    assert upload(bob, b"MZ", name) == "/contest/my"
    assert said in bob.notices("/contest/my")


def test_a_program_that_is_too_large_is_refused(contest: ContestSite, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = contest.visitor("bob")
    assert upload(bob, b"#" * 1_000_001, "player.py") == "/contest/my"
    assert "larger than 1 MB" in bob.notices("/contest/my")
    assert "at most 100 MB" in bob.text("/contest/my")
    monkeypatch.setattr("spielleiter.web.season.members.programs.MAX_UPLOAD", 1_500_000)
    assert upload(bob, b"x" * 1_500_001) == "/contest/my"
    assert "larger than 1.5 MB" in bob.notices("/contest/my")
    with socket.create_connection(("127.0.0.1", contest.site.running.port), timeout=60) as sock:
        sock.sendall(b"POST /contest/my/programs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1099511627776\r\n\r\n")
        assert sock.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_untrusted_programs_are_not_started_without_a_sandbox(
    contest: ContestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = contest.jobs
    monkeypatch.setattr(jobs, "level", Level.LIMITS)
    checks = jobs.checks
    checks._refuse_without_sandbox()  # This season's file has chosen its sandbox.
    careless = replace(contest.contest, season=replace(contest.contest.season, sandbox="auto"))
    monkeypatch.setattr(checks, "_contest", careless)
    with pytest.raises(ContestError, match="no sandbox"):
        checks._refuse_without_sandbox()


def test_no_program_is_taken_where_only_built_in_players_play(fresh_contest: ContestSite) -> None:
    ada = fresh_contest.visitor("ada")
    assert upload(ada, PLAYER, "player.py") == "/contest/my"
    assert "built-in players only" in ada.notices("/contest/my")
