"""A page of the folder as HTML: the template that the server renders, too, with links to files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from spielleiter.game import Language
from spielleiter.pages.environment import render
from spielleiter.workshop.export.addresses import with_files

ASSETS = "../assets/"
"""Where style sheet and scripts are, seen from a page."""
POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
)
"""The server's policy (web/guard.py), but for ``frame-ancestors``, which a page cannot set by itself."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page, and what differs between those that need Python and those that do not."""

    name: str
    """Its file, the same in both languages."""
    section: str = ""
    """The part of the menu that it belongs to."""
    runs_python: bool = False
    nonce: str = ""
    """For the styles that an editor makes."""

    @property
    def policy(self) -> str:
        """What the page may load and run; there are no headers that could say it."""
        found = "; ".join(POLICY)
        if self.runs_python:
            found = found.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; frame-src 'self'")
        return found.replace("style-src 'self'", f"style-src 'self' 'nonce-{self.nonce}'") if self.nonce else found

    def render(self, template: str, language: Language, **context: Any) -> str:
        """The whole page in one language."""
        html = render(
            template,
            language,
            layout="exported/page.html",
            page=self,
            **{"asset": asset, "python": {}, "now": "0", "is_host": False, "is_guest": True} | context,
        )
        return with_files(html)


def asset(name: str) -> str:
    """A style sheet, a script or a picture."""
    return ASSETS + name


@cache
def answered_page(kind: str) -> PageFile:
    """A page that Python renders in the browser."""
    return PageFile(f"{kind}.html", {"puzzle": "puzzles", "table": "play"}[kind], runs_python=True)
