"""Values of TOML and JSON: of the right kind and within bounds, or refused with their line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from spielleiter.errors import RecordError, SettingsError
from spielleiter.game import Team
from spielleiter.values import Values, parse_json, read_toml

TEXT = """top = 3

[one]
weight = 2
name = "x"

[[many]]
size = 1

[[many]]
size = "large"
"""


@pytest.fixture
def values(tmp_path: Path) -> Values:
    (tmp_path / "file.toml").write_text(TEXT)
    return read_toml(tmp_path / "file.toml")


def test_a_number_may_be_written_without_a_point(values: Values) -> None:
    assert values.table("one").number("weight") == 2.0
    assert values.table("one").number("height", 1.5) == 1.5
    with pytest.raises(SettingsError, match=r"file.toml, line 4: weight must lie between 3 and 5, not 2"):
        values.table("one").number("weight", low=3, high=5)
    with pytest.raises(SettingsError, match=r"line 5: name must be a number, not 'x'"):
        values.table("one").number("name")


def test_of_a_repeated_section_the_right_one_is_named(values: Values) -> None:
    assert values.tables("many")[0].whole("size") == 1
    with pytest.raises(SettingsError, match="line 11: size must be a whole number"):
        values.tables("many")[1].whole("size")


def test_an_unknown_name_is_refused_with_the_nearest(values: Values) -> None:
    assert str(values.unknown("top", ["tops", "x"])).endswith(
        "line 1: 'top' is unknown here: did you mean tops? expected one of tops, x"
    )
    assert "line 4: 'weight' is unknown in [one]" in str(values.table("one").unknown("weight", ["height"]))


def test_something_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    with pytest.raises(SettingsError, match="there is no such file"):
        read_toml(path)
    path.write_text("[" * 3)
    with pytest.raises(SettingsError, match=r"file\.toml: "):
        read_toml(path)


def test_a_section_that_is_a_value_is_refused_with_its_line(values: Values) -> None:
    with pytest.raises(SettingsError, match=r"line 1: top must be a section \[top\], not 3"):
        values.table("top")
    with pytest.raises(SettingsError, match=r"line 3: one must be \[\[one\]\] for each entry"):
        values.tables("one")
    assert values.table("none").data == {}
    assert values.tables("none") == []


def test_a_value_of_json_is_refused_with_its_place_and_its_error() -> None:
    line = parse_json(
        b'{"size": 1e999, "name": "\\ud800", "of": {"a": null}, "many": [1]}', "games.jsonl:3", RecordError
    )
    for read, message in (
        (lambda: line.number("size"), "size must lie between .*, not inf"),
        (lambda: line.whole("size"), "size must be a whole number, not inf"),
        (lambda: line.text("name"), "name must be a text in quotes, not '.ud800'"),
        (lambda: line.table("of").text("a"), "a must be a text in quotes, not None"),
        (lambda: line.table("of").text("b"), r"'b' is missing in \[of\]"),
        (lambda: line.table("many"), "many must be a table, not"),
        (lambda: line.texts("many"), "many must be a list of texts, not"),
        (lambda: line.pair("many", str), "many must be a list with two entries, one for each team"),
        (lambda: line.choice("name", {"x": 1}), "name must be"),
    ):
        with pytest.raises(RecordError, match=f"^games.jsonl:3: {message}"):
            read()
    assert not line.table("of").has("a")


@pytest.mark.parametrize("data", [b"[]", b'{"a": 1, "a": 2}', b'{"a": NaN}', b"{", b"\xff"])
def test_what_is_not_one_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"^x: damaged: "):
        parse_json(data, "x", RecordError)


@dataclass(frozen=True, slots=True)
class Inner:
    de: str
    en: str


@dataclass(frozen=True, slots=True)
class Outer:
    name: str
    winner: Team | None
    texts: tuple[Inner, Inner]
    times: tuple[float, ...] = ()
    share: float | None = None
    ok: bool = False


WHOLE = {"name": "a", "winner": "TWO", "texts": [{"de": "x", "en": "y"}] * 2, "times": [1, 2.5], "share": 1, "ok": True}


def test_a_table_is_read_as_the_dataclass_that_it_is() -> None:
    texts = (Inner("x", "y"), Inner("x", "y"))
    assert Values(WHOLE, "x").read(Outer) == Outer("a", Team.TWO, texts, (1, 2.5), 1.0, True)
    least = {"name": "a", "winner": None, "texts": WHOLE["texts"], "version": 3}
    assert Values(least, "x").read(Outer, besides=("version",)) == Outer("a", None, texts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 3}, "name must be a text in quotes, not 3"),
        ({"name": None}, "name must be a text in quotes, not None"),
        ({"winner": "RED"}, 'winner must be "ONE" or "TWO", not'),
        ({"texts": [{"de": "x", "en": "y"}]}, "texts must be a list, not"),
        ({"texts": [{"de": "x"}, {"de": "x", "en": "y"}]}, r"'en' is missing in \[texts\]"),
        ({"texts": [3, 4]}, "texts must be a table, not"),
        ({"times": ["a"]}, "times must be a number, not"),
        ({"times": 3}, "times must be a list, not 3"),
        ({"share": True}, "share must be a number, not True"),
        ({"share": 1e999}, "share must lie between .*, not inf"),
        ({"ok": 1}, "ok must be true or false, not 1"),
        ({"nam": 1}, "'nam' is unknown here: did you mean name"),
    ],
)
def test_a_table_that_is_not_the_dataclass_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=f"^x: {message}"):
        Values(WHOLE | change, "x").read(Outer)


def test_a_field_without_a_default_is_missed() -> None:
    with pytest.raises(SettingsError, match="'winner' is missing"):
        Values({"name": "a"}, "x").read(Outer)
