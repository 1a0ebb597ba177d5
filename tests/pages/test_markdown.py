"""Texts of organisers as HTML: what is formatted, and what stays harmless text."""

from __future__ import annotations

import pytest

from spielleiter.pages.markdown import markdown, plain


def test_emphasis_lists_quotations_and_links_are_formatted() -> None:
    html = markdown("**fett** und *kursiv*\n\n- eins\n- zwei\n\n> so\n\n[Seite](https://example.org/a?b=1&c=2) `x`")
    for part in ("<strong>fett</strong>", "<em>kursiv</em>", "<li>zwei</li>", "<blockquote>", "<code>x</code>"):
        assert part in html
    assert '<a href="https://example.org/a?b=1&amp;c=2">Seite</a>' in html
    assert '<a href="mailto:a@example.org">' in markdown("<a@example.org>")


def test_a_bare_address_becomes_a_link_and_the_name_of_a_file_does_not() -> None:
    html = markdown("Siehe https://example.org/a?b=1&c=2. Fragen an post@example.org, Code in blokus.py")
    assert '<a href="https://example.org/a?b=1&amp;c=2">https://example.org/a?b=1&amp;c=2</a>. Fragen' in html
    assert '<a href="mailto:post@example.org">post@example.org</a>' in html
    assert "Code in blokus.py" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:x)",
        "[x](//evil.example)",
        "![x](https://evil.example/pixel.png)",
        "<javascript:alert(1)>",
        "javascript:alert(1)//https://a.b",
        "//evil.example/x",
        "[x]: javascript:alert(1)\n\n[x]",
        '[x](https://a.b "onmouseover=alert(1)")',
        "&#106;avascript:alert(1)",
        "[a](https://a.b/\"onclick='alert(1)')",
    ],
)
def test_whatever_could_do_harm_stays_text(text: str) -> None:
    html = str(markdown(text)).lower()
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
    assert 'href="data' not in html
    assert 'href="//' not in html
    assert " onclick" not in html
    assert " onerror=" not in html.replace("&lt;img src=x onerror=", "")


@pytest.mark.parametrize(
    ("text", "html"),
    [("# Groß", "<h4>Groß</h4>"), ("Groß\n----", "<h5>Groß</h5>"), ("###### Klein", "<h6>Klein</h6>")],
)
def test_headings_stand_below_those_of_the_page(text: str, html: str) -> None:
    assert str(markdown(text)).strip() == html


def test_a_preview_has_no_marks() -> None:
    assert plain("**Morgen** um [acht](https://a.b)\n\n- <b>& so</b>") == "Morgen um acht <b>& so</b>"
