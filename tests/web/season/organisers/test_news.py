"""News and the audit log."""

from __future__ import annotations

import re
from xml.etree import ElementTree

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
    olga.post("/contest/organise/news", title_de="Start", de="", en="  ")
    assert "empty" in olga.notices("/contest/organise/news")
    olga.post(
        "/contest/organise/news",
        title_de="Es geht los",
        title_en="Here we go",
        de="**Morgen** geht es los.",
        en="We start [tomorrow](https://example.org/) <b>x</b>.",
    )
    page = olga.text("/contest/organise/news")
    assert "<strong>Morgen</strong> geht es los." in page
    assert 'We start <a href="https://example.org/">tomorrow</a> &lt;b&gt;x&lt;/b&gt;.' in page
    public = olga.text("/season/news")
    assert "<bdi>Here we go</bdi>" in public
    feed = ElementTree.fromstring(olga.get("/season/news.atom?lang=en").content)
    atom = "{http://www.w3.org/2005/Atom}"
    assert [entry.findtext(f"{atom}title") for entry in feed.iter(f"{atom}entry")][:1] == ["Here we go"]
    assert '<a href="https://example.org/">' in str(feed.findtext(f"{atom}entry/{atom}content"))
    found = re.search(r"/contest/organise/news/(\d+)/remove", page)
    assert found is not None
    olga.post(f"/contest/organise/news/{found[1]}/remove", sure="yes")
    assert "Here we go" not in olga.text("/contest/organise/news")


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
