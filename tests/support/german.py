"""Finds English words in what Germans read."""

from __future__ import annotations

import re

ENGLISH = """
the of is are and with has not games game moves move player players to wins draw points time seed round turn last
season matchday encounter standings largest reading asked elapsed
written known found failed missing error warning red blue yellow green ONE TWO
"""
"""Words of which at least one is in nearly every English line, and none in German."""


def english_words(shown: str) -> set[str]:
    """The English words in what was printed; names of options, commands, files and players are none."""
    names = r"\[Standard: [^\]]*\]|'[^']*'|„[^“]*“|\"[^\"]*\"|--[\w-]+|\S*[./_:=]\S+|<[^>]*>|\((ONE|TWO)\)"
    return set(re.findall(r"[A-Za-z]+", re.sub(names, " ", shown))) & set(ENGLISH.split())
