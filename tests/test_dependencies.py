"""What we need of other packages: bounds without known advisories, and the private parts that we use."""

from __future__ import annotations

import inspect
import json
import tomllib
from pathlib import Path

import h11
import pytest
import typer
from packaging.requirements import Requirement
from packaging.version import Version
from typer import core, rich_utils
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from release.audit import Audit, read_report
from spielleiter.cli import help_language

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = {found.name: found for found in map(Requirement, PROJECT["dependencies"])}
FIXED_IN = {"jinja2": "3.1.6", "pillow": "12.2", "python-multipart": "0.0.27", "starlette": "1.0.1"}
"""The first version without a known advisory."""
PRIVATE = ("typer", "uvicorn")


@pytest.mark.parametrize("name", FIXED_IN)
def test_no_version_with_a_known_advisory_is_admitted(name: str) -> None:
    [lowest] = [Version(bound.version) for bound in NEEDED[name].specifier if bound.operator == ">="]
    assert lowest >= Version(FIXED_IN[name])


@pytest.mark.parametrize("name", NEEDED)
def test_every_dependency_has_a_lower_bound_that_the_pinned_version_fulfils(name: str) -> None:
    pins = dict(line.lower().split("==") for line in (ROOT / "constraints.txt").read_text().split())
    pins = {key.replace("_", "-"): version for key, version in pins.items()}
    assert any(bound.operator == ">=" for bound in NEEDED[name].specifier)
    assert NEEDED[name].specifier.contains(pins[name])


@pytest.mark.parametrize("name", PRIVATE)
def test_what_has_private_parts_in_use_is_capped_at_the_next_minor_version(name: str) -> None:
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().split())
    pinned = Version(pins[name])
    assert not NEEDED[name].specifier.contains(f"{pinned.major}.{pinned.minor + 1}.0")


def test_uvicorn_has_the_private_parts_that_the_connections_use() -> None:
    """``web/connections.py`` extends its connection."""
    methods = {"connection_made", "connection_lost", "data_received", "on_response_complete", "pause_writing",
               "resume_writing"}  # fmt: skip
    assert {name for name in methods if not callable(getattr(H11Protocol, name, None))} == set()
    source = inspect.getsource(H11Protocol)
    used = ("conn", "flow", "transport", "client", "loop")
    assert [name for name in used if f"self.{name}" not in source] == []
    assert "read_paused" in inspect.getsource(FlowControl)
    assert hasattr(h11.Connection(h11.SERVER), "their_state")


def test_typer_has_the_private_parts_that_the_german_help_replaces() -> None:
    """``cli/help_language.py`` replaces headings and labels; ``cli/app.py`` loads commands when they are called."""
    assert {name for name in help_language._HEADINGS if not isinstance(getattr(rich_utils, name, None), str)} == set()
    assert callable(rich_utils.rich_format_error)
    assert {*inspect.signature(rich_utils._print_options_panel).parameters} == {
        "name", "params", "ctx", "markup_mode", "console",
    }  # fmt: skip
    assert {*inspect.signature(rich_utils._get_parameter_help).parameters} == {"param", "ctx", "markup_mode"}
    for parameter in (core.TyperOption, core.TyperArgument):
        assert callable(parameter.display_type_rich)
        assert callable(parameter._get_number_range_help_str)
        assert parameter.param_type_name in ("option", "argument")
    for command in (core.TyperCommand, core.TyperGroup):
        assert callable(command.get_help_option)
        assert callable(command.get_usage)
    assert callable(core.TyperGroup.resolve_command)
    assert callable(typer.main.get_command)
    assert callable(typer.main.get_group)


def test_an_audit_names_each_advisory_and_knows_when_it_could_not_look() -> None:
    good = {"name": "good", "version": "1.0", "vulns": []}
    bad = {"name": "bad", "version": "2.0", "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}]}
    skipped = {"name": "unknown", "skip_reason": "not found on PyPI"}

    def audit(*packages: object) -> Audit:
        return read_report(json.dumps({"dependencies": packages}))

    assert audit(good, bad, skipped) == Audit(("bad 2.0: X-1, fixed in 2.1",), 2, ("unknown",), "not found on PyPI")
    assert audit(skipped).audited == read_report("").audited == 0, "which is no reason to call it sound"
