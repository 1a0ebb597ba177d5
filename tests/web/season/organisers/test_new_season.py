"""What the form of a new season makes of strange input; ``tests/walks`` creates one in a browser."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")
from spielleiter.errors import SettingsError
from spielleiter.web.season.organisers.new_season import _DEFAULTS, _draft


@pytest.mark.parametrize("time", ["nan", "inf", "1e999", "two", "-"])
def test_a_time_that_is_no_number_is_named(time: str) -> None:
    with pytest.raises(SettingsError, match=f"a number, not {time!r}"):
        _draft(_DEFAULTS | {"name": "Season", "seed": "1", "time": time})


@pytest.mark.parametrize("seed", ["9" * 5000, "-1", "1.5", "²"])
def test_a_seed_that_is_no_whole_number_is_named(seed: str) -> None:
    with pytest.raises(SettingsError, match="a whole number, not"):
        _draft(_DEFAULTS | {"name": "Season", "seed": seed})
