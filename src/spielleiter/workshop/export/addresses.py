"""Which file of the folder stands for which address of the pages: templates write the same links for both.

A page that Python renders in the browser is one file for all of its addresses; what differs stands in its query.
"""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import parse_qsl, quote, urlencode

from spielleiter import games

PUZZLE, TABLE = "puzzle.html", "table.html"
"""Pages that Python renders in the browser."""
_LINK = re.compile(r'\b(href|data-href|action)="(/[^"]*)"')
_FILES = (
    (re.compile(r"/(?:play)?"), "index.html"),
    (re.compile(r"/learn"), "learn.html"),
    (re.compile(r"/learn/([\w-]+)"), "learn-{0}.html"),
    (re.compile(r"/learn/([\w-]+)/([0-9]+)"), "learn-{0}-{1}.html"),
    (re.compile(r"/puzzles"), "puzzles.html"),
    (re.compile(r"/workshop"), f"workshop-{games.CURRENT_SEASON}.html"),
    (re.compile(r"/workshop/([\w-]+)"), "workshop-{0}.html"),
)
_PUZZLE = re.compile(r"/puzzles/([\w./-]+)")
_TABLE = re.compile(r"/(?:tables/new|table/computer(?:/[a-z-]+)?)?")
"""Addresses of games; with a position also the start page, which leads on to a game from there."""


def file_of(address: str) -> str:
    """The file beside all others of its language, with what the page needs to know. Raises ``LookupError``."""
    rest, _, fragment = address.partition("#")
    path, _, query = rest.partition("?")
    behind = f"#{fragment}" if fragment else ""
    fields = dict(parse_qsl(query, keep_blank_values=True))
    if (puzzle := _PUZZLE.fullmatch(path)) is not None:
        return f"{PUZZLE}?{urlencode({'at': puzzle[1]} | fields, safe='/')}{behind}"
    names_game = "game" in fields or "position" in fields or path.startswith("/table/")
    if names_game and _TABLE.fullmatch(path):
        return (f"{TABLE}?{urlencode(fields, quote_via=quote)}" if fields else TABLE) + behind
    for pattern, name in _FILES:
        if (found := pattern.fullmatch(path)) is not None:
            file = name.format(*found.groups())
            return (file.replace(".html", "-solution.html") if "solution" in fields else file) + behind
    raise LookupError(address)


def with_files(html: str) -> str:
    """A page whose links lead to the files of the folder."""

    def link(found: re.Match[str]) -> str:
        return f'{found[1]}="{escape(file_of(unescape(found[2])))}"'

    return _LINK.sub(link, html)
