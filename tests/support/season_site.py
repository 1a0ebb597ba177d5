"""The site of a season alone, as an export has it."""

from __future__ import annotations

from pathlib import Path

from spielleiter.contest.read.reader import reading
from spielleiter.contest.run.contest import Contest
from spielleiter.pages.season.site import fill_site, new_folder


def write_site(contest: Contest, folder: Path) -> None:
    with new_folder(folder) as draft, reading(contest) as reader:
        fill_site(reader, reader.snapshot().seen_by(None), draft)
