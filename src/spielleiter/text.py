"""Texts for people, in German and in English side by side."""

from __future__ import annotations

import codecs
import locale
import os
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from errno import errorcode
from io import TextIOWrapper
from pathlib import PurePath
from typing import Literal
from unicodedata import normalize

Language = Literal["de", "en"]

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
"""What a terminal takes as a command: colours and cursor moves, titles and links, and the short ones.

One without an end loses only its beginning: it must not hide what others wrote behind it.
"""


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

    def followed_by(self, more: Text) -> Text:
        """Both, with a semicolon between them; this one alone if there is nothing more."""
        return Text(f"{self.de}; {more.de}", f"{self.en}; {more.en}") if more.en else self


NO_TEXT = Text("", "")
_MAX_DIGITS = 18


_chosen_language: Language | None = None


def choose_language(chosen: Language | None) -> None:
    """Talk to the user of this process in this language from now on; ``None``: in the one of the system."""
    global _chosen_language
    _chosen_language = chosen


def system_language() -> Language:
    """The user's language: the one chosen for this process, what SPIELLEITER_LANG says, or else the system's."""
    if _chosen_language is not None:
        return _chosen_language
    match os.environ.get("SPIELLEITER_LANG"):
        case "de":
            return "de"
        case "en":
            return "en"
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or locale.getlocale()[0]
    return "de" if (name or "").casefold().startswith(("de", "german")) else "en"  # Windows says German_Germany


def did_you_mean(word: str, known: Iterable[str]) -> Text:
    """The end of a sentence that refuses ``word``: the nearest of the known words, and all of them."""
    words = list(known)
    all_words = ", ".join(words)
    if not (near := get_close_matches(word, words, n=1)):
        return Text(f"bekannt sind {all_words}", f"expected one of {all_words}")
    return Text(
        f"meinst du {near[0]}? Bekannt sind {all_words}", f"did you mean {near[0]}? expected one of {all_words}"
    )


_SYSTEM_ERRORS = {
    "EACCES": "keine Berechtigung",
    "EADDRINUSE": "die Adresse wird schon benutzt",
    "EADDRNOTAVAIL": "diese Adresse hat der Rechner nicht",
    "EBUSY": "wird gerade benutzt",
    "ECONNREFUSED": "die Verbindung wurde abgelehnt",
    "ECONNRESET": "die Gegenseite hat die Verbindung abgebrochen",
    "EDQUOT": "das Speicherkontingent ist erschöpft",
    "EEXIST": "das gibt es schon",
    "EFBIG": "die Datei ist zu groß",
    "EHOSTUNREACH": "der Rechner ist nicht erreichbar",
    "EIO": "Fehler beim Lesen oder Schreiben",
    "EISDIR": "das ist ein Ordner",
    "ELOOP": "die Verweise führen im Kreis",
    "EMFILE": "zu viele offene Dateien",
    "ENAMETOOLONG": "der Name ist zu lang",
    "ENETUNREACH": "das Netz ist nicht erreichbar",
    "ENFILE": "zu viele offene Dateien",
    "ENOENT": "Datei oder Ordner nicht gefunden",
    "ENOEXEC": "das ist kein ausführbares Programm",
    "ENOMEM": "zu wenig Arbeitsspeicher",
    "ENOSPC": "der Datenträger ist voll",
    "ENOTDIR": "das ist kein Ordner",
    "ENOTEMPTY": "der Ordner ist nicht leer",
    "EPERM": "nicht erlaubt",
    "EPIPE": "die Verbindung ist geschlossen",
    "EROFS": "der Datenträger ist schreibgeschützt",
    "ETIMEDOUT": "keine Antwort in der Zeit",
    "ETXTBSY": "wird gerade benutzt",
}


def system_error(problem: BaseException) -> Text:
    """Why the system refused something, for the end of a sentence. Python itself says it in English only."""
    if isinstance(problem, UnicodeDecodeError):
        return Text("das ist kein UTF-8-Text", "it is not UTF-8 text")
    english = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    if type(problem).__name__ == "gaierror":
        return Text("einen Rechner mit diesem Namen gibt es nicht", english)  # Its numbers are not those of errno.
    return Text(_SYSTEM_ERRORS.get(errorcode.get(getattr(problem, "errno", None) or 0, ""), english), english)


def upper_first(text: str) -> str:
    """``text`` as the beginning of a sentence; a square (``e4``) or a name (``zip:``, ``hugo@1a2b``) stays as it is."""
    first = text.partition(" ")[0]
    return text if text[1:2].isdigit() or first.endswith(":") or "@" in first else text[:1].upper() + text[1:]


def printable(text: str) -> str:
    """Untrusted text made safe for a terminal, a page and a database: without control sequences.

    Line ends and tabs stay; other control characters, and those that change the direction of reading, show as U+FFFD.
    """
    plain = _ESCAPE.sub("", text).replace("\r\n", "\n")
    return "".join(
        char if char.isprintable() or char in "\n\t" else " " if char.isspace() else "\ufffd" for char in plain
    )


def whole_number(text: str) -> int | None:
    """The number that the text is, from 0 up to 18 digits, or ``None``: a longer one is never meant."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def shell_word(text: str | PurePath) -> str:
    """The text as one word of a command that can be pasted into this system's shell."""
    word = str(text)
    if sys.platform != "win32":
        return shlex.quote(word)
    return f'"{word}"' if " " in word else word


def one_line(text: str) -> str:
    """Untrusted text, printable and without line ends, as for a name."""
    return " ".join(printable(text).split())


# --- terminals without umlauts ----------------------------------------------------------------------------------------

_ASCII = {
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "„": '"', "“": '"', "”": '"', "’": "'",
    "–": "-", "−": "-", "…": "...", "·": ".", "←": "<-", "→": "->", "✓": "+", "✗": "x", "×": "x", "½": "1/2",
    "±": "+-", "⌀": "avg", "•": "*", "─": "-", "━": "-", "│": "|",
}  # fmt: skip


def _transliterate(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    letters = (_ASCII.get(letter) or normalize("NFKD", letter).encode("ascii", "ignore").decode() for letter in missing)
    return "".join(letter or "?" for letter in letters), problem.end


def show_every_text() -> None:
    """Let standard output and error write what their encoding lacks with the letters of ASCII: ä as ae, − as -."""
    codecs.register_error("transliterate", _transliterate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="transliterate")
