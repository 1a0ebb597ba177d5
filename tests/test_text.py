"""Texts for people."""

from __future__ import annotations

import sys
import unicodedata
from io import BytesIO, TextIOWrapper

import pytest

from spielleiter.text import one_line, printable, show_every_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred\x1b[0m \x1b[2J\x1b[10;3Hb", "ared b"),
        ("\x1b]0;a title\x07x\x1b]8;;http://evil\x1b\\link", "xlink"),
        ("\x1b(Bx\x1bcx\x1bPdcs\x1b\\x", "xxx"),
        ("cut off \x1b[3", "cut off 3"),
        ("a\0b\x08\u202eoli\x7f\x9b2J", "a\ufffdb\ufffd\ufffdoli\ufffd\ufffd2J"),
        ("1\r\n2\r3\t4\xa0ü\n", "1\n2 3\t4 ü\n"),
    ],
)
def test_a_program_cannot_command_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


def test_a_name_stays_on_its_line() -> None:
    assert one_line(" a\n\x1b[1mb\tc ") == "a b c"


def test_no_character_that_steers_a_terminal_is_printable() -> None:
    left = printable("".join(map(chr, range(sys.maxunicode + 1))))
    assert {char for char in left if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")} == {"\t", "\n"}


def test_a_stream_without_umlauts_gets_them_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    written = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(written, "ascii"))
    show_every_text()
    print("Züge „größer“ − ½ ✓ 水", flush=True)
    assert written.getvalue() == b'Zuege "groesser" - 1/2 + ?\n'
