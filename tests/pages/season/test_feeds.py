"""The Atom feed and the calendar of a season, read by rules of their own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import News, SeasonSnapshot
from spielleiter.game import Text
from spielleiter.pages.season.feeds import atom_feed, calendar
from tests.support.page_seasons import NICE, found, season_text

DATES = tuple(datetime(2027, 3, day, 14, tzinfo=UTC) for day in (1, 8, 15))


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> SeasonSnapshot:
    with found(tmp_path_factory.mktemp("feeds"), season_text(NICE)) as contest:
        read = read_snapshot(contest)
    dated = tuple(
        replace(phase, dates=DATES) if phase.stage is Stage.FINAL else phase for phase in contest.season.phases
    )
    days = (replace(read.days[0], date=DATES[0]), *read.days[1:])
    return replace(read, season=replace(contest.season, phases=dated), days=days)


def _unfolded(data: bytes) -> list[str]:
    for line in data.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()  # No character is cut in two.
    return data.decode().replace("\r\n ", "").split("\r\n")


def test_every_matchday_with_a_date_is_an_event_drawn_or_not(snapshot: SeasonSnapshot) -> None:
    lines = _unfolded(calendar(snapshot, "https://contest.example", "de"))
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert lines.count("BEGIN:VEVENT") == 1 + len(DATES)
    assert "DTSTART:20270301T140000Z" in lines
    assert "SUMMARY:Saison <i>2027</i>: Probespieltage\\, Spieltag 1" in lines
    assert "SUMMARY:Saison <i>2027</i>: Final Four\\, Halbfinale" in lines
    assert len({line for line in lines if line.startswith("UID:")}) == 1 + len(DATES)
    assert f"URL:https://contest.example/season/day/{snapshot.days[0].id}" in lines


def test_a_file_without_a_server_names_no_addresses(snapshot: SeasonSnapshot) -> None:
    assert not [line for line in _unfolded(calendar(snapshot, "", "en")) if line.startswith("URL:")]


def test_names_cannot_add_lines_to_a_calendar(snapshot: SeasonSnapshot) -> None:
    evil = replace(snapshot.season, name="Ä" * 60 + "\r\nBEGIN:VEVENT\n;,\\\x00")
    lines = _unfolded(calendar(replace(snapshot, season=evil), "", "de"))
    assert lines.count("BEGIN:VEVENT") == 1 + len(DATES)
    assert any("\\nBEGIN:VEVENT\\n\\;\\,\\\\" in line for line in lines)


def test_the_feed_has_the_news_as_escaped_html(snapshot: SeasonSnapshot, tmp_path: Path) -> None:
    news = tuple(
        News(number, DATES[0], "", Text(f"Titel {number} <b>&\x07", "Title"), Text("**Hallo** <script>", "Hello"))
        for number in range(60, 0, -1)
    )
    data = atom_feed(replace(snapshot, news=news), "https://contest.example", "de")
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.fromstring(data)
    entries = feed.findall(f"{atom}entry")
    assert len(entries) == 50
    assert entries[0].findtext(f"{atom}title") == "Titel 60 <b>&"
    assert entries[0].findtext(f"{atom}id") == "https://contest.example/season/news#news-60"
    assert entries[0].findtext(f"{atom}content") == "<p><strong>Hallo</strong> &lt;script&gt;</p>\n"
    assert feed.findtext(f"{atom}updated") == "2027-03-01T14:00:00Z"
    assert ElementTree.fromstring(atom_feed(replace(snapshot, news=()), "", "en")).find(f"{atom}entry") is None
