"""The listings and commands on the pages of the documentation, as a reader would type them.

A block that cannot be run here has a comment before it, which readers do not see: ``<!-- not run: why -->``. All others
are run by ``release/trial.py``; ``tests/test_docs.py`` finds blocks that could not be, and have no such comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")])

_NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
_COMMAND = re.compile(
    r"(?:\$ )?((?:spielleiter|python3?|make|pip|uvx|dask|cargo|cd|source|\S*/build\.sh|\./\S+)(?: .*)?)$"
)
_PLACEHOLDER = re.compile(r"\b[A-Z][A-Z-]{2,}\b|\.\.\.|[\[\]|<>]")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: fenced, or indented by four spaces."""

    kind: str
    """The word behind the fence; nothing for an indented block."""
    name: str
    """The second word behind the fence: the file to write, or what the command is."""
    text: str
    not_run: str | None
    """Why nobody runs it."""

    @property
    def commands(self) -> list[str]:
        """Its commands, without their comments."""
        if self.kind not in ("", "sh", "console"):
            return []
        lines = (re.sub(r"\s+#\s.*", "", line).strip() for line in self.text.replace("\\\n", " ").splitlines())
        return [found[1] for line in lines if (found := _COMMAND.match(line))]


def blocks(page: Path) -> list[Block]:
    """All blocks of code of a page."""
    return list(_blocks(page.read_text(encoding="utf-8").splitlines()))


def _blocks(lines: list[str]) -> Iterator[Block]:
    reason, index = None, 0
    while index < len(lines):
        line = lines[index]
        first, index = index, index + 1
        if found := _NOT_RUN.fullmatch(line.strip()):
            reason = found[1]
        elif line.startswith("```"):
            end = lines.index("```", index)
            kind, _, name = line[3:].partition(" ")
            yield Block(kind, name, "".join(f"{each}\n" for each in lines[index:end]), reason)
            reason, index = None, end + 1
        elif line.startswith("    ") and not (first and lines[first - 1]):
            while index < len(lines) and lines[index].startswith("    "):
                index += 1
            yield Block("", "", "".join(f"{each[4:]}\n" for each in lines[first:index]), reason)
            reason = None
        elif line:
            reason = None


def is_runnable(command: str) -> bool:
    """Whether somebody could type this here: with nothing to fill in, and not to set up a machine."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", command)
    if re.match(r"python3? -m (bench|examples|tests)\b", plain):
        return False  # of the repository, not of the package
    return not _PLACEHOLDER.search(plain) and plain.split()[0] not in ("make", "pip", "uvx", "dask", "cargo", "source")
