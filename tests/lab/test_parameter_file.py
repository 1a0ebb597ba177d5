"""``params.toml``: what can be tuned, and every mistake with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.lab.parameter_file import option_text, read_parameters
from spielleiter.lab.spsa import Parameter
from spielleiter.programs.entrants import Entrant, EntrantKind, resolve, with_options

GOOD = """[depth]
start = 2
min = 1
max = 4
step = 0.5
whole = true
"""


def test_a_file_says_what_to_tune_and_how_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "params.toml").write_text('form = "--{name} {value}"\n\n' + GOOD)
    kalle = Entrant(name="kalle", text="kalle", kind=EntrantKind.COMMAND, command=("kalle",))
    [parameter], form = read_parameters(tmp_path / "params.toml", kalle)
    assert parameter == Parameter(name="depth", start=2, low=1, high=4, step=0.5, whole=True)
    assert option_text(parameter, 3.0) == "3"
    assert with_options(kalle, {"depth": "3"}, form).arguments == ("--depth", "3")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("[depth]", "[dpth]", "line 1: student has no option 'dpth': did you mean depth?"),
        ("step = 0.5", "setp = 0.5", "line 5: 'setp' is unknown in [depth]: did you mean step?"),
        ("step = 0.5", "step = 0.1", "line 5: step must lie between 0.5 and 1.5, not 0.1"),
        ("start = 2", "start = 9", "line 2: start must lie between 1 and 4, not 9"),
        ("start = 2", 'start = "two"', "line 2: start must be a number, not 'two'"),
        ("start = 2", "", "line 1: 'start' is missing in [depth]"),
        ("min = 1", "min = 7", "line 3: min must be less than max, not 7 and 4"),
        ("whole = true", "", "line 1: student needs a whole number for depth"),
        ("[depth]", "form = 3\n[depth]", "line 1: form must be a text in quotes, not 3"),
        ("[depth]", 'form = "--x"\n[depth]', "line 1: form needs {value}, as in '--set {name}={value}'"),
        ("[depth]", "depht = 3\n[depth]", "line 1: 'depht' is unknown here: expected one of [NAME], form"),
    ],
)
def test_a_mistake_is_refused_with_its_line(tmp_path: Path, before: str, after: str, expected: str) -> None:
    text = GOOD.replace("start = 2", "start = 2.5") if "whole" in before else GOOD
    (tmp_path / "params.toml").write_text(text.replace(before, after))
    with pytest.raises(SettingsError) as problem:
        read_parameters(tmp_path / "params.toml", resolve("student"))
    assert f"params.toml, {expected}" in str(problem.value)


def test_a_file_without_parameters_is_refused(tmp_path: Path) -> None:
    (tmp_path / "params.toml").write_text("")
    with pytest.raises(SettingsError, match="1 to 30 parameters can be tuned at once"):
        read_parameters(tmp_path / "params.toml", resolve("student"))
