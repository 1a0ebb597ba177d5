"""Texts for people, in German and in English side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
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


def did_you_mean(word: str, known: Iterable[str]) -> Text:
    """The end of a sentence that refuses ``word``: the nearest of the known words, and all of them."""
    words = list(known)
    all_words = ", ".join(words)
    if not (near := get_close_matches(word, words, n=1)):
        return Text(f"bekannt sind {all_words}", f"known are {all_words}")
    return Text(f"meinst du {near[0]}? Bekannt sind {all_words}", f"did you mean {near[0]}? known are {all_words}")
