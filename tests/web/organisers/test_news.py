"""News and the audit log."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("httpx")
from spielleiter.contest.store import (
    AuditRow,
    SeasonRow,
)
from tests.support.contest_site import ContestSite

pytestmark = pytest.mark.slow


def test_news_are_written_and_taken_back(contest: ContestSite) -> None:
    olga = contest.visitor("olga")
    olga.post("/contest/organise/news", de="", en="  ")
    assert "empty" in olga.notices("/contest/organise/news")
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
