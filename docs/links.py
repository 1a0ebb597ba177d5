"""Looks for links of the finished site that lead nowhere: to a page, a file or an anchor that is not there.

Links to other sites are not followed: building the documentation needs no network.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value for name, value in attrs if value}
        self.anchors.update(named[name] for name in ("id", "name") if name in named)
        self.links.update(named[name] for name in ("href", "src") if name in named and tag != "form")


def dead_links(site: Path) -> list[str]:
    """A line for each link between pages of a site that leads nowhere."""
    pages = {path.resolve(): _Page(path) for path in sorted(site.rglob("*.html"))}
    dead = []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            if not target.exists():
                dead.append(f"{path.relative_to(site.resolve())} links to {link}, which is not there")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                dead.append(f"{path.relative_to(site.resolve())} links to {link}, which has no such anchor")
    return dead
