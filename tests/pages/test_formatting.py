"""Long names: where they may break."""

from __future__ import annotations

import pytest

from spielleiter.pages.formatting import breakable


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Donaudampfschifffahrtsgesellschaft", "Donau-dampf-schiff-fahrts-gesell-schaft"),
        ("AG Programmierwettbewerb", "AG Pro-gram-mier-wett-bewerb"),
        ("Kieler Sprotten", "Kieler Sprotten"),
        ("x" * 30, "-".join(["x" * 12, "x" * 12, "x" * 6])),
        ("12345678901234567890", "12345678901234567890"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ],
)
def test_only_long_words_may_break_and_before_a_consonant_with_a_vowel(name: str, shown: str) -> None:
    assert breakable(name) == shown.replace("-", "\u00ad")
