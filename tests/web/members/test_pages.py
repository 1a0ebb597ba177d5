"""What the pages behind the log-in do: invitations, programs, encounters, the season, rulings, lots, people, news."""

from __future__ import annotations

import io
import re
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
from spielleiter.contest.run import programs
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store import (
    AccountRow,
    ActivationRow,
    AuditRow,
    EncounterRow,
    GameRow,
    LotRow,
    ProgramRow,
    SeasonRow,
)
from spielleiter.errors import ContestError
from spielleiter.programs.sandbox import Level
from spielleiter.web.members import team
from tests.support.contest_site import MEMBER, OTHER, PASSWORD, PROGRAM, ContestSite, Visitor, open_season

pytestmark = pytest.mark.slow

PLAYER = b"""
from spielleiter.client import play

print("hello", "from", "inside")
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""


def link_in(text: str) -> str:
    found = re.search(r"http://[^<\"]+/contest/invitation/[\w-]+", text)
    assert found is not None
    return found[0]


def audit(contest: ContestSite) -> list[tuple[str, str, str, str]]:
    entries = contest.scalars(select(AuditRow).order_by(AuditRow.id))
    return [(entry.who, entry.action, entry.subject, entry.reason) for entry in entries]


# --- coming in --------------------------------------------------------------------------------------------------------


def test_an_invitation_leads_to_the_page_of_the_team(contest: ContestSite) -> None:
    olga, new = contest.visitor("olga"), contest.visitor(None)
    olga.post("/contest/organise/invite", role="member", team=OTHER)
    path = link_in(olga.told("/contest/organise/people")).removeprefix(contest.base)
    assert OTHER in new.text(path)
    form = {"name": "Grace", "password": "a fine password", "again": "another password"}
    answer = new.post(path, **form)
    assert answer.status_code == 400
    assert "differ" in answer.text
    assert 'value="Grace"' in answer.text
    answer = new.post(path, **form | {"again": form["password"]})
    assert answer.headers["location"] == "/contest/my"
    assert OTHER in new.text("/contest/my")
    assert contest.visitor(None).get(path).status_code == 404
    assert "Grace" in olga.text("/contest/organise/people")


def test_a_forgotten_password_is_mended_by_a_link(contest: ContestSite) -> None:
    olga, eve = contest.visitor("olga"), contest.visitor("eve")
    olga.post(f"/contest/organise/accounts/{contest.people['eve'].id}/invite")
    path = link_in(olga.told("/contest/organise/people")).removeprefix(contest.base)
    new = contest.visitor(None)
    page = new.text(path)
    assert "<strong>eve</strong>" in page
    assert 'name="name"' not in page
    new.post(path, password="a new password", again="a new password")
    assert eve.get("/contest/my").status_code == 303
    assert new.get("/contest/my").status_code == 200


def test_changing_the_password_logs_others_out(contest: ContestSite) -> None:
    token = accounts.invite(contest.store, who="olga", team=OTHER)
    mine = Visitor(contest.base, accounts.accept(contest.store, token, "Mary", PASSWORD))
    theirs = Visitor(contest.base, accounts.log_in(contest.store, "mary", PASSWORD))
    form = {"old": PASSWORD, "password": "brand new password", "again": "brand new password"}
    assert mine.post("/contest/account/password", **form | {"old": "wrong"}).status_code == 400
    assert mine.post("/contest/account/password", **form | {"password": "short", "again": "short"}).status_code == 400
    assert theirs.get("/contest/my").status_code == 200
    assert mine.post("/contest/account/password", **form).status_code == 303
    assert "is changed" in mine.told("/contest/account")
    assert theirs.get("/contest/my").status_code == 303


def test_a_removed_account_is_out_at_once(contest: ContestSite) -> None:
    token = accounts.invite(contest.store, who="olga", team=OTHER)
    mallory = Visitor(contest.base, accounts.accept(contest.store, token, "Mallory", PASSWORD))
    (account,) = contest.scalars(select(AccountRow).where(AccountRow.name == "Mallory"))
    olga = contest.visitor("olga")
    olga.post(f"/contest/organise/accounts/{account.id}/remove")
    assert mallory.get("/contest/my").status_code == 303
    olga.post(f"/contest/organise/accounts/{contest.people['olga'].id}/remove")
    assert "your own account" in olga.told("/contest/organise/people")


def test_an_invitation_can_be_taken_back(contest: ContestSite) -> None:
    olga = contest.visitor("olga")
    olga.post("/contest/organise/invite", role="organiser")
    path = link_in(olga.told("/contest/organise/people")).removeprefix(contest.base)
    newest = accounts.open_invitations(contest.store)[0]
    assert newest.organiser
    olga.post(f"/contest/organise/invitations/{newest.id}/revoke")
    assert contest.visitor(None).get(path).status_code == 404


def test_the_pages_speak_german_too(contest: ContestSite) -> None:
    for name, path in ((None, "/contest/login"), ("ada", "/contest/my"), ("olga", "/contest/organise")):
        visitor = contest.visitor(name)
        visitor.client.headers["accept-language"] = "de"
        assert 'lang="de"' in visitor.text(path)
    assert "Saison spielen" in visitor.text("/contest/organise")


# --- programs ---------------------------------------------------------------------------------------------------------


def upload(visitor: Visitor, data: bytes, name: str = "player.zip") -> str:
    """Send a program: where that leads."""
    answer = visitor.post("/contest/my/programs", files={"program": (name, data)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def wait_for_check(contest: ContestSite, name: str) -> None:
    check = contest.jobs.check_of(contest.people[name].team_id)
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
    assert "just being checked" in ada.told("/contest/my")
    wait_for_check(contest, "ada")
    shown = ada.text("/contest/my/check")
    assert "A game against random as TWO" in shown
    assert f"/contest/my/programs/{PROGRAM + 1}" in shown
    page = ada.text(f"/contest/my/programs/{PROGRAM + 1}")
    assert "hello from inside" in page
    assert "passed" in page
    assert ada.get(f"/contest/my/programs/{PROGRAM + 1}/download").content[:2] == b"PK"
    ada.post(f"/contest/my/programs/{PROGRAM + 1}/activate")
    assert f"plays with program {PROGRAM + 1}" in ada.told("/contest/my")
    newest = contest.scalars(select(ActivationRow).order_by(ActivationRow.id.desc()))[0]
    assert newest.who == "ada (member)"
    assert contest.scalars(select(ProgramRow.name).where(ProgramRow.number == PROGRAM + 1)) == ["b_.py"]
    assert not list(tmp_path.glob("spielleiter-upload-*"))


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
        (b"this is no archive", "player.zip", "no readable ZIP"),
        (zipped(**{"../../../evil.sh": "x"}), "player.zip", "leads out of the ZIP"),
        (zipped(**{"/etc/evil": "x"}), "player.zip", "leads out of the ZIP"),
        (zipped(readme="no program"), "player.zip", "no start.sh"),
        (zip_with_link(), "player.zip", "link or a device"),
        (zipped(**{"start.sh": "x"})[:-30], "player.zip", "no readable ZIP"),
        (b"\0\0\0", "player.py", "no Python file"),
        (b"(" * 100_000, "player.py", "no Python file"),
        (b"def broken(:\n", "player.py", "invalid syntax"),
    ],
    ids=["no_zip", "leads_out", "absolute", "no_start", "link", "cut_off", "binary", "nested", "broken"],
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
    number = contest.jobs.check_of(contest.people["bob"].team_id).number
    page = bob.text(f"/contest/my/programs/{number}")
    assert "I have no idea" in page
    assert "failed" in page
    bob.post(f"/contest/my/programs/{number}/activate")
    assert "failed its check" in bob.told("/contest/my")


@pytest.mark.parametrize(("name", "said"), [("virus.exe", "ZIP with start.sh"), ("", "Choose a file")])
def test_other_files_are_not_even_tried(contest: ContestSite, name: str, said: str) -> None:
    bob = contest.visitor("bob")
    assert upload(bob, b"MZ", name) == "/contest/my"
    assert said in bob.told("/contest/my")


def test_a_program_that_is_too_large_is_refused(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    assert upload(bob, b"#" * ((1 << 20) + 1), "player.py") == "/contest/my"
    assert "larger than 1 MiB" in bob.told("/contest/my")
    assert upload(bob, b"x" * (team.MAX_PROGRAM + 1)) == "/contest/my"
    assert "larger than 32 MiB" in bob.told("/contest/my")
    with socket.create_connection(("127.0.0.1", contest.site.running.port), timeout=10) as sock:
        sock.sendall(b"POST /contest/my/programs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1099511627776\r\n\r\n")
        assert sock.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_strangers_programs_are_not_started_where_nothing_locks_them_up(
    contest: ContestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = contest.jobs
    monkeypatch.setattr(jobs, "level", Level.LIMITS)
    jobs._refuse_unsafe()  # This season's file has chosen how they are locked up.
    careless = replace(contest.contest, season=replace(contest.contest.season, sandbox="auto"))
    monkeypatch.setattr(jobs, "contest", careless)
    with pytest.raises(ContestError, match="cannot be locked up"):
        jobs._refuse_unsafe()


# --- friendly games ---------------------------------------------------------------------------------------------------


def test_a_challenge_is_played_and_shown_to_both_and_counts_for_nobody(fresh_contest: ContestSite) -> None:
    contest, ada = fresh_contest, fresh_contest.visitor("ada")
    page = ada.text("/contest/my")
    assert f"<option>{OTHER}</option>" in page
    assert "<option>Ohne Programm</option>" not in page
    ada.post("/contest/my/friendly", opponent=OTHER)
    assert "/contest/my/encounters/X1" in ada.told("/contest/my")

    def over() -> bool:
        return contest.scalars(select(EncounterRow.finished).where(EncounterRow.key == "X1")) != [None]

    contest.wait(contest.jobs.channel, over)
    assert ("ada (member)", "challenge", f"X1: {MEMBER} - {OTHER}", "") in audit(contest)
    for name in ("ada", "bob"):
        page = contest.visitor(name).text("/contest/my/encounters/X1")
        assert page.count('/log"') == 2
        assert "Friendly" in page
    assert contest.visitor("eve").get("/contest/my/encounters/X1").status_code == 404
    ada.post("/contest/my/friendly", opponent="Ohne Programm")
    assert "no active program" in ada.told("/contest/my")
    ada.post("/contest/my/friendly", opponent=MEMBER)
    assert "against itself" in ada.told("/contest/my")


def test_a_friendly_encounter_that_was_interrupted_is_played_at_the_next_start(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite]
) -> None:
    with open_season(tmp_path, in_process=True) as season:
        id_ = programs.arrange_friendly(season, MEMBER, OTHER)
        contest = serve_contest(season)
        wanted = select(EncounterRow.finished).where(EncounterRow.id == id_)
        contest.wait(contest.jobs.channel, lambda: contest.scalars(wanted) != [None])
        # A second challenge has to wait for the first, but that one is over.
        contest.site.do(lambda: contest.jobs.challenge(MEMBER, OTHER, "ada"))


def test_a_team_has_one_challenge_at_a_time(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    bob.post("/contest/my/friendly", opponent=MEMBER)
    assert "begins" in bob.told("/contest/my")
    bob.post("/contest/my/friendly", opponent=MEMBER)
    assert "still being played" in bob.told("/contest/my")
    (key,) = contest.scalars(select(EncounterRow.key).where(EncounterRow.stage == Stage.FRIENDLY))
    assert "being played" in bob.text(f"/contest/my/encounters/{key}")
    ended = select(EncounterRow.finished).where(EncounterRow.key == key)
    contest.wait(contest.jobs.channel, lambda: contest.scalars(ended) != [None])


def test_a_friendly_encounter_that_cannot_be_played_is_told_so_and_blocks_nobody(fresh_contest: ContestSite) -> None:
    contest, ada = fresh_contest, fresh_contest.visitor("ada")
    ada.post(
        f"/contest/my/programs/{PROGRAM}/activate"
    )  # No built-in player, but this season is played in one process.
    ada.post("/contest/my/friendly", opponent=OTHER)
    (id_,) = contest.scalars(select(EncounterRow.id).where(EncounterRow.stage == Stage.FRIENDLY))
    contest.wait(contest.jobs.channel, lambda: contest.jobs.is_stuck(id_))
    assert "Playing has stopped" in ada.text("/contest/my/encounters/X1")
    ada.post("/contest/my/friendly", opponent=OTHER)
    assert "begins" in ada.told("/contest/my")


def test_no_program_is_taken_where_only_built_in_players_play(fresh_contest: ContestSite) -> None:
    ada = fresh_contest.visitor("ada")
    assert upload(ada, PLAYER, "player.py") == "/contest/my"
    assert "built-in players only" in ada.told("/contest/my")


# --- the season -------------------------------------------------------------------------------------------------------


def rest(contest: ContestSite) -> None:
    contest.wait(contest.jobs.channel, lambda: not contest.jobs.season.running)


def test_organisers_run_the_season_annul_a_game_and_run_it_again(fresh_contest: ContestSite) -> None:
    contest, olga = fresh_contest, fresh_contest.visitor("olga")
    assert "not being played here" in olga.text("/contest/organise")
    assert olga.post("/contest/organise/run").status_code == 303
    contest.visitor("olga").post("/contest/organise/run")  # Twice does no harm.
    rest(contest)
    assert contest.jobs.season.problem is None
    page = olga.text("/contest/organise")
    assert "The season is over" in page
    assert "6 / 6" in page
    with olga.client.stream("GET", "/contest/organise/events") as events:
        assert "The season is over" in next(line for line in events.iter_lines() if line.startswith("data:"))
    games = contest.scalars(select(GameRow.id))
    assert len(games) == 12

    (key,) = contest.scalars(
        select(EncounterRow.key).join(GameRow, GameRow.encounter_id == EncounterRow.id).where(GameRow.id == games[-1])
    )
    assert key in olga.text("/contest/organise/rulings")
    olga.post("/contest/organise/annul", subject=f"{key}-1", reason="  ")
    assert "Give a reason" in olga.told("/contest/organise/rulings")
    olga.post("/contest/organise/annul", subject="M99-Z", reason="power cut")
    assert "no encounter" in olga.told("/contest/organise/rulings")
    olga.post("/contest/organise/annul", subject=f"{key}-1", reason="power cut")
    assert "will be played again" in olga.told("/contest/organise/rulings")
    assert ("olga (organiser)", "annul", f"{key}-1", "power cut") in audit(contest)
    olga.post("/contest/organise/run")
    rest(contest)
    assert len(contest.scalars(select(GameRow.id))) == 13
    assert "power cut" in olga.text("/contest/organise/audit")


def test_a_disqualified_team_is_told_so(fresh_contest: ContestSite) -> None:
    olga = fresh_contest.visitor("olga")
    olga.post("/contest/organise/disqualify", team=OTHER, reason="")
    assert "Give a reason" in olga.told("/contest/organise/rulings")
    olga.post("/contest/organise/disqualify", team=OTHER, reason="copied")
    assert "loses all games" in olga.told("/contest/organise/rulings")
    assert "disqualified" in fresh_contest.visitor("bob").text("/contest/my")
    assert ("olga (organiser)", "disqualify", OTHER, "copied") in audit(fresh_contest)


def test_a_paused_season_begins_no_more_games(fresh_contest: ContestSite) -> None:
    contest, olga = fresh_contest, fresh_contest.visitor("olga")
    olga.post("/contest/organise/pause", reason="lunch")
    assert contest.scalars(select(SeasonRow.paused)) == [True]
    assert "The season is paused" in olga.text("/contest/organise")
    assert contest.jobs.season.running is False
    olga.post("/contest/organise/run")
    olga.post("/contest/organise/pause", reason="dessert")
    rest(contest)
    assert contest.scalars(select(SeasonRow.paused)) == [True]
    actions = [(action, reason) for _, action, _, reason in audit(contest)]
    assert actions == [("pause", "lunch"), ("resume", ""), ("run", ""), ("pause", "dessert")]


LOTS = """
[season]
name = "Nobody plays"
game = "piranhas-2026"
seed = 1
games = 2
lots = "by hand"
[championship]
qualify = 2
[final]
games = 2
cap = 2
""" + "".join(f'[[teams]]\nname = "Team {name}"\n' for name in "ABCD")


def test_a_lot_is_drawn_by_an_organiser_and_the_season_goes_on(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite]
) -> None:
    (tmp_path / "season.toml").write_text(LOTS, encoding="utf-8")
    with Contest.open(tmp_path / "season.toml") as season:
        with season.store.transaction() as session:
            session.add(
                AccountRow(name="olga", password="", organiser=True, created=session.get_one(SeasonRow, 1).created)
            )
        contest = serve_contest(season)
        olga = contest.visitor("olga")
        olga.post("/contest/organise/run")
        jobs = contest.jobs
        contest.wait(jobs.channel, lambda: jobs.season.state is not None and jobs.season.state.tie)
        page = olga.text("/contest/organise")
        assert "A lot decides" in page
        olga.post("/contest/organise/lot", stage="championship", group="A", seed="")
        assert "Say what the lot is drawn with" in olga.told("/contest/organise")
        olga.post("/contest/organise/lot", stage="nonsense", group="A", seed="7")
        assert "no such phase" in olga.told("/contest/organise")
        while olga.text("/contest/organise").count("A lot decides"):
            olga.post("/contest/organise/lot", stage="championship", group="A", seed="3 11 25 30 41 47")
            assert "3 11 25" in olga.told("/contest/organise")
        rest(contest)
        assert "over" in olga.text("/contest/organise")
        lots = contest.scalars(select(LotRow))
        assert {lot.who for lot in lots} == {"olga (organiser)"}
        assert ("olga (organiser)", "draw-lot") in [(who, action) for who, action, _, _ in audit(contest)]


# --- news -------------------------------------------------------------------------------------------------------------


def test_news_are_written_and_taken_back(contest: ContestSite) -> None:
    olga = contest.visitor("olga")
    olga.post("/contest/organise/news", de="", en="  ")
    assert "empty" in olga.told("/contest/organise/news")
    olga.post("/contest/organise/news", de="Morgen geht es los.", en="We start tomorrow.")
    page = olga.text("/contest/organise/news")
    assert "Morgen geht es los." in page
    assert "We start tomorrow." in page
    found = re.search(r"/contest/organise/news/(\d+)/remove", page)
    assert found is not None
    olga.post(f"/contest/organise/news/{found[1]}/remove")
    assert "We start tomorrow." not in olga.text("/contest/organise/news")


def test_the_audit_log_has_pages(contest: ContestSite) -> None:
    with contest.store.transaction() as session:
        created = session.get_one(SeasonRow, 1).created
        session.add_all(
            AuditRow(at=created, who="x", action="challenge", subject=f"number {number}.", reason="")
            for number in range(150)
        )
    olga = contest.visitor("olga")
    page = olga.text("/contest/organise/audit")
    assert "number 149." in page
    assert "number 10." not in page
    found = re.search(r"\?before=\d+", page)
    assert found is not None
    assert "number 10." in olga.text(f"/contest/organise/audit{found[0]}")
    assert olga.get("/contest/organise/audit?before=x").status_code == 200
