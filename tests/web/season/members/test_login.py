"""Invitations, passwords and accounts."""

from __future__ import annotations

import pytest

pytest.importorskip("httpx")
from sqlalchemy import select

from spielleiter.contest.accounts import accounts
from spielleiter.contest.store import (
    AccountRow,
)
from tests.support.contest_site import (
    OTHER,
    PASSWORD,
    ContestSite,
    Visitor,
    link_in,
)

pytestmark = pytest.mark.slow


def test_an_invitation_leads_to_the_page_of_the_team(contest: ContestSite) -> None:
    olga, new = contest.visitor("olga"), contest.visitor(None)
    olga.post("/contest/organise/invite", role="member", team=OTHER)
    path = link_in(olga.notices("/contest/organise/people")).removeprefix(contest.base)
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
    path = link_in(olga.notices("/contest/organise/people")).removeprefix(contest.base)
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
    assert "is changed" in mine.notices("/contest/account")
    assert theirs.get("/contest/my").status_code == 303


def test_a_removed_account_is_out_at_once(contest: ContestSite) -> None:
    token = accounts.invite(contest.store, who="olga", team=OTHER)
    mallory = Visitor(contest.base, accounts.accept(contest.store, token, "Mallory", PASSWORD))
    (account,) = contest.scalars(select(AccountRow).where(AccountRow.name == "Mallory"))
    olga = contest.visitor("olga")
    olga.post(f"/contest/organise/accounts/{account.id}/remove", sure="yes")
    assert mallory.get("/contest/my").status_code == 303
    olga.post(f"/contest/organise/accounts/{contest.people['olga'].id}/remove", sure="yes")
    assert "your own account" in olga.notices("/contest/organise/people")


def test_an_invitation_can_be_taken_back(contest: ContestSite) -> None:
    olga = contest.visitor("olga")
    olga.post("/contest/organise/invite", role="organiser")
    path = link_in(olga.notices("/contest/organise/people")).removeprefix(contest.base)
    newest = accounts.open_invitations(contest.store)[0]
    assert newest.organiser
    olga.post(f"/contest/organise/invitations/{newest.id}/revoke", sure="yes")
    assert contest.visitor(None).get(path).status_code == 404


def test_the_pages_speak_german_too(contest: ContestSite) -> None:
    for name, path in ((None, "/contest/login"), ("ada", "/contest/my"), ("olga", "/contest/organise")):
        visitor = contest.visitor(name)
        visitor.client.headers["accept-language"] = "de"
        assert 'lang="de"' in visitor.text(path)
    assert "Saison spielen" in visitor.text("/contest/organise")
