"""What organisers write, and the rules of the games, as HTML: a safe subset of Markdown.

Paragraphs, headings, emphasis, lists, quotations, code and links to http, https and mail addresses, bare ones too. HTML
is shown as it was typed, and pictures are not loaded (they would tell other sites who reads).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

_HIGHEST = 4
"""The level of a first heading in such a text: those above belong to the page."""
_SAFE_LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)


@cache
def _parser(breaks: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": breaks, "linkify": True})
    parser.enable("linkify")
    assert parser.linkify is not None
    parser.linkify.set({"fuzzy_link": False, "fuzzy_ip": False})  # "player.py" is not an address
    parser.disable(["image", "html_block", "html_inline", "reference"])
    parser.core.ruler.push("headings", _lower_headings)
    parser.validateLink = lambda url: _SAFE_LINK.match(url) is not None  # type: ignore[method-assign]
    return parser


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HIGHEST - 1)}"


@lru_cache(maxsize=256)
def markdown(text: str, *, breaks: bool = True) -> Markup:
    """``text`` as HTML that cannot do harm; with ``breaks`` its lines stay lines."""
    return Markup(_parser(breaks).render(text))  # noqa: S704 - the parser escapes what is not Markdown


def plain(text: str) -> str:
    """``text`` without its marks, in one line: for previews."""
    html = re.sub(r"<[^>]*>", " ", _parser(True).render(text))
    return " ".join(Markup(html).unescape().split())  # noqa: S704 - only unescaped, never shown as HTML
