"""Errors of the system as refusals in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.errors import READ, RecordError, SettingsError, refusing


def test_what_the_system_refuses_is_an_error_with_its_reason_in_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    with pytest.raises(RecordError) as problem, refusing(RecordError, path, READ):
        path.read_text()
    assert problem.value.text.de == f"{path}: lässt sich nicht lesen: Datei oder Ordner nicht gefunden"
    assert problem.value.text.en == f"{path}: cannot be read: No such file or directory"


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bytes.txt"
    path.write_bytes(b"\xff")
    with (
        pytest.raises(SettingsError, match="cannot be read: it is not UTF-8 text"),
        refusing(SettingsError, path, READ),
    ):
        path.read_text(encoding="utf-8")


def test_other_errors_pass_unless_they_are_named() -> None:
    with pytest.raises(EOFError), refusing(RecordError, "x", READ):
        raise EOFError("it ends here")
    refused = pytest.raises(RecordError, match="x: cannot be read: it ends here")
    with refused, refusing(RecordError, "x", READ, also=(EOFError,)):
        raise EOFError("it ends here")
    with pytest.raises(SettingsError, match=r"^mine$"), refusing(RecordError, "x", READ):
        raise SettingsError("meins", "mine")
