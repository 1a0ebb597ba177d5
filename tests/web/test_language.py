"""Which language the pages speak."""

from __future__ import annotations

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.web.language import preferred
from tests.web.conftest import Site


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.3", "de"),
        ("", "en"),
        ("de;q=x, *", "en"),
    ],
)
def test_the_browsers_language_is_spoken(header: str, language: str) -> None:
    assert preferred(header) == language


def test_a_chosen_language_stays(site: Site) -> None:
    with httpx.Client(base_url=site.base, headers={"accept-language": "en"}, follow_redirects=True) as client:
        assert "Fancy a game?" in client.get("/").text
        assert 'lang="de"' in client.get("/language/de").text
        assert "Lust auf eine Runde?" in client.get("/").text
