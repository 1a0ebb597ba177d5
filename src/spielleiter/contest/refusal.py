"""What the contest refuses, told in both languages: pages show it to people who asked in either."""

from __future__ import annotations

from spielleiter.errors import ContestError
from spielleiter.game import Text


class Refused(ContestError):
    """Something that cannot be, or not now: why, in both languages."""

    def __init__(self, de: str, en: str) -> None:
        super().__init__(en)
        self.text = Text(de, en)
