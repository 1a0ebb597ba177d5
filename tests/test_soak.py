"""The soak runs every scenario that there is; ``make soak`` runs them for a night."""

from __future__ import annotations

from pathlib import Path

import soak
from soak.__main__ import SCENARIOS, attempt, result
from soak.scenario import Findings


def test_every_scenario_is_run_and_has_a_title() -> None:
    modules = Path(soak.__file__).parent.glob("*.py")
    assert {path.stem for path in modules if "\ndef run(deadline: Deadline)" in path.read_text()} == set(SCENARIOS)
    assert all(SCENARIOS.values())


def test_a_scenario_that_breaks_has_found_something() -> None:
    findings = attempt("no_such_scenario", 0)
    assert result(findings).startswith("BROKEN: ModuleNotFoundError")


def test_what_could_not_run_is_not_called_held() -> None:
    assert result(Findings("", unavailable="root")) == "not run: root"
    assert result(Findings("", done="something")) == "held"
