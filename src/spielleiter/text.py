"""Texts for people, in German and in English side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["de", "en"]


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages of the contest."""

    de: str
    en: str

    def __str__(self) -> str:
        return self.en

    def to(self, language: Language) -> str:
        """The text in ``language``."""
        return self.de if language == "de" else self.en
