"""One played season for all tests of the pages, one in the middle, and one that has not begun."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'contest' is not installed")
pytest.importorskip("jinja2", reason="the extra 'contest' is not installed")

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from tests.support.page_seasons import HOSTILE, NICE, disturb, found, play, season_text
from tests.support.season_site import write_site


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """A season from the first day to the final."""
    with found(tmp_path_factory.mktemp("played"), season_text(HOSTILE + NICE)) as contest:
        play(contest)
        disturb(contest)
        yield contest


@pytest.fixture(scope="session")
def halfway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """A season after two days of the championship; its table is by encounters."""
    with found(tmp_path_factory.mktemp("halfway"), season_text(NICE, standings="encounters")) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 2))
        yield contest


@pytest.fixture(scope="session")
def site(played: Contest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the played season."""
    folder = tmp_path_factory.mktemp("site") / "season"
    write_site(played, folder)
    return folder
