"""Texts for people."""

from __future__ import annotations

import errno
import os
import socket
import sys
import unicodedata
from io import BytesIO, TextIOWrapper

import pytest

from spielleiter.text import Text, one_line, printable, show_every_text, system_error


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred\x1b[0m \x1b[2J\x1b[10;3Hb", "ared b"),
        ("\x1b]0;a title\x07x\x1b]8;;http://evil\x1b\\link", "xlink"),
        ("\x1b(Bx\x1bcx\x1bPdcs\x1b\\x", "xxx"),
        ("cut off \x1b[3", "cut off 3"),
        (
            "\x1b]52;c;b3duZWQ=\x07x \x1b]0;no end, then our words\nand a line\x07",
            "x 0;no end, then our words\nand a line\ufffd",
        ),
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


def test_the_system_explains_itself_in_german() -> None:
    missing = OSError(errno.ENOENT, os.strerror(errno.ENOENT), "none.jsonl")
    assert system_error(missing) == Text("Datei oder Ordner nicht gefunden", os.strerror(errno.ENOENT))
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert system_error(unknown).de == "einen Rechner mit diesem Namen gibt es nicht"


def test_an_error_that_is_not_the_systems_keeps_its_words() -> None:
    assert system_error(EOFError("it ends here")) == Text("it ends here", "it ends here")
    assert system_error(TimeoutError()).en == "TimeoutError"
