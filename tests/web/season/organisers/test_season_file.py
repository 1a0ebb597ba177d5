"""Organisers change dates and teams on the pages: what will happen is said first, and refusals leave all as it is."""

from __future__ import annotations

import html
import re
from datetime import datetime

import pytest

pytest.importorskip("httpx")
from tests.support.contest_site import MEMBER, ContestSite

pytestmark = pytest.mark.slow
TEAMS, DATES = "/contest/organise/teams", "/contest/organise/dates"


def test_a_school_changes_after_the_page_has_said_so(fresh_contest: ContestSite) -> None:
    olga = fresh_contest.visitor("olga")
    asked = olga.post(f"{TEAMS}/school", team=MEMBER, school="Neue Schule").text
    assert f"{MEMBER}: its school is “Neue Schule”, no longer “Gymnasium an der Förde”." in asked
    assert "Neue Schule" not in olga.text(TEAMS)
    olga.post(f"{TEAMS}/school", team=MEMBER, school="Neue Schule", sure="yes")
    assert "Neue Schule" in olga.text(TEAMS)
    assert "Neue Schule" in fresh_contest.contest.text()
    # What the log says is what was asked.
    assert "no longer “Gymnasium an der Förde”" in olga.text("/contest/organise/audit")


def test_a_list_is_taken_over_as_a_whole_or_not_at_all(fresh_contest: ContestSite) -> None:
    olga = fresh_contest.visitor("olga")
    before = fresh_contest.contest.text()
    olga.post(TEAMS, list=f"{MEMBER};Neue Schule\nNeue;\n;x;\nx;y;!\n", sure="yes")
    assert "Nothing was taken over. Line 3: the name of the team is missing. Line 4: a group" in olga.notices(TEAMS)
    olga.post(TEAMS, list=f"{MEMBER};Neue Schule\nNeue;\n", sure="yes")
    assert "the championship has begun; a new team can only take a reserve place" in olga.notices(TEAMS)
    olga.post(TEAMS, list="", sure="yes")
    assert "The list is empty" in olga.notices(TEAMS)
    assert fresh_contest.contest.text() == before
    # Our own list comes back as it went.
    answer = olga.get(f"{TEAMS}.csv")
    olga.post(TEAMS, files={"file": ("teams.csv", answer.content)})
    assert "nothing changes" in olga.notices(TEAMS)
    changed = answer.content.replace("Gymnasium an der Förde".encode(), b"Neue Schule")
    asked = olga.post(TEAMS, files={"file": ("teams.csv", changed)}).text
    assert "its school is “Neue Schule”" in asked
    # What the page that asks sends back is the list, without the file.
    listed = re.search(r'<textarea name="list" hidden>\n(.*?)</textarea>', asked, re.DOTALL)
    assert listed is not None
    olga.post(TEAMS, list=html.unescape(listed[1]), sure="yes")
    assert "Neue Schule" in olga.text(TEAMS)


def test_every_matchday_has_a_date_or_none(fresh_contest: ContestSite) -> None:
    olga = fresh_contest.visitor("olga")
    keys = re.findall(r'name="(championship-\d)"', olga.text(DATES))
    assert keys == ["championship-2", "championship-3"], "the first day has begun and keeps its date"
    assert f"All times are those of this machine ({datetime.now().astimezone().tzname()})." in olga.text(DATES)
    one = {keys[0]: "2090-03-01T18:00"}
    olga.post(DATES, **one)
    assert "give every matchday a date, or none" in olga.notices(DATES)
    olga.post(DATES, **dict.fromkeys(keys, "tomorrow"))
    assert "A date and a time like" in olga.notices(DATES)
    olga.post(DATES, **one | {keys[1]: "2090-02-28T18:00"})
    assert "the dates must be in their order" in olga.notices(DATES)
    olga.post(DATES, **one | {keys[1]: "2090-03-02T18:00"}, sure="yes")
    assert 'value="2090-03-02T18:00"' in olga.text(DATES)
    assert "2090" in olga.text("/season/schedule")
