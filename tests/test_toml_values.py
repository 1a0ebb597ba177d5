"""Values of a TOML file: of the right kind and within bounds, or refused with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.toml_values import TomlValues

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
def values(tmp_path: Path) -> TomlValues:
    (tmp_path / "file.toml").write_text(TEXT)
    return TomlValues.read(tmp_path / "file.toml")


def test_a_number_may_be_written_without_a_point(values: TomlValues) -> None:
    assert values.number("one", "weight") == 2.0
    assert values.number("one", "height", 1.5) == 1.5
    with pytest.raises(SettingsError, match=r"file.toml, line 4: weight must lie between 3 and 5, not 2"):
        values.number("one", "weight", low=3, high=5)
    with pytest.raises(SettingsError, match=r"line 5: name must be a number, not 'x'"):
        values.number("one", "name")


def test_of_a_repeated_section_the_right_one_is_named(values: TomlValues) -> None:
    assert values.value("many", "size", int, number=0) == 1
    with pytest.raises(SettingsError, match="line 11: size must be a whole number"):
        values.value("many", "size", int, number=1)


def test_an_unknown_name_is_refused_with_the_nearest(values: TomlValues) -> None:
    assert str(values.unknown("top", ["tops", "x"])).endswith(
        "line 1: 'top' is unknown here: did you mean tops? expected one of tops, x"
    )
    assert "line 4: 'weight' is unknown here" in str(values.unknown("weight", ["height"], "one"))


def test_what_is_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    with pytest.raises(SettingsError, match="there is no such file"):
        TomlValues.read(path)
    path.write_text("[" * 3)
    with pytest.raises(SettingsError, match=r"file\.toml: "):
        TomlValues.read(path)
