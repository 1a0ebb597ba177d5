"""A season for other programs: the news as an Atom feed (RFC 4287), the matchdays as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from spielleiter import __version__
from spielleiter.contest.season.names import day_key
from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.game import Language, Text
from spielleiter.pages.markdown import markdown

_ATOM = "http://www.w3.org/2005/Atom"
_MAX_ENTRIES = 50
_MAX_OCTETS = 75
"""Bytes of a line of a calendar, without its end (RFC 5545, 3.1)."""


def atom_feed(snapshot: SeasonSnapshot, base: str, language: Language) -> bytes:
    """The newest messages of the organisers; ``base`` is how others reach the pages."""
    address = f"{base}/season/news"
    feed = Element("feed", {"xmlns": _ATOM, "xml:lang": language})
    newest = max((news.at for news in snapshot.news), default=snapshot.moment)
    title = Text(f"{snapshot.season.name}: Neuigkeiten", f"{snapshot.season.name}: news")
    _add(feed, "title", title.to(language))
    _add(feed, "id", address)
    _add(feed, "updated", _rfc3339(newest))
    _add(_add(feed, "author"), "name", snapshot.season.name)
    _add(feed, "generator", "spielleiter", version=__version__)
    _add(feed, "link", rel="alternate", type="text/html", href=address)
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{base}/season/news.atom?lang={language}")
    for news in snapshot.news[:_MAX_ENTRIES]:
        entry = _add(feed, "entry")
        _add(entry, "title", news.title.to(language))
        _add(entry, "id", f"{address}#news-{news.id}")
        _add(entry, "updated", _rfc3339(news.at))
        _add(entry, "link", rel="alternate", type="text/html", href=f"{address}#news-{news.id}")
        _add(entry, "content", str(markdown(news.text.to(language))), type="html")
    data: bytes = ElementTree.tostring(feed, "utf-8", xml_declaration=True)
    return data


def _add(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    element = SubElement(parent, name, attributes)
    element.text = _printable(text) or None
    return element


def _printable(text: str) -> str:
    """``text`` without the characters that XML 1.0 cannot hold."""
    return "".join(char for char in text if char in "\t\n" or (char >= " " and not "\ud800" <= char <= "\udfff"))


def _rfc3339(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


# --- the calendar -----------------------------------------------------------------------------------------------------


def calendar(snapshot: SeasonSnapshot, base: str, language: Language) -> bytes:
    """Every matchday that has a date, also of phases that are not drawn yet; ``base`` may be empty."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//spielleiter//{__version__}//{language.upper()}",
        f"X-WR-CALNAME:{_escaped(snapshot.season.name)}",
    ]
    for uid, date, name, page, meetings in _matchdays(snapshot):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{uid}@spielleiter",
            f"DTSTAMP:{_utc(snapshot.moment)}",
            f"DTSTART:{_utc(date)}",
            f"SUMMARY:{_escaped(f'{snapshot.season.name}: {name.to(language)}')}",
        ]
        if meetings:
            lines.append(f"DESCRIPTION:{_escaped(meetings)}")
        if base:
            lines.append(f"URL:{base}{page}")
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return b"".join(folded for line in lines for folded in _folded(line))


def _matchdays(snapshot: SeasonSnapshot) -> Iterator[tuple[str, datetime, Text, str, str]]:
    """Name for programs, date, name for people, page and encounters of each matchday with a date."""
    season = snapshot.season
    prefix = f"{season.seed}-{season.game}"
    drawn = {day.stage for day in snapshot.days}
    for day in snapshot.days:
        if day.date is not None:
            name = snapshot.season.day_title(day.stage, day.number)
            met = "\n".join(f"{each.teams[0].name} – {each.teams[1].name}" for each in snapshot.by_day[day.id])
            yield f"{prefix}-{day_key(day.stage, day.number)}", day.date, name, f"/season/day/{day.id}", met
    for phase in season.phases:
        for number, date in enumerate(() if phase.stage in drawn else phase.dates, 1):
            name = snapshot.season.day_title(phase.stage, number)
            yield f"{prefix}-{day_key(phase.stage, number)}", date, name, "/season/schedule", ""


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """``text`` as a value of a calendar (RFC 5545, 3.3.11)."""
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r", ""), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return "".join(char for char in text if char >= " ")


def _folded(line: str) -> Iterator[bytes]:
    """``line`` in pieces of at most 75 octets, cut between characters; each but the first begins with a blank."""
    piece = b""
    for char in line:
        data = char.encode("utf-8", "replace")
        if len(piece) + len(data) > _MAX_OCTETS:
            yield piece + b"\r\n"
            piece = b" "
        piece += data
    yield piece + b"\r\n"
